package shopclient_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// newClient returns a client of a shop that answers with handler.
func newClient(t *testing.T, handler http.HandlerFunc, config shopclient.Config) *shopclient.Client {
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
