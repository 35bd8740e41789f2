package shop_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

type order struct {
	Number, Status string
	Total          int64
	Lines          []struct{ Ordered, Active, Fulfilled, Total int64 }
	Adjustments    []struct {
		ID, Type string
		Amount   int64
	}
	Events []struct{ Type, Carrier, Tracking string }
}

// officeAsk asks the back office with its token.
func officeAsk[T any](h *house, status int, method, path, body string) T {
	h.t.Helper()
	return read[T](h, status, method, "/api/backoffice"+path, body, "Authorization", "Bearer "+office)
}

func TestBackOfficeIsClosed(t *testing.T) {
	h := open(t, shop.Options{})
	for _, path := range []string{"GET orders", "GET orders/count", "POST orders/KC10001/cancel", "POST orders/KC10001/refunds", "PATCH variants/SOK-M", "DELETE basket"} {
		method, path, _ := strings.Cut(path, " ")
		for _, token := range []string{"", "Bearer ", "Bearer wrong", office} {
			if w := h.ask(method, "/api/backoffice/"+path, "{}", "Authorization", token); w.Code != http.StatusUnauthorized {
				t.Errorf("%s %s with %q: %d", method, path, token, w.Code)
			}
		}
	}
	s, err := shop.New(shop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	closed := &house{t: t, shop: s}
	for _, path := range []string{"/api/backoffice/orders", "/backoffice", "/api/faults"} {
		if w := closed.ask(http.MethodGet, path, "", "Authorization", "Bearer "); w.Code != http.StatusNotFound {
			t.Errorf("%s of a shop without a back office: %d", path, w.Code)
		}
	}
}

func TestCancel(t *testing.T) {
	h := open(t, shop.Options{})
	placed := h.order()
	got := officeAsk[order](h, http.StatusOK, http.MethodPost, "/orders/"+placed.Number+"/cancel", "")
	if got.Status != "canceled" || len(got.Adjustments) != 1 || got.Adjustments[0].Type != "cancellation" || got.Adjustments[0].Amount != -4895 || got.Lines[0].Active != 0 {
		t.Errorf("canceled: %+v", got)
	}
	officeAsk[refused](h, http.StatusBadRequest, http.MethodPost, "/orders/"+placed.Number+"/cancel", "")
	h.advance(time.Hour)
	if later := read[order](h, http.StatusOK, http.MethodGet, "/api/orders/"+placed.Number, "", "Order-Key", placed.Key); later.Status != "canceled" {
		t.Errorf("an hour later it is %s", later.Status)
	}
	sent := h.order()
	h.advance(2 * time.Minute)
	officeAsk[refused](h, http.StatusBadRequest, http.MethodPost, "/orders/"+sent.Number+"/cancel", "")
	officeAsk[refused](h, http.StatusNotFound, http.MethodPost, "/orders/none/cancel", "")
	read[refused](h, http.StatusNotFound, http.MethodGet, "/api/orders/"+placed.Number, "", "Order-Key", sent.Key)
	read[refused](h, http.StatusNotFound, http.MethodGet, "/api/orders/"+placed.Number, "")
}

func TestRefundRefusals(t *testing.T) {
	h := open(t, shop.Options{})
	path := "/orders/" + h.order().Number + "/refunds"
	for name, body := range map[string]string{
		"nothing":        `{}`,
		"below zero":     `{"amount":-1}`,
		"too much":       `{"amount":4896}`,
		"no such line":   `{"lines":[{"id":"9","quantity":1}]}`,
		"none of a line": `{"lines":[{"id":"1","quantity":0}]}`,
		"too many":       `{"lines":[{"id":"1","quantity":3}]}`,
		"twice too many": `{"lines":[{"id":"1","quantity":2},{"id":"1","quantity":1}]}`,
	} {
		if got := officeAsk[refused](h, http.StatusBadRequest, http.MethodPost, path, body); got.Error.Code != "invalid" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := officeAsk[order](h, http.StatusOK, http.MethodPost, path, `{"amount":4895}`); got.Adjustments[0].Amount != -4895 {
		t.Errorf("all of it: %+v", got)
	}
	officeAsk[refused](h, http.StatusBadRequest, http.MethodPost, path, `{"amount":1}`)
}

// TestRefundsAddUp: however the pieces of a line come back, all of them cost what the
// line cost.
func TestRefundsAddUp(t *testing.T) {
	h := open(t, shop.Options{})
	officeAsk[struct{}](h, http.StatusOK, http.MethodPatch, "/variants/SOK-M", `{"price":3333,"stock":100000}`)
	rapid.Check(t, func(r *rapid.T) {
		b := h.basket(strings.Replace(complete, `"quantity":2}]`, `"quantity":7}],"codes":["WELCOME10"]`, 1))
		body := strings.Replace(orderBody, "4895", "21493", 1)
		placed := read[placed](h, http.StatusCreated, http.MethodPost, "/api/basket/order", body, "Basket-Token", b.Token)
		var back int64
		for left := 7; left > 0; {
			n := rapid.IntRange(1, left).Draw(r, "pieces")
			got := officeAsk[order](h, http.StatusOK, http.MethodPost, "/orders/"+placed.Number+"/refunds", fmt.Sprintf(`{"lines":[{"id":"1","quantity":%d}]}`, n))
			back -= got.Adjustments[len(got.Adjustments)-1].Amount
			left -= n
		}
		if want := b.Lines[0].Total; back != want {
			r.Fatalf("%d came back of a line of %d", back, want)
		}
	})
}

func TestVariantChanges(t *testing.T) {
	dir := t.TempDir()
	h := open(t, shop.Options{DataDir: dir})
	b := h.basket(complete)
	officeAsk[struct{}](h, http.StatusOK, http.MethodPatch, "/variants/SOK-M", `{"price":2300,"stock":5}`)
	now := read[basket](h, http.StatusOK, http.MethodGet, "/api/basket", "", "Basket-Token", b.Token)
	if now.Lines[0].Unit != 2300 || now.Total != 5095 {
		t.Errorf("the basket costs %d", now.Total)
	}
	read[refused](h, http.StatusConflict, http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", b.Token)
	read[placed](h, http.StatusCreated, http.MethodPost, "/api/basket/order", strings.Replace(orderBody, "4895", "5095", 1), "Basket-Token", b.Token)
	for body, path := range map[string]string{
		`{"price":-1}`: "/variants/SOK-M", `{"stock":-1}`: "/variants/SOK-M", `{"price":9999999999999}`: "/variants/SOK-M",
		`{"colour":1}`: "/variants/SOK-M",
	} {
		officeAsk[refused](h, http.StatusBadRequest, http.MethodPatch, path, body)
	}
	for _, path := range []string{"/variants/none", "/variants/merino-hiking-socks"} {
		officeAsk[refused](h, http.StatusNotFound, http.MethodPatch, path, `{"price":1}`)
	}
	officeAsk[struct{}](h, http.StatusOK, http.MethodPatch, "/variants/salt-glaze-jug", `{"stock":1}`)
	// The price that was set and the stock that is left outlive the shop.
	if err := h.shop.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := shop.New(shop.Options{DataDir: dir, BackOffice: secret.New(office)})
	if err != nil {
		t.Fatal(err)
	}
	h.shop = again
	t.Cleanup(func() { _ = again.Close() })
	if page := h.ask(http.MethodGet, "/api/products/SOK-M", "").Body.String(); !strings.Contains(page, `"sku":"SOK-M","choices":["M"],"price":2300,"availability":"low_stock","stock":3`) {
		t.Errorf("after a restart: %s", page)
	}
}

func TestDropBasket(t *testing.T) {
	h := open(t, shop.Options{})
	b := h.basket(complete)
	for _, status := range []int{http.StatusNoContent, http.StatusNotFound} {
		if w := h.ask(http.MethodDelete, "/api/backoffice/basket", "", "Authorization", "Bearer "+office, "Basket-Token", b.Token); w.Code != status {
			t.Errorf("dropping: %d, want %d", w.Code, status)
		}
	}
	read[refused](h, http.StatusNotFound, http.MethodGet, "/api/basket", "", "Basket-Token", b.Token)
}

func TestNewRefuses(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	good := `{"id":"1","handle":"a","title":"A","price_minor":1,"currency":"GBP"}`
	for name, test := range map[string]struct {
		options shop.Options
		want    string
	}{
		"a bad row":              {shop.Options{Catalogue: strings.NewReader(good + "\n{}")}, "row 2 of the catalogue: id is missing"},
		"no rows":                {shop.Options{Catalogue: strings.NewReader("\n")}, "the catalogue has no products"},
		"a currency too many":    {shop.Options{Catalogue: strings.NewReader(good), Currency: "GBP"}, "prices in its own currency"},
		"no such currency":       {shop.Options{Currency: "XXX"}, "not an ISO 4217 currency"},
		"arrival before leave":   {shop.Options{ShipAfter: time.Hour}, "must leave before it arrives"},
		"no such directory":      {shop.Options{DataDir: filepath.Join(dir, "none")}, "opening the shop's records"},
		"a file for a directory": {shop.Options{DataDir: blocked}, "opening the shop's records"},
	} {
		if _, err := shop.New(test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	open(t, shop.Options{DataDir: dir})
	if _, err := shop.New(shop.Options{DataDir: dir}); err == nil || !strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("a second shop in the same directory: %v", err)
	}
}

// TestOwnCatalogue loads the rows that others have to give.
func TestOwnCatalogue(t *testing.T) {
	file, err := os.Open("../../../../shared/eval/catalog_luma.jsonl")
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("../shared/eval/catalog_luma.jsonl is missing")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := visit(t, shop.Options{Catalogue: file})
	got := s.shop.Describe()
	if got.Currency != "USD" || got.Stock {
		t.Errorf("the shop is %+v", got)
	}
	hoodies := read[found](s.house, http.StatusOK, http.MethodGet, "/api/products?q=chaz+hoodie&limit=1", "")
	if diff := cmp.Diff([]string{"chaz-kangeroo-hoodie"}, hoodies.handles()); diff != "" {
		t.Error(diff)
	}
	b := s.basket(`{"country":"GB","delivery":"standard","lines":[{"key":"1","item":"MH01-XS-Black","quantity":2},{"key":"2","item":"joust-duffle-bag","quantity":9999}]}`)
	if b.Total != 2*5200+1000*3400+663 || len(b.Notices) != 1 || *b.Notices[0].Available != 1000 {
		t.Errorf("the basket costs %d, notices %+v", b.Total, b.Notices)
	}
	if _, page := s.get("/products/joust-duffle-bag"); !strings.Contains(page, "$34.00") || !strings.Contains(page, "/pictures/bag-") {
		t.Error("the page is not that of the bag")
	}
}

// FuzzBasketBody: whatever the body, the answer is JSON, and a basket that is made
// adds up and can be read again.
func FuzzBasketBody(f *testing.F) {
	f.Add(complete)
	f.Add(`{"lines":[{"key":"a","item":"fjell-trail-gtx","quantity":1},{"key":"b","item":"FLG-S","quantity":99}],"codes":["welcome10","FREESHIP","x"]}`)
	f.Add(`{"address":{"country":"US","region":"IL"},"billing":null,"country":"JP","delivery":"express","agent":"\u0000<b>"}`)
	f.Add(`{"lines":[{"key":"a","item":"KSM-RUST","quantity":4},{"key":"b","item":"GFT-LARGE","quantity":1000}],"codes":["TRAIL20"]}`)
	f.Add(`[`)
	fuzzed := open(f, shop.Options{})
	f.Fuzz(func(t *testing.T, body string) {
		h := &house{t: t, shop: fuzzed.shop}
		w := h.ask(http.MethodPost, "/api/basket", body)
		if w.Code != http.StatusCreated && w.Code != http.StatusBadRequest {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if w.Code == http.StatusBadRequest {
			return
		}
		b := read[basket](h, http.StatusCreated, http.MethodPost, "/api/basket", body)
		again := read[basket](h, http.StatusOK, http.MethodGet, "/api/basket", "", "Basket-Token", b.Token)
		b.Notices = nil
		if diff := cmp.Diff(b, again); diff != "" {
			t.Errorf("read again (-made +read):\n%s", diff)
		}
		if page := h.ask(http.MethodGet, b.Path, ""); page.Code != http.StatusOK || len(readPage(page.Body.String()).problems) > 0 {
			t.Errorf("its page: %d %v", page.Code, readPage(page.Body.String()).problems)
		}
	})
}
