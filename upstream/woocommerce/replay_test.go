package woocommerce

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// TestAllRecordings reads every answer that was recorded of a real shop, of both
// versions, as the adapter would.
func TestAllRecordings(t *testing.T) {
	const shared = "../../../shared/upstreams/woocommerce/recordings"
	if _, err := os.Stat(shared); err != nil {
		t.Skipf("NOT RUN: the recordings are not there (%v)", err)
	}
	count := make(map[string]int)
	for _, folder := range []string{shared, filepath.Join(shared, "wc-9.9.5")} {
		names, err := filepath.Glob(filepath.Join(folder, "[0-9]*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			short := strings.TrimSuffix(strings.TrimPrefix(name, shared+"/"), ".json")
			if strings.Contains(short, "66") && strings.Contains(short, "-webhook-") && !strings.Contains(short, "-v3-") {
				continue // What the shop sent on its own.
			}
			t.Run(short, func(t *testing.T) {
				r := &reader{t: t, count: count}
				r.read(readRecording(t, name))
			})
		}
	}
	t.Logf("read: %v", count)
	for what, least := range map[string]int{
		"basket": 130, "product": 150, "refusal": 150, "shown order": 10, "checkout": 30, "managed order": 12, "category": 16,
	} {
		if count[what] < least {
			t.Errorf("%d times %q was read, and there are %d at least", count[what], what, least)
		}
	}
}

// reader reads recordings, and counts what they were.
type reader struct {
	t     *testing.T
	count map[string]int
}

// read finds out what an answer is and reads it.
func (r *reader) read(rec recording) {
	if rec.Request.Method == "" || len(rec.Response.Body) == 0 {
		r.count["no exchange"]++
		return
	}
	r.answer(rec.Request.Method, rec.route(r.t), rec.answer())
}

func (r *reader) answer(method, route string, a answer) {
	body := a.body
	switch {
	case body.Type == gjson.String, !body.IsObject() && !body.IsArray():
		r.count["page"]++ // HTML, or nothing.
	case a.refused():
		r.refusal(a)
	case method == http.MethodHead, method == http.MethodOptions:
		r.count["no exchange"]++
	case strings.HasSuffix(route, "/batch") && body.Get("responses").Exists():
		for _, one := range body.Get("responses").Array() {
			inner := answer{op: "replaying", status: int(one.Get("status").Int()), header: make(http.Header), body: one.Get("body")}
			r.answer(http.MethodPost, "/wc/store/v1/cart", inner)
		}
	case strings.HasPrefix(route, "/wc/v3"):
		r.managed(route, body)
	case body.Get("totals").IsObject() && body.Get("shipping_rates").Exists():
		r.basket(body)
	case body.Get("totals").IsObject() && strings.Contains(route, "/order/"):
		r.shownOrder(body)
	case strings.HasPrefix(route, "/wc/store/v1/checkout"):
		r.checkout(a)
	case strings.Contains(route, "/products/categories"):
		r.categories(body)
	case strings.Contains(route, "/products"):
		r.products(body)
	default:
		r.count["other"]++
	}
}

// refusal is what the shop did not do, with the basket as it is perhaps.
func (r *reader) refusal(a answer) {
	r.count["refusal"]++
	if a.code() == "" {
		r.t.Errorf("the refusal has no code")
	}
	if a.err() == nil {
		r.t.Errorf("the refusal is no error")
	}
	if lineVerdict(a.code()) == "" || codeVerdict(a.message()) == "" {
		r.t.Error("the refusal means nothing")
	}
	if now := a.body.Get("data.cart"); now.IsObject() {
		r.basket(now)
	}
}

func (r *reader) basket(body gjson.Result) {
	r.count["basket"]++
	observed, err := basketOf(r.t, body)
	if err != nil {
		r.t.Errorf("%v", err)
		return
	}
	shoptest.CheckObserved(r.t, observed)
	if want := newPurse(body.Get("totals")).read(body.Get("totals.total_price")); observed.Total != want {
		r.t.Errorf("the total is %v, want %v", observed.Total, want)
	}
}

func (r *reader) products(body gjson.Result) {
	list := body.Array()
	if body.IsObject() {
		list = []gjson.Result{body}
	}
	for _, one := range list {
		if !one.Get("prices").Exists() {
			r.count["part of a product"]++
			continue
		}
		r.count["product"]++
		var variations []gjson.Result
		for _, variation := range one.Get("variations").Array() {
			// As a list of variations names them, at the product's own price.
			variations = append(variations, gjson.Parse(`{"id":`+variation.Get("id").Raw+`,"type":"variation","sku":"SKU-`+variation.Get("id").Raw+
				`","name":"Variation","is_in_stock":true,"is_purchasable":true,"prices":`+one.Get("prices").Raw+`}`))
		}
		product, ok, err := recordedFacts(r.t).readProduct("replaying", one, variations)
		if err != nil {
			r.t.Errorf("%v", err)
			continue
		}
		if ok && (product.Title == "" || product.ID == "" || strings.ContainsAny(product.Title, "<>\n") || len(product.Variants) == 0) {
			r.t.Errorf("not a product: %+v", product)
		}
	}
}

func (r *reader) categories(body gjson.Result) {
	for _, one := range body.Array() {
		r.count["category"]++
		if name := pathElement(one.Get("name").String()); name == "" || strings.Contains(name, "&amp;") {
			r.t.Errorf("%q is no name", name)
		}
	}
}

// checkout is an order that the shop has taken, or is about to.
func (r *reader) checkout(a answer) {
	r.count["checkout"]++
	d := readDraft(a.body)
	if d.ID == 0 || d.Key == "" || d.Number == "" || a.body.Get("status").String() == "" {
		r.t.Errorf("no order: %+v", d)
	}
	o := &ordering{shop: recordedShop(r.t), facts: recordedFacts(r.t)}
	to := strings.Replace(link(a.body.Get("payment_result.redirect_url").String()), ":8091/", ":8093/", 1) // Where 9.9.5 stood.
	if status := a.body.Get("status").String(); status == "processing" && to != "" && !o.received(to, d) {
		r.t.Errorf("%s does not thank for an order", to)
	}
}

func (r *reader) shownOrder(body gjson.Result) {
	r.count["shown order"]++
	order, err := recordedFacts(r.t).readShownOrder(body)
	if err != nil {
		r.t.Errorf("%v", err)
		return
	}
	r.order(order)
}

func (r *reader) managed(route string, body gjson.Result) {
	list := body.Array()
	if body.IsObject() {
		list = []gjson.Result{body}
	}
	for _, one := range list {
		switch {
		case one.Get("line_items").Exists() && one.Get("order_key").Exists():
			r.count["managed order"]++
			if _, err := readPlaced("replaying", one); err != nil {
				r.t.Errorf("%v", err)
			}
			order, err := recordedFacts(r.t).readManagedOrder(one, one.Get("refunds"), gjson.Result{})
			if err != nil {
				r.t.Errorf("%v", err)
				continue
			}
			r.order(order)
		case strings.HasSuffix(route, "/settings/general"), strings.HasSuffix(route, "/settings/tax"):
			r.count["setting"]++
		default:
			r.count["other"]++
		}
	}
	if strings.HasSuffix(route, "/settings/general") {
		f := recordedFacts(r.t)
		f.readSettings(body, gjson.Result{})
		if !f.codes {
			r.t.Errorf("the shop has discount codes")
		}
	}
}

// order checks what holds of every order.
func (r *reader) order(order upstream.Order) {
	var sum int64
	for _, total := range order.Totals {
		sum += total.Amount.Minor
	}
	if sum != order.Total.Minor {
		r.t.Errorf("%+v come to %d, want %v", order.Totals, sum, order.Total)
	}
	for _, line := range order.Lines {
		if line.Title == "" || line.Ordered < 1 || line.Total.Minor > line.Subtotal.Minor {
			r.t.Errorf("not a line: %+v", line)
		}
	}
	if order.URL != "" {
		if _, err := url.Parse(order.URL); err != nil {
			r.t.Errorf("%v", err)
		}
	}
}
