package shopclient_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// newClient returns a client of a shop that answers with handler.
func newClient(t testing.TB, handler http.HandlerFunc, config shopclient.Config) *shopclient.Client {
	t.Helper()
	shop := httptest.NewServer(handler)
	t.Cleanup(shop.Close)
	base, err := url.Parse(shop.URL + "/api")
	if err != nil {
		t.Fatal(err)
	}
	config.BaseURL = base
	client, err := shopclient.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func TestWhatIsSent(t *testing.T) {
	var got *http.Request
	var body []byte
	client := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Clone(context.Background())
		body, _ = io.ReadAll(r.Body)
		w.Header().Set("X-Token", "next")
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, "\ufeff{\"ok\":true}")
	}, shopclient.Config{
		Header:  http.Header{"X-Channel": {"outdoor"}, "X-Over": {"client"}},
		Secrets: map[string]secret.String{"X-Api-Key": secret.New("key"), "X-Unset": {}},
	})

	response, err := client.Do(t.Context(), upstream.Visit{
		Market:    upstream.Market{Language: "en-GB"},
		Addr:      netip.MustParseAddr("::ffff:192.0.2.7"),
		RequestID: "r-1",
	}, shopclient.Request{
		Op:      "adding a line",
		Path:    []string{"carts", "a/b?c", "items"},
		Query:   url.Values{"fields": {"+total"}},
		Header:  http.Header{"x-over": {"request"}},
		Secrets: map[string]secret.String{"Authorization": secret.New("Bearer t")},
		Body:    []byte(`{"n":1}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if response.Status != http.StatusCreated || response.Body != `{"ok":true}` || response.Header.Get("X-Token") != "next" {
		t.Errorf("got %d %q %v", response.Status, response.Body, response.Header)
	}
	if !response.JSON().Get("ok").Bool() {
		t.Error("JSON does not read the body")
	}
	want := http.Header{
		"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "Accept-Language": {"en-GB"},
		"Authorization": {"Bearer t"}, "Content-Length": {"7"}, "Content-Type": {"application/json"},
		"User-Agent": {"storeware"}, "X-Api-Key": {"key"}, "X-Channel": {"outdoor"},
		"X-Forwarded-For": {"192.0.2.7"}, "X-Over": {"request"}, "X-Request-Id": {"r-1"},
	}
	if diff := cmp.Diff(want, got.Header); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if got.Method != http.MethodPost || got.RequestURI != "/api/carts/a%2Fb%3Fc/items?fields=%2Btotal" || string(body) != `{"n":1}` {
		t.Errorf("sent %s %s %s", got.Method, got.RequestURI, body)
	}
}

func TestWhatIsNotSent(t *testing.T) {
	var got http.Header
	client := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		w.Header().Set("Set-Cookie", "session=1")
		io.WriteString(w, "{}")
	}, shopclient.Config{})
	want := http.Header{
		"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "User-Agent": {"storeware"},
	}
	for name, visit := range map[string]upstream.Visit{
		"first":         {},
		"no cookie":     {},
		"bad language":  {Market: upstream.Market{Language: "en\r\nX-Evil: 1"}},
		"long language": {Market: upstream.Market{Language: strings.Repeat("en-", 20)}},
		"bad id":        {RequestID: "größe"},
		"long id":       {RequestID: strings.Repeat("1", 129)},
	} {
		if _, err := client.Do(t.Context(), visit, shopclient.Request{Op: "reading"}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: headers (-want +got):\n%s", name, diff)
		}
	}
}

// A request target begins with a slash, whatever the base URL ends with.
func TestBaseURLs(t *testing.T) {
	var target string
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target = r.RequestURI
		io.WriteString(w, "{}")
	}))
	defer shop.Close()
	for end, want := range map[string][2]string{
		"":      {"/", "/carts/a%2Fb"},
		"/":     {"/", "/carts/a%2Fb"},
		"/api":  {"/api", "/api/carts/a%2Fb"},
		"/api/": {"/api/", "/api/carts/a%2Fb"},
	} {
		base, err := url.Parse(shop.URL + end)
		if err != nil {
			t.Fatal(err)
		}
		// A transport sees the URL before net/http mends its request line.
		connections := &http.Transport{}
		defer connections.CloseIdleConnections()
		var seen string
		client, err := shopclient.New(shopclient.Config{BaseURL: base, Transport: transport(func(r *http.Request) (*http.Response, error) {
			seen = r.URL.EscapedPath()
			return connections.RoundTrip(r)
		})})
		if err != nil {
			t.Fatal(err)
		}
		for i, path := range [][]string{nil, {"carts", "a/b"}} {
			if _, err := client.Do(t.Context(), upstream.Visit{}, shopclient.Request{Op: "reading", Path: path}); err != nil {
				t.Fatal(err)
			}
			if target != want[i] || seen != want[i] {
				t.Errorf("base %q, path %q: asked for %q, which was sent as %q, want %q", end, path, seen, target, want[i])
			}
		}
		if base.String() != shop.URL+end {
			t.Errorf("the caller's URL was changed to %s", base)
		}
	}
}

func TestIDsStayInTheirPlace(t *testing.T) {
	client := newClient(t, func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was called", r.RequestURI)
	}, shopclient.Config{})
	for _, id := range []string{"", ".", ".."} {
		_, err := client.Do(t.Context(), upstream.Visit{}, shopclient.Request{Op: "reading", Path: []string{"carts", id}})
		checkError(t, err, upstream.CodeInvalid)
	}
}

func TestNewRefuses(t *testing.T) {
	for address, want := range map[string]string{
		"":                            "must begin with http",
		"shop.example":                "must begin with http",
		"ftp://shop.example":          "must begin with http",
		"http:///api":                 "has no host",
		"https://key:s3cret@shop/api": "credentials",
		"https://shop/api?key=s3cret": "end with its path",
		"https://shop/api#top":        "end with its path",
	} {
		base, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := shopclient.New(shopclient.Config{BaseURL: base}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
	if _, err := shopclient.New(shopclient.Config{}); err == nil {
		t.Error("no URL: no error")
	}
	base := &url.URL{Scheme: "http", Host: "shop"}
	for _, config := range []shopclient.Config{{BaseURL: base, Timeout: -1}, {BaseURL: base, MaxConcurrent: -1}, {BaseURL: base, MaxBody: -1}} {
		if _, err := shopclient.New(config); err == nil {
			t.Error("a negative limit: no error")
		}
	}
}

func TestAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		shop    http.HandlerFunc
		request shopclient.Request
		want    string
	}{
		"JSON":              {answer(200, ` {"a":1} `), shopclient.Request{}, ` {"a":1} `},
		"no content":        {answer(204, ""), shopclient.Request{Method: http.MethodDelete}, ""},
		"bad UTF-8":         {answer(200, "{\"a\":\"caf\xe9\"}"), shopclient.Request{}, `{"a":"caf�"}`},
		"many lists":        {answer(200, "["+strings.Repeat(`[],{},"[[\"[",`, 20_000)+"0]"), shopclient.Request{}, "[" + strings.Repeat(`[],{},"[[\"[",`, 20_000) + "0]"},
		"a page, if wanted": {answer(200, "<p>hello"), shopclient.Request{Accept: "text/html"}, "<p>hello"},
		"as long as may be": {answer(200, `"`+strings.Repeat("x", 1<<20-2)+`"`), shopclient.Request{}, `"` + strings.Repeat("x", 1<<20-2) + `"`},
	} {
		t.Run(name, func(t *testing.T) {
			client := newClient(t, test.shop, shopclient.Config{MaxBody: 1 << 20})
			test.request.Op = "reading"
			got, err := client.Do(t.Context(), upstream.Visit{}, test.request)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got.Body); diff != "" {
				t.Errorf("body (-want +got):\n%.500s", diff)
			}
		})
	}
}

// TestBodiesAreOwn: an answer does not change when its buffer is used again.
func TestBodiesAreOwn(t *testing.T) {
	client := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"n":%q}`, r.URL.Query().Get("n"))
	}, shopclient.Config{MaxConcurrent: 4})
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			n := strings.Repeat(strconv.Itoa(i), i+1)
			response, err := client.Do(t.Context(), upstream.Visit{}, shopclient.Request{Op: "reading", Query: url.Values{"n": {n}}, Safe: true})
			if err != nil {
				t.Error(err)
				return
			}
			for range 3 {
				if got := response.JSON().Get("n").String(); got != n {
					t.Errorf("got %s, want %s", got, n)
				}
				runtime.Gosched()
			}
		})
	}
	group.Wait()
}

func TestUntrustedCertificate(t *testing.T) {
	shop := httptest.NewUnstartedServer(answer(200, "{}"))
	shop.Config.ErrorLog = log.New(io.Discard, "", 0)
	shop.StartTLS()
	defer shop.Close()
	base, err := url.Parse(shop.URL)
	if err != nil {
		t.Fatal(err)
	}
	client, err := shopclient.New(shopclient.Config{BaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.Do(t.Context(), upstream.Visit{}, shopclient.Request{Op: "ordering", Order: true})
	checkError(t, err, upstream.CodeUnavailable)
	if !strings.Contains(err.Error(), "certificate signed by unknown authority") {
		t.Errorf("%v does not say what is wrong", err)
	}
}
