package safehttp_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

// step is one call to a fetcher at a time.
type step struct {
	after    time.Duration
	status   int // what the origin answers from here on; 0 leaves it as it was
	body     string
	header   map[string]string
	refresh  bool
	want     string
	err      error
	requests int
}

func TestFetcherOverTime(t *testing.T) {
	const ok, down, gone = http.StatusOK, http.StatusServiceUnavailable, http.StatusNotFound
	maxAge := func(s string) map[string]string { return map[string]string{"Cache-Control": s} }
	for name, steps := range map[string][]step{
		"a minute at least": {
			{status: ok, body: `"a"`, header: maxAge("no-store, max-age=5"), want: "a", requests: 1},
			{after: 59 * time.Second, status: ok, body: `"b"`, want: "a"},
			{after: time.Second, want: "b", requests: 1},
		},
		"max-age": {
			{status: ok, body: `"a"`, header: maxAge("public, max-age=600"), want: "a", requests: 1},
			{after: 599 * time.Second, want: "a"},
			{after: time.Second, want: "a", requests: 1},
		},
		"a day at most": {
			{status: ok, body: `"a"`, header: maxAge("max-age=99999999999999999999"), want: "a", requests: 1},
			{after: 24*time.Hour - time.Second, want: "a"},
			{after: time.Second, want: "a", requests: 1},
		},
		"age is counted": {
			{status: ok, body: `"a"`, header: map[string]string{"Cache-Control": "max-age=600", "Age": "500"}, want: "a", requests: 1},
			{after: 99 * time.Second, want: "a"},
			{after: time.Second, want: "a", requests: 1},
		},
		"revalidation": {
			{status: ok, body: `"a"`, header: map[string]string{"ETag": `"1"`}, want: "a", requests: 1},
			{after: time.Minute, want: "a", requests: 1},
			{after: 59 * time.Second, want: "a"},
			{after: time.Second, status: ok, body: `"b"`, header: map[string]string{"ETag": `"2"`}, want: "b", requests: 1},
		},
		"failures are remembered": {
			{status: down, err: safehttp.ErrStatus, requests: 1},
			{after: 29 * time.Second, status: ok, body: `"a"`, err: safehttp.ErrStatus},
			{after: time.Second, want: "a", requests: 1},
		},
		"malformed is remembered": {
			{status: ok, body: `{`, err: safehttp.ErrMalformed, requests: 1},
			{after: 29 * time.Second, status: ok, body: `"a"`, err: safehttp.ErrMalformed},
			{after: time.Second, want: "a", requests: 1},
		},
		"too large": {
			{status: ok, body: strings.Repeat("x", 1001), err: safehttp.ErrTooLarge, requests: 1},
		},
		"redirect": {
			{status: http.StatusFound, header: map[string]string{"Location": "/b"}, err: safehttp.ErrRedirect, requests: 1},
		},
		"a 304 no one asked for": {
			{status: http.StatusNotModified, err: safehttp.ErrStatus, requests: 1},
		},
		"stale for an hour while the host is down": {
			{status: ok, body: `"a"`, want: "a", requests: 1},
			{after: time.Minute, status: down, want: "a", requests: 1},
			{after: 29 * time.Second, want: "a"},
			{after: time.Second, want: "a", requests: 1},
			{after: 59*time.Minute + 29*time.Second, want: "a", requests: 1},
			{after: time.Second, err: safehttp.ErrStatus, requests: 1},
		},
		"up again after a while": {
			{status: ok, body: `"a"`, want: "a", requests: 1},
			{after: time.Minute, status: http.StatusTooManyRequests, want: "a", requests: 1},
			{after: 30 * time.Second, status: ok, body: `"b"`, want: "b", requests: 1},
		},
		"gone is gone": {
			{status: ok, body: `"a"`, want: "a", requests: 1},
			{after: time.Minute, status: gone, err: safehttp.ErrStatus, requests: 1},
		},
		"malformed is not stale": {
			{status: ok, body: `"a"`, want: "a", requests: 1},
			{after: time.Minute, status: ok, body: `{`, err: safehttp.ErrMalformed, requests: 1},
		},
		"refresh once a minute": {
			{status: ok, body: `"a"`, want: "a", requests: 1},
			{after: time.Second, status: ok, body: `"b"`, refresh: true, want: "b", requests: 1},
			{after: 59 * time.Second, status: ok, body: `"c"`, refresh: true, want: "b"},
			{after: time.Second, refresh: true, want: "c", requests: 1},
		},
		"a refresh that fails": {
			{status: ok, body: `"a"`, header: maxAge("max-age=600"), want: "a", requests: 1},
			{after: time.Second, status: gone, refresh: true, want: "a", requests: 1},
			{after: 598 * time.Second, want: "a"},
			{after: time.Second, err: safehttp.ErrStatus, requests: 1},
		},
		"a refresh forgets a failure": {
			{status: down, err: safehttp.ErrStatus, requests: 1},
			{after: time.Second, status: ok, body: `"a"`, refresh: true, want: "a", requests: 1},
		},
		"a refresh finds the same": {
			{status: ok, body: `"a"`, header: map[string]string{"ETag": `"1"`}, want: "a", requests: 1},
			{after: time.Second, refresh: true, want: "a", requests: 1},
			{after: 59 * time.Second, want: "a"},
			{after: time.Second, want: "a", requests: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			origin, clock := newOrigin(t), newClock()
			fetcher := newFetcher(clock, rich)
			for i, step := range steps {
				clock.advance(step.after)
				if step.status != 0 {
					origin.set(step.status, step.body, step.header)
				}
				call := fetcher.Get
				if step.refresh {
					call = fetcher.Refresh
				}
				got, err := call(t.Context(), origin.URL)
				if got != step.want || !errors.Is(err, step.err) {
					t.Fatalf("step %d: got %q, %v, want %q, %v", i+1, got, err, step.want, step.err)
				}
				if n := len(origin.seen()); n != step.requests {
					t.Fatalf("step %d: %d requests, want %d", i+1, n, step.requests)
				}
			}
		})
	}
}
