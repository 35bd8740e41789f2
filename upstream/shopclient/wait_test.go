package shopclient_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// transport is a shop in the same process, whose time can be a synctest's.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func respond(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// hang answers nothing until the request's context ends.
func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func inProcess(t testing.TB, shop transport, config shopclient.Config) *shopclient.Client {
	t.Helper()
	config.BaseURL = &url.URL{Scheme: "http", Host: "shop.example"}
	config.Transport = shop
	client, err := shopclient.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestTimeout(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := inProcess(t, hang, shopclient.Config{Timeout: 3 * time.Second})
				start := time.Now()
				_, err := client.Do(t.Context(), upstream.Visit{}, kind.request)
				code := upstream.CodeUnavailable
				if kind.request.Order {
					code = upstream.CodeUnknownOutcome
				}
				if e := checkError(t, err, code); e.Text != "no answer within 3s" {
					t.Errorf("text %q", e.Text)
				}
				if took := time.Since(start); took != 3*time.Second {
					t.Errorf("took %s, want one time-out of 3s", took)
				}
			})
		})
	}
}

// TestTimeoutCoversTheBody: a shop that begins to answer and stops is no better.
func TestTimeoutCoversTheBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := inProcess(t, func(r *http.Request) (*http.Response, error) {
			reader, writer := io.Pipe()
			context.AfterFunc(r.Context(), func() { writer.CloseWithError(r.Context().Err()) })
			return &http.Response{StatusCode: 200, Body: reader}, nil
		}, shopclient.Config{})
		start := time.Now()
		_, err := client.Do(t.Context(), upstream.Visit{}, shopclient.Request{Op: "reading", Safe: true})
		checkError(t, err, upstream.CodeUnavailable)
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("took %s, want 10s", took)
		}
	})
}

// TestCancel: whoever stops waiting gets the context's error at once. An order
// that had been sent is unknown nevertheless.
func TestCancel(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := inProcess(t, hang, shopclient.Config{})
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				start := time.Now()
				_, err := client.Do(ctx, upstream.Visit{}, kind.request)
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v does not wrap the context's error", err)
				}
				if got, want := upstream.CodeOf(err) == upstream.CodeUnknownOutcome, kind.request.Order; got != want {
					t.Errorf("%v has the code %s", err, upstream.CodeOf(err))
				}
				if got, want := errors.Is(err, shopclient.ErrLost), kind.name != "read"; got != want {
					t.Errorf("ErrLost: %v, want %v", got, want)
				}
				if took := time.Since(start); took != time.Second {
					t.Errorf("took %s, want 1s", took)
				}
			})
		})
	}
}

func TestCanceledBefore(t *testing.T) {
	client := inProcess(t, func(*http.Request) (*http.Response, error) {
		t.Error("the request was sent")
		return respond(200, "{}"), nil
	}, shopclient.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, kind := range kinds {
		_, err := client.Do(ctx, upstream.Visit{}, kind.request)
		if !errors.Is(err, context.Canceled) || errors.Is(err, shopclient.ErrLost) {
			t.Errorf("%s: got %v", kind.name, err)
		}
	}
}

func TestRepeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		var calls []shopclient.Call
		start := time.Now()
		client := inProcess(t, func(*http.Request) (*http.Response, error) {
			at = append(at, time.Since(start))
			time.Sleep(time.Second) // In the bubble: how long the shop takes.
			if len(at) == 1 {
				return respond(502, ""), nil
			}
			return respond(200, `{"n":2}`), nil
		}, shopclient.Config{
			Jitter:  func(n int64) int64 { return n - 1 },
			Observe: func(c shopclient.Call) { calls = append(calls, c) },
		})
		response, err := client.Do(t.Context(), upstream.Visit{}, shopclient.Request{Op: "reading", Safe: true})
		if err != nil || response.Body != `{"n":2}` {
			t.Fatalf("got %q, %v", response.Body, err)
		}
		want := []time.Duration{0, time.Second + 150*time.Millisecond - 1}
		if diff := cmp.Diff(want, at); diff != "" {
			t.Errorf("sent at (-want +got):\n%s", diff)
		}
		if len(calls) != 2 || calls[0].Err == nil || calls[1].Err != nil {
			t.Fatalf("observed %+v", calls)
		}
		calls[0].Err = nil
		if diff := cmp.Diff([]shopclient.Call{
			{Op: "reading", Attempt: 1, Duration: time.Second, Status: 502},
			{Op: "reading", Attempt: 2, Duration: time.Second, Status: 200},
		}, calls); diff != "" {
			t.Errorf("observed (-want +got):\n%s", diff)
		}
	})
}

func TestCancelWhilePausing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		client := inProcess(t, func(*http.Request) (*http.Response, error) { return respond(502, ""), nil }, shopclient.Config{})
		start := time.Now()
		_, err := client.Do(ctx, upstream.Visit{}, shopclient.Request{Op: "reading", Safe: true})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Millisecond {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
	})
}

// TestQueue: two requests run, eight wait, the eleventh is turned away at once,
// and those that wait too long are turned away then. Afterwards all is as before.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var running, most atomic.Int32
		client := inProcess(t, func(r *http.Request) (*http.Response, error) {
			defer running.Add(-1)
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			<-release
			return respond(200, "{}"), nil
		}, shopclient.Config{MaxConcurrent: 2})
		read := func(ctx context.Context) error {
			_, err := client.Do(ctx, upstream.Visit{}, shopclient.Request{Op: "reading", Safe: true})
			return err
		}
		for range 2 {
			outcomes := make(chan error, 10)
			for range 10 {
				go func() { outcomes <- read(t.Context()) }()
				synctest.Wait()
			}
			start := time.Now()
			if e := checkError(t, read(t.Context()), upstream.CodeBusy); e.RetryAfter != time.Second {
				t.Errorf("retry after %s, want 1s", e.RetryAfter)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := read(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("canceled at the gate: %v", err)
			}
			if time.Since(start) != 0 {
				t.Errorf("it took %s to be turned away", time.Since(start))
			}
			// One finishes in time and lets one in; then patience ends for seven.
			release <- struct{}{}
			if err := <-outcomes; err != nil {
				t.Error(err)
			}
			for range 7 {
				checkError(t, <-outcomes, upstream.CodeBusy)
			}
			if took := time.Since(start); took != 10*time.Second {
				t.Errorf("turned away after %s, want the time-out of 10s", took)
			}
			for range 2 {
				release <- struct{}{}
				if err := <-outcomes; err != nil {
					t.Error(err)
				}
			}
		}
		if most.Load() != 2 {
			t.Errorf("%d ran at once, want 2", most.Load())
		}
	})
}

func TestCancelInTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := inProcess(t, hang, shopclient.Config{MaxConcurrent: 1})
		first := make(chan error)
		go func() {
			_, err := client.Do(t.Context(), upstream.Visit{}, shopclient.Request{Op: "reading"})
			first <- err
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := client.Do(ctx, upstream.Visit{}, shopclient.Request{Op: "ordering", Order: true})
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, shopclient.ErrLost) {
			t.Errorf("got %v, want a deadline and nothing sent", err)
		}
		checkError(t, <-first, upstream.CodeUnavailable)
	})
}
