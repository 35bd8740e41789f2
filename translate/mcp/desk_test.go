package mcp

import (
	"bytes"
	"context"
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
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
	"github.com/storeware/caddy-storeware/translate/answer/relevance"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// asOf is the time of all that happens at a desk.
var asOf = time.Date(2026, 8, 23, 14, 31, 2, 118_000_000, time.UTC)

// desk is a demo shop with this server's door before it, and everything around it
// that a test may want to look at or break.
type desk struct {
	t        testing.TB
	door     *Door
	shop     *upstream.Description
	adapter  upstream.Shop
	store    *fragile
	keys     map[string]secret.String // by the agent's name
	url      string
	upstream *httptest.Server

	mu     sync.Mutex
	events []httpdoor.Event
}

// newDesk opens a desk.
func newDesk(t testing.TB) *desk {
	t.Helper()
	now := func() time.Time { return asOf }
	d := &desk{t: t, keys: map[string]secret.String{}}
	goods, err := shop.New(shop.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	d.upstream = httptest.NewServer(goods)
	t.Cleanup(func() {
		d.upstream.Close()
		if err := goods.Close(); err != nil {
			t.Error(err)
		}
	})
	address, err := url.Parse(d.upstream.URL)
	if err != nil {
		t.Fatal(err)
	}
	adapter, err := demo.New(demo.Config{
		Client: shopclient.Config{BaseURL: address}, PublicURL: &url.URL{Scheme: "https", Host: "shop.example"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(adapter.Close)
	d.adapter = adapter
	described, err := d.adapter.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.shop = &described
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
	d.door = &Door{
		Reception: &httpdoor.Reception{
			Shop: "kiln", Agents: d.directory(now), Records: idempotency.New(d.store, now), Contact: "agents@shop.example",
			Origins: []string{"https://agent.example"}, Now: now,
		},
		Observe: func(_ context.Context, e httpdoor.Event) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.events = append(d.events, e)
		},
		Server: &Server{
			Describe: func() *upstream.Description { return d.shop }, Catalogue: d.adapter, Answers: d.answers(now), Now: now,
			Links: []upstream.Link{{Type: "terms_of_service", URL: "https://shop.example/terms"}},
			Baskets: &basket.Service{
				Shop: d.adapter, Describe: func() (upstream.Description, error) { return *d.shop, nil }, Store: d.store,
				Page: func(id, _ string) string { return "https://shop.example/storeware/basket/" + id }, Now: now,
			},
		},
	}
	server := httptest.NewServer(d.door)
	t.Cleanup(server.Close)
	d.url = server.URL + "/mcp"
	return d
}

// directory has the agents.
func (d *desk) directory(now func() time.Time) *agents.Directory {
	var declared []agents.Declaration
	for _, r := range []agents.Registration{{Name: "scout"}, {Name: "rival"}, {Name: "sandbox", Sandbox: true}} {
		r.Shop = "kiln"
		d.keys[r.Name] = agents.NewKey()
		declared = append(declared, agents.Declaration{Registration: r, Hash: agents.HashKey(d.keys[r.Name])})
	}
	directory, err := agents.NewDirectory(d.store, agents.Options{Declared: declared, Now: now})
	if err != nil {
		d.t.Fatal(err)
	}
	return directory
}

// answers knows the whole catalogue.
func (d *desk) answers(now func() time.Time) *answer.Service {
	d.t.Helper()
	words, kinds := new(vocabulary.Builder), relevance.NewLearner("en-GB")
	x := index.New(index.Options{Language: "en-GB"})
	for place, more := upstream.Place(""), true; more; {
		page, err := d.adapter.(upstream.Walker).Walk(d.t.Context(), upstream.Visit{}, place)
		if err != nil {
			d.t.Fatal(err)
		}
		for i := range page.Products {
			x.Put(page.Products[i])
			words.Add(&page.Products[i])
			kinds.Add(&page.Products[i])
		}
		place, more = page.Next, page.More
	}
	known := &answer.Knowledge{Vocabulary: words.Snapshot(), Lexicon: verdict.NewLexicon("en-GB"), Kinds: kinds.Kinds()}
	return &answer.Service{
		Finder:      answer.IndexFinder{Shop: d.adapter, Index: x, Ready: func() bool { return true }},
		Description: func() *upstream.Description { return d.shop }, Reader: reading.NewRules(),
		Knowledge: func() *answer.Knowledge { return known }, Memory: &answer.Memory{Store: d.store, Now: now}, Now: now,
	}
}

// message returns a request that carries a JSON-RPC message, as an agent sends it.
func (d *desk) message(agent, body string) *http.Request {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, d.url, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
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

// content is what a tool answered, words what it said, and repeated the first once
// more, as a text.
func (r result) content() gjson.Result { return r.json.Get("result.structuredContent") }
func (r result) words() string         { return r.json.Get("result.content.@reverse.0.text").Str }
func (r result) repeated() string      { return r.json.Get("result.content.0.text").Str }

// send sends a request and reads the answer.
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
	return result{response, body.String(), gjson.ParseBytes(body.Bytes())}
}

// toolMessage is a call of a tool.
func toolMessage(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// call calls a tool. What comes back fits the tool's schema.
func (d *desk) call(agent, tool, arguments string) result {
	d.t.Helper()
	got := d.send(d.message(agent, toolMessage(1, tool, arguments)))
	if got.content().Exists() {
		if got.repeated() != got.content().Raw || got.json.Get("result.content.#").Int() != 2 {
			d.t.Errorf("%s: the content is not what was answered, and words: %s", tool, got.text)
		}
		for _, known := range tools() {
			if known.name != tool {
				continue
			}
			if err := validate(d.t, schemaOf(known.output), got.content().Raw); err != nil {
				d.t.Errorf("%s answers what its schema does not allow: %v\n%s", tool, err, got.content().Raw)
			}
		}
	}
	return got
}

// must is call for calls that have to succeed.
func (d *desk) must(agent, tool, arguments string) result {
	d.t.Helper()
	got := d.call(agent, tool, arguments)
	if got.StatusCode != http.StatusOK || !got.content().Exists() {
		d.t.Fatalf("%s %s: %d %s", tool, arguments, got.StatusCode, got.text)
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
