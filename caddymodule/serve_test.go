package caddymodule

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/certmagic"
	"go.uber.org/zap"

	"github.com/storeware/caddy-storeware/internal/httpsig"
	"github.com/storeware/caddy-storeware/internal/keyring"
	"github.com/storeware/caddy-storeware/internal/state"
)

// testHandler returns a handler whose app has not started, with signing keys of
// its own and a shop that has never said anything.
func testHandler(t *testing.T) *Handler {
	t.Helper()
	app := &App{
		storage: &certmagic.FileStorage{Path: t.TempDir()}, logger: zap.NewNop(),
		rings: map[string]*keyring.Ring{}, started: make(chan struct{}), patience: time.Millisecond,
		store: &use[*pooledStore]{value: new(pooledStore)},
	}
	app.lifetime, app.end = context.WithCancel(context.Background())
	t.Cleanup(func() {
		if err := app.Cleanup(); err != nil {
			t.Error(err)
		}
	})
	h := &Handler{
		Name: "shop", app: app, logger: zap.NewNop(), routes: protocolRoutes(), doors: map[doorAt]*door{},
		shop: &use[*pooledShop]{value: &pooledShop{seen: make(chan struct{})}},
	}
	var err error
	if h.ring, err = app.ring(t.Context(), h.Name); err != nil {
		t.Fatal(err)
	}
	return h
}

// notNext is a next handler that must not be called.
func notNext(t *testing.T) caddyhttp.Handler {
	return caddyhttp.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) error {
		t.Errorf("%s was handed on", r.URL)
		return nil
	})
}

// serve answers a request and verifies the signature of the answer.
func serve(t *testing.T, h *Handler, method, address string) (*http.Response, []byte) {
	t.Helper()
	r := httptest.NewRequest(method, address, nil)
	recorder := httptest.NewRecorder()
	if err := h.ServeHTTP(recorder, r, notNext(t)); err != nil {
		t.Fatalf("%s %s: %v", method, address, err)
	}
	response := recorder.Result()
	published, err := json.Marshal(h.ring.Published())
	if err != nil {
		t.Fatal(err)
	}
	verifier := httpsig.Verifier{Now: time.Now, Keys: func(context.Context, string, bool) ([]httpsig.Key, error) {
		return httpsig.ParseKeys(published)
	}}
	header := response.Header.Clone()
	for _, name := range []string{"Signature", "Signature-Input"} {
		_, second, _ := strings.Cut(header.Get(name), ", ")
		header.Set(name, second)
	}
	body := recorder.Body.Bytes()
	if _, err := verifier.VerifyResponse(t.Context(), &httpsig.Response{
		Status: response.StatusCode, Header: header, Body: body, Request: httpsig.RequestOf(r, nil),
	}); err != nil {
		t.Errorf("%s %s: %v", method, address, err)
	}
	return response, body
}

// Caddy starts its apps in any order, so that requests may come first. They get a
// signed answer when the start takes long.
func TestBeforeTheStart(t *testing.T) {
	h := testHandler(t)
	for _, address := range []string{"https://shop.example/.well-known/ucp", "https://shop.example/api/ucp/v1/carts", "https://shop.example/ucp/mcp"} {
		response, body := serve(t, h, http.MethodGet, address)
		if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") != "2" {
			t.Errorf("%s: status %d, Retry-After %q", address, response.StatusCode, response.Header.Get("Retry-After"))
		}
		if !strings.Contains(string(body), `"code":"unavailable"`) {
			t.Errorf("%s: %s", address, body)
		}
	}
	h.app.patience = time.Hour
	go close(h.app.started)
	if response, _ := serve(t, h, http.MethodGet, "https://shop.example/.well-known/ucp/nothing"); response.StatusCode != http.StatusNotFound || response.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a leaf that is not there: %d %v", response.StatusCode, response.Header)
	}
	if response, _ := serve(t, h, http.MethodGet, "https://shop.example/.well-known/ucp"); response.StatusCode != http.StatusOK {
		t.Errorf("after the start: status %d", response.StatusCode)
	}
}

// A request that has gone away need not wait, and gets no answer that nobody could
// verify.
func TestWithoutKeysThereIsNoAnswer(t *testing.T) {
	h := testHandler(t)
	h.app.end()
	h.app.rings = map[string]*keyring.Ring{}
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("recovered %v, want the connection to be aborted", v)
		}
	}()
	_ = h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "https://shop.example/.well-known/ucp", nil), notNext(t))
	t.Error("it was answered")
}

func TestWhatGoesWrongIsSignedToo(t *testing.T) {
	h := testHandler(t)
	close(h.app.started)
	for name, fault := range map[string]http.HandlerFunc{
		"a panic": func(http.ResponseWriter, *http.Request) { panic("oh") },
		"a panic after writing": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "half")
			panic(errors.New("oh"))
		},
		"a body without a type": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "text") },
	} {
		t.Run(name, func(t *testing.T) {
			h.routes = []route{{
				path: "/fault", protocol: "ucp", operation: "fault", refuse: refuseUCP,
				handler: func(*door) http.Handler { return fault },
			}}
			response, body := serve(t, h, http.MethodPost, "https://shop.example/fault")
			if response.StatusCode != http.StatusInternalServerError || !strings.HasPrefix(string(body), `{"code":"internal_error",`) {
				t.Errorf("status %d: %s", response.StatusCode, body)
			}
			if response.Header.Get("Content-Type") != "application/json" {
				t.Errorf("Content-Type %q", response.Header.Get("Content-Type"))
			}
		})
	}
}

func TestHostThatIsNone(t *testing.T) {
	h := testHandler(t)
	close(h.app.started)
	r := httptest.NewRequest(http.MethodGet, "https://shop.example/.well-known/ucp", nil)
	r.Host = "shop.example/evil"
	recorder := httptest.NewRecorder()
	if err := h.ServeHTTP(recorder, r, notNext(t)); err != nil {
		t.Fatal(err)
	}
	if recorder.Code != http.StatusBadRequest || recorder.Header().Get("Signature") == "" {
		t.Errorf("status %d, signed with %q", recorder.Code, recorder.Header().Get("Signature"))
	}
}

// However many hosts there are, no more doors are kept than there should be.
func TestDoorsAreBounded(t *testing.T) {
	h := testHandler(t)
	close(h.app.started)
	for i := range 3 * maxDoors {
		c := client{scheme: "https", host: strings.Repeat("a", i%60+1) + strings.Repeat(".b", i/60+1)}
		if _, err := h.door(c); err != nil {
			t.Fatal(err)
		}
		if len(h.doors) > maxDoors {
			t.Fatalf("%d doors are kept", len(h.doors))
		}
	}
	same := client{scheme: "https", host: "shop.example"}
	first, err := h.door(same)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := h.door(same); err != nil || again != first {
		t.Errorf("the same client got another door: %v", err)
	}
}

// In development only who calls from this machine may have profiles on it.
func TestDevelopmentIsForThisMachine(t *testing.T) {
	h := testHandler(t)
	h.Development = true
	for addr, want := range map[string]bool{"127.0.0.1": true, "::1": true, "192.0.2.1": false, "10.0.0.1": false} {
		d, err := h.door(client{scheme: "http", host: "shop.example", addr: netip.MustParseAddr(addr)})
		if err != nil {
			t.Fatal(err)
		}
		if d.rest.Development != want {
			t.Errorf("called from %s it is in development: %t", addr, d.rest.Development)
		}
	}
}

// restoredStore calls a function instead of restoring.
type restoredStore struct {
	state.Store
	restore func()
}

func (s restoredStore) Restore(context.Context, io.Reader, state.RestoreMode) error {
	s.restore()
	return nil
}

// While the state is restored nobody uses it.
func TestNobodyIsServedDuringARestore(t *testing.T) {
	h := testHandler(t)
	close(h.app.started)
	restored := false
	h.app.sealed = restoredStore{restore: func() {
		restored = true
		if response, _ := serve(t, h, http.MethodGet, "https://shop.example/.well-known/ucp"); response.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("meanwhile: status %d", response.StatusCode)
		}
	}}
	if err := h.app.restore(t.Context(), nil, state.IntoEmpty); err != nil || !restored {
		t.Fatal(err)
	}
	if response, _ := serve(t, h, http.MethodGet, "https://shop.example/.well-known/ucp"); response.StatusCode != http.StatusOK {
		t.Errorf("afterwards: status %d", response.StatusCode)
	}
}

func TestFind(t *testing.T) {
	routes := protocolRoutes()
	for path, want := range map[string]string{
		"/.well-known/ucp":            "profile",
		"/.well-known/ucp/2026-08-25": "profile",
		"/.well-known/ucpx":           "next",
		"/api/ucp/v1":                 "ucp",
		"/api/ucp/v1/":                "ucp",
		"/api/ucp/v1/../../x":         "ucp",
		"/api/ucp/v10/carts":          "next",
		"/api/ucp":                    "next",
		"/ucp/mcp":                    "ucp-mcp",
		"/ucp/mcp/":                   "none",
		"/ucp/mcpx":                   "next",
		"/API/ucp/v1":                 "next",
		"/.well-known/acp.json":       "profile",
		"/.well-known/acp.json/":      "next",
		"/.well-known/acp":            "next",
		"/api/acp":                    "acp",
		"/api/acp/carts":              "acp",
		"/api/acpx":                   "next",
		"/":                           "next",
		"":                            "next",
	} {
		got := "next"
		if found := find(routes, path); found != nil {
			if got = found.operation; got == "" {
				got = found.protocol
			}
		}
		if got != want {
			t.Errorf("%q goes to %s, want %s", path, got, want)
		}
	}
}
