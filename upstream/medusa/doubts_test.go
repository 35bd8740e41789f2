package medusa_test

import (
	"errors"
	"io"
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/medusa"
)

// reciter answers each path, by its last element, with a text.
type reciter struct {
	status int
	texts  map[string]string
}

// RoundTrip implements http.RoundTripper.
func (r reciter) RoundTrip(request *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: r.status, Header: http.Header{}, Request: request,
		Body: io.NopCloser(strings.NewReader(r.texts[path.Base(request.URL.Path)])),
	}, nil
}

// TestDoubts: a payment provider that no region has is named, with those there are.
func TestDoubts(t *testing.T) {
	road := reciter{200, map[string]string{
		"regions":            `{"regions":[{"id":"uk","currency_code":"gbp","payment_providers":[{"id":"pp_a","is_enabled":true},{"id":"pp_off","is_enabled":false}]},{"id":"eu","currency_code":"eur","payment_providers":[{"id":"pp_a","is_enabled":true},{"id":"pp_b","is_enabled":true}]}]}`,
		"product-categories": `{"product_categories":[]}`,
		"products":           `{"products":[]}`,
	}}
	for payment, want := range map[string]string{
		"pp_b":   "",
		"pp_off": "payment names pp_off, which the shop does not have: it has pp_a, pp_b",
	} {
		shop := newShop(t, nowhere, anyKey, road, func(c *medusa.Config) { c.Payments = []string{"pp_a", payment} })
		d, err := shop.Describe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.Doubts, "; "); got != want {
			t.Errorf("%s: %q, want %q", payment, got, want)
		}
	}
}

// TestForeign: what answers and is no Medusa is told as that, to whoever asks.
func TestForeign(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		text   string
		want   bool
	}{
		"another system":        {404, `{"statusCode":404,"message":"Cannot GET /store/regions"}`, true},
		"another system's page": {404, "<p>no", true},
		"a page":                {200, "<p>hello", true},
		"another API":           {200, `{"shops":[]}`, true},
		"a Medusa that is down": {503, "<p>soon", false},
	} {
		shop := newShop(t, nowhere, anyKey, reciter{test.status, map[string]string{"regions": test.text, "product-categories": test.text}})
		_, described := shop.Describe(t.Context())
		_, searched := shop.Search(t.Context(), agent, upstream.Query{Words: "jacket"})
		for _, err := range []error{described, searched} {
			if errors.Is(err, upstream.ErrForeign) != test.want || upstream.CodeOf(err) != upstream.CodeUnavailable {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
