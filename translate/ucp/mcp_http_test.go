package ucp

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// There is nothing to get, to end, or to stream.
func TestMCPMethods(t *testing.T) {
	d := newDesk(t, nil)
	for _, method := range []string{"GET", "DELETE", "PUT", "HEAD"} {
		r := d.message("scout", "")
		r.Method = method
		r.Header.Set("Accept", "text/event-stream")
		got := d.send(r)
		if got.StatusCode != http.StatusMethodNotAllowed || got.Header.Get("Allow") != "POST, OPTIONS" {
			t.Errorf("%s: %d %v", method, got.StatusCode, got.Header)
		}
		if method != "HEAD" && got.json.Get("error.data.code").Str != string(MethodNotAllowed) {
			t.Errorf("%s: %s", method, got.text)
		}
	}
}

// A web page of an origin that is named may call, and read what it is told.
func TestMCPFromPages(t *testing.T) {
	d := newDesk(t, nil)
	r := d.message("", "")
	r.Method = http.MethodOptions
	r.Header.Set("Origin", "https://agent.example")
	r.Header.Set("Access-Control-Request-Method", "POST")
	got := d.send(r)
	if got.StatusCode != http.StatusNoContent || got.Header.Get("Access-Control-Allow-Methods") != "POST, OPTIONS" ||
		!strings.Contains(got.Header.Get("Access-Control-Allow-Headers"), "Mcp-Protocol-Version") {
		t.Errorf("preflight: %d %v", got.StatusCode, got.Header)
	}
	r = d.message("", `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	r.Header.Set("Origin", "https://agent.example")
	if got := d.send(r); got.StatusCode != http.StatusOK || got.Header.Get("Access-Control-Allow-Origin") != "https://agent.example" {
		t.Errorf("ping: %d %v", got.StatusCode, got.Header)
	}
}

// The shop's own pages may call where their name cannot be forged.
func TestMCPFromOwnPages(t *testing.T) {
	d := newDesk(t, nil)
	for _, test := range []struct {
		host, origin string
		tls          bool
		want         int
	}{
		{"shop.example", "https://shop.example", true, 200},
		{"shop.example:443", "https://shop.example", true, 200},
		{"shop.example", "https://other.example", true, 403},
		{"shop.example", "http://shop.example", true, 403},
		{"shop.example", "https://shop.example", false, 403},
		{"shop.example", "http://shop.example", false, 403},
		{"localhost:8080", "http://localhost:8080", false, 200},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", false, 200},
		{"[::1]:8080", "http://[::1]:8080", false, 200},
		{"localhost:8080", "http://localhost:9090", false, 403},
		{"localhost:8080", "null", false, 403},
		{"shop.example", "", false, 200},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/ucp/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		r.Host = test.host
		r.TLS = nil
		if test.tls {
			r.TLS = &tls.ConnectionState{}
		}
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		w := httptest.NewRecorder()
		d.mcp.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("%+v: %d %s", test, w.Code, w.Body)
		}
	}
}

// A signature covers the message as it is; what is wrong with it is told in the
// codes of the specification.
func TestMCPSignatures(t *testing.T) {
	body := toolMessage(1, CreateCart, "k", oneBootCart)
	for name, test := range map[string]struct {
		change func(*http.Request)
		status int
		code   httpsig.Code
		rpc    int64
	}{
		"a good one":      {func(*http.Request) {}, 200, "valid", 0},
		"another key":     {func(r *http.Request) { r.Header.Set("Idempotency-Key", "other") }, 400, "", -32602},
		"another digest":  {func(r *http.Request) { r.Header.Set("Content-Digest", httpsig.ContentDigest([]byte("x"))) }, 400, httpsig.DigestMismatch, -32600},
		"an unknown key":  {func(r *http.Request) { replace(r, "Signature-Input", "platform-1", "platform-2") }, 401, httpsig.KeyNotFound, -32000},
		"no signature":    {func(r *http.Request) { r.Header.Del("Signature") }, 401, httpsig.SignatureMissing, -32000},
		"another profile": {func(r *http.Request) { r.Header.Set("UCP-Agent", fmt.Sprintf("a=1, profile=%q", wholeURL)) }, 401, httpsig.SignatureInvalid, -32000},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			r := d.message("scout", body)
			r.Header.Set("UCP-Agent", fmt.Sprintf("profile=%q", wholeURL))
			r.Header.Set("Idempotency-Key", "k")
			d.sign(r, body)
			test.change(r)
			got := d.send(r)
			if got.StatusCode != test.status || got.json.Get("error.code").Int() != test.rpc {
				t.Fatalf("got %d %s", got.StatusCode, got.text)
			}
			if event := d.event(); event.Signature != string(test.code) {
				t.Errorf("event %+v", event)
			}
			if test.status >= 400 && len(d.ledger.baskets) > 0 {
				t.Errorf("%d baskets after %s", len(d.ledger.baskets), got.text)
			}
		})
	}
}
