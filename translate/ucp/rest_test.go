package ucp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/httpsig"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

const (
	oneBoot   = `{"line_items":[{"item":{"id":"boot-9"},"quantity":1}]}`
	onePaying = `{"payment":{"instruments":[{"id":"i1","handler_id":"upstream:card","type":"card"}]}}`
)

// Every operation once, in the order of a purchase. The client validates every
// answer.
func TestRESTPurchase(t *testing.T) {
	d := newDesk(t, nil)
	for _, step := range []struct {
		method, path, body string
		status             int
		paths              map[string]string
	}{
		{"POST", "/catalog/search", `{"query":"tarn"}`, 200, map[string]string{"products.0.id": "shoe"}},
		{"POST", "/catalog/lookup", `{"ids":["mug"]}`, 200, map[string]string{"products.0.id": "mug"}},
		{"POST", "/catalog/product", `{"id":"shoe-red-9"}`, 200, map[string]string{"product.variants.0.id": "shoe-red-9"}},
		{"POST", "/carts", oneBoot, 201, map[string]string{"id": "bsk_1"}},
		{"GET", "/carts/bsk_1", "", 200, map[string]string{"id": "bsk_1"}},
		{"PUT", "/carts/bsk_1", oneBoot, 200, map[string]string{"id": "bsk_1"}},
		{"POST", "/carts/bsk_1/cancel", "", 200, map[string]string{"id": "bsk_1"}},
		{"POST", "/checkout-sessions", oneBoot, 201, map[string]string{"id": "bsk_2", "status": "ready_for_complete"}},
		{"GET", "/checkout-sessions/bsk_2", "", 200, map[string]string{"id": "bsk_2"}},
		{"PUT", "/checkout-sessions/bsk_2", oneBoot, 200, map[string]string{"id": "bsk_2"}},
		{"POST", "/checkout-sessions/bsk_2/complete", onePaying, 200, map[string]string{"status": "completed", "order.id": "A-bsk_2"}},
		{"GET", "/orders/A-bsk_2", "", 200, map[string]string{"id": "A-bsk_2", "checkout_id": "bsk_2"}},
		{"POST", "/checkout-sessions", oneBoot, 201, map[string]string{"id": "bsk_3"}},
		{"POST", "/checkout-sessions/bsk_3/cancel", "{}", 200, map[string]string{"status": "canceled"}},
	} {
		got := d.send(d.request("scout", step.method, step.path, step.body))
		if got.StatusCode != step.status {
			t.Fatalf("%s %s: %d %s", step.method, step.path, got.StatusCode, got.text)
		}
		for path, want := range step.paths {
			if value := got.json.Get(path).String(); value != want {
				t.Errorf("%s %s: %s is %q, want %q", step.method, step.path, path, value, want)
			}
		}
		if event := d.event(); event.Outcome != "ok" || event.Agent != "scout" || event.Status != step.status || event.Err != nil || event.Signature != "none" {
			t.Errorf("%s %s: event %+v", step.method, step.path, event)
		}
	}
}

// What is wrong with a request is found in a fixed order and told in the
// protocol's words.
func TestRESTRefusals(t *testing.T) {
	const profile = "UCP-Agent"
	d := newDesk(t, nil)
	known := d.business
	for name, test := range map[string]struct {
		method, path, body string
		change             func(*desk, *http.Request) // undone afterwards
		status             int
		code               FailureCode
		content            string
	}{
		"no route":           {"POST", "/catalogue", "{}", nil, 404, RouteNotFound, "no such route"},
		"the base alone":     {"GET", "", "", nil, 404, RouteNotFound, ""},
		"a slash too many":   {"POST", "/carts/", "{}", nil, 404, RouteNotFound, ""},
		"an empty id":        {"POST", "/carts//cancel", "", nil, 404, RouteNotFound, ""},
		"a broken escape":    {"GET", "/carts/x/%2e/..", "", nil, 404, RouteNotFound, ""},
		"a method":           {"DELETE", "/carts/x", "", nil, 405, MethodNotAllowed, "GET, PUT, OPTIONS"},
		"a method of others": {"GET", "/catalog/search", "", nil, 405, MethodNotAllowed, "POST, OPTIONS"},
		"no key":             {"POST", "/carts", "", func(_ *desk, r *http.Request) { r.Header.Del("Authorization") }, 401, Unauthorized, "agents@shop.example"},
		"a wrong key": {"POST", "/carts", "", func(_ *desk, r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+agents.NewKey().Reveal())
		}, 401, Unauthorized, "agents@shop.example"},
		"no key at all": {"POST", "/carts", "", func(_ *desk, r *http.Request) { r.Header.Set("Authorization", "Bearer hello") }, 401, Unauthorized, ""},
		"two keys": {"POST", "/carts", "", func(d *desk, r *http.Request) {
			r.Header.Set("X-API-Key", d.keys["rival"].Reveal())
		}, 400, InvalidRequest, "two different agent keys"},
		"unreadable credentials": {"POST", "/carts", "", func(_ *desk, r *http.Request) {
			r.Header["Authorization"] = []string{"Bearer"}
		}, 400, InvalidRequest, "cannot be read"},
		"no store for keys": {"POST", "/carts", "", func(d *desk, r *http.Request) {
			d.store.broken = true
			r.Header.Set("Authorization", "Bearer "+agents.NewKey().Reveal())
		}, 503, Unavailable, ""},
		"no profile":        {"POST", "/carts", "", func(_ *desk, r *http.Request) { r.Header.Del(profile) }, 400, InvalidProfileURL, "UCP-Agent is missing"},
		"a profile by http": {"POST", "/carts", "", func(_ *desk, r *http.Request) { r.Header.Set(profile, `profile="http://127.0.0.1/"`) }, 400, InvalidProfileURL, "https"},
		"another's profile": {"POST", "/carts", "", func(d *desk, r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+d.keys["bound"].Reveal())
			r.Header.Set(profile, fmt.Sprintf("profile=%q", narrowURL))
		}, 403, ProfileMismatch, "another platform profile"},
		"a profile that is not there": {"POST", "/carts", "", func(_ *desk, r *http.Request) {
			r.Header.Set(profile, `profile="https://nowhere.example/"`)
		}, 424, ProfileUnreachable, ""},
		"another release": {"POST", "/carts", "", func(_ *desk, r *http.Request) {
			r.Header.Set(profile, fmt.Sprintf("profile=%q", oldURL))
		}, 422, VersionUnsupported, "2026-04-08 is not spoken here: this shop speaks 2026-08-25"},
		"too large a body":   {"POST", "/carts", strings.Repeat(" ", 11<<20), nil, 413, BodyTooLarge, "1048576 bytes"},
		"a shop not yet met": {"POST", "/carts", oneBoot, func(d *desk, _ *http.Request) { d.business = newBusiness(d.t, Offer{}) }, 503, Unavailable, ""},
		"another media type": {"POST", "/carts", oneBoot, func(_ *desk, r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, UnsupportedMedia, "send Content-Type: application/json"},
		"no media type":      {"POST", "/carts", oneBoot, func(_ *desk, r *http.Request) { r.Header.Set("Content-Type", ";") }, 415, UnsupportedMedia, ""},
		"a compressed body":  {"POST", "/carts", oneBoot, func(_ *desk, r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, 415, UnsupportedMedia, ""},
		"another digest": {"POST", "/carts", oneBoot, func(_ *desk, r *http.Request) {
			r.Header.Set("Content-Digest", httpsig.ContentDigest([]byte("x")))
		}, 400, FailureCode(httpsig.DigestMismatch), "sha-256 digest is another one"},
		"no body":            {"POST", "/carts", "", nil, 400, InvalidRequest, "$ must be complete JSON"},
		"no JSON":            {"POST", "/carts", "line_items=22", nil, 400, InvalidRequest, "$ must be JSON"},
		"no UTF-8":           {"POST", "/carts", "{\"buyer\":{\"email\":\"\xff\"}}", nil, 400, InvalidRequest, "$ must be UTF-8"},
		"a field twice":      {"POST", "/carts", `{"line_items":[],"line_items":[]}`, nil, 400, InvalidRequest, "$.line_items must be there once"},
		"depth 10,000":       {"POST", "/carts", `{"line_items":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "}", nil, 400, InvalidRequest, "must not nest deeper"},
		"a string for lines": {"POST", "/carts", `{"line_items":"22"}`, nil, 400, InvalidRequest, "$.line_items must be an array, not a string"},
		"quantity 0":         {"POST", "/carts", `{"line_items":[{"item":{"id":"x"},"quantity":0}]}`, nil, 400, InvalidRequest, "$.line_items[0].quantity must be a whole number from 1 to 99999"},
		"quantity 10^9":      {"POST", "/carts", `{"line_items":[{"item":{"id":"x"},"quantity":1000000000}]}`, nil, 400, InvalidRequest, "$.line_items[0].quantity must be a whole number from 1 to 99999"},
		"a forbidden field":  {"PUT", "/checkout-sessions/x", `{"line_items":[],"status":"completed"}`, nil, 400, InvalidRequest, "$.status must not be sent here"},
		"no payment":         {"POST", "/checkout-sessions/x/complete", `{}`, nil, 400, InvalidRequest, "$.payment is missing"},
		"a list to cancel":   {"POST", "/carts/x/cancel", `[]`, nil, 400, InvalidRequest, "$ must be a JSON object"},
		"nothing to search":  {"POST", "/catalog/search", `{"filters":{"colour":"red"}}`, nil, 400, InvalidRequest, "$ must have a query"},
		"a foreign cursor":   {"POST", "/catalog/search", `{"query":"x","pagination":{"cursor":"x"}}`, nil, 400, InvalidRequest, "$.pagination.cursor: must be"},
		"too many ids":       {"POST", "/catalog/lookup", `{"ids":[` + strings.Repeat(`"x",`, 100) + `"y"]}`, nil, 400, RequestTooLarge, "$.ids"},
		"two idempotency keys": {"POST", "/carts", oneBoot, func(_ *desk, r *http.Request) {
			r.Header["Idempotency-Key"] = []string{"a", "b"}
		}, 400, InvalidRequest, "sent once"},
		"too long a key": {"POST", "/carts", oneBoot, func(_ *desk, r *http.Request) {
			r.Header.Set("Idempotency-Key", strings.Repeat("k", 300))
		}, 400, InvalidRequest, "255 bytes"},
		"an empty key": {"POST", "/carts", oneBoot, func(_ *desk, r *http.Request) { r.Header.Set("Idempotency-Key", "") }, 400, InvalidRequest, "255 bytes"},
		"no store for answers": {"POST", "/carts", oneBoot, func(d *desk, r *http.Request) {
			d.store.broken = true
			r.Header.Set("Idempotency-Key", "k")
		}, 503, Unavailable, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d.business, d.store.broken = known, false
			r := d.request("scout", test.method, test.path, test.body)
			if test.change != nil {
				test.change(d, r)
			}
			got := d.send(r)
			if got.StatusCode != test.status || got.json.Get("code").Str != string(test.code) || !strings.Contains(got.json.Get("content").Str, test.content) {
				t.Fatalf("got %d %s", got.StatusCode, got.text)
			}
			if len(d.ledger.baskets) > 0 || len(d.ledger.visits) > 0 {
				t.Error("something happened")
			}
			if event := d.event(); event.Outcome != string(test.code) || event.Status != test.status {
				t.Errorf("event %+v", event)
			}
			header := got.Header
			if (header.Get("WWW-Authenticate") == `Bearer realm="ucp"`) != (test.status == 401) {
				t.Errorf("WWW-Authenticate: %q", header.Get("WWW-Authenticate"))
			}
			if (header.Get("Retry-After") != "") != (test.status == 503) {
				t.Errorf("Retry-After: %q", header.Get("Retry-After"))
			}
			if test.status == 405 && header.Get("Allow") != test.content || test.status != 405 && header.Get("Allow") != "" {
				t.Errorf("Allow: %q", header.Get("Allow"))
			}
			if header.Get("Content-Type") != "application/json" || header.Get("Cache-Control") != "no-store, no-transform" {
				t.Errorf("header %v", header)
			}
			for agent, key := range d.keys {
				if strings.Contains(got.text, key.Reveal()) {
					t.Errorf("the answer holds the key of %s", agent)
				}
			}
		})
	}
}

// A large body is refused without being read to its end.
func TestRESTLargeBodies(t *testing.T) {
	d := newDesk(t, func(d *desk) { d.rest.MaxBody = 64 })
	r := d.request("scout", "POST", "/carts", oneBoot+strings.Repeat(" ", 64-len(oneBoot)))
	if got := d.send(r); got.StatusCode != http.StatusCreated {
		t.Errorf("as large as allowed: %d %s", got.StatusCode, got.text)
	}
	// Of a body that is said to be too large not a byte is read.
	unread := httptest.NewRequest("POST", "/api/ucp/v1/carts", nil)
	unread.Header = r.Header
	unread.Body, unread.ContentLength = io.NopCloser(iotest.ErrReader(errors.New("read"))), 65
	w := httptest.NewRecorder()
	d.rest.ServeHTTP(w, unread)
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("said to be too large: %d %s", w.Code, w.Body)
	}
	// Without a length the size shows only as it is read.
	endless := &spaces{}
	r = d.request("scout", "POST", "/carts", "")
	r.Body, r.ContentLength = io.NopCloser(endless), -1
	if got := d.send(r); got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("without end: %d %s", got.StatusCode, got.text)
	}
}

// spaces is white space without end.
type spaces struct{}

func (*spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// An operation that the two sides do not both declare is a business outcome.
func TestRESTCapabilitiesIncompatible(t *testing.T) {
	d := newDesk(t, nil)
	for path, body := range map[string]string{"/carts": oneBoot, "/checkout-sessions": oneBoot, "/checkout-sessions/x/complete": "not even JSON"} {
		r := d.request("scout", "POST", path, body)
		r.Header.Set("UCP-Agent", fmt.Sprintf("profile=%q", narrowURL))
		got := d.send(r)
		if got.StatusCode != http.StatusOK || got.json.Get("messages.0.code").Str != "capabilities_incompatible" ||
			got.json.Get("ucp.capabilities").Raw != "{}" || got.json.Get("continue_url").Str != "https://shop.example/" {
			t.Errorf("%s: %d %s", path, got.StatusCode, got.text)
		}
		if event := d.event(); event.Outcome != "capabilities_incompatible" {
			t.Errorf("%s: event %+v", path, event)
		}
	}
	r := d.request("scout", "POST", "/catalog/search", `{"query":"tarn"}`)
	r.Header.Set("UCP-Agent", fmt.Sprintf("profile=%q", narrowURL))
	got := d.send(r)
	if got.json.Get("ucp.capabilities").Raw != `{"dev.ucp.shopping.catalog.search":[{"version":"2026-08-25"}]}` {
		t.Errorf("the catalogue: %s", got.text)
	}
}

// No agent gets at what is another's, whatever its key is bound to.
func TestRESTAgentsKeptApart(t *testing.T) {
	d := newDesk(t, nil)
	for i, name := range []string{"scout", "sandbox"} {
		d.send(d.request(name, "POST", "/checkout-sessions", oneBoot))
		agent, err := d.rest.Agents.Lookup(t.Context(), "fell", d.keys[name])
		if err != nil {
			t.Fatal(err)
		}
		want := basket.Owner{Shop: "fell", Agent: agent.ID, Name: name, Sandbox: name == "sandbox"}
		if got := d.ledger.baskets[fmt.Sprintf("bsk_%d", i+1)].Owner; got != want {
			t.Errorf("owner %+v, want %+v", got, want)
		}
	}
	for _, agent := range []string{"rival", "sandbox", "bound"} {
		for _, request := range []struct{ method, path, body string }{
			{"GET", "/carts/bsk_1", ""},
			{"PUT", "/carts/bsk_1", oneBoot},
			{"POST", "/carts/bsk_1/cancel", ""},
			{"GET", "/checkout-sessions/bsk_1", ""},
			{"PUT", "/checkout-sessions/bsk_1", oneBoot},
			{"POST", "/checkout-sessions/bsk_1/complete", onePaying},
			{"POST", "/checkout-sessions/bsk_1/cancel", ""},
			{"GET", "/orders/A-bsk_1", ""},
		} {
			got := d.send(d.request(agent, request.method, request.path, request.body))
			missing := d.send(d.request(agent, request.method, strings.Replace(request.path, "bsk_1", "bsk_9", 1), request.body))
			if got.json.Get("messages.0.code").Str != "not_found" || got.text != missing.text {
				t.Errorf("%s %s as %s: %s", request.method, request.path, agent, got.text)
			}
		}
	}
	if got := d.send(d.request("scout", "GET", "/checkout-sessions/bsk_1", "")); got.json.Get("status").Str != "ready_for_complete" {
		t.Errorf("the owner's: %s", got.text)
	}
}

// What the shop and the store cannot do becomes a status that says whether to
// come back, and a text that says nothing of the cause.
func TestRESTFaults(t *testing.T) {
	d := newDesk(t, nil)
	wait := &upstream.Error{Code: upstream.CodeBusy, Op: "asking shop at 10.0.0.7", RetryAfter: 1500 * time.Millisecond}
	for name, test := range map[string]struct {
		fault  func() error
		status int
		retry  string
	}{
		"away":            {func() error { return upstream.Errorf(upstream.CodeUnavailable, "secret", "secret") }, 503, "5"},
		"busy":            {func() error { return fmt.Errorf("secret: %w", wait) }, 503, "2"},
		"refused":         {func() error { return upstream.Errorf(upstream.CodeDenied, "secret", "secret") }, 503, "5"},
		"out of time":     {func() error { return fmt.Errorf("secret: %w", context.DeadlineExceeded) }, 503, "5"},
		"no store":        {func() error { return fmt.Errorf("secret: %w", state.ErrUnavailable) }, 503, "5"},
		"a held basket":   {func() error { return basket.ErrBusy }, 503, "1"},
		"cannot do it":    {func() error { return upstream.Errorf(upstream.CodeUnsupported, "secret", "secret") }, 500, ""},
		"nobody knows":    {func() error { return errors.New("secret") }, 500, ""},
		"a panic":         {func() error { panic("secret") }, 500, ""},
		"a panic, an err": {func() error { panic(errors.New("secret")) }, 500, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d.ledger.before = test.fault
			got := d.send(d.request("scout", "GET", "/carts/bsk_1", ""))
			if got.StatusCode != test.status || got.Header.Get("Retry-After") != test.retry {
				t.Errorf("got %d, Retry-After %q", got.StatusCode, got.Header.Get("Retry-After"))
			}
			if strings.Contains(got.text, "secret") || strings.Contains(got.text, "10.0.0.7") {
				t.Errorf("the cause is told: %s", got.text)
			}
			if event := d.event(); event.Err == nil || event.Operation != string(GetCart) {
				t.Errorf("event %+v", event)
			}
		})
	}
	d.shelf.err = upstream.Errorf(upstream.CodeInvalid, "searching", "the words are too long")
	if got := d.send(d.request("scout", "POST", "/catalog/search", `{"query":"x"}`)); got.StatusCode != 400 || !strings.Contains(got.text, "the words are too long") {
		t.Errorf("got %d %s", got.StatusCode, got.text)
	}
}

func TestRESTHeaders(t *testing.T) {
	d := newDesk(t, nil)
	d.send(d.request("scout", "POST", "/carts", oneBoot))
	for _, id := range []string{"req/1:é", "two words", strings.Repeat("x", httpdoor.MaxRequestID+1)} {
		r := d.request("scout", "GET", "/carts/bsk_1", "")
		r.Header.Set("Request-Id", id)
		if got := d.send(r); got.Header.Get("Request-Id") != "" || d.event().RequestID != "" {
			t.Errorf("a request id that is none: %q", got.Header.Get("Request-Id"))
		}
	}
	r := d.request("scout", "GET", "/carts/bsk_1", "")
	r.Header.Set("Request-Id", "req/1:x")
	get := d.send(r)
	if get.Header.Get("Request-Id") != "req/1:x" || d.event().RequestID != "req/1:x" || d.ledger.visits[len(d.ledger.visits)-1].RequestID != "req/1:x" {
		t.Errorf("a request id: %q", get.Header.Get("Request-Id"))
	}
	r.Method = http.MethodHead
	// What nobody reads must not count as what the buyer has seen.
	looked := len(d.ledger.visits)
	if head := d.send(r); head.StatusCode != http.StatusMethodNotAllowed || head.text != "" || len(d.ledger.visits) != looked {
		t.Errorf("HEAD: %d, %d bytes", head.StatusCode, len(head.text))
	}
	r = d.request("scout", "GET", "/carts/bsk_1", "a body that means nothing")
	if got := d.send(r); got.StatusCode != 200 || got.text != get.text {
		t.Errorf("GET with a body: %d %s", got.StatusCode, got.text)
	}
	for _, media := range []string{"", "application/json; charset=utf-8", "application/vnd.example+json"} {
		r = d.request("scout", "POST", "/carts", oneBoot)
		r.Header.Set("Content-Type", media)
		if got := d.send(r); got.StatusCode != 201 {
			t.Errorf("Content-Type %q: %d", media, got.StatusCode)
		}
	}
	r = d.request("", "GET", "/carts/bsk_1", "")
	r.Header.Set("X-API-Key", d.keys["scout"].Reveal())
	r.Header.Set("Authorization", "Bearer shopper.token")
	if got := d.send(r); got.StatusCode != 200 || got.json.Get("id").Str != "bsk_1" {
		t.Errorf("a shopper's token beside the key: %d %s", got.StatusCode, got.text)
	}
}

func TestRESTCORS(t *testing.T) {
	d := newDesk(t, nil)
	for name, test := range map[string]struct {
		method, path, origin string
		status               int
		allowed              string
	}{
		"a preflight":               {"OPTIONS", "/carts/x", "https://agent.example", 204, "https://agent.example"},
		"a preflight from others":   {"OPTIONS", "/carts/x", "https://evil.example", 204, ""},
		"a preflight from nowhere":  {"OPTIONS", "/carts/x", "", 204, ""},
		"a preflight to nowhere":    {"OPTIONS", "/x", "https://agent.example", 404, "https://agent.example"},
		"a request":                 {"GET", "/carts/x", "https://agent.example", 200, "https://agent.example"},
		"a request from others":     {"GET", "/carts/x", "https://evil.example", 200, ""},
		"a refusal can be read too": {"PATCH", "/carts/x", "https://agent.example", 405, "https://agent.example"},
	} {
		t.Run(name, func(t *testing.T) {
			r := d.request("scout", test.method, test.path, "")
			if test.method == "OPTIONS" {
				r.Header = http.Header{"Access-Control-Request-Method": {"GET"}}
			}
			r.Header.Set("Origin", test.origin)
			got := d.send(r)
			if got.StatusCode != test.status || got.Header.Get("Access-Control-Allow-Origin") != test.allowed {
				t.Errorf("got %d, %q", got.StatusCode, got.Header.Get("Access-Control-Allow-Origin"))
			}
			if diff := cmp.Diff([]string{"Origin"}, got.Header.Values("Vary")); diff != "" {
				t.Errorf("Vary (-want +got):\n%s", diff)
			}
			preflight := test.status == 204 && test.allowed != ""
			if strings.Contains(got.Header.Get("Access-Control-Allow-Headers"), "UCP-Agent") != preflight {
				t.Errorf("allowed headers %q", got.Header.Get("Access-Control-Allow-Headers"))
			}
			if test.status == 204 && (got.text != "" || got.Header.Get("Allow") != "GET, PUT, OPTIONS") {
				t.Errorf("%q, allowed %q", got.text, got.Header.Get("Allow"))
			}
		})
	}
	shut := newDesk(t, func(d *desk) { d.rest.Origins = nil })
	r := shut.request("scout", "GET", "/carts/x", "")
	r.Header.Set("Origin", "https://agent.example")
	if got := shut.send(r); got.Header.Get("Access-Control-Allow-Origin") != "" || got.Header.Get("Vary") != "" {
		t.Errorf("without origins: %v", got.Header)
	}
}

// The shop learns for whom it is asked.
func TestRESTVisit(t *testing.T) {
	d := newDesk(t, func(d *desk) {
		d.rest.Peer = func(*http.Request) httpdoor.Peer {
			return httpdoor.Peer{Addr: netip.MustParseAddr("192.0.2.7"), Scheme: "https"}
		}
	})
	r := d.request("scout", "POST", "/catalog/search", `{"query":"tarn","context":{"address_country":"DE","currency":"JPY"}}`)
	r.Header.Set("Accept-Language", "de-AT, en;q=0.5")
	r.Header.Set("Request-Id", "r1")
	d.send(r)
	want := upstream.Visit{
		Market: upstream.Market{Country: "DE", Currency: "JPY", Language: "de-AT"},
		Addr:   netip.MustParseAddr("192.0.2.7"), Agent: "scout", RequestID: "r1",
	}
	if diff := cmp.Diff([]upstream.Visit{want}, d.shelf.visits, cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d.rest.Peer = nil
	d.send(d.request("scout", "POST", "/catalog/search", `{"query":"tarn"}`))
	if addr := d.shelf.visits[1].Addr; !addr.IsLoopback() {
		t.Errorf("without a proxy the address is %v", addr)
	}
}
