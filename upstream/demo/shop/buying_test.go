package shop_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// form is the basket page's, as a browser would send it for a basket of socks.
func form(do, total string) url.Values {
	return url.Values{
		"do": {do}, "key": {"1"}, "item": {"v-SOK-M"}, "quantity": {"2"}, "codes": {""}, "email": {"ada@example.com"},
		"first_name": {"Ada"}, "last_name": {"Thwaite"}, "phone": {""}, "street": {"12 Stricklandgate"}, "extended": {""},
		"city": {"Kendal"}, "region": {""}, "postal_code": {"LA9 4ND"}, "country": {"GB"}, "delivery": {"standard"},
		"method": {"demo-card"}, "credential": {"accept"}, "total": {total}, "attempt": {"page-1"},
	}
}

// TestBuying is a person who shops without an agent.
func TestBuying(t *testing.T) {
	s := visit(t, shop.Options{})
	if _, page := s.get("/basket"); !strings.Contains(page, "Your basket is empty") {
		t.Error("a visitor's basket is not empty")
	}
	response, page := s.post("/basket", url.Values{"item": {"v-SOK-M"}, "quantity": {"1"}})
	path := response.Request.URL.Path
	if !strings.HasPrefix(path, "/basket/") || !strings.Contains(page, "Merino Hiking Socks") {
		t.Fatalf("adding led to %s", path)
	}
	for _, cookie := range s.client.Jar.Cookies(response.Request.URL) {
		if cookie.Name == "kc_basket" && !strings.HasSuffix(path, cookie.Value) {
			t.Errorf("the cookie is of another basket")
		}
	}
	if response, _ = s.post("/basket", url.Values{"item": {"v-SOK-M"}, "quantity": {"1"}}); response.Request.URL.Path != path {
		t.Errorf("a second piece went into %s", response.Request.URL.Path)
	}
	if response, _ = s.get("/basket"); response.Request.URL.Path != path {
		t.Errorf("the visitor's basket is %s, want %s", response.Request.URL.Path, path)
	}
	f := form("update", "0")
	f.Set("codes", "WELCOME10, nonsense")
	response, page = s.post(path, f)
	if response.StatusCode != http.StatusConflict || !strings.Contains(page, "no such discount code") || !strings.Contains(page, "£44.55") {
		t.Fatalf("a wrong code: %d", response.StatusCode)
	}
	f.Set("codes", "WELCOME10")
	for _, refusal := range []struct{ field, value, text string }{
		{"total", "4895", "costs something else"},
		{"credential", "decline", "declined the card"},
		{"street", "", "Still needed: your street"},
	} {
		g := form("order", "4455")
		g.Set("codes", "WELCOME10")
		g.Set(refusal.field, refusal.value)
		response, page = s.post(path, g)
		if response.StatusCode < 400 || !strings.Contains(page, refusal.text) || s.count() != 0 {
			t.Errorf("%s %q: %d, %d orders", refusal.field, refusal.value, response.StatusCode, s.count())
		}
	}
	g := form("order", "4455")
	g.Set("codes", "WELCOME10")
	response, page = s.post(path, g)
	if response.Request.URL.Path != "/orders/KC10001" || !strings.Contains(page, "Thank you, Ada") || !strings.Contains(page, "£44.55") {
		t.Fatalf("ordering led to %d %s", response.StatusCode, response.Request.URL)
	}
	// Again, by a second click or the way back: the same order.
	for range 2 {
		if response, _ = s.post(path, g); response.Request.URL.Path != "/orders/KC10001" {
			t.Errorf("ordering again led to %s", response.Request.URL)
		}
	}
	if response, _ = s.get(path); response.Request.URL.Path != "/orders/KC10001" || s.count() != 1 {
		t.Errorf("the basket leads to %s; %d orders", response.Request.URL, s.count())
	}
	if response, _ = s.post("/basket", url.Values{"item": {"v-SOK-M"}, "quantity": {"1"}}); response.Request.URL.Path == path {
		t.Error("the next purchase went into the ordered basket")
	}
}

func TestOddForms(t *testing.T) {
	s := visit(t, shop.Options{})
	path := s.basket(complete).Path
	for name, change := range map[string]func(url.Values){
		"no quantity":    func(f url.Values) { f.Del("quantity") },
		"a negative one": func(f url.Values) { f.Set("quantity", "-1") },
		"a word":         func(f url.Values) { f.Set("quantity", "two") },
		"no total":       func(f url.Values) { f.Del("total") },
		"no attempt":     func(f url.Values) { f.Del("attempt") },
		"no way to pay":  func(f url.Values) { f.Del("method") },
		"a key twice": func(f url.Values) {
			f["key"], f["item"], f["quantity"] = []string{"1", "1"}, []string{"a", "b"}, []string{"1", "1"}
		},
		"too many products": func(f url.Values) { f["key"], f["item"] = []string{"1", "2"}, []string{"a", "b"} },
	} {
		f := form("order", "4895")
		change(f)
		if response, _ := s.post(path, f); response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", name, response.StatusCode)
		}
	}
	if response, _ := s.post("/basket", url.Values{"item": {"v-SOK-M"}, "quantity": {"0"}}); response.StatusCode != http.StatusBadRequest {
		t.Errorf("adding nothing: %d", response.StatusCode)
	}
	f := form("update", "0")
	f.Set("quantity", "0")
	if _, page := s.post(path, f); !strings.Contains(page, "There is nothing in this basket") || s.count() != 0 {
		t.Error("taking the product out left it in")
	}
}

// TestAgentsFieldsStay: what the page does not show of an agent's basket stays.
func TestAgentsFieldsStay(t *testing.T) {
	s := visit(t, shop.Options{})
	b := s.basket(strings.Replace(complete, `"address":{`, `"billing":{"street":"2 Counting House","country":"GB"},"address":{"company":"Thwaite & Co","first_name":"Bea",`, 1))
	s.post(b.Path, form("order", "4895"))
	orders := read[struct {
		Orders []struct {
			Agent   string
			Address struct {
				Company   string
				FirstName string `json:"first_name"`
			}
		}
	}](s.house, http.StatusOK, http.MethodGet, "/api/backoffice/orders", "", "Authorization", "Bearer "+office).Orders
	if len(orders) != 1 || orders[0].Agent != "Tester" || orders[0].Address.Company != "Thwaite & Co" || orders[0].Address.FirstName != "Bea" {
		t.Errorf("the order is %+v", orders)
	}
}

func TestCustomer(t *testing.T) {
	s := visit(t, shop.Options{})
	order := s.order()
	if _, page := s.get("/account"); strings.Contains(page, order.Number) || !strings.Contains(page, "Password") {
		t.Error("a stranger sees the orders")
	}
	for _, wrong := range []url.Values{
		{"email": {"ada@example.com"}, "password": {"wrong"}},
		{"email": {"eve@example.com"}, "password": {"Fell-and-Ford-1"}},
		{"email": {"ada@example.com"}, "password": {strings.Repeat("x", 300)}},
	} {
		if response, _ := s.post("/account", wrong); response.StatusCode != http.StatusUnauthorized {
			t.Errorf("%v: %d", wrong["email"], response.StatusCode)
		}
	}
	_, page := s.post("/account", url.Values{"email": {" Ada@Example.com"}, "password": {"Fell-and-Ford-1"}})
	if !strings.Contains(page, order.Number) || !strings.Contains(page, ">Ada</a>") {
		t.Error("a customer does not see her order")
	}
	s.advance(12 * time.Hour)
	if _, page := s.get("/account"); strings.Contains(page, order.Number) {
		t.Error("a session does not end")
	}
	s.post("/account", url.Values{"email": {"ada@example.com"}, "password": {"Fell-and-Ford-1"}})
	if _, page = s.post("/account/leave", nil); strings.Contains(page, order.Number) {
		t.Error("signing out does not end the session")
	}
	_, page = s.post("/account", url.Values{"email": {"ben@example.com"}, "password": {"Salt-and-Slip-2"}})
	if strings.Contains(page, order.Number) || !strings.Contains(page, "There are none yet") {
		t.Error("a customer sees somebody else's orders")
	}
}
