package safehttp

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// refreshAfter is how often the same URL may be refreshed.
const refreshAfter = time.Minute

// FetcherOptions are the limits of a Fetcher. Only Now must be set: every other
// field has a default that is right for production.
type FetcherOptions struct {
	// MaxEntries bounds the number of documents and failures that are kept.
	// Zero means 1024.
	MaxEntries int

	// MaxBytes bounds the documents that are kept, in bytes as they were sent.
	// Zero means 16 MiB.
	MaxBytes int64

	// Rate and Burst are the budget for all fetches, Rate in fetches per second.
	// Zero means 10 and 20.
	Rate  float64
	Burst int

	// HostRate and HostBurst are the budget for fetches from one host. Zero means
	// 1 and 5.
	HostRate  float64
	HostBurst int

	// Accept is the media type that is asked for. Empty means application/json.
	Accept string

	// Observe, if set, is told the outcome of every fetch that was made or that
	// the budget forbade, and how long it took. It must not call the Fetcher.
	Observe func(err error, took time.Duration)

	// Now is the clock.
	Now func() time.Time
}

// Fetcher fetches documents by URL, parses them into a T and keeps them.
//
// A document is used for as long as its Cache-Control allows, but at least a
// minute and at most a day, and asked for again with its ETag. Callers that want
// the same document at the same time share one fetch. A failure is remembered for
// 30 seconds. While a host does not answer, or answers 429 or 5xx, or the budget
// is used up, the last good document serves for up to an hour more. All callers
// share one T and must not change it.
//
// A fetch runs in the first caller's goroutine and is not ended by that caller's
// context, so that no one spoils it for the others; it takes no longer than the
// client's time-out. A Fetcher has nothing to close and is safe for concurrent use.
type Fetcher[T any] struct {
	client  *Client
	parse   func([]byte) (T, error)
	options FetcherOptions
	budget  *budget

	mu      sync.Mutex
	entries *lru[string, *entry[T]]
	flights map[string]*flight[T]
}

// flight is a fetch under way. Its result is set when done is closed.
type flight[T any] struct {
	done   chan struct{}
	result *entry[T]
}

// NewFetcher returns a Fetcher that calls with client and parses with parse,
// which must not keep the bytes.
func NewFetcher[T any](client *Client, parse func([]byte) (T, error), o FetcherOptions) *Fetcher[T] {
	o.MaxEntries = orDefault(o.MaxEntries, 1024)
	o.MaxBytes = orDefault(o.MaxBytes, 16<<20)
	o.Rate = orDefault(o.Rate, 10)
	o.Burst = orDefault(o.Burst, 20)
	o.HostRate = orDefault(o.HostRate, 1)
	o.HostBurst = orDefault(o.HostBurst, 5)
	o.Accept = orDefault(o.Accept, "application/json")
	if o.Observe == nil {
		o.Observe = func(error, time.Duration) {}
	}
	return &Fetcher[T]{
		client:  client,
		parse:   parse,
		options: o,
		budget:  newBudget(o.Rate, o.HostRate, o.Burst, o.HostBurst),
		entries: newLRU[string, *entry[T]](o.MaxEntries, o.MaxBytes),
		flights: make(map[string]*flight[T]),
	}
}

// Get returns the document at rawURL, fetched now or before.
//
// The error wraps one of this package's kinds or is that of ctx. Failures but
// ErrURL, ErrScheme and ErrBudget are remembered, and the same error is returned
// again without a fetch.
func (f *Fetcher[T]) Get(ctx context.Context, rawURL string) (T, error) {
	return f.get(ctx, rawURL, false)
}

// Refresh asks for the document again although it is fresh, for a caller that
// misses something in it, such as a key that was just added. A URL is refreshed
// at most once a minute; in between Refresh is Get. A refresh that fails leaves
// a fresh document in use.
func (f *Fetcher[T]) Refresh(ctx context.Context, rawURL string) (T, error) {
	return f.get(ctx, rawURL, true)
}

func (f *Fetcher[T]) get(ctx context.Context, rawURL string, refresh bool) (T, error) {
	var none T
	u, err := ParseURL(rawURL)
	if err == nil {
		err = f.client.Check(u)
	}
	if err != nil {
		return none, err
	}
	key, now := u.String(), f.options.Now()

	f.mu.Lock()
	known, ok := f.entries.get(key)
	if !ok {
		known = &entry[T]{}
	}
	refresh = refresh && !now.Before(known.refreshed.Add(refreshAfter))
	if now.Before(known.due) && !refresh {
		f.mu.Unlock()
		return known.value, known.err
	}
	running, ok := f.flights[key]
	if !ok {
		running = &flight[T]{done: make(chan struct{})}
		f.flights[key] = running
	}
	f.mu.Unlock()

	if !ok {
		f.fly(ctx, running, u, known, refresh)
		return running.result.value, running.result.err
	}
	select {
	case <-running.done:
		return running.result.value, running.result.err
	case <-ctx.Done():
		return none, fmt.Errorf("waiting for a document: %w", context.Cause(ctx))
	}
}

// fly makes the fetch that flight stands for, and keeps and shares its result.
func (f *Fetcher[T]) fly(ctx context.Context, flight *flight[T], u *url.URL, known *entry[T], refresh bool) {
	// Should the parser panic, then those who wait learn this from the result.
	flight.result = &entry[T]{err: fmt.Errorf("the parser gave up: %w", ErrMalformed)}
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		key := u.String()
		if flight.result.remembered() {
			f.entries.put(key, flight.result, flight.result.size+int64(len(key))+entrySize)
		}
		delete(f.flights, key)
		close(flight.done)
	}()

	start := f.options.Now()
	response, err := f.fetch(context.WithoutCancel(ctx), u, known, refresh)
	now := f.options.Now()
	f.options.Observe(err, now.Sub(start))
	var next *entry[T]
	switch {
	case err != nil:
		next = known.failed(err, now)
	case response.Status == http.StatusNotModified:
		next = known.revalidated(response.Header, now)
	default:
		value, err := f.parse(response.Body)
		if err != nil {
			next = known.failed(fmt.Errorf("document from %s: %w: %w", u.Host, ErrMalformed, err), now)
		} else {
			next = newEntry(value, response, now)
		}
	}
	next.refreshed = known.refreshed
	if refresh {
		next.refreshed = now
	}
	flight.result = next
}

// fetch asks for the document at u. The status of the response is 200, or 304
// if the known document is still the right one.
func (f *Fetcher[T]) fetch(ctx context.Context, u *url.URL, known *entry[T], refresh bool) (*Response, error) {
	if !f.budget.spend(u.Hostname(), f.options.Now()) {
		return nil, fmt.Errorf("document from %s: %w", u.Host, ErrBudget)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("document from %s: %w: %w", u.Host, ErrURL, err)
	}
	req.Header.Set("Accept", f.options.Accept)
	if known.etag != "" {
		req.Header.Set("If-None-Match", known.etag)
	}
	if refresh {
		// Caches on the way are to ask the host itself.
		req.Header.Set("Cache-Control", "no-cache")
	}
	response, err := f.client.Do(req)
	if err != nil {
		return nil, err
	}
	if response.Status != http.StatusOK && (response.Status != http.StatusNotModified || known.etag == "") {
		return nil, fmt.Errorf("document from %s: %w", u.Host, statusError(response.Status))
	}
	return response, nil
}

// orDefault returns value, or fallback in place of zero.
func orDefault[V comparable](value, fallback V) V {
	var zero V
	if value == zero {
		return fallback
	}
	return value
}
