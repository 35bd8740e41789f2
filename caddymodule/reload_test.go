package caddymodule_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// reloads is how often the hammer reloads.
const reloads = 100

// Reloading under load drops no request, and what is expensive stays open.
func TestReloadUnderLoad(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	caddyfile := func(i int) string {
		return fill(site, "SHOP", house.url(), "HASH", hash, "keys@shop.example", fmt.Sprintf("keys-%d@shop.example", i))
	}
	server := startCaddy(t, caddyfile(0))
	agent := server.agent("", key)
	agent.awaitShop()
	kid := agent.want(http.StatusOK, "GET", "/.well-known/ucp", "").get("keys.0.kid").String()
	first := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/checkout-sessions", bootsCheckout, "Idempotency-Key", "once")
	described := house.described.Load()

	answered, stop := make(chan struct{}), make(chan struct{})
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for {
				select {
				case answered <- struct{}{}:
				case <-stop:
					return
				}
				if got := agent.do("POST", "/api/ucp/v1/catalog/search", `{"query": "boots", "pagination": {"limit": 2}}`); got.StatusCode != http.StatusOK {
					t.Errorf("search: status %d: %s", got.StatusCode, got.body)
				}
				once := []string{"Idempotency-Key", rand.Text()}
				if got := agent.do("POST", "/api/ucp/v1/carts", `{"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}]}`, once...); got.StatusCode != http.StatusCreated {
					t.Errorf("cart: status %d: %s", got.StatusCode, got.body)
				}
			}
		})
	}
	for i := range reloads {
		<-answered
		<-answered
		server.load(caddyfile(i + 1))
	}
	close(stop)
	work.Wait()

	if got := agent.want(http.StatusOK, "GET", "/.well-known/ucp", "").get("keys.0.kid").String(); got != kid {
		t.Errorf("the shop signs with %s now, and with %s before", got, kid)
	}
	again := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/checkout-sessions", bootsCheckout, "Idempotency-Key", "once")
	if string(again.body) != string(first.body) {
		t.Errorf("the answer to an idempotency key is forgotten: %s", again.body)
	}
	if got := house.described.Load() - described; got != 0 {
		t.Errorf("the shop was asked %d times what it is", got)
	}
}

// Each configuration ends all that it began, also what the next one has not.
func TestReloadsLeaveNothingBehind(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	caddyfile := func(i int) string {
		return fill(site, "SHOP", house.url(), "HASH", hash,
			"DIR/state.db", fmt.Sprintf("DIR/state-%d.db", i%2), "name shop.example", fmt.Sprintf("name shop-%d", i%2))
	}
	server := startCaddy(t, caddyfile(0))
	server.load(caddyfile(1))
	server.load(caddyfile(0))
	before := runtime.NumGoroutine()
	for i := range reloads {
		server.load(caddyfile(i + 1))
	}
	// What a server does when it is shut down takes a moment to end.
	deadline := time.Now().Add(20 * time.Second)
	for runtime.NumGoroutine() > before+5 {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before %d reloads, %d after\n%s", before, reloads, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
		runtime.Gosched()
	}
}

// A configuration can be checked while it runs: nothing is opened for that.
func TestValidateWhileRunning(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)
	described := house.described.Load()

	// Another spelling of the path would be another store, of the same file.
	var config caddy.Config
	if err := json.Unmarshal(server.adapt(strings.Replace(caddyfile, "DIR/state.db", "DIR/./state.db", 1)), &config); err != nil {
		t.Fatal(err)
	}
	if err := caddy.Validate(&config); err != nil {
		t.Errorf("the running configuration is not valid: %v", err)
	}
	if got := house.described.Load() - described; got != 0 {
		t.Errorf("validating called the shop %d times", got)
	}
}

// A configuration that cannot start leaves the running one as it was.
func TestReloadThatFails(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)
	agent := server.agent("", key)
	agent.awaitShop()
	for range 3 {
		err := server.tryLoad(strings.Replace(caddyfile, "DIR/state.db", "DIR/caddy.log/state.db", 1))
		if err == nil || !strings.Contains(err.Error(), "opening the state") {
			t.Fatalf("got %v", err)
		}
		agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", `{"query": "boots"}`)
	}
	server.load(caddyfile)
	agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", `{"query": "boots"}`)
}

// In development a profile may be on this machine. It is fetched once, also when
// the configuration is reloaded.
func TestProfileOnThisMachine(t *testing.T) {
	house := openHouse(t, shop.Options{})
	document, err := os.ReadFile("demo/agent.json")
	if err != nil {
		t.Fatal(err)
	}
	var fetched atomic.Int64
	platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fetched.Add(1)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document)
	}))
	t.Cleanup(platform.Close)
	key, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash)
	development := strings.Replace(caddyfile, "name shop.example", "name shop.example\ndevelopment", 1)
	server := startCaddy(t, development)
	agent := server.agent("", key)
	agent.awaitShop()

	named := []string{"UCP-Agent", `profile="` + platform.URL + `/agent.json"`}
	for range 3 {
		agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", `{"query": "boots"}`, named...)
		server.load(development)
	}
	if got := fetched.Load(); got != 1 {
		t.Errorf("the profile was fetched %d times, want once", got)
	}
	server.load(caddyfile)
	refused := agent.want(http.StatusBadRequest, "POST", "/api/ucp/v1/catalog/search", `{"query": "boots"}`, named...)
	if got := refused.get("code").String(); got != "invalid_profile_url" {
		t.Errorf("without development the code is %q", got)
	}
}
