package shopclient_test

import (
	"compress/gzip"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// The kinds of request, which differ in what a missing answer means.
var kinds = []struct {
	name    string
	request shopclient.Request
}{
	{"read", shopclient.Request{Op: "reading", Safe: true}},
	{"write", shopclient.Request{Op: "writing", Body: []byte("{}")}},
	{"order", shopclient.Request{Op: "ordering", Body: []byte("{}"), Order: true}},
	{"repeatable order", shopclient.Request{Op: "ordering", Body: []byte("{}"), Order: true, Safe: true}},
}

// answer writes a status and a body.
func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// withHeader sets a header before handler answers.
func withHeader(name, value string, handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(name, value)
		handler(w, r)
	}
}

// raw writes bytes to the connection and closes it.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		io.WriteString(connection, text)
		connection.Close()
	}
}

// TestAnswersThatAreNone has a row for each thing that a shop may send in place
// of an answer.
func TestAnswersThatAreNone(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	const unclear, clear = true, false
	for name, test := range map[string]struct {
		shop http.HandlerFunc
		code upstream.Code
		// unclear: nobody knows what the shop did, so that an order's code is
		// CodeUnknownOutcome.
		unclear  bool
		attempts int32 // of a read
		after    time.Duration
		text     string
	}{
		"HTML page":            {answer(200, "<!doctype html>"+marker), upstream.CodeUnavailable, unclear, 2, 0, "the shop answered 200 with an HTML page"},
		"empty body":           {answer(200, " \r\n"), upstream.CodeUnavailable, unclear, 2, 0, "the shop answered 200 with an empty body"},
		"text":                 {answer(200, "It works! "+marker), upstream.CodeUnavailable, unclear, 2, 0, "the shop answered 200 with something that is not JSON"},
		"half of the JSON":     {answer(200, `{"a":"`+marker), upstream.CodeUnavailable, unclear, 2, 0, "not JSON"},
		"JSON after a warning": {answer(200, `Warning: `+marker+` {"a":1}`), upstream.CodeUnavailable, unclear, 2, 0, "not JSON"},
		"deep JSON":            {answer(200, strings.Repeat(`["\"[",`, 20_000)), upstream.CodeUnavailable, unclear, 2, 0, "nested too deep"},
		"half of the body":     {withHeader("Content-Length", "100", answer(200, `{"a":"`+marker+`"}`)), upstream.CodeUnavailable, unclear, 2, 0, "the connection broke before the answer was complete"},
		"long body":            {answer(200, `["`+strings.Repeat(marker, 40_000)+`"]`), upstream.CodeUnavailable, unclear, 2, 0, "the shop answered 200 with a body that is too long"},
		"gzip bomb":            {gzipBomb, upstream.CodeUnavailable, unclear, 2, 0, "a body that is too long"},
		"broken gzip":          {withHeader("Content-Encoding", "gzip", answer(200, marker)), upstream.CodeUnavailable, unclear, 2, 0, "the connection broke"},
		"no HTTP":              {raw("SSH-2.0-" + marker + "\r\n\r\n"), upstream.CodeUnavailable, unclear, 2, 0, "the connection broke"},
		"nothing":              {raw(""), upstream.CodeUnavailable, unclear, 2, 0, "the connection broke"},
		"endless header":       {raw("HTTP/1.1 200 OK\r\nX: " + strings.Repeat(marker, 100_000)), upstream.CodeUnavailable, unclear, 2, 0, "the connection broke"},
		"500":                  {answer(500, `{"error":"`+marker+`"}`), upstream.CodeUnavailable, unclear, 2, 0, "the shop answered 500"},
		"502":                  {answer(502, "<h1>"+marker), upstream.CodeUnavailable, unclear, 2, 0, "the shop answered 502"},
		"503":                  {answer(503, ""), upstream.CodeUnavailable, unclear, 2, 0, "the shop answered 503"},
		"503 with a pause":     {withHeader("Retry-After", "120", answer(503, "")), upstream.CodeBusy, unclear, 1, 2 * time.Minute, "the shop answered 503"},
		"504":                  {answer(504, ""), upstream.CodeUnavailable, unclear, 2, 0, "the shop answered 504"},
		"408":                  {answer(408, ""), upstream.CodeUnavailable, unclear, 2, 0, "the shop answered 408"},
		"unknown status":       {answer(799, ""), upstream.CodeUnavailable, unclear, 2, 0, "the shop answered 799"},
		"redirect":             {withHeader("Location", "https://shop.example/login?token="+marker, answer(302, "{}")), upstream.CodeUnavailable, clear, 1, 0, `the shop answered 302, a redirect to "https://shop.example"`},
		"redirect on the spot": {withHeader("Location", "/"+marker, answer(301, "{}")), upstream.CodeUnavailable, clear, 1, 0, `the shop answered 301, a redirect`},
		"redirect to nowhere":  {withHeader("Location", ":"+marker, answer(308, "{}")), upstream.CodeUnavailable, clear, 1, 0, `the shop answered 308, a redirect`},
		"not modified":         {answer(304, ""), upstream.CodeUnavailable, clear, 1, 0, "the shop answered 304"},
		"400":                  {answer(400, `{"m":"`+marker+`"}`), upstream.CodeInvalid, clear, 1, 0, "the shop answered 400"},
		"401":                  {answer(401, marker), upstream.CodeDenied, clear, 1, 0, "the shop answered 401"},
		"403":                  {answer(403, marker), upstream.CodeDenied, clear, 1, 0, "the shop answered 403"},
		"404":                  {answer(404, marker), upstream.CodeNotFound, clear, 1, 0, "the shop answered 404"},
		"410":                  {answer(410, marker), upstream.CodeNotFound, clear, 1, 0, "the shop answered 410"},
		"422":                  {answer(422, marker), upstream.CodeInvalid, clear, 1, 0, "the shop answered 422"},
		"429":                  {answer(429, marker), upstream.CodeBusy, clear, 1, 0, "the shop answered 429"},
		"429 for seconds":      {withHeader("Retry-After", "7", answer(429, "")), upstream.CodeBusy, clear, 1, 7 * time.Second, ""},
		"429 until a date":     {withHeader("Retry-After", now.Add(90*time.Second).Format(http.TimeFormat), answer(429, "")), upstream.CodeBusy, clear, 1, 90 * time.Second, ""},
		"429 until yesterday":  {withHeader("Retry-After", now.AddDate(0, 0, -1).Format(http.TimeFormat), answer(429, "")), upstream.CodeBusy, clear, 1, 0, ""},
		"429 for ever":         {withHeader("Retry-After", "99999999999999999", answer(429, "")), upstream.CodeBusy, clear, 1, time.Hour, ""},
		"429 until next year":  {withHeader("Retry-After", now.AddDate(1, 0, 0).Format(http.TimeFormat), answer(429, "")), upstream.CodeBusy, clear, 1, time.Hour, ""},
		"429 for nonsense":     {withHeader("Retry-After", "soon "+marker, answer(429, "")), upstream.CodeBusy, clear, 1, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var count atomic.Int32
			client := newClient(t, func(w http.ResponseWriter, r *http.Request) {
				count.Add(1)
				test.shop(w, r)
			}, shopclient.Config{
				MaxBody: 200_000,
				Now:     func() time.Time { return now },
				Jitter:  func(int64) int64 { return 0 },
			})
			for _, kind := range kinds {
				t.Run(kind.name, func(t *testing.T) {
					count.Store(0)
					_, err := client.Do(t.Context(), upstream.Visit{}, kind.request)
					code, attempts, lost := test.code, int32(1), false
					switch {
					case !kind.request.Order && kind.request.Safe:
						attempts = test.attempts
					default:
						lost = test.unclear
					}
					if kind.request.Order && test.unclear {
						code = upstream.CodeUnknownOutcome
					}
					e := checkError(t, err, code)
					if !strings.Contains(e.Text, test.text) {
						t.Errorf("text %q, want %q", e.Text, test.text)
					}
					if e.RetryAfter != test.after {
						t.Errorf("retry after %s, want %s", e.RetryAfter, test.after)
					}
					if e.Op != kind.request.Op {
						t.Errorf("op %q", e.Op)
					}
					if got := errors.Is(err, shopclient.ErrLost); got != lost {
						t.Errorf("ErrLost: %v, want %v", got, lost)
					}
					if got := count.Load(); got != attempts {
						t.Errorf("sent %d times, want %d", got, attempts)
					}
				})
			}
		})
	}
}

// gzipBomb answers with a megabyte of spaces in a kilobyte.
func gzipBomb(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	packed := gzip.NewWriter(w)
	packed.Write([]byte(strings.Repeat(" ", 1<<20)))
	packed.Close()
}

// TestNoConnection: certainly nothing was sent, so not even an order is unknown.
func TestNoConnection(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	var attempts int
	client, err := shopclient.New(shopclient.Config{
		BaseURL: &url.URL{Scheme: "http", Host: address},
		Observe: func(shopclient.Call) { attempts++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			attempts = 0
			_, err := client.Do(t.Context(), upstream.Visit{}, kind.request)
			e := checkError(t, err, upstream.CodeUnavailable)
			if errors.Is(err, shopclient.ErrLost) {
				t.Error("the error says that the shop may have received the request")
			}
			if !strings.Contains(e.Error(), address) {
				t.Errorf("%v does not say where the connection failed", e)
			}
			want := 1
			if kind.request.Safe {
				want = 2
			}
			if attempts != want {
				t.Errorf("%d attempts, want %d", attempts, want)
			}
		})
	}
}

// TestRefusals: a caller that reads refusals itself gets them when they are JSON.
func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		shop http.HandlerFunc
		code upstream.Code // empty for an answer
	}{
		"400":           {answer(400, `{"type":"unknown"}`), ""},
		"401":           {answer(401, `{"type":"unknown"}`), ""},
		"404":           {answer(404, `{"type":"unknown"}`), ""},
		"500":           {answer(500, `{"type":"unknown"}`), ""},
		"400 with HTML": {answer(400, "<p>"+marker), upstream.CodeInvalid},
		"401 with HTML": {answer(401, "<p>"+marker), upstream.CodeDenied},
		"500 with HTML": {answer(500, "<p>"+marker), upstream.CodeUnavailable},
		"429":           {answer(429, `{"type":"unknown"}`), upstream.CodeBusy},
		"502":           {answer(502, `{"type":"unknown"}`), upstream.CodeUnavailable},
		"302":           {answer(302, `{"type":"unknown"}`), upstream.CodeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			client := newClient(t, test.shop, shopclient.Config{})
			response, err := client.Do(t.Context(), upstream.Visit{}, shopclient.Request{Op: "adding", Refusals: true})
			if test.code != "" {
				checkError(t, err, test.code)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want, _ := strconv.Atoi(name); response.Status != want || response.JSON().Get("type").String() != "unknown" {
				t.Errorf("got %d %s", response.Status, response.Body)
			}
		})
	}
}

// TestConnectionIsKept: a refusal, even one with a page, costs no new connection.
func TestConnectionIsKept(t *testing.T) {
	addresses := map[string]bool{}
	client := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		addresses[r.RemoteAddr] = true
		w.WriteHeader(404)
		io.WriteString(w, strings.Repeat("<p>"+marker, 2000))
	}, shopclient.Config{})
	for range 3 {
		_, err := client.Do(t.Context(), upstream.Visit{}, shopclient.Request{Op: "reading"})
		checkError(t, err, upstream.CodeNotFound)
	}
	if len(addresses) != 1 {
		t.Errorf("three requests took %d connections", len(addresses))
	}
}
