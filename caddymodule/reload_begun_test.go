package caddymodule_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// nonce is the field of a request by which the witness knows it.
const nonce = "X-Nonce"

// begun are the requests that a handler of Caddy was given, by their nonce.
var begun sync.Map

// witness is a handler that remembers which requests have begun.
type witness struct{}

func init() {
	caddy.RegisterModule(witness{})
	httpcaddyfile.RegisterHandlerDirective("witness", func(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
		h.Next()
		return witness{}, nil
	})
	httpcaddyfile.RegisterDirectiveOrder("witness", httpcaddyfile.Before, "header")
}

func (witness) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.witness", New: func() caddy.Module { return new(witness) }}
}

func (witness) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	begun.Store(r.Header.Get(nonce), true)
	return next.ServeHTTP(w, r)
}

// beside is a shop, and the same shop behind a plain reverse_proxy.
var beside = strings.Replace(site, ":PORT {", ":PORT {\n\twitness", 1) + `
http://plain.example:PORT {
	witness
	reverse_proxy SHOP
}
`

// another returns the i-th of configurations of which each keeps its state
// elsewhere than the one before, and has another connection to the shop: nothing
// that one opens is of use to the next.
func another(caddyfile string, i int) string {
	return fill(caddyfile, "DIR/state.db", fmt.Sprintf("DIR/state-%d.db", i%2),
		"upstream demo SHOP", fmt.Sprintf("upstream demo SHOP {\n\t\t\ttimeout %ds\n\t\t}", 10+i%2))
}

// A request that has begun is answered by what it began with, whatever the next
// configuration does without.
func TestReloadWhileARequestIsUnderWay(t *testing.T) {
	house := openHouse(t, shop.Options{})
	var held atomic.Bool
	arrived, free := make(chan struct{}), make(chan struct{})
	house.close()
	house.watch = func(r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/basket") && held.CompareAndSwap(true, false) {
			close(arrived)
			<-free
		}
	}
	house.open()
	key, hash := newKey()
	load := func(i int) string {
		return fill(another(beside, i), "SHOP", house.url(), "HASH", hash)
	}
	server := startCaddy(t, load(0))
	agent := server.agent("", key)
	agent.awaitShop()

	held.Store(true)
	var work sync.WaitGroup
	work.Go(func() {
		got, err := agent.try("POST", "/api/ucp/v1/carts", `{"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}]}`, "Idempotency-Key", "k")
		if err != nil || got.StatusCode != http.StatusCreated {
			t.Errorf("a request that was under way: %v, status %d: %s", err, got.StatusCode, got.body)
		}
	})
	<-arrived
	server.load(load(1))
	close(free)
	work.Wait()
}

// Of the requests during reloads, on connections that are kept and on new ones, all
// that have begun are answered well. In the moment of a reload some connections break
// that were not accepted yet, or whose request was not read: those that net/http
// drops (http.Server.Shutdown), with whatever handler.
func TestReloadsBreakNothingThatHasBegun(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	load := func(i int) string {
		return fill(another(beside, i), "SHOP", house.url(), "HASH", hash)
	}
	server := startCaddy(t, load(0))
	server.agent("", key).awaitShop()

	answered, stop := make(chan struct{}), make(chan struct{})
	var work sync.WaitGroup
	lost := map[string]*losses{}
	for _, host := range []string{"", "plain.example"} {
		for _, kept := range []bool{true, false} {
			l := new(losses)
			lost[fmt.Sprintf("host %q, kept connections %t", host, kept)] = l
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: !kept}}
			t.Cleanup(client.CloseIdleConnections)
			a := &agent{t: t, server: server, host: host, client: client}
			if host == "" {
				a.key = key
			}
			work.Go(func() {
				for {
					select {
					case answered <- struct{}{}:
					case <-stop:
						return
					}
					l.count(a)
				}
			})
		}
	}
	for i := range 20 {
		for range 40 {
			<-answered
		}
		server.load(load(i + 1))
	}
	close(stop)
	work.Wait()
	for name, l := range lost {
		t.Logf("%s: of %d requests %d broke before they began", name, l.sent, l.unseen)
		if l.sent == 0 {
			t.Errorf("%s: nothing was sent", name)
		}
	}
}

// losses counts the requests that were lost before they began.
type losses struct{ sent, unseen int }

// count sends a search and a cart, or what the plain site answers.
func (l *losses) count(a *agent) {
	type call struct {
		method, path, body string
		status             int
	}
	calls := []call{
		{"POST", "/api/ucp/v1/catalog/search", `{"query": "boots", "pagination": {"limit": 2}}`, http.StatusOK},
		{"POST", "/api/ucp/v1/carts", `{"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}]}`, http.StatusCreated},
	}
	if a.host != "" {
		calls = []call{{"POST", "/api/no-such-thing", "{}", http.StatusNotFound}, {"GET", "/", "", http.StatusOK}}
	}
	for _, c := range calls {
		id := rand.Text()
		l.sent++
		got, err := a.try(c.method, c.path, c.body, nonce, id)
		_, seen := begun.LoadAndDelete(id)
		switch {
		case err != nil && !seen:
			l.unseen++
		case err != nil:
			a.t.Errorf("%s %s on %q had begun and broke: %v", c.method, c.path, a.host, err)
		case got.StatusCode != c.status:
			a.t.Errorf("%s %s on %q: status %d: %s", c.method, c.path, a.host, got.StatusCode, got.body)
		}
	}
}
