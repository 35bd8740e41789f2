package caddymodule_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// An agent that names ever new profiles uses up its own budget, and no other's, at
// whichever shop it calls.
func TestOneAgentStarvesNoOther(t *testing.T) {
	house := openHouse(t, shop.Options{})
	document, err := os.ReadFile("demo/agent.json")
	if err != nil {
		t.Fatal(err)
	}
	platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document)
	}))
	t.Cleanup(platform.Close)
	greedyKey, greedyHash := newKey()
	modestKey, modestHash := newKey()
	caddyfile := strings.Replace(fill(site, "SHOP", house.url(), "HASH", greedyHash), "name shop.example", "name shop.example\ndevelopment\nagent modest "+modestHash, 1)
	server := startCaddy(t, caddyfile)
	greedy, modest := server.agent("", greedyKey), server.agent("", modestKey)
	greedy.awaitShop()
	// Hosts have budgets too, so that each URL is on another: what starves an agent
	// here is the agent's.
	profile := func(i int) string {
		return fmt.Sprintf(`profile="http://127.0.%d.%d:1/agent.json"`, i/200+1, i%200+1)
	}
	refused := 0
	for i := range 40 {
		got := greedy.do("POST", "/api/ucp/v1/catalog/search", search, "UCP-Agent", profile(i))
		switch got.StatusCode {
		case http.StatusFailedDependency: // nobody listens there
		case http.StatusServiceUnavailable:
			refused++
			if got.Header.Get("Retry-After") == "" || !strings.Contains(got.get("content").String(), "different platform profiles") {
				t.Fatalf("refused with Retry-After %q: %s", got.Header.Get("Retry-After"), got.body)
			}
		default:
			t.Fatalf("status %d: %s", got.StatusCode, got.body)
		}
	}
	if refused < 30 {
		t.Errorf("%d of 40 new profiles were refused, want 30 at least", refused)
	}
	// Those it named first it may name again, and what is pinned costs nothing.
	greedy.want(http.StatusFailedDependency, "POST", "/api/ucp/v1/catalog/search", search, "UCP-Agent", profile(0))
	greedy.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
	modest.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search, "UCP-Agent", `profile="`+platform.URL+`/agent.json"`)
}
