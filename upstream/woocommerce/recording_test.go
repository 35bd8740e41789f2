package woocommerce

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// keep copies the recordings that tests name into testdata/recordings:
//
//	go test ./upstream/woocommerce -run Trap -keep /work/shared/upstreams/woocommerce/recordings
var keep = flag.String("keep", "", "folder of recordings to copy those from that tests name")

// recording is what a real shop was asked once, and what it answered.
type recording struct {
	Name    string `json:"name"`
	Request struct {
		Method  string            `json:"method"`
		Path    string            `json:"path"`
		Headers map[string]string `json:"headers"`
		Body    json.RawMessage   `json:"body"`
	} `json:"request"`
	Response struct {
		Status  int             `json:"status"`
		Headers [][2]string     `json:"headers"`
		Body    json.RawMessage `json:"body"`
	} `json:"response"`
}

// recorded returns a recording of testdata.
func recorded(t testing.TB, name string) recording {
	t.Helper()
	file := filepath.Join("testdata", "recordings", name+".json")
	if *keep != "" {
		copyRecording(t, filepath.Join(*keep, name+".json"), file)
	}
	return readRecording(t, file)
}

func readRecording(t testing.TB, file string) recording {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r recording
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return r
}

// copyRecording copies a recording without what no test looks at.
func copyRecording(t testing.TB, from, to string) {
	t.Helper()
	r := readRecording(t, from)
	maps.DeleteFunc(r.Request.Headers, func(name, _ string) bool {
		return !slices.Contains([]string{"Cart-Token", "Authorization", "Content-Type", "X-Forwarded-Proto"}, name)
	})
	r.Response.Headers = slices.DeleteFunc(r.Response.Headers, func(header [2]string) bool {
		name := header[0]
		return name != "Cart-Token" && name != "Content-Type" && name != "Link" && !strings.HasPrefix(name, "RateLimit") && !strings.HasPrefix(name, "X-WP-")
	})
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil { // In which the answer's fields keep their order.
		t.Fatal(err)
	}
	if err := os.WriteFile(to, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// body is the answer.
func (r recording) body() gjson.Result { return gjson.ParseBytes(r.Response.Body) }

func (r recording) answer() answer {
	a := answer{op: "replaying", status: r.Response.Status, header: make(http.Header), body: r.body()}
	for _, header := range r.Response.Headers {
		a.header.Add(header[0], header[1])
	}
	return a
}

// route is the path below the front page, in both kinds of permalinks.
func (r recording) route(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(r.Request.Path)
	if err != nil {
		t.Fatal(err)
	}
	if route := u.Query().Get("rest_route"); route != "" {
		return route
	}
	return strings.TrimPrefix(u.Path, "/wp-json")
}

// recordedFacts are those of the recorded shop.
func recordedFacts(t testing.TB) *facts {
	t.Helper()
	home, err := url.Parse("http://127.0.0.1:8093")
	if err != nil {
		t.Fatal(err)
	}
	return &facts{
		home: home, public: home, categories: make(categories),
		settings: settings{currency: "GBP", decimals: 2, tax: upstream.TaxIncluded, sessions: true, baskets: true, codes: true},
	}
}

// recordedShop is an adapter of the recorded shop, which nothing can be asked.
func recordedShop(t testing.TB) *Shop {
	t.Helper()
	base, err := url.Parse("http://127.0.0.1:8093")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Client: shopclient.Config{BaseURL: base}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// basketOf reads a recorded basket, as somebody who knows its lines would.
func basketOf(t testing.TB, body gjson.Result) (upstream.Observed, error) {
	t.Helper()
	return readBy(recordedShop(t), recordedFacts(t), body)
}

func readBy(s *Shop, f *facts, body gjson.Result) (upstream.Observed, error) {
	c, h := cart{Result: body}, handle{}
	for _, line := range c.lines() {
		h.Lines = append(h.Lines, keptLine{
			Key: "key " + line.Get("key").String(), Item: number(line.Get("id").Int()), Quantity: line.Get("quantity").Int(), Line: line.Get("key").String(),
		})
	}
	return s.observe("replaying", f, c, h, "")
}

// parse reads JSON that a test writes down.
func parse(text string) gjson.Result { return gjson.Parse(text) }

// jsonString is a text as JSON.
func jsonString(text string) gjson.Result { return gjson.Result{Type: gjson.String, Str: text} }

// quoted is a text as JSON text.
func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		return ""
	}
	return string(out)
}
