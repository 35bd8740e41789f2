package woocommerce

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// A gateway is given one field, several, or none, in an order that does not
// change.
func TestPaymentData(t *testing.T) {
	s := &Shop{payments: []Payment{{ID: "card", Field: "token"}, {ID: "bare"}}}
	for _, test := range []struct {
		method, credential string
		want               []paymentField
		refused            bool
	}{
		{"card", "", []paymentField{}, false},
		{"card", "tok_1", []paymentField{{"token", "tok_1"}}, false},
		{"card", `"tok_1"`, []paymentField{{"token", `"tok_1"`}}, false},
		{"card", `{"z":"1","a":true,"m":false,"b":"x"}`, []paymentField{{"a", true}, {"b", "x"}, {"m", false}, {"z", "1"}}, false},
		{"card", `{}`, []paymentField{}, false},
		{"bare", "tok_1", []paymentField{}, false},
		{"bare", `{"a":"1"}`, []paymentField{{"a", "1"}}, false},
		{"other", "tok_1", []paymentField{}, false},
		{"card", `{"a":1}`, nil, true},
		{"card", `{"a":{"b":"c"}}`, nil, true},
		{"card", `{"a":null}`, nil, true},
	} {
		got, err := s.paymentData(test.method, secret.New(test.credential))
		if (upstream.CodeOf(err) == upstream.CodeInvalid) != test.refused {
			t.Errorf("%q for %s: %v", test.credential, test.method, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q for %s: %s", test.credential, test.method, diff)
		}
	}
}

// An order's note is one line that names the agent and the attempt, and the
// attempt is read from it whatever the agent is called.
func TestNoteOfAnOrder(t *testing.T) {
	for agent, want := range map[string]string{
		"Shopper":                    "Ordered by Shopper (storeware a-1)",
		"":                           "Ordered by an agent (storeware a-1)",
		"<b>Two</b>\nlines":          "Ordered by Two lines (storeware a-1)",
		"One (storeware a-2)":        "Ordered by One (storeware a-2) (storeware a-1)",
		strings.Repeat("longer", 99): "Ordered by " + strings.Repeat("longer", 99)[:100] + " (storeware a-1)",
	} {
		got := note(agent, "a-1")
		if got != want {
			t.Errorf("of %q the note is %q, want %q", agent, got, want)
		}
		if mark := attemptOf(parse(`{"customer_note":` + quoted(got) + `}`)); mark != attemptMark("a-1") {
			t.Errorf("%q names %q", got, mark)
		}
	}
	for _, text := range []string{"", "Please ring twice", "(storeware a-1) and more", "storeware a-1)", "(storeware a-1"} {
		if mark := attemptOf(parse(`{"customer_note":` + quoted(text) + `}`)); mark != "" {
			t.Errorf("%q names %q", text, mark)
		}
	}
}

// Some gateways send buyers to the page that thanks for the order before they
// know whether it is paid. That is the shop's page and of this order, or none.
func TestPageThatThanksForAnOrder(t *testing.T) {
	f := recordedFacts(t)
	public, err := url.Parse("https://shop.example/store")
	if err != nil {
		t.Fatal(err)
	}
	f.public = public
	o := &ordering{facts: f}
	d := draft{ID: 87, Key: "wc_order_1"}
	for address, want := range map[string]bool{
		"http://127.0.0.1:8093/checkout/order-received/87/?key=wc_order_1":               true,
		"https://shop.example/store/kasse/danke/87?key=wc_order_1":                       true,
		"http://127.0.0.1:8093/?page_id=8&order-received=87&key=wc_order_1":              true,
		"http://127.0.0.1:8093/checkout/order-received/87/?key=wc_order_2":               false,
		"http://127.0.0.1:8093/checkout/order-received/88/?key=wc_order_1":               false,
		"http://127.0.0.1:8093/checkout/order-received/870/?key=wc_order_1":              false,
		"http://127.0.0.1:8093/checkout/order-pay/87/?pay_for_order=true&key=wc_order_1": false,
		"https://pay.example/order-received/87/?key=wc_order_1":                          false,
		"":    false,
		"%zz": false,
	} {
		if got := o.received(address, d); got != want {
			t.Errorf("%q: %v, want %v", address, got, want)
		}
	}
}

// What the shop wants of an address depends on the country.
func TestWhatAnAddressLacks(t *testing.T) {
	for address, want := range map[string][]upstream.Missing{
		`{"country":"GB"}`:                                 {upstream.MissingAddress},
		`{"country":"GB","postcode":"SW1A 1AA"}`:           {upstream.MissingAddress},
		`{"country":"GB","address_1":"x"}`:                 {upstream.MissingCity, upstream.MissingPostalCode},
		`{"country":"GB","city":"x"}`:                      {upstream.MissingStreet, upstream.MissingPostalCode},
		`{"country":"US","address_1":"x","city":"y"}`:      {upstream.MissingRegion, upstream.MissingPostalCode},
		`{"country":"IE","address_1":"x","city":"y"}`:      {upstream.MissingRegion},
		`{"country":"SG","address_1":"x","postcode":"1"}`:  nil,
		`{"country":"AE","address_1":"x","city":"y"}`:      nil,
		`{"country":"GB","address_1":" ","city":"\t"}`:     {upstream.MissingAddress},
		`{"country":"JP","address_1":"x","city":"y"}`:      {upstream.MissingRegion, upstream.MissingPostalCode},
		`{"country":"DE","address_1":"x","city":"y"}`:      {upstream.MissingPostalCode},
		`{"country":"HK","address_1":"x","city":"y"}`:      {upstream.MissingRegion},
		`{"country":"VN","address_1":"x","city":"y"}`:      nil,
		`{"country":"FR","address_1":"x","postcode":"75"}`: {upstream.MissingCity},
	} {
		if diff := cmp.Diff(want, missingOf(parse(address))); diff != "" {
			t.Errorf("%s: %s", address, diff)
		}
	}
}

// What was seen of an order's last change is where the next look begins.
func TestMarksOfOrders(t *testing.T) {
	began := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	m := newMarks()
	m.newest, m.placed = began, make(map[string]upstream.Placed)
	order := func(id, status, at, note, utm string) {
		t.Helper()
		text := `{"id":` + id + `,"number":"N` + id + `","status":"` + status + `","order_key":"wc_order_` + id + `","currency":"GBP","total":"1.00",
			"date_modified_gmt":"` + at + `","customer_note":"` + note + `","meta_data":[{"key":"_wc_order_attribution_utm_id","value":"` + utm + `"}]}`
		if err := m.see("seeing", parse(text)); err != nil {
			t.Fatal(err)
		}
	}
	order("1", "processing", "2026-11-30T11:00:00", "Ordered by x (storeware a)", "")
	if !m.newest.Equal(began) {
		t.Errorf("an older change is the newest: %v", m.newest)
	}
	order("2", "pending", "2026-11-30T13:00:00", "Ordered by x (storeware b)", "")
	order("3", "on-hold", "2026-11-30T12:30:00", "", "storeware-1")
	order("4", "completed", "2026-11-30T12:31:00", "", "campaign-1")
	order("5", "completed", "bad", "Ring twice", "")
	if want := began.Add(time.Hour); !m.newest.Equal(want) {
		t.Errorf("the newest change is of %v, want %v", m.newest, want)
	}
	for mark, want := range map[string]string{attemptMark("a"): "N1", attemptMark("b"): "", "storeware-1": "N3", "campaign-1": "", "": ""} {
		got := ""
		if placed := m.order(mark); placed != nil {
			got = placed.Ref.ID
		}
		if got != want {
			t.Errorf("%q is on %q, want %q", mark, got, want)
		}
	}
	if err := m.see("seeing", parse(`{"status":"processing","customer_note":"(storeware a)","currency":"XX"}`)); upstream.CodeOf(err) != upstream.CodeUnavailable {
		t.Errorf("an order without a currency: %v", err)
	}
}
