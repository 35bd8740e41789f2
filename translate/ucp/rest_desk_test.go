package ucp

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/httpsig"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/spectest"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// The platform profiles that a desk knows.
const (
	wholeURL  = "https://platform.example/profile"
	narrowURL = "https://narrow.example/profile" // the catalogue alone
	oldURL    = "https://old.example/profile"    // another release
)

// desk is a shop with a REST and an MCP door, and everything around it that a test may want
// to look at or break.
type desk struct {
	t        testing.TB
	rest     *REST
	mcp      *MCP
	shelf    *shelf
	ledger   *ledger
	business *Business
	store    *fragile
	signer   *httpsig.Signer
	keys     map[string]secret.String // by the agent's name
	client   *http.Client
	url      string // of the REST door
	mcpURL   string

	mu     sync.Mutex
	events []Event
}

// newDesk opens a desk. The change is made before it opens.
func newDesk(t testing.TB, change func(*desk)) *desk {
	t.Helper()
	d := &desk{
		t:        t,
		shelf:    &shelf{products: []upstream.Product{tarnShoe(), mug()}},
		ledger:   &ledger{baskets: map[string]*basket.Basket{}},
		business: newBusiness(t, offerOf(allCapabilities)),
		keys:     map[string]secret.String{},
	}
	now := func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if d.signer, err = httpsig.NewSigner(private, "platform-1", now); err != nil {
		t.Fatal(err)
	}
	disk, err := bolt.Open(filepath.Join(t.TempDir(), "state"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := disk.Close(); err != nil {
			t.Error(err)
		}
	})
	d.store = &fragile{Store: disk}

	var declared []agents.Declaration
	for _, r := range []agents.Registration{
		{Name: "scout"}, {Name: "rival"}, {Name: "bound", ProfileURL: "https://Platform.example/profile"}, {Name: "sandbox", Sandbox: true},
	} {
		r.Shop = "fell"
		d.keys[r.Name] = agents.NewKey()
		declared = append(declared, agents.Declaration{Registration: r, Hash: agents.HashKey(d.keys[r.Name])})
	}
	directory, err := agents.NewDirectory(d.store, agents.Options{Declared: declared, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	reception := &Reception{
		Server:   &Server{Catalogue: d.shelf, Baskets: d.ledger, Storefront: "https://shop.example/", Handlers: Handlers{UpstreamHandler{}}},
		Business: func() *Business { return d.business },
		Profiles: d.profiles(private),
		Reception: &httpdoor.Reception{
			Shop:    "fell",
			Agents:  directory,
			Records: idempotency.New(d.store, now),
			Contact: "agents@shop.example",
			Origins: []string{"https://agent.example"},
			Now:     now,
		},
	}
	observe := func(_ context.Context, e Event) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.events = append(d.events, e)
	}
	d.rest = &REST{Reception: reception, Base: "/api/ucp/v1", Observe: observe}
	d.mcp = &MCP{Reception: reception, Observe: observe}
	if change != nil {
		change(d)
	}
	doors := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // a mux would clean paths
		if r.URL.Path == "/ucp/mcp" {
			d.mcp.ServeHTTP(w, r)
			return
		}
		d.rest.ServeHTTP(w, r)
	})
	server := httptest.NewServer(digesting(doors))
	t.Cleanup(server.Close)
	d.url, d.mcpURL = server.URL+d.rest.Base, server.URL+"/ucp/mcp"
	d.client = &http.Client{Transport: spectest.Transport(t, Release, nil)}
	return d
}

// digesting wraps a handler as one that signs its answers does: it holds the
// status back until it has the body, which comes in one piece.
func digesting(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&digester{ResponseWriter: w, head: r.Method == http.MethodHead}, r)
	})
}

type digester struct {
	http.ResponseWriter
	head   bool
	status int
}

func (d *digester) WriteHeader(status int) {
	d.status = status
	if d.head || status == http.StatusNoContent || status == http.StatusAccepted {
		d.ResponseWriter.WriteHeader(status)
	}
}

func (d *digester) Write(body []byte) (int, error) {
	d.Header().Set("Content-Digest", httpsig.ContentDigest(body))
	d.ResponseWriter.WriteHeader(d.status)
	return d.ResponseWriter.Write(body)
}

// profiles returns the profiles of the platforms.
func (d *desk) profiles(private *ecdsa.PrivateKey) Profiles {
	key, err := httpsig.PublicJWK("platform-1", private.Public())
	if err != nil {
		d.t.Fatal(err)
	}
	keys, err := json.Marshal([]httpsig.JWK{key})
	if err != nil {
		d.t.Fatal(err)
	}
	document := func(version string, names ...Capability) []byte {
		var entries []string
		for _, name := range names {
			spec, schema := published(name)
			entries = append(entries, fmt.Sprintf(`%q:[{"version":"2026-08-25","spec":%q,"schema":%q}]`, name, spec, schema))
		}
		return fmt.Appendf(nil, `{"ucp":{"version":%q,"services":{},"payment_handlers":{},"capabilities":{%s}},"keys":%s}`,
			version, strings.Join(entries, ","), keys)
	}
	profiles, err := PinProfiles(map[string][]byte{
		wholeURL: document(Release, CapabilitySearch, CapabilityLookup, CapabilityCart, CapabilityCheckout,
			CapabilityOrder, CapabilityFulfillment, CapabilityDiscount),
		narrowURL: document(Release, CapabilitySearch, CapabilityLookup, CapabilityFulfillment),
		oldURL:    document("2026-04-08"),
	}, &none{})
	if err != nil {
		d.t.Fatal(err)
	}
	return profiles
}

// request returns a request as an agent sends it.
func (d *desk) request(agent, method, path, body string) *http.Request {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.url+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("UCP-Agent", fmt.Sprintf("profile=%q", wholeURL))
	r.Header.Set("Content-Type", "application/json")
	if agent != "" {
		r.Header.Set("Authorization", "Bearer "+d.keys[agent].Reveal())
	}
	return r
}

// result is an answer that was read.
type result struct {
	*http.Response
	text string
	json gjson.Result
}

// send sends a request and reads the answer.
func (d *desk) send(r *http.Request) result {
	d.t.Helper()
	response, err := d.client.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer response.Body.Close()
	var body bytes.Buffer
	if _, err := io.Copy(&body, response.Body); err != nil {
		d.t.Fatal(err)
	}
	return result{response, body.String(), gjson.ParseBytes(body.Bytes())}
}

// event returns the last event.
func (d *desk) event() Event {
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

// ledger keeps baskets in memory, each for its owner alone. Every basket is boots.
type ledger struct {
	mu      sync.Mutex
	baskets map[string]*basket.Basket
	visits  []upstream.Visit
	// before is called before anything is done.
	before func() error
}

func (l *ledger) find(o basket.Owner, v upstream.Visit, id string) (*basket.Basket, error) {
	if l.before != nil {
		if err := l.before(); err != nil {
			return nil, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.visits = append(l.visits, v)
	b := l.baskets[id]
	if b == nil || b.Owner != o {
		return nil, basket.ErrNotFound
	}
	return b, nil
}

func (l *ledger) Create(_ context.Context, o basket.Owner, v upstream.Visit, w basket.Wanted) (*basket.Basket, error) {
	if _, err := l.find(o, v, ""); l.before != nil && err != basket.ErrNotFound {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := boots()
	b.ID, b.Owner = fmt.Sprintf("bsk_%d", len(l.baskets)+1), o
	l.baskets[b.ID] = b
	return b, nil
}

func (l *ledger) Get(_ context.Context, o basket.Owner, v upstream.Visit, id string) (*basket.Basket, error) {
	return l.find(o, v, id)
}

func (l *ledger) Replace(_ context.Context, o basket.Owner, v upstream.Visit, id string, _ basket.Wanted) (*basket.Basket, error) {
	return l.find(o, v, id)
}

func (l *ledger) Cancel(_ context.Context, o basket.Owner, v upstream.Visit, id string) (*basket.Basket, error) {
	return l.change(o, v, id, func(b *basket.Basket) { b.State = basket.Canceled })
}

func (l *ledger) Complete(_ context.Context, o basket.Owner, v upstream.Visit, id string, _ basket.Payment) (*basket.Basket, error) {
	return l.change(o, v, id, func(b *basket.Basket) {
		b.State = basket.Completed
		b.Order = &basket.Order{ID: "A-" + id, URL: "https://shop.example/orders/A", Total: b.Observed.Total}
	})
}

func (l *ledger) change(o basket.Owner, v upstream.Visit, id string, change func(*basket.Basket)) (*basket.Basket, error) {
	b, err := l.find(o, v, id)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := *b
	change(&changed)
	l.baskets[id] = &changed
	return &changed, nil
}

func (l *ledger) Order(_ context.Context, o basket.Owner, v upstream.Visit, id string) (*basket.PlacedOrder, error) {
	b, err := l.find(o, v, strings.TrimPrefix(id, "A-"))
	if err != nil {
		return nil, err
	}
	return &basket.PlacedOrder{BasketID: b.ID, Order: upstream.Order{
		Ref: upstream.OrderRef{ID: id}, URL: b.Order.URL, Currency: "GBP", Total: pounds(12000),
		Totals: []upstream.Total{{Kind: upstream.TotalSubtotal, Amount: pounds(12000)}},
	}}, nil
}
