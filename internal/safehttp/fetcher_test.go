package safehttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

// origin is a host of documents that a test scripts.
type origin struct {
	*httptest.Server

	mu       sync.Mutex
	status   int
	header   map[string]string
	body     string
	requests []*http.Request
}

func newOrigin(t *testing.T) *origin {
	t.Helper()
	o := &origin{status: http.StatusOK, body: `"first"`, header: map[string]string{}}
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

func (o *origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requests = append(o.requests, r)
	for name, value := range o.header {
		w.Header().Set(name, value)
	}
	if etag := o.header["ETag"]; etag != "" && r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.WriteHeader(o.status)
	io.WriteString(w, o.body)
}

// set changes what is answered from now on.
func (o *origin) set(status int, body string, header map[string]string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.status, o.body, o.header = status, body, header
}

// seen returns the requests that arrived since it was last called.
func (o *origin) seen() []*http.Request {
	o.mu.Lock()
	defer o.mu.Unlock()
	seen := o.requests
	o.requests = nil
	return seen
}

func parseString(data []byte) (s string, err error) {
	err = json.Unmarshal(data, &s)
	return s, err
}

func newFetcher(c *clock, o safehttp.FetcherOptions) *safehttp.Fetcher[string] {
	o.Now = c.Now
	return safehttp.NewFetcher(safehttp.NewClient(safehttp.Options{AllowLoopback: true, MaxBody: 1000}), parseString, o)
}

// rich are options with a budget that no test below uses up.
var rich = safehttp.FetcherOptions{Rate: 1000, Burst: 1000, HostRate: 1000, HostBurst: 1000}

func TestFetcherRequest(t *testing.T) {
	origin, clock := newOrigin(t), newClock()
	origin.set(http.StatusOK, `"a"`, map[string]string{"ETag": `"1"`})
	fetcher := newFetcher(clock, rich)
	for i, call := range []func(context.Context, string) (string, error){fetcher.Get, fetcher.Refresh} {
		if _, err := call(t.Context(), origin.URL+"/profile?v=1#keys"); err != nil {
			t.Fatal(err)
		}
		seen := origin.seen()
		if len(seen) != 1 {
			t.Fatalf("%d requests, want 1", len(seen))
		}
		want := []string{"/profile?v=1", "application/json", "", ""}
		if i == 1 {
			want = []string{"/profile?v=1", "application/json", `"1"`, "no-cache"}
		}
		header := seen[0].Header
		got := []string{seen[0].RequestURI, header.Get("Accept"), header.Get("If-None-Match"), header.Get("Cache-Control")}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("call %d: got %q, want %q", i+1, got, want)
		}
	}
}

func TestFetcherRefusesWithoutAsking(t *testing.T) {
	var outcomes []error
	options := rich
	options.Observe = func(err error, _ time.Duration) { outcomes = append(outcomes, err) }
	fetcher := newFetcher(newClock(), options)
	for target, want := range map[string]error{
		"ftp://agent.example/":        safehttp.ErrScheme,
		"http://8.8.8.8/":             safehttp.ErrForbiddenAddress,
		"https://user@agent.example/": safehttp.ErrURL,
		"https://10.0.0.1/":           safehttp.ErrForbiddenAddress,
	} {
		if _, err := fetcher.Get(t.Context(), target); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", target, err, want)
		}
	}
	if len(outcomes) != 0 {
		t.Errorf("fetches were made: %v", outcomes)
	}
}

func TestFetcherBudget(t *testing.T) {
	origin, clock := newOrigin(t), newClock()
	var outcomes []error
	fetcher := newFetcher(clock, safehttp.FetcherOptions{
		Rate: 1, Burst: 2, HostRate: 100, HostBurst: 100,
		Observe: func(err error, _ time.Duration) { outcomes = append(outcomes, err) },
	})
	get := func(path string, want error) {
		t.Helper()
		if _, err := fetcher.Get(t.Context(), origin.URL+path); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", path, err, want)
		}
	}
	get("/1", nil)
	get("/2", nil)
	get("/3", safehttp.ErrBudget)
	get("/1", nil) // It is kept, so that no fetch is needed.
	if n := len(origin.seen()); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
	clock.advance(time.Second)
	get("/3", nil) // The refusal was not remembered.

	// Documents that are stale serve while there is no budget for asking.
	clock.advance(59 * time.Second) // Two fetches are saved up, and all but /3 are stale.
	get("/4", nil)
	get("/5", nil)
	get("/1", nil)
	if n := len(origin.seen()); n != 3 {
		t.Errorf("%d requests, want 3", n)
	}
	clock.advance(time.Second)
	get("/1", nil) // It is asked for as soon as there is one again.
	if n := len(origin.seen()); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
	want := []error{nil, nil, safehttp.ErrBudget, nil, nil, nil, safehttp.ErrBudget, nil}
	if len(outcomes) != len(want) {
		t.Fatalf("observed %v, want %v", outcomes, want)
	}
	for i := range want {
		if !errors.Is(outcomes[i], want[i]) {
			t.Errorf("observed %v, want %v", outcomes[i], want[i])
		}
	}
}

func TestFetcherBudgetPerHost(t *testing.T) {
	origin, clock := newOrigin(t), newClock()
	world := &names{answers: map[string][][]string{"a.test.": {{"127.0.0.1"}}, "b.test.": {{"127.0.0.1"}}}}
	client := safehttp.NewClient(safehttp.Options{AllowLoopback: true, Resolver: world.resolver()})
	fetcher := safehttp.NewFetcher(client, parseString, safehttp.FetcherOptions{
		Rate: 100, Burst: 100, HostRate: 1, HostBurst: 1, Now: clock.Now,
	})
	for _, call := range []struct {
		host, path string
		want       error
	}{
		{"a.test", "/1", nil},
		{"a.test", "/2", safehttp.ErrBudget},
		{"b.test", "/1", nil},
		{"b.test", "/2", safehttp.ErrBudget},
	} {
		if _, err := fetcher.Get(t.Context(), at(t, origin.Server, call.host)+call.path); !errors.Is(err, call.want) {
			t.Errorf("%s%s: got %v, want %v", call.host, call.path, err, call.want)
		}
	}
}

func TestFetcherIsBounded(t *testing.T) {
	for name, bound := range map[string]func(*safehttp.FetcherOptions){
		"by entries": func(o *safehttp.FetcherOptions) { o.MaxEntries = 2 },
		"by bytes":   func(o *safehttp.FetcherOptions) { o.MaxBytes = 1500 }, // An entry is over 512.
	} {
		t.Run(name, func(t *testing.T) {
			origin, clock := newOrigin(t), newClock()
			options := rich
			bound(&options)
			fetcher := newFetcher(clock, options)
			for _, call := range []struct {
				path     string
				requests int
			}{
				{"/1", 1}, {"/2", 1}, {"/1", 0}, {"/3", 1}, {"/1", 0}, {"/2", 1},
			} {
				if _, err := fetcher.Get(t.Context(), origin.URL+call.path); err != nil {
					t.Fatal(err)
				}
				if n := len(origin.seen()); n != call.requests {
					t.Errorf("%s: %d requests, want %d", call.path, n, call.requests)
				}
			}
		})
	}
}

func TestFetcherSharesAFetch(t *testing.T) {
	const callers = 20
	var requests atomic.Int32
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		<-release
		io.WriteString(w, `"shared"`)
	}))
	defer server.Close()
	clock, reads := newClock(), make(chan struct{}, 100)
	options := rich
	options.Now = func() time.Time {
		reads <- struct{}{}
		return clock.Now()
	}
	fetcher := safehttp.NewFetcher(safehttp.NewClient(safehttp.Options{AllowLoopback: true}), parseString, options)

	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			if got, err := fetcher.Get(t.Context(), server.URL); got != "shared" || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	// Every caller reads the clock on entry, and the one who fetches twice more.
	for range callers + 2 {
		<-reads
	}
	// A caller who gives up does not wait, and spoils nothing for the others.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fetcher.Get(ctx, server.URL); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want Canceled", err)
	}
	close(release)
	group.Wait()
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

func TestFetcherOutlivesItsFirstCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		cancel()
		io.WriteString(w, `"all the same"`)
	}))
	defer server.Close()
	if got, err := newFetcher(newClock(), rich).Get(ctx, server.URL); got != "all the same" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestFetcherSurvivesItsParser(t *testing.T) {
	origin, clock := newOrigin(t), newClock()
	broken := true
	options := rich
	options.Now = clock.Now
	fetcher := safehttp.NewFetcher(safehttp.NewClient(safehttp.Options{AllowLoopback: true}), func([]byte) (string, error) {
		if broken {
			panic("a bug")
		}
		return "fine", nil
	}, options)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		fetcher.Get(t.Context(), origin.URL)
	}()
	broken = false
	if got, err := fetcher.Get(t.Context(), origin.URL); got != "fine" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func BenchmarkFetcherGet(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `"a"`) }))
	defer server.Close()
	fetcher := newFetcher(newClock(), rich)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fetcher.Get(b.Context(), server.URL); err != nil {
			b.Fatal(err)
		}
	}
}
