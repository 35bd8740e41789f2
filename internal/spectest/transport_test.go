package spectest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/spectest"
)

// An observer is a testing.TB that keeps what it is told instead of failing.
type observer struct {
	testing.TB
	mu  sync.Mutex
	log bytes.Buffer
	end string // "skip", "fatal" or ""
}

func (o *observer) note(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	fmt.Fprintf(&o.log, format+"\n", args...)
}

func (o *observer) Helper()                           {}
func (o *observer) Logf(format string, args ...any)   { o.note(format, args...) }
func (o *observer) Errorf(format string, args ...any) { o.note("error: "+format, args...) }

func (o *observer) Skipf(format string, args ...any) {
	o.note(format, args...)
	o.end = "skip"
	panic(o)
}

func (o *observer) Fatalf(format string, args ...any) {
	o.note(format, args...)
	o.end = "fatal"
	panic(o)
}

// stopped calls f, which an observer may stop.
func stopped(f func()) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(*observer); !ok {
				panic(r)
			}
		}
	}()
	f()
}

// shop answers every request alike.
type shop struct {
	status int
	body   string
	kind   string // Content-Type, "application/json" when empty
	digest string // Content-Digest, the right one when empty
	header string // one more, as "Name: value"
}

func (s shop) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	sum := sha256.Sum256([]byte(s.body))
	digest, kind := "sha-256=:"+base64.StdEncoding.EncodeToString(sum[:])+":", "application/json"
	if s.digest != "" {
		digest = s.digest
	}
	if s.kind != "" {
		kind = s.kind
	}
	w.Header().Set("Content-Digest", digest)
	w.Header().Set("Content-Type", kind)
	if name, value, ok := strings.Cut(s.header, ": "); ok {
		w.Header().Set(name, value)
	}
	w.WriteHeader(s.status)
	if s.body == "" {
		return
	}
	if _, err := io.WriteString(w, s.body); err != nil {
		panic(err)
	}
}

// ask sends one request through a Recorder and returns what it reported, what
// it counted and the body that arrived.
func ask(t *testing.T, s shop, method, path string) (reported string, seen map[string]int, body string) {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	observer := &observer{TB: t}
	recorder := spectest.Transport(observer, release, server.Client().Transport)
	request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&http.Client{Transport: recorder}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return observer.log.String(), recorder.Seen(), string(raw)
}

func TestTransport(t *testing.T) {
	spectest.Find(t)
	const (
		gone = `{"code": "not_found", "content": "No such route"}`
		kept = "Cache-Control: public, max-age=60, no-transform"
	)
	for _, c := range []struct {
		name, method, path string
		shop               shop
		seen               string // operation counted, "-" for none
		want               string // what is reported, "" for nothing
	}{
		{"a cart", "POST", "/api/ucp/v1/carts", shop{status: 201, body: cartAnswer}, "create_cart", ""},
		{"an order", "GET", "/api/ucp/v1/orders/o1", shop{status: 200, body: orderAnswer}, "get_order", ""},
		{"the profile", "GET", "/.well-known/ucp", shop{status: 200, body: businessProfile, header: kept}, "profile", ""},
		{"an older profile", "GET", "/.well-known/ucp/2026-04-08", shop{status: 200, body: `{}`, header: kept}, "profile", ""},
		{"a profile not changed", "GET", "/.well-known/ucp", shop{status: 304, digest: "none"}, "-", ""},
		{"a key missing", "GET", "/api/ucp/v1/orders/o1", shop{status: 401, body: gone, header: "WWW-Authenticate: Bearer"}, "get_order", ""},
		{"no such route", "GET", "/api/ucp/v1/basket", shop{status: 404, body: gone}, "", ""},
		{"a page of the shop", "GET", "/products/boot", shop{status: 200, body: "<html>", digest: "none"}, "-", ""},
		{"only the name of the endpoint", "GET", "/api/ucp/v10", shop{status: 200, body: "<html>", digest: "none"}, "-", ""},
		{"no body asked for", "HEAD", "/.well-known/ucp", shop{status: 200}, "-", ""},

		{"a wrong status", "GET", "/api/ucp/v1/orders/o1", shop{status: 201, body: orderAnswer}, "get_order", "HTTP 201 with a resource"},
		{"a broken cart", "GET", "/api/ucp/v1/carts/b1", shop{status: 200, body: strings.Replace(cartAnswer, `"currency": "GBP",`, "", 1)}, "get_cart", "missing property 'currency'"},
		{"a broken profile", "GET", "/.well-known/ucp", shop{status: 200, body: `{}`, header: kept}, "profile", "missing property 'ucp'"},
		{"a profile not to be kept", "GET", "/.well-known/ucp", shop{status: 200, body: businessProfile, header: "Cache-Control: public, max-age=600, no-store"}, "profile", "forbids to share"},
		{"a profile kept for seconds", "GET", "/.well-known/ucp", shop{status: 200, body: businessProfile, header: "Cache-Control: public, max-age=59"}, "profile", "max-age of 60"},
		{"a profile for one", "GET", "/.well-known/ucp/2026-04-08", shop{status: 200, body: `{}`, header: "Cache-Control: max-age=600"}, "profile", "want public"},
		{"no challenge", "GET", "/api/ucp/v1/orders/o1", shop{status: 401, body: gone}, "get_order", "lacks WWW-Authenticate"},
		{"no methods", "DELETE", "/api/ucp/v1/carts", shop{status: 405, body: gone}, "", "lacks Allow"},
		{"no time to come back", "GET", "/api/ucp/v1/orders/o1", shop{status: 503, body: gone}, "get_order", "lacks Retry-After"},
		{"a wrong digest", "GET", "/api/ucp/v1/orders/o1", shop{status: 200, body: orderAnswer, digest: "sha-256=:AAAA:"}, "get_order", "Content-Digest"},
		{"a wrong digest of an error", "GET", "/api/ucp/v1/basket", shop{status: 404, body: gone, digest: "sha-256=:AAAA:"}, "", "Content-Digest"},
		{"plain text", "GET", "/api/ucp/v1/orders/o1", shop{status: 503, body: "Down", kind: "text/plain"}, "get_order", "Content-Type"},
		{"an operation UCP has not", "GET", "/api/ucp/v1/basket", shop{status: 200, body: `{}`}, "", "no such operation"},
	} {
		t.Run(c.name, func(t *testing.T) {
			reported, seen, body := ask(t, c.shop, c.method, c.path)
			if c.want == "" && reported != "" || !strings.Contains(reported, c.want) {
				t.Errorf("reported %q, want %q", reported, c.want)
			}
			want := map[string]int{}
			if c.seen != "-" {
				want[c.seen] = 1
			}
			if diff := cmp.Diff(want, seen); diff != "" {
				t.Errorf("counted (-want +got):\n%s", diff)
			}
			if c.method != "HEAD" && body != c.shop.body {
				t.Errorf("the body arrived as %q", body)
			}
		})
	}
}

// Without the specifications the bytes and the sums are still checked, and the
// log says what is not.
func TestTransportWithoutSpecs(t *testing.T) {
	t.Chdir(moduleAlone(t))
	t.Setenv("STOREWARE_SHARED", "")
	body := strings.Replace(cartAnswer, `"amount": 3200}],`, `"amount": 3201}],`, 1)
	reported, _, _ := ask(t, shop{status: 200, body: body, digest: "sha-256=:AAAA:"}, "GET", "/api/ucp/v1/carts/b1")
	for _, want := range []string{"SKIPPED: " + t.Name(), "Content-Digest", "sum up to 3200"} {
		if !strings.Contains(reported, want) {
			t.Errorf("no %q in %s", want, reported)
		}
	}
}

func TestTransportWithAnEmptyPromise(t *testing.T) {
	t.Setenv("STOREWARE_SHARED", filepath.Join(t.TempDir(), "nowhere"))
	observer := &observer{TB: t}
	stopped(func() { spectest.Transport(observer, release, nil) })
	if observer.end != "fatal" {
		t.Errorf("ended with %q: %s", observer.end, observer.log.String())
	}
}
