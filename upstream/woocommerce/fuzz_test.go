package woocommerce

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/cursor"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// seeds adds the recorded answers of testdata.
func seeds(f *testing.F) {
	f.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "recordings", "*.json"))
	if err != nil || len(names) == 0 {
		f.Fatalf("no recordings: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var r recording
		if err := json.Unmarshal(text, &r); err != nil {
			f.Fatal(err)
		}
		f.Add(string(r.Response.Body))
	}
}

// FuzzPlain: what comes out is bounded, valid if it was, and holds no tag of its
// own.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{"Home &amp; Kitchen", "<p>a</p>", "&lt;script&gt;", "<!--", "a <3", "<script>x", strings.Repeat("&amp;", 99) + "lt;p>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, got := range []string{plain(text), title(text)} {
			if len(got) > maxText || !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\r\t") {
				t.Fatalf("%q is %q", text, got)
			}
			if lower := strings.ToLower(got); strings.Contains(lower, "<script") && strings.Contains(lower, ">") &&
				strings.Index(lower, "<script") < strings.LastIndex(lower, ">") && !strings.Contains(lower, "<script<") {
				if length, _ := tag(lower[strings.Index(lower, "<script"):]); length > 0 {
					t.Fatalf("%q is %q", text, got)
				}
			}
		}
	})
}

// FuzzItem: an id is read only as it is written.
func FuzzItem(f *testing.F) {
	for _, id := range []string{"25", "65.67", "73.74~pa_size=xl", "1.2~a=b&c=%zz", "", "-1", "1.0"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		if i, ok := parseItem(id); ok && (i.String() != id || i.product <= 0 || i.variation < 0 || i.id() <= 0) {
			t.Fatalf("%q is %+v", id, i)
		}
	})
}

// FuzzHandle: what is taken can be written again, and opens something.
func FuzzHandle(f *testing.F) {
	f.Add(`{"token":"x.eyJ1c2VyX2lkIjoidF8xIn0.y","began":1,"lines":[{"key":"a","asked":"25","item":"25","quantity":1,"line":"k"}]}`)
	f.Add(`{"token":"a.b.c"}`)
	f.Fuzz(func(t *testing.T, text string) {
		h, err := readHandle(secret.New(text))
		if err != nil {
			if upstream.CodeOf(err) != upstream.CodeInvalid || len(text) > 8 && strings.Contains(err.Error(), text) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if text == "" {
			return
		}
		if session(h.Token) == "" {
			t.Fatalf("%q opens nothing", text)
		}
		again, err := h.write()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readHandle(again); err != nil {
			t.Fatalf("%q: %v", again.Reveal(), err)
		}
	})
}

// FuzzCursor: a cursor that is taken leads somewhere.
func FuzzCursor(f *testing.F) {
	q := upstream.Query{Words: "mug"}
	f.Add(writeCursor(20, q))
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		q := q
		q.Cursor = text
		if skip, err := readCursor(q); err == nil && (skip < 0 || skip > cursor.MaxOffset) {
			t.Fatalf("%q leads to %d", text, skip)
		}
	})
}

// FuzzBasket: a basket that is taken is one in which everything adds up.
func FuzzBasket(f *testing.F) {
	seeds(f)
	shop, facts := recordedShop(f), recordedFacts(f)
	f.Fuzz(func(t *testing.T, text string) {
		body := gjson.Parse(text)
		if !gjson.Valid(text) || !utf8.ValidString(text) || hostile(body) {
			return
		}
		o, err := readBy(shop, facts, body)
		if err == nil {
			shoptest.CheckObserved(t, o)
		}
	})
}

// hostile reports whether a basket holds what no shop writes: a line twice, with
// a number that is none, dearer than it can be, or a way of delivery twice.
func hostile(body gjson.Result) bool {
	seen := make(map[string]bool)
	for _, line := range body.Get("items").Array() {
		key := "line " + line.Get("key").String()
		quantity := line.Get("quantity")
		id := line.Get("id")
		if seen[key] || quantity.Type != gjson.Number || quantity.Int() < 1 || quantity.Int() > 1e6 || id.Type != gjson.Number || id.Int() < 1 || title(line.Get("name").String()) == "" {
			return true
		}
		for _, amount := range []string{"prices.price", "totals.line_subtotal", "totals.line_total", "totals.line_subtotal_tax", "totals.line_total_tax"} {
			if n := line.Get(amount); n.Exists() && n.Int() < 0 || n.Int() > 1e12 {
				return true
			}
		}
		seen[key] = true
	}
	for _, parcel := range body.Get("shipping_rates").Array() {
		for _, rate := range parcel.Get("shipping_rates").Array() {
			id := "rate " + rate.Get("rate_id").String()
			if seen[id] || rate.Get("price").Int() < 0 || rate.Get("taxes").Int() < 0 || rate.Get("rate_id").String() == "" {
				return true
			}
			seen[id] = true
		}
	}
	totals := body.Get("totals")
	return totals.Get("total_price").Int() < totals.Get("total_tax").Int() || totals.Get("total_tax").Int() < 0 || totals.Get("total_shipping").Int() < 0 ||
		totals.Get("total_shipping_tax").Int() < 0
}

// FuzzProduct: a product that is taken has something to buy.
func FuzzProduct(f *testing.F) {
	seeds(f)
	facts := recordedFacts(f)
	f.Fuzz(func(t *testing.T, text string) {
		body := gjson.Parse(text)
		variations := body.Get("variations").Array()
		if p, ok, err := facts.readProduct("reading", body, variations); err == nil && ok && len(p.Variants) == 0 {
			t.Fatalf("%q is %+v", text, p)
		}
	})
}

// FuzzOrder: the totals of an order that is taken come to its total.
func FuzzOrder(f *testing.F) {
	seeds(f)
	facts := recordedFacts(f)
	f.Fuzz(func(t *testing.T, text string) {
		body := gjson.Parse(text)
		for name, of := range map[string]func() (upstream.Order, error){
			"shown": func() (upstream.Order, error) { return facts.readShownOrder(body) },
			"managed": func() (upstream.Order, error) {
				return facts.readManagedOrder(body, body.Get("refunds"), body.Get("notes"))
			},
		} {
			o, err := of()
			if err != nil {
				continue
			}
			sum := int64(0)
			for _, total := range o.Totals {
				sum += total.Amount.Minor
			}
			if sum != o.Total.Minor {
				t.Fatalf("%s: %+v come to %d, want %v", name, o.Totals, sum, o.Total)
			}
		}
	})
}
