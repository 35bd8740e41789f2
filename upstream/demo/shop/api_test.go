package shop_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

type found struct {
	Total    int
	Next     string
	Products []struct {
		Handle   string
		Variants []struct {
			SKU          string
			Price        int64
			Availability string
		}
	}
}

func (f found) handles() []string {
	var out []string
	for _, p := range f.Products {
		out = append(out, p.Handle)
	}
	return out
}

func TestSearch(t *testing.T) {
	h := open(t, shop.Options{})
	for query, want := range map[string][]string{
		"q=fjell": {"fjell-trail-gtx"},
		"q=boots&category=footwear/walking+boots&max=15000": {"fjell-trail-gtx"},
		"category=WALKING+BOOTS&min=19500&max=20000":        {"moraine-leather-boot"},
		"category=Poles&category=Furniture":                 {"trig-carbon-poles", "heron-camp-chair"},
		"category=Furniture&available=1":                    nil,
		"category=Tents&limit=1":                            {"lochan-ridge-tent"},
		"category=Tents&limit=1&cursor=1":                   {"lean-to-tarp"},
		"category=Tents&cursor=7":                           nil,
		"q=zeppelin":                                        nil,
		"category=Tents&min=21900&max=21900":                {"lochan-ridge-tent"},
		"category=Tents&min=22000&max=26000":                nil, // no variant lies between
	} {
		got := read[found](h, http.StatusOK, http.MethodGet, "/api/products?"+query, "")
		if diff := cmp.Diff(want, got.handles()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	page := read[found](h, http.StatusOK, http.MethodGet, "/api/products?category=Tents&limit=1", "")
	if page.Total != 2 || page.Next != "1" {
		t.Errorf("the first of two pages says %d in all, next %q", page.Total, page.Next)
	}
	for _, query := range []string{"min=x", "max=-1", "limit=0", "limit=101", "cursor=x", "cursor=-1", "min=1.5", "q=" + strings.Repeat("x", 2001)} {
		if got := read[refused](h, http.StatusBadRequest, http.MethodGet, "/api/products?"+query, ""); got.Error.Code != "invalid" {
			t.Errorf("%.20s: %+v", query, got)
		}
	}
}

func TestCategoriesAndProduct(t *testing.T) {
	h := open(t, shop.Options{})
	got := read[struct {
		Categories []struct {
			Path     string
			Products int
		}
	}](h, http.StatusOK, http.MethodGet, "/api/categories", "")
	if len(got.Categories) == 0 || got.Categories[1].Path != "Footwear/Walking boots" || got.Categories[1].Products != 5 {
		t.Errorf("categories are %+v", got.Categories)
	}
	one := read[found](h, http.StatusOK, http.MethodGet, "/api/products/SOK-M", "")
	if diff := cmp.Diff([]string{"merino-hiking-socks"}, one.handles()); diff != "" {
		t.Error(diff)
	}
	read[refused](h, http.StatusNotFound, http.MethodGet, "/api/products/none", "")
	read[refused](h, http.StatusNotFound, http.MethodGet, "/api/none", "")
	read[refused](h, http.StatusBadRequest, http.MethodGet, "/api/lookup?"+strings.Repeat("ref=a&", 501), "")
}

func TestNotices(t *testing.T) {
	h := open(t, shop.Options{})
	tests := []struct {
		name    string
		body    string
		notices []string
		missing []string
	}{
		{"complete", complete, nil, nil},
		{"nothing", `{}`, nil, []string{"lines", "email", "first_name", "last_name"}},
		{
			"every kind of line", `{"lines":[
			{"key":"a","item":"nothing","quantity":1},{"key":"b","item":"fjell-trail-gtx","quantity":1},
			{"key":"c","item":"FJL-6-SLATE","quantity":1},{"key":"d","item":"FLG-S","quantity":3},
			{"key":"e","item":"FLG-S","quantity":1},{"key":"f","item":"pattern-88-oil-lamp","quantity":1},
			{"key":"g","item":"salt-glaze-jug","quantity":1}]}`,
			[]string{"not_found a", "option_needed b", "out_of_stock c", "quantity_lowered d", "out_of_stock e", "not_buyable f"},
			[]string{"email", "first_name", "last_name", "address", "delivery"},
		},
		{
			"every kind of code", `{"codes":["nope","SUMMER24","TRAIL20","WELCOME10","FREESHIP"],"lines":[{"key":"1","item":"RDG-SLATE-M","quantity":1}],
			"country":"GB","delivery":"standard"}`,
			[]string{"discount_unknown nope", "discount_expired SUMMER24", "discount_not_combinable WELCOME10"},
			[]string{"email", "first_name", "last_name", "address"},
		},
		{
			"code not met", `{"codes":["TRAIL20"],"lines":[{"key":"1","item":"SOK-M","quantity":1}]}`,
			[]string{"discount_not_met TRAIL20"},
			[]string{"email", "first_name", "last_name", "address", "delivery"},
		},
		{
			"bad buyer and address", `{"buyer":{"email":"ada","first_name":"A\u0007"},"address":{"country":"GB","postal_code":"nowhere"},
			"billing":{"country":"gb"},"lines":[{"key":"1","item":"SOK-M","quantity":1}]}`,
			[]string{"buyer_refused ", "address_refused ", "address_refused "},
			[]string{"email", "first_name", "last_name", "address", "delivery"},
		},
		{
			"abroad", `{"address":{"country":"BR"},"lines":[{"key":"1","item":"SOK-M","quantity":1}],"delivery":"standard"}`,
			[]string{"no_delivery ", "delivery_unknown "},
			[]string{"email", "first_name", "last_name", "street", "city", "postal_code", "delivery"},
		},
		{
			"where the fast van does not go", `{"address":{"country":"GB","postal_code":"IV3 5AA"},"lines":[{"key":"1","item":"SOK-M","quantity":1}],"delivery":"next-day"}`,
			[]string{"delivery_unknown "},
			[]string{"email", "first_name", "last_name", "street", "city", "delivery"},
		},
		{
			"the United States want a state", `{"address":{"country":"US"},"lines":[{"key":"1","item":"SOK-M","quantity":1}],"delivery":"express"}`,
			nil,
			[]string{"email", "first_name", "last_name", "street", "city", "postal_code", "region"},
		},
		{"a gift card needs no address", `{"buyer":{"email":"ada@example.com","first_name":"Ada","last_name":"T"},"lines":[{"key":"1","item":"GFT-SMALL","quantity":1}]}`, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := h.basket(test.body)
			var got []string
			for _, n := range b.Notices {
				got = append(got, n.Code+" "+n.Line+n.Discount)
				if n.Text == "" {
					t.Errorf("notice %s says nothing", n.Code)
				}
			}
			if diff := cmp.Diff(test.notices, got); diff != "" {
				t.Errorf("notices (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.missing, b.Missing); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
		})
	}
}

// TestInvalidBodies: what no basket can be changes nothing and says so.
func TestInvalidBodies(t *testing.T) {
	h := open(t, shop.Options{})
	lines := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"key":"%d","item":"x","quantity":1},`, i)
		}
		return `{"lines":[` + strings.TrimSuffix(b.String(), ",") + `]}`
	}
	b := h.basket(complete)
	for name, body := range map[string]string{
		"empty":           "",
		"no JSON":         "{",
		"a list":          "[]",
		"two values":      "{}{}",
		"an unknown name": `{"colour":"red"}`,
		"not UTF-8":       "{\"agent\":\"\xff\"}",
		"text for number": `{"lines":[{"key":"1","item":"SOK-M","quantity":"1"}]}`,
		"fraction":        `{"lines":[{"key":"1","item":"SOK-M","quantity":1.5}]}`,
		"no quantity":     `{"lines":[{"key":"1","item":"SOK-M","quantity":0}]}`,
		"no key":          `{"lines":[{"key":"","item":"SOK-M","quantity":1}]}`,
		"a key twice":     `{"lines":[{"key":"1","item":"SOK-M","quantity":1},{"key":"1","item":"SOK-S","quantity":1}]}`,
		"too many lines":  lines(201),
		"too many codes":  `{"codes":["` + strings.Repeat(`a","`, 20) + `a"]}`,
		"a long code":     `{"codes":["` + strings.Repeat("a", 201) + `"]}`,
		"too deep":        strings.Repeat(`{"address":`, 10_001),
		"600 kB":          `{"agent":"` + strings.Repeat("a", 600<<10) + `"}`,
	} {
		for method, status := range map[string]int{http.MethodPost: 400, http.MethodPut: 400} {
			got := read[refused](h, status, method, "/api/basket", body, "Basket-Token", b.Token)
			if got.Error.Code != "invalid" || got.Error.Text == "" {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
	if after := read[basket](h, http.StatusOK, http.MethodGet, "/api/basket", "", "Basket-Token", b.Token); after.Total != b.Total {
		t.Errorf("the basket costs %d now, %d before", after.Total, b.Total)
	}
	for _, token := range []string{"", "x", b.Token + "x", strings.ToLower(b.Token)} {
		read[refused](h, http.StatusNotFound, http.MethodGet, "/api/basket", "", "Basket-Token", token)
		read[refused](h, http.StatusNotFound, http.MethodPut, "/api/basket", complete, "Basket-Token", token)
	}
}

func TestPlaceRefusals(t *testing.T) {
	h := open(t, shop.Options{})
	for name, test := range map[string]struct {
		basket, order string
		status        int
		code          string
	}{
		"no attempt":     {complete, `{"method":"demo-card","total":4895,"currency":"GBP"}`, 400, "invalid"},
		"no such method": {complete, `{"attempt":"a","method":"cash","total":4895,"currency":"GBP"}`, 400, "invalid"},
		"other total":    {complete, `{"attempt":"a","method":"demo-card","total":4894,"currency":"GBP"}`, 409, "price_changed"},
		"other currency": {complete, `{"attempt":"a","method":"demo-card","total":4895,"currency":"EUR"}`, 409, "price_changed"},
		"declined":       {complete, `{"attempt":"a","method":"demo-card","credential":"decline","total":4895,"currency":"GBP"}`, 402, "payment_declined"},
		"challenged":     {complete, `{"attempt":"a","method":"demo-card","credential":"challenge","total":4895,"currency":"GBP"}`, 402, "payment_challenge"},
		"incomplete":     {`{"lines":[{"key":"1","item":"SOK-M","quantity":2}]}`, orderBody, 422, "incomplete"},
	} {
		b := h.basket(test.basket)
		got := read[refused](h, test.status, http.MethodPost, "/api/basket/order", test.order, "Basket-Token", b.Token)
		if got.Error.Code != test.code {
			t.Errorf("%s: %+v, want %s", name, got.Error, test.code)
		}
		switch test.code {
		case "price_changed":
			if got.Error.Total != 4895 {
				t.Errorf("%s: the total is said to be %d", name, got.Error.Total)
			}
		case "payment_challenge":
			if got.Error.Path != b.Path {
				t.Errorf("%s: go on at %q, want %q", name, got.Error.Path, b.Path)
			}
		case "incomplete":
			if !slices.Contains(got.Error.Missing, "address") {
				t.Errorf("%s: missing is %v", name, got.Error.Missing)
			}
		}
	}
	read[refused](h, http.StatusNotFound, http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", "none")
	if n := h.count(); n != 0 {
		t.Errorf("%d orders were made", n)
	}
}

// TestFiftyAtOnce: a basket becomes at most one order, whatever the attempts are
// called, and the stock is sold once.
func TestFiftyAtOnce(t *testing.T) {
	for name, dir := range map[string]string{"memory": "", "file": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			h := open(t, shop.Options{DataDir: dir})
			b := h.basket(complete)
			var wait sync.WaitGroup
			codes, numbers := make([]int, 50), make([]string, 50)
			for i := range codes {
				wait.Go(func() {
					body := strings.Replace(orderBody, "a1", fmt.Sprint("a", i%25), 1)
					w := h.ask(http.MethodPost, "/api/basket/order", body, "Basket-Token", b.Token)
					codes[i] = w.Code
					var first placed
					var other refused
					if w.Code == http.StatusCreated {
						_ = json.Unmarshal(w.Body.Bytes(), &first)
						numbers[i] = first.Number
					} else {
						_ = json.Unmarshal(w.Body.Bytes(), &other)
						numbers[i] = other.Error.Order.Number
					}
				})
			}
			wait.Wait()
			created := 0
			for i, code := range codes {
				if code == http.StatusCreated {
					created++
				} else if code != http.StatusConflict {
					t.Errorf("a request was answered %d", code)
				}
				if numbers[i] != "KC10001" {
					t.Errorf("a request was told of order %q", numbers[i])
				}
			}
			if created != 1 || h.count() != 1 {
				t.Errorf("%d requests made %d orders, want one", created, h.count())
			}
			socks := read[found](h, http.StatusOK, http.MethodGet, "/api/products/SOK-M", "")
			if !strings.Contains(h.ask(http.MethodGet, "/api/products/SOK-M", "").Body.String(), `"sku":"SOK-M","choices":["M"],"price":2200,"availability":"in_stock","stock":58`) {
				t.Errorf("the stock was not sold once: %+v", socks)
			}
		})
	}
}

// TestWithdraw: an attempt that was withdrawn makes no order, another one does, and
// a basket that is an order stays one.
func TestWithdraw(t *testing.T) {
	h := open(t, shop.Options{})
	b := h.basket(complete)
	withdraw := func(attempt string) string {
		t.Helper()
		return read[struct{ Order placed }](h, http.StatusOK, http.MethodPost, "/api/basket/withdraw", `{"attempt":"`+attempt+`"}`, "Basket-Token", b.Token).Order.Number
	}
	placement := func() string {
		t.Helper()
		return read[struct{ Order placed }](h, http.StatusOK, http.MethodGet, "/api/basket/order", "", "Basket-Token", b.Token).Order.Number
	}
	if got := withdraw("a1") + withdraw("a1") + placement(); got != "" {
		t.Fatalf("there is an order %s already", got)
	}
	got := read[refused](h, http.StatusConflict, http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", b.Token)
	if got.Error.Code != "withdrawn" || h.count() != 0 {
		t.Fatalf("%+v, %d orders", got.Error, h.count())
	}
	// A change of the basket does not bring the attempt back.
	read[basket](h, http.StatusOK, http.MethodPut, "/api/basket", complete, "Basket-Token", b.Token)
	read[refused](h, http.StatusConflict, http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", b.Token)
	order := read[placed](h, http.StatusCreated, http.MethodPost, "/api/basket/order", strings.Replace(orderBody, "a1", "a2", 1), "Basket-Token", b.Token)
	if order.Attempt != "a2" || withdraw("a2") != order.Number || withdraw("a3") != order.Number || placement() != order.Number {
		t.Errorf("the order is %+v", order)
	}
	read[refused](h, http.StatusNotFound, http.MethodPost, "/api/basket/withdraw", `{"attempt":"a"}`, "Basket-Token", "none")
	read[refused](h, http.StatusBadRequest, http.MethodPost, "/api/basket/withdraw", `{}`, "Basket-Token", b.Token)
	many := h.basket(complete)
	for i := range 100 {
		read[struct{}](h, http.StatusOK, http.MethodPost, "/api/basket/withdraw", fmt.Sprintf(`{"attempt":"%d"}`, i), "Basket-Token", many.Token)
	}
	read[refused](h, http.StatusBadRequest, http.MethodPost, "/api/basket/withdraw", `{"attempt":"x"}`, "Basket-Token", many.Token)
}

// TestSoldMeanwhile: the last piece is sold once.
func TestSoldMeanwhile(t *testing.T) {
	h := open(t, shop.Options{})
	body := strings.Replace(complete, `"SOK-M","quantity":2`, `"BBH-BERRY","quantity":1`, 1)
	first, second := h.basket(body), h.basket(body)
	order := strings.Replace(orderBody, "4895", "2995", 1)
	read[placed](h, http.StatusCreated, http.MethodPost, "/api/basket/order", order, "Basket-Token", first.Token)
	if got := read[refused](h, http.StatusConflict, http.MethodPost, "/api/basket/order", order, "Basket-Token", second.Token); got.Error.Code != "out_of_stock" {
		t.Errorf("%+v", got.Error)
	}
	if again := read[basket](h, http.StatusOK, http.MethodPut, "/api/basket", body, "Basket-Token", second.Token); len(again.Lines) != 0 || again.Notices[0].Code != "out_of_stock" {
		t.Errorf("applied again: %+v", again)
	}
}

// TestBasketsEnd: a basket ends after its time, an order never does.
func TestBasketsEnd(t *testing.T) {
	h := open(t, shop.Options{BasketLife: time.Hour})
	b, ordered := h.basket(complete), h.basket(complete)
	order := read[placed](h, http.StatusCreated, http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", ordered.Token)
	h.advance(time.Hour)
	h.basket(complete)
	read[refused](h, http.StatusNotFound, http.MethodGet, "/api/basket", "", "Basket-Token", b.Token)
	if got := read[refused](h, http.StatusConflict, http.MethodGet, "/api/basket", "", "Basket-Token", ordered.Token); got.Error.Order.Number != order.Number {
		t.Errorf("%+v", got.Error)
	}
}

// TestCareless: on demand the shop is as bad as real ones are.
func TestCareless(t *testing.T) {
	h := open(t, shop.Options{Careless: true})
	b := h.basket(complete)
	for i := range 3 {
		order := read[placed](h, http.StatusCreated, http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", b.Token)
		if want := fmt.Sprintf("KC%d", 10001+i); order.Number != want {
			t.Errorf("order %s was made, want %s", order.Number, want)
		}
	}
	if n := h.count(); n != 3 {
		t.Errorf("%d orders were made, want 3", n)
	}
}
