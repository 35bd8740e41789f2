package main_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// office is the token of the demo shop's back office.
const office = "back-office-token"

// house is a demo shop in a process of its own, that orders a basket as often as
// it is asked to, behind a gate where a test sees every order pass.
type house struct {
	shop *process
	gate *gate
}

func newHouse(t *testing.T) *house {
	t.Helper()
	dir, address := t.TempDir(), freeAddress(t)
	shop := serve(t, dir, address, "demo-shop", "--listen", address, "--data", dir+"/shop", "--back-office", office, "--careless")
	return &house{shop: shop, gate: newGate(t, address)}
}

// orders is how many orders the shop has.
func (h *house) orders(t *testing.T) int64 {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+h.shop.address+"/api/backoffice/orders/count", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+office)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("counting orders: %d %s %v", response.StatusCode, body, err)
	}
	return gjson.GetBytes(body, "count").Int()
}

// gate stands between the module and the shop and stops orders on their way.
type gate struct {
	address string
	mu      sync.Mutex
	// before and after, if set, run when an order arrives at the gate, and when
	// the shop has answered it.
	before, after func()
}

func newGate(t *testing.T, shop string) *gate {
	t.Helper()
	g := &gate{}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: shop})
	proxy.ModifyResponse = func(r *http.Response) error {
		if isOrder(r.Request) {
			g.hook(func() func() { return g.after })
		}
		return nil
	}
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isOrder(r) {
			g.hook(func() func() { return g.before })
			// The order goes through whether or not its sender is still there.
			r = r.WithContext(context.WithoutCancel(r.Context()))
		}
		proxy.ServeHTTP(w, r)
	})}
	listener := listen(t)
	g.address = listener.Addr().String()
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return g
}

// isOrder reports whether a request to the demo shop orders a basket.
func isOrder(r *http.Request) bool {
	return r.Method == "POST" && r.URL.Path == "/api/basket/order"
}

func (g *gate) hook(which func() func()) {
	g.mu.Lock()
	run := which()
	g.mu.Unlock()
	if run != nil {
		run()
	}
}

func (g *gate) set(before, after func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.before, g.after = before, after
}

// node is a Caddy with the module in front of the house.
type node struct {
	*process
	base string
	// again starts the node anew on the same files.
	again func() *node
}

// newNode starts a Caddy whose files are in dir.
func (h *house) newNode(t *testing.T, dir, global string, as ...*agent) *node {
	t.Helper()
	address := freeAddress(t)
	config := caddyfile(t, dir, address, "demo http://"+h.gate.address, global, as...)
	var run func() *node
	run = func() *node {
		p := serve(t, dir, address, "run", "--config", config)
		return &node{process: p, base: "http://" + address + "/api/ucp/v1", again: run}
	}
	return run()
}

// redisServer starts a Redis of the test's own and returns the global option that
// keeps state there.
func redisServer(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("storeware {\n\t\tstate redis redis://%s/0\n\t}", startRedis(t))
}
