package safehttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

func TestDoOverTLS(t *testing.T) {
	server, pool := tlsServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintf(w, "%s %s %s", r.Method, r.Host, r.UserAgent())
	})
	client := safehttp.NewClient(safehttp.Options{
		AllowLoopback: true, RootCAs: pool, Resolver: resolve("example.com", "127.0.0.1"), UserAgent: "shop/1",
	})
	target := at(t, server, "example.com")
	response, err := get(t, client, target)
	if err != nil {
		t.Fatal(err)
	}
	want := "GET " + strings.TrimPrefix(target, "https://") + " shop/1"
	if response.Status != http.StatusTeapot || string(response.Body) != want || response.Header.Get("ETag") != `"1"` {
		t.Errorf("got %d %q %v, want 418 %q", response.Status, response.Body, response.Header, want)
	}
}

func TestDoSendsABody(t *testing.T) {
	server, pool := tlsServer(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(w, r.Body)
	})
	client := safehttp.NewClient(safehttp.Options{AllowLoopback: true, RootCAs: pool})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader("an event"))
	if err != nil {
		t.Fatal(err)
	}
	if response, err := client.Do(req); err != nil || string(response.Body) != "an event" {
		t.Errorf("got %v, %v", response, err)
	}
}

func TestNoPrivateAddressIsReached(t *testing.T) {
	server, pool := tlsServer(t, func(http.ResponseWriter, *http.Request) {
		t.Error("the server was reached")
	})
	for name, resolver := range map[string]*net.Resolver{
		"loopback":           resolve("example.com", "127.0.0.1"),
		"loopback in IPv6":   resolve("example.com", "::1"),
		"mapped loopback":    resolve("example.com", "::ffff:127.0.0.1"),
		"private":            resolve("example.com", "10.0.0.1"),
		"cloud metadata":     resolve("example.com", "169.254.169.254"),
		"several, all wrong": resolve("example.com", "127.0.0.1", "10.0.0.1", "::1"),
	} {
		t.Run(name, func(t *testing.T) {
			client := safehttp.NewClient(safehttp.Options{RootCAs: pool, Resolver: resolver})
			if _, err := get(t, client, at(t, server, "example.com")); !errors.Is(err, safehttp.ErrForbiddenAddress) {
				t.Errorf("got %v, want ErrForbiddenAddress", err)
			}
		})
	}
}

// A name that is public when it is looked at and private when it is called would
// get past a check that resolves the name on its own.
func TestRebindingIsCaughtAtTheConnection(t *testing.T) {
	var calls atomic.Int32
	server, pool := tlsServer(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	world := &names{answers: map[string][][]string{"example.com.": {{"127.0.0.1"}, {"10.0.0.1"}, {"127.0.0.1"}}}}
	client := safehttp.NewClient(safehttp.Options{AllowLoopback: true, RootCAs: pool, Resolver: world.resolver()})
	for i, want := range []error{nil, safehttp.ErrForbiddenAddress, nil} {
		if _, err := get(t, client, at(t, server, "example.com")); !errors.Is(err, want) {
			t.Errorf("call %d: got %v, want %v", i+1, err, want)
		}
	}
	if calls.Load() != 2 {
		t.Errorf("the server was reached %d times, want 2", calls.Load())
	}
}

func TestLoopbackIsAllForPlainHTTP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }))
	defer server.Close()
	world := &names{answers: map[string][][]string{
		"loopback.test.": {{"127.0.0.1"}},
		"public.test.":   {{"8.8.8.8"}},
		"private.test.":  {{"10.0.0.1"}},
	}}
	client := safehttp.NewClient(safehttp.Options{AllowLoopback: true, Resolver: world.resolver()})
	for host, want := range map[string]error{
		"loopback.test": nil,
		"127.0.0.1":     nil,
		"public.test":   safehttp.ErrForbiddenAddress,
		"private.test":  safehttp.ErrForbiddenAddress,
		"8.8.8.8":       safehttp.ErrForbiddenAddress,
		"unknown.test":  safehttp.ErrUnreachable,
	} {
		if _, err := get(t, client, at(t, server, host)); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", host, err, want)
		}
	}
	strict := safehttp.NewClient(safehttp.Options{})
	if _, err := get(t, strict, server.URL); !errors.Is(err, safehttp.ErrScheme) {
		t.Errorf("without AllowLoopback: got %v, want ErrScheme", err)
	}
}

func TestRedirectsAreErrors(t *testing.T) {
	for _, status := range []int{300, 301, 302, 303, 307, 308} {
		for _, location := range []string{"/elsewhere", "https://agent.example/", "http://127.0.0.1:1/", "", "%zz"} {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/" {
					t.Error("the redirect was followed")
				}
				w.Header().Set("Location", location)
				w.WriteHeader(status)
			}))
			client := safehttp.NewClient(safehttp.Options{AllowLoopback: true})
			if _, err := get(t, client, server.URL+"/"); !errors.Is(err, safehttp.ErrRedirect) {
				t.Errorf("%d to %q: got %v, want ErrRedirect", status, location, err)
			}
			server.Close()
		}
	}
}

func TestBodiesAreBounded(t *testing.T) {
	const limit = 1000
	for name, test := range map[string]struct {
		size    int
		chunked bool
		err     error
	}{
		"just fits":             {limit, false, nil},
		"just fits, chunked":    {limit, true, nil},
		"one too many":          {limit + 1, false, safehttp.ErrTooLarge},
		"one too many, chunked": {limit + 1, true, safehttp.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if test.chunked {
					w.(http.Flusher).Flush()
				}
				io.WriteString(w, strings.Repeat("x", test.size))
			}))
			defer server.Close()
			client := safehttp.NewClient(safehttp.Options{AllowLoopback: true, MaxBody: limit})
			response, err := get(t, client, server.URL)
			if !errors.Is(err, test.err) || err == nil && len(response.Body) != test.size {
				t.Errorf("got %v, want %v", err, test.err)
			}
		})
	}
}

func TestHeadersAreBounded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Padding", strings.Repeat("x", 64<<10))
	}))
	defer server.Close()
	client := safehttp.NewClient(safehttp.Options{AllowLoopback: true})
	if _, err := get(t, client, server.URL); !errors.Is(err, safehttp.ErrUnreachable) {
		t.Errorf("got %v, want ErrUnreachable", err)
	}
}

func TestTimeOuts(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"before the header": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"within the body": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "a beginning")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			defer server.Close()
			client := safehttp.NewClient(safehttp.Options{AllowLoopback: true, Timeout: 20 * time.Millisecond})
			_, err := get(t, client, server.URL)
			if !errors.Is(err, safehttp.ErrUnreachable) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want ErrUnreachable and DeadlineExceeded", err)
			}
		})
	}
}

func TestTheCallersContextEndsACall(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the agent hung up")
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel(gone)
		<-r.Context().Done()
	}))
	defer server.Close()
	client := safehttp.NewClient(safehttp.Options{AllowLoopback: true})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Do(req); !errors.Is(err, gone) || errors.Is(err, safehttp.ErrUnreachable) {
		t.Errorf("got %v, want the context's own error alone", err)
	}
}

func TestUnreachable(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	untrusted, _ := tlsServer(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was reached") })
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "half")
	}))
	defer cut.Close()

	client := safehttp.NewClient(safehttp.Options{AllowLoopback: true})
	for name, target := range map[string]string{
		"connection refused":    closed.URL,
		"untrusted certificate": untrusted.URL,
		"half a body":           cut.URL,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := get(t, client, target+"/secret-path?token=secret-token")
			if !errors.Is(err, safehttp.ErrUnreachable) {
				t.Errorf("got %v, want ErrUnreachable", err)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error repeats the URL: %v", err)
			}
		})
	}
}

func TestOldTLSIsRefused(t *testing.T) {
	server, pool := oldTLSServer(t)
	client := safehttp.NewClient(safehttp.Options{AllowLoopback: true, RootCAs: pool})
	if _, err := get(t, client, server.URL); !errors.Is(err, safehttp.ErrUnreachable) {
		t.Errorf("got %v, want ErrUnreachable", err)
	}
}

func TestCookiesAreNotKept(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Cookies()) > 0 {
			t.Errorf("a cookie came back: %v", r.Cookies())
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1"})
	}))
	defer server.Close()
	client := safehttp.NewClient(safehttp.Options{AllowLoopback: true})
	for range 2 {
		if _, err := get(t, client, server.URL); err != nil {
			t.Fatal(err)
		}
	}
}
