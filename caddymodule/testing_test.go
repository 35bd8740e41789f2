package caddymodule_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/spectest"
	"github.com/storeware/caddy-storeware/translate/ucp"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"

	_ "github.com/storeware/caddy-storeware/caddymodule"
)

// profileURL is where the tests' agents say that their platform's profile is. It
// is pinned to a file.
const profileURL = "https://agent.example/ucp.json"

// backOffice is the token of the demo shops' back offices.
const backOffice = "office"

// house is a demo shop that listens on an address of its own, as another process
// would.
type house struct {
	t       testing.TB
	shop    *shop.Server
	address string
	server  *http.Server
	done    chan struct{}
	// described counts how often the shop was asked what it is.
	described atomic.Int64
	// watch, if set before the shop is opened, sees every request.
	watch func(*http.Request)
}

func openHouse(t testing.TB, o shop.Options) *house {
	t.Helper()
	o.BackOffice, o.Faults = secret.New(backOffice), true
	s, err := shop.New(o)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, shop: s, address: "127.0.0.1:0"}
	h.open()
	t.Cleanup(func() {
		h.close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// open makes the shop reachable, at the address that it had before.
func (h *house) open() {
	h.t.Helper()
	listener, err := net.Listen("tcp", h.address)
	if err != nil {
		h.t.Fatal(err)
	}
	h.address, h.done = listener.Addr().String(), make(chan struct{})
	h.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/shop" {
			h.described.Add(1)
		}
		if h.watch != nil {
			h.watch(r)
		}
		h.shop.ServeHTTP(w, r)
	})}
	go func(server *http.Server, done chan struct{}) {
		defer close(done)
		_ = server.Serve(listener) // which ends with http.ErrServerClosed
	}(h.server, h.done)
}

// close makes the shop unreachable.
func (h *house) close() {
	_ = h.server.Close()
	<-h.done
}

func (h *house) url() string { return "http://" + h.address }

// orders counts the orders that the shop has.
func (h *house) orders() int {
	h.t.Helper()
	request, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.url()+"/api/backoffice/orders/count", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+backOffice)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return int(gjson.GetBytes(body, "count").Int())
}

// caddyServer is a Caddy that runs in this process. There is only one at a time.
type caddyServer struct {
	t     testing.TB
	dir   string // of its storage, its state and its files
	port  int
	admin int // the port of the admin API, where a test wants one
}

// nothing is a configuration that does and says nothing.
const nothing = `{"admin": {"disabled": true, "config": {"persist": false}}, "logging": {"logs": {"default": {"writer": {"output": "discard"}}}}}`

// startCaddy runs a Caddyfile. In its text PORT and ADMIN stand for free ports, DIR
// for a folder, and GLOBAL for the global options that every test wants.
func startCaddy(t testing.TB, caddyfile string) *caddyServer {
	t.Helper()
	c := &caddyServer{t: t, dir: t.TempDir(), port: freePort(t), admin: freePort(t)}
	profile, err := os.ReadFile("demo/agent.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "agent.json"), profile, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// An empty configuration stops the admin API as well, which Stop does not.
		if err := errors.Join(caddy.Load([]byte(nothing), true), caddy.Stop()); err != nil {
			t.Error(err)
		}
		c.searchLog()
	})
	c.load(caddyfile)
	return c
}

// load makes another Caddyfile the configuration.
func (c *caddyServer) load(caddyfile string) {
	c.t.Helper()
	if err := c.tryLoad(caddyfile); err != nil {
		c.t.Fatal(err)
	}
}

func (c *caddyServer) tryLoad(caddyfile string) error {
	c.t.Helper()
	return caddy.Load(c.adapt(caddyfile), true)
}

// adapt returns the configuration that a Caddyfile stands for.
func (c *caddyServer) adapt(caddyfile string) []byte {
	c.t.Helper()
	text := strings.NewReplacer(
		"GLOBAL", "admin off\npersist_config off\nstorage file_system DIR/caddy\ngrace_period 5s\n"+
			"log {\noutput file DIR/caddy.log\nlevel DEBUG\n}\n",
	).Replace(caddyfile)
	text = strings.NewReplacer("PORT", fmt.Sprint(c.port), "ADMIN", fmt.Sprint(c.admin), "DIR", c.dir).Replace(text)
	config, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(text), map[string]any{"filename": "Caddyfile"})
	if err != nil {
		c.t.Fatalf("adapting the Caddyfile: %v", err)
	}
	return config
}

// url is the address of a path on a host that the server has.
func (c *caddyServer) url(path string) string {
	return fmt.Sprintf("http://127.0.0.1:%d%s", c.port, path)
}

func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// agent is an agent that calls a shop. Whatever it is answered is checked against
// the schemas and the signatures.
type agent struct {
	t      testing.TB
	server *caddyServer
	host   string // in the request, which is not where it is sent
	key    secret.String
	client *http.Client
}

// newKey returns a new agent key and its hash, for a Caddyfile.
func newKey() (key secret.String, hash string) {
	key = agents.NewKey()
	return key, agents.HashKey(key).String()
}

func (c *caddyServer) agent(host string, key secret.String) *agent {
	a := &agent{t: c.t, server: c, host: host, key: key}
	a.client = &http.Client{
		Transport: &verifier{t: c.t, base: spectest.Transport(c.t, ucp.Release, http.DefaultTransport)},
		Timeout:   time.Minute,
	}
	return a
}

// answer is what an agent was answered.
type answer struct {
	*http.Response
	body []byte
}

// get reads a value of the answer's JSON.
func (a answer) get(path string) gjson.Result { return gjson.GetBytes(a.body, path) }

// tries is how often a request is sent whose connection breaks. Caddy itself, with
// whatever module, lets connections break that are made in the moment of a reload:
// 82 of 345 in 100 reloads, measured with the directive respond alone.
const tries = 20

// do sends a request. The header's pairs are names and values.
func (a *agent) do(method, path, body string, header ...string) answer {
	a.t.Helper()
	got, err := a.try(method, path, body, header...)
	for i := 1; err != nil && i < tries; i++ {
		got, err = a.try(method, path, body, header...)
	}
	if err != nil {
		a.t.Fatalf("%s %s: %v", method, path, err)
	}
	return got
}

func (a *agent) try(method, path, body string, header ...string) (answer, error) {
	request, err := http.NewRequestWithContext(a.t.Context(), method, a.server.url(path), strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if a.host != "" {
		request.Host = a.host
	}
	request.Header.Set("UCP-Agent", `profile="`+profileURL+`"`)
	if !a.key.IsZero() {
		request.Header.Set("X-API-Key", a.key.Reveal())
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i+1] == "" {
			request.Header.Del(header[i])
		} else {
			request.Header.Set(header[i], header[i+1])
		}
	}
	response, err := a.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return answer{response, content}, err
}

// want sends a request and fails the test if it is answered with another status.
func (a *agent) want(status int, method, path, body string, header ...string) answer {
	a.t.Helper()
	got := a.do(method, path, body, header...)
	if got.StatusCode != status {
		a.t.Fatalf("%s %s: status %d, want %d\n%s", method, path, got.StatusCode, status, got.body)
	}
	return got
}

// fill replaces names in a text, given in turn with what stands for them.
func fill(text string, namesAndValues ...string) string {
	return strings.NewReplacer(namesAndValues...).Replace(text)
}

// awaitShop waits until the shop has said what it is.
func (a *agent) awaitShop() {
	a.t.Helper()
	a.awaitCapability("checkout")
}

// awaitCart is awaitShop for a shop that takes no orders.
func (a *agent) awaitCart() {
	a.t.Helper()
	a.awaitCapability("cart")
}

func (a *agent) awaitCapability(name string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), time.Minute)
	defer cancel()
	for {
		if ctx.Err() != nil {
			a.t.Fatalf("the shop never came with the capability %s", name)
		}
		profile := a.want(http.StatusOK, http.MethodGet, "/.well-known/ucp", "")
		if profile.get(`ucp.capabilities.dev\.ucp\.shopping\.` + name).Exists() {
			return
		}
	}
}

// restart stops Caddy, as the end of a process would, and starts it again.
func (c *caddyServer) restart(caddyfile string) {
	c.t.Helper()
	if err := caddy.Stop(); err != nil {
		c.t.Fatal(err)
	}
	c.load(caddyfile)
}

// noKey is the key of an agent that has none.
var noKey secret.String

// searchLog fails the test if Caddy's log, which is kept at its finest, holds an
// agent key.
func (c *caddyServer) searchLog() {
	log, err := os.ReadFile(filepath.Join(c.dir, "caddy.log"))
	if err != nil {
		c.t.Error(err)
	}
	if at := bytes.Index(log, []byte("swa_")); at >= 0 {
		c.t.Errorf("the log holds a key: %s", log[max(0, at-200):min(len(log), at+20)])
	}
	if len(log) == 0 {
		c.t.Error("the log is empty")
	}
}
