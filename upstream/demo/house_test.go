package demo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"testing"

	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// office is the token of the back office.
const office = "office"

// house is a demo shop that listens, and can be closed and opened again.
type house struct {
	t       testing.TB
	options shop.Options
	address string
	shop    *shop.Server
	server  *http.Server
	done    chan struct{}
}

// open opens a shop on an address of its own.
func open(t testing.TB, options shop.Options) *house {
	t.Helper()
	options.BackOffice, options.Faults = secret.New(office), true
	h := &house{t: t, options: options, address: "127.0.0.1:0"}
	h.unlock()
	h.listen()
	t.Cleanup(func() {
		h.leave()
		h.lock()
	})
	return h
}

// unlock opens the shop's records, lock closes them.
func (h *house) unlock() {
	h.t.Helper()
	s, err := shop.New(h.options)
	if err != nil {
		h.t.Fatal(err)
	}
	h.shop = s
}

func (h *house) lock() {
	if err := h.shop.Close(); err != nil {
		h.t.Error(err)
	}
}

// listen makes the shop reachable, leave unreachable.
func (h *house) listen() {
	h.t.Helper()
	listener, err := net.Listen("tcp", h.address)
	if err != nil {
		h.t.Fatal(err)
	}
	h.address = listener.Addr().String()
	h.server = &http.Server{Handler: h.shop}
	h.done = make(chan struct{})
	go func(server *http.Server, done chan struct{}) {
		defer close(done)
		_ = server.Serve(listener)
	}(h.server, h.done)
}

func (h *house) leave() {
	h.call(context.Background(), http.MethodDelete, "/api/faults", nil, nil)
	_ = h.server.Shutdown(context.Background())
	<-h.done
}

func (h *house) url() *url.URL { return &url.URL{Scheme: "http", Host: h.address} }

// adapter returns an adapter of the shop, which shares nothing with others.
func (h *house) adapter() *demo.Shop {
	h.t.Helper()
	s, err := demo.New(demo.Config{Client: shopclient.Config{BaseURL: h.url()}})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(s.Close)
	return s
}

// call asks the shop's back office or its faults, and fails on anything but 2xx.
func (h *house) call(ctx context.Context, method, path string, body any, header http.Header) []byte {
	h.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		h.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(ctx, method, h.url().String()+path, bytes.NewReader(raw))
	if err != nil {
		h.t.Fatal(err)
	}
	if header != nil {
		request.Header = header
	}
	request.Header.Set("Authorization", "Bearer "+office)
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode/100 != 2 {
		h.t.Fatalf("%s %s: %d %s, %v", method, path, response.StatusCode, answer, err)
	}
	return answer
}

// fault makes the shop misbehave.
func (h *house) fault(fault map[string]any) {
	h.t.Helper()
	h.call(h.t.Context(), http.MethodPost, "/api/faults", fault, nil)
}

// orders counts the shop's orders, faultsLeft the faults that are set.
func (h *house) orders() int     { return h.count("/api/backoffice/orders/count") }
func (h *house) faultsLeft() int { return h.count("/api/faults") }

func (h *house) count(path string) int {
	h.t.Helper()
	var answer struct{ Count int }
	if err := json.Unmarshal(h.call(h.t.Context(), http.MethodGet, path, nil, nil), &answer); err != nil {
		h.t.Fatal(err)
	}
	return answer.Count
}

func (h *house) hooks() shoptest.Hooks {
	variant := func(sku string, change map[string]int64) {
		h.call(context.Background(), http.MethodPatch, "/api/backoffice/variants/"+url.PathEscape(sku), change, nil)
	}
	const placing = "/api/basket/order"
	return shoptest.Hooks{
		ChangePrice: func(_ testing.TB, sku string, minor int64) { variant(sku, map[string]int64{"price": minor}) },
		SetStock:    func(_ testing.TB, sku string, n int64) { variant(sku, map[string]int64{"stock": n}) },
		OrderCount:  func(testing.TB) int { return h.orders() },
		DropBasket: func(_ testing.TB, handle upstream.Handle) {
			h.call(context.Background(), http.MethodDelete, "/api/backoffice/basket", nil, http.Header{"Basket-Token": {handle.Reveal()}})
		},
		LoseNextAnswer: func(testing.TB) {
			h.fault(map[string]any{"path": placing, "kind": "close", "after": true, "times": 1})
		},
		LoseNextRequest: func(testing.TB) { h.fault(map[string]any{"path": placing, "kind": "close", "times": 1}) },
		Restart: func(testing.TB) {
			h.leave()
			h.lock()
			h.unlock()
			h.listen()
		},
		GoAway:  func(testing.TB) func() { h.leave(); return h.listen },
		Another: func(testing.TB) upstream.Shop { return h.adapter() },
	}
}

var visit = upstream.Visit{Addr: netip.MustParseAddr("198.51.100.7"), Agent: "Test agent", RequestID: "r-1"}

// drain reads a body to its end and returns its length.
func drain(t testing.TB, response *http.Response) int {
	t.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return len(body)
}
