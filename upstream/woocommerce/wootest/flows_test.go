package wootest

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// update writes testdata/flows anew from the recordings of a real shop:
//
//	go test ./upstream/woocommerce/wootest -run Flows -update /work/shared/upstreams/woocommerce/recordings
var update = flag.String("update", "", "folder of recordings to write testdata/flows from")

// flows are requests that were sent to a real shop one after the other. They are
// all that is recorded of a kind but for what no adapter sends.
func flows() map[string]func(name string) bool {
	without := func(first, last string, left ...string) func(string) bool {
		return func(name string) bool {
			return name[:3] >= first && name[:3] <= last && !slices.Contains(left, name[:3])
		}
	}
	return map[string]func(string) bool{
		"catalogue": without("101", "157", "114", "117", "127", "129", "142", "143", "144", "145", "146", "147", "151", "152", "153", "155", "156"),
		"basket":    without("200", "320", "228", "247", "272", "277", "301", "302", "303", "314"),
		"batch":     without("350", "354", "352"),
		"checkout":  without("330", "343", "331", "340"),
	}
}

// exchanged is what is kept of a recording: the request, and of the answer what
// the fake has to get right.
type exchanged struct {
	Name   string            `json:"name"`
	Method string            `json:"method"`
	Path   string            `json:"path"`
	Header map[string]string `json:"header,omitempty"`
	Body   string            `json:"body,omitempty"`
	Status int               `json:"status"`
	Token  string            `json:"token,omitempty"`
	Key    string            `json:"key,omitempty"`
	Total  string            `json:"total,omitempty"`
	Answer any               `json:"answer"`
}

// TestFlows sends what was sent to a real shop, and expects the same answers.
func TestFlows(t *testing.T) {
	for _, name := range []string{"catalogue", "basket", "batch"} {
		t.Run(name, func(t *testing.T) { replay(t, flow(t, name)) })
	}
}

// TestCheckouts orders baskets as the recorded shop was asked to, each of its own.
func TestCheckouts(t *testing.T) {
	for _, e := range flow(t, "checkout") {
		t.Run(e.Name, func(t *testing.T) {
			shop := New(t, Config{})
			token := shop.begin()
			one := shop.sessions[userOf(token)]
			switch number := e.Name[:3]; number {
			case "332":
				one.items = []*line{{product: shop.bySKU("GIFT-25"), quantity: 1, variation: []any{}}}
			case "342", "343":
			default:
				one.items = []*line{{product: shop.bySKU("MUG-01"), quantity: 1, variation: []any{}}}
			}
			shop.repeat(t, e, map[string]string{e.Header["Cart-Token"]: token})
		})
	}
}

// flow reads a flow.
func flow(t *testing.T, name string) []exchanged {
	t.Helper()
	file := filepath.Join("testdata", "flows", name+".json")
	if *update != "" {
		write(t, file, flows()[name])
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []exchanged
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func replay(t *testing.T, flow []exchanged) {
	now := time.Unix(1796060728, 0)
	shop := New(t, Config{Now: func() time.Time { now = now.Add(time.Second); return now }})
	tokens := make(map[string]string) // The fake's by the real one's, of baskets and of orders.
	if token := flow[0].Header["Cart-Token"]; token != "" {
		// Its basket had been begun before, and a mug sold.
		tokens[token] = shop.begin()
		shop.SetStock("MUG-01", 299)
	}
	for _, e := range flow {
		shop.repeat(t, e, tokens)
	}
}

// begin begins a basket and returns its token.
func (s *Shop) begin() string {
	c := &exchange{shop: s, w: httptest.NewRecorder(), r: httptest.NewRequest(http.MethodGet, Home, nil)}
	c.open()
	return c.w.Header().Get("Cart-Token")
}

// repeat sends what was sent to a real shop.
func (s *Shop) repeat(t *testing.T, e exchanged, tokens map[string]string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), e.Method, Home+translated(e.Path, tokens), strings.NewReader(translated(e.Body, tokens)))
	if err != nil {
		t.Fatal(err)
	}
	for header, value := range e.Header {
		request.Header.Set(header, translated(value, tokens))
	}
	answer, err := s.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	var body any
	if answer.StatusCode == http.StatusNoContent {
		body = ""
	} else if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		t.Errorf("%s: %v", e.Name, err)
	}
	if e.Token != "" {
		tokens[e.Token] = answer.Header.Get("Cart-Token")
	}
	if of, ok := body.(object); ok && e.Key != "" {
		tokens[e.Key] = fmt.Sprint(of["order_key"])
	}
	got := exchanged{Status: answer.StatusCode, Answer: essence(body)}
	if e.Total != "" {
		got.Total = answer.Header.Get("X-WP-Total")
	}
	if diff := cmp.Diff(exchanged{Status: e.Status, Total: e.Total, Answer: e.Answer}, got); diff != "" {
		t.Errorf("%s: the recorded answer (-) and the fake's (+):\n%s", e.Name, diff)
	}
}

// translated writes the fake's tokens for those of the recording.
func translated(text string, tokens map[string]string) string {
	for was, is := range tokens {
		text = strings.ReplaceAll(text, was, is)
	}
	return text
}

// write keeps what is needed of recordings.
func write(t *testing.T, file string, of func(string) bool) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(*update, "[0-9]*.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s holds no recordings (%v)", *update, err)
	}
	var flow []exchanged
	for _, name := range names {
		if !of(filepath.Base(name)) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if e := shortened(t, text); e.Method != "" {
			flow = append(flow, e)
		}
	}
	lines := make([]string, len(flow))
	for i, e := range flow {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = string(text)
	}
	if err := os.WriteFile(file, []byte("[\n"+strings.Join(lines, ",\n")+"\n]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// shortened reads a recording.
func shortened(t *testing.T, text []byte) exchanged {
	t.Helper()
	var r struct {
		Name    string
		Request struct {
			Method, Path string
			Headers      map[string]string
			Body         json.RawMessage
		}
		Response struct {
			Status  int
			Headers [][2]string
			Body    any
		}
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	e := exchanged{
		Name: r.Name, Method: r.Request.Method, Path: r.Request.Path, Header: make(map[string]string),
		Status: r.Response.Status, Answer: essence(r.Response.Body),
	}
	for _, header := range []string{"Cart-Token", "Nonce", "Content-Type"} {
		if value, ok := r.Request.Headers[header]; ok {
			e.Header[header] = value
		}
	}
	if body := r.Request.Body; string(body) != "null" && json.Unmarshal(body, &e.Body) != nil {
		e.Body = string(body)
	}
	if of, ok := r.Response.Body.(object); ok {
		e.Key, _ = of["order_key"].(string)
	}
	for _, header := range r.Response.Headers {
		switch header[0] {
		case "Cart-Token":
			e.Token = header[1]
		case "X-WP-Total":
			if header[1] != "28" && header[1] != "30" { // The fake has not all of the recorded shop's products.
				e.Total = header[1]
			}
		}
	}
	return e
}

// essence is what is compared of an answer: of a list of products their ids, of a
// refusal its code, and of anything else all but what the adapter has no use for
// and what is different every time.
func essence(x any) any {
	switch x := x.(type) {
	case []any:
		var ids []string
		for _, one := range x {
			of, ok := one.(object)
			if !ok || of["id"] == nil {
				ids = nil
				break
			}
			ids = append(ids, fmt.Sprint(of["id"]))
		}
		return strings.Join(ids, " ")
	case object:
		if _, refusal := x["message"]; refusal {
			return object{"code": x["code"]}
		}
	}
	return stripped(x)
}

func stripped(x any) any {
	switch x := x.(type) {
	case object:
		out := maps.Clone(x)
		for name, value := range out {
			ofOrder := name == "key" && strings.HasPrefix(fmt.Sprint(value), "wc_order_")
			if ofOrder || strings.HasPrefix(name, "currency_") || slices.Contains(unused(), name) {
				delete(out, name)
				continue
			}
			out[name] = stripped(value)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, one := range x {
			out[i] = stripped(one)
		}
		return out
	}
	return x
}

// unused are the names of what the adapter does not read, and of what is
// different every time or in this shop.
func unused() []string {
	return []string{
		"additional_fields", "attributes", "average_rating", "brands", "catalog_visibility", "cross_sells", "delivery_time", "description",
		"destination", "__experimentalCart", "extensions", "grouped_products", "headers", "id", "image", "images", "is_password_protected",
		"item_data", "items_weight", "_links", "meta_data", "order_id", "order_key", "order_number", "payment_details", "payment_methods",
		"payment_requirements", "permalink", "price_html", "raw_prices", "redirect_url", "review_count", "short_description",
		"show_backorder_badge", "single_text", "stock_availability", "tags", "text", "url", "variations",
	}
}
