package acp

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/spectest"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// desk is a demo shop with this protocol's door before it, and everything around
// it that a test may want to look at or break.
type desk struct {
	t     testing.TB
	spec  *spectest.ACP
	rest  *REST
	shop  *upstream.Description
	till  *till
	store *fragile
	keys  map[string]secret.String // by the agent's name
	url   string                   // of the door
	// edKey and esKey are the private keys of the agents that sign.
	edKey ed25519.PrivateKey
	esKey *ecdsa.PrivateKey

	mu     sync.Mutex
	now    time.Time
	count  int
	events []httpdoor.Event
}

const base = "/api/acp"

// newDesk opens a desk.
func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{
		t: t, spec: spectest.OpenACP(t, Version), keys: map[string]secret.String{},
		now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
	}
	d.till = &till{Shop: d.demo()}
	described, err := d.till.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.shop = &described
	disk, err := bolt.Open(filepath.Join(t.TempDir(), "state"), d.clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := disk.Close(); err != nil {
			t.Error(err)
		}
	})
	d.store = &fragile{Store: disk}
	server := &Server{
		Describe: func() *upstream.Description { return d.shop }, Storefront: "https://shop.example/",
		Links: []upstream.Link{{Type: "terms_of_service", URL: "https://shop.example/terms"}, {Type: "size_guide", URL: "https://shop.example/sizes"}},
		Baskets: &basket.Service{
			Shop: d.till, Describe: func() (upstream.Description, error) { return *d.shop, nil }, Store: d.store,
			Page: func(id, _ string) string { return "https://shop.example/storeware/basket/" + id }, Now: d.clock,
		},
		Handler: UpstreamHandler{Endpoint: "https://shop.example" + base},
	}
	d.rest = &REST{
		Server: server, Base: base,
		Reception: &httpdoor.Reception{
			Shop: "kiln", Agents: d.directory(), Records: idempotency.New(d.store, d.clock),
			Contact: "agents@shop.example", Origins: []string{"https://agent.example"}, Now: d.clock,
		},
		Observe: func(_ context.Context, e httpdoor.Event) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.events = append(d.events, e)
		},
	}
	door := httptest.NewServer(d.rest)
	t.Cleanup(door.Close)
	d.url = door.URL + base
	return d
}

// demo opens a demo shop.
func (d *desk) demo() upstream.Shop {
	goods, err := shop.New(shop.Options{Now: d.clock})
	if err != nil {
		d.t.Fatal(err)
	}
	server := httptest.NewServer(goods)
	d.t.Cleanup(func() {
		server.Close()
		if err := goods.Close(); err != nil {
			d.t.Error(err)
		}
	})
	address, err := url.Parse(server.URL)
	if err != nil {
		d.t.Fatal(err)
	}
	adapter, err := demo.New(demo.Config{
		Client: shopclient.Config{BaseURL: address}, PublicURL: &url.URL{Scheme: "https", Host: "shop.example"},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(adapter.Close)
	return adapter
}

// directory has the agents.
func (d *desk) directory() *agents.Directory {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		d.t.Fatal(err)
	}
	d.edKey = private
	if d.esKey, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		d.t.Fatal(err)
	}
	var declared []agents.Declaration
	for _, r := range []agents.Registration{
		{Name: "scout"},
		{Name: "rival"},
		{Name: "sandbox", Sandbox: true},
		{Name: "signer", PublicKeyPEM: d.spki(public)},
		{Name: "signer256", PublicKeyPEM: d.spki(d.esKey.Public())},
	} {
		r.Shop = "kiln"
		d.keys[r.Name] = agents.NewKey()
		declared = append(declared, agents.Declaration{Registration: r, Hash: agents.HashKey(d.keys[r.Name])})
	}
	directory, err := agents.NewDirectory(d.store, agents.Options{Declared: declared, Now: d.clock})
	if err != nil {
		d.t.Fatal(err)
	}
	return directory
}

func (d *desk) spki(key any) string {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

func (d *desk) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

// advance lets time pass.
func (d *desk) advance(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

// request returns a request as an agent sends it, a POST with a key of its own.
func (d *desk) request(agent, method, path, body string) *http.Request {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.url+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("API-Version", Version)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if method == http.MethodPost {
		d.mu.Lock()
		d.count++
		r.Header.Set("Idempotency-Key", fmt.Sprintf("key-%d", d.count))
		d.mu.Unlock()
	}
	if agent != "" {
		r.Header.Set("Authorization", "Bearer "+d.keys[agent].Reveal())
	}
	return r
}

// result is an answer that was read.
type result struct {
	*http.Response
	text string
	gjson.Result
}

// send sends a request. Its answer fits the protocol's schemas.
func (d *desk) send(r *http.Request) result {
	d.t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer response.Body.Close()
	var body bytes.Buffer
	if _, err := io.Copy(&body, response.Body); err != nil {
		d.t.Fatal(err)
	}
	if got := response.Header.Get("API-Version"); got != Version {
		d.t.Errorf("%s %s: API-Version is %q", r.Method, r.URL.Path, got)
	}
	if body.Len() > 0 {
		path := strings.TrimPrefix(r.URL.Path, base)
		if err := d.spec.Answer(r.Method, path, response.StatusCode, body.Bytes()); err != nil {
			d.t.Errorf("%s %s: HTTP %d: %v\n%s", r.Method, path, response.StatusCode, err, body.String())
		}
	}
	return result{response, body.String(), gjson.ParseBytes(body.Bytes())}
}

// want sends a request that has to be answered with a status.
func (d *desk) want(status int, agent, method, path, body string) result {
	d.t.Helper()
	got := d.send(d.request(agent, method, path, body))
	if got.StatusCode != status {
		d.t.Fatalf("%s %s %s: HTTP %d, want %d\n%s", method, path, body, got.StatusCode, status, got.text)
	}
	return got
}

// event returns the last event.
func (d *desk) event() httpdoor.Event {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.events[len(d.events)-1]
}

// fragile is a store that can be broken.
type fragile struct {
	state.Store
	broken bool
}

func (f *fragile) Get(ctx context.Context, key string) (state.Entry, error) {
	if f.broken {
		return state.Entry{}, fmt.Errorf("reading: %w", state.ErrUnavailable)
	}
	return f.Store.Get(ctx, key)
}

// till is a shop that may refuse to take an order.
type till struct {
	upstream.Shop
	refusal *upstream.Error
}

func (s *till) Place(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	if s.refusal != nil {
		return upstream.Placed{}, s.refusal
	}
	return s.Shop.Place(ctx, v, h, p)
}

// The parts of a session that can be ordered.
const (
	boots   = `"line_items":[{"id":"v-FJL-9-TAN"}]`
	grace   = `"buyer":{"email":"grace@example.com","first_name":"Grace","last_name":"Thwaite","phone_number":"+441539000001"}`
	kendal  = `"fulfillment_details":{"name":"Grace Thwaite","address":{"name":"Grace Thwaite","line_one":"12 Stricklandgate","city":"Kendal","state":"Cumbria","country":"GB","postal_code":"LA9 4ND"}}`
	spoken  = `"currency":"gbp","capabilities":{"interventions":{"supported":["3ds"]},"extensions":["discount"]}`
	paying  = `"payment_data":{"handler_id":"upstream:demo-card","instrument":{"type":"card","credential":{"type":"token","token":"tok_demo"}}}`
	ordered = boots + "," + grace + "," + kendal + "," + spoken
)

// ready returns the id of a session that can be completed.
func (d *desk) ready(agent string) string {
	d.t.Helper()
	made := d.want(http.StatusCreated, agent, "POST", "/checkout_sessions", "{"+ordered+"}")
	id := made.Get("id").Str
	if made.Get("status").Str == string(Ready) {
		return id
	}
	got := d.want(http.StatusOK, agent, "POST", "/checkout_sessions/"+id, selecting(made.Get("fulfillment_options.0.id").Str))
	if got.Get("status").Str != string(Ready) {
		d.t.Fatalf("the session is %s", got.text)
	}
	return id
}

// selecting selects a way of delivery.
func selecting(option string) string {
	return fmt.Sprintf(`{"selected_fulfillment_options":[{"type":"shipping","option_id":%q,"item_ids":[]}]}`, option)
}
