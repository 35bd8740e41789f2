package woocommerce_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/woocommerce"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// A shop whose limit is reached says so with status 400 and a header of its own.
func TestTrapRateLimitIsA400(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake, withPayments)
	applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
	header := http.Header{"Ratelimit-Retry-After": {"10"}, "Content-Type": {"application/json"}}
	for suffix, call := range map[string]func() error{
		"GET /wc/store/v1/products": func() error {
			_, err := shop.Search(t.Context(), upstream.Visit{}, upstream.Query{Words: "mug"})
			return err
		},
		"GET /wc/store/v1/cart": func() error {
			_, err := shop.Read(t.Context(), upstream.Visit{}, applied.Handle)
			return err
		},
		"POST /wc/store/v1/checkout": func() error {
			_, err := attempt(shop, t, applied, "cod", "")
			return err
		},
	} {
		fake.AnswerRecorded(suffix, "635-ratelimit-5", header)
		err := call()
		code(t, err, upstream.CodeBusy)
		if e := (*upstream.Error)(nil); !errors.As(err, &e) || e.RetryAfter != 10*time.Second {
			t.Errorf("%s: to be asked again after %v", suffix, e.RetryAfter)
		}
	}
	if fake.Orders() != 0 {
		t.Error("something was ordered")
	}
}

// A notice of PHP before the JSON, a page of a plug-in, a page of a proxy: all
// with status 200.
func TestTrapHTMLWithStatus200(t *testing.T) {
	for name, body := range map[string]string{
		"page":              "<!DOCTYPE html><html><body>Down for maintenance</body></html>",
		"warning":           "<br />\n<b>Warning</b>: Undefined array key in /srv/plugin.php on line 3<br />\n[]",
		"nothing":           "",
		"half":              `{"items":[`,
		"no token":          `{"items":[],"totals":{"total_price":"0","currency_code":"GBP","currency_minor_unit":2}}`,
		"a number":          "0",
		"something else":    `{"success":false}`,
		"a list":            "[]",
		"an odd character":  "\xef\xbb\xbf{}",
		"an amount in text": `{"items":[],"totals":{"total_price":"nine","currency_code":"GBP","currency_minor_unit":2}}`,
	} {
		t.Run(name, func(t *testing.T) {
			fake := wootest.New(t, wootest.Config{})
			shop := newShop(t, fake, withPayments)
			applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
			for range 3 { // What is safe to ask is asked again.
				fake.Answer("GET /wc/store/v1/cart", http.StatusOK, http.Header{"Content-Type": {"text/html"}}, body)
			}
			_, err := shop.Read(t.Context(), upstream.Visit{}, applied.Handle)
			code(t, err, upstream.CodeUnavailable)
		})
	}
}

// What is no shop at all is said to be none.
func TestNoShopThere(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		other  bool // something else than a WooCommerce shop
	}{
		"WordPress without WooCommerce": {200, `{"name":"Blog","home":"http://127.0.0.1:8093","namespaces":["wp/v2"]}`, true},
		"a page":                        {200, "<html>", true},
		"another system":                {404, `{"statusCode":404,"message":"Cannot GET /wp-json"}`, true},
		"another system's page":         {404, "<html>", true},
		"a shop of nowhere":             {200, `{"name":"Shop","home":"","namespaces":["wc/store/v1"]}`, false},
		"a shop that is down":           {503, "<html>", false},
	} {
		t.Run(name, func(t *testing.T) {
			fake := wootest.New(t, wootest.Config{})
			shop := newShop(t, fake)
			for range 2 { // In both kinds of permalinks.
				fake.Answer("GET /", test.status, nil, test.body)
				fake.Answer("GET /wp-json", test.status, nil, test.body)
			}
			_, err := shop.Describe(t.Context())
			code(t, err, upstream.CodeUnavailable)
			if got := errors.Is(err, upstream.ErrForeign); got != test.other {
				t.Errorf("it is told as another system: %t (%v), want %t", got, err, test.other)
			}
		})
	}
}

// TestDoubts: a way to pay that the shop does not have is named, with those it has.
func TestDoubts(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}), func(c *woocommerce.Config) {
		c.Payments = []woocommerce.Payment{{ID: "cod"}, {ID: "dummy"}}
	})
	d, err := shop.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Doubts) != 1 || !strings.HasPrefix(d.Doubts[0], "payment names dummy, ") || !strings.Contains(d.Doubts[0], "cod") {
		t.Errorf("doubts: %q", d.Doubts)
	}
	fine := newShop(t, wootest.New(t, wootest.Config{}), withPayments)
	if d, err := fine.Describe(t.Context()); err != nil || len(d.Doubts) != 0 {
		t.Errorf("doubts of what is right: %q, %v", d.Doubts, err)
	}
}

// What cannot be right is said before anything is asked.
func TestConfigThatIsNone(t *testing.T) {
	base := func(text string) *url.URL {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	for name, config := range map[string]woocommerce.Config{
		"nothing":              {},
		"half a key":           {Client: shopclient.Config{BaseURL: base("https://shop.example")}, ConsumerKey: secret.New("ck_1")},
		"the other half":       {Client: shopclient.Config{BaseURL: base("https://shop.example")}, ConsumerSecret: secret.New("cs_1")},
		"a way without an id":  {Client: shopclient.Config{BaseURL: base("https://shop.example")}, Payments: []woocommerce.Payment{{Title: "Card"}}},
		"a page of no scheme":  {Client: shopclient.Config{BaseURL: base("https://shop.example")}, PublicURL: base("//shop.example")},
		"a page with a query":  {Client: shopclient.Config{BaseURL: base("https://shop.example")}, PublicURL: base("https://shop.example/?a=b")},
		"a page with somebody": {Client: shopclient.Config{BaseURL: base("https://shop.example")}, PublicURL: base("https://me:you@shop.example/")},
		"a shop of no scheme":  {Client: shopclient.Config{BaseURL: base("shop.example")}},
	} {
		if shop, err := woocommerce.New(config); err == nil {
			shop.Close()
			t.Errorf("%s: it was taken", name)
		}
	}
}

// A handle of another shop, or of nobody, is refused, and not told.
func TestHandleThatIsNone(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	for _, text := range []string{"x", "{}", `{"token":"a.b.c"}`, "[]", `{"token":5}`} {
		h := secret.New(text)
		_, err := shop.Read(t.Context(), upstream.Visit{}, h)
		code(t, err, upstream.CodeInvalid)
		_, err = shop.Apply(t.Context(), upstream.Visit{}, h, wanted("25", 1))
		code(t, err, upstream.CodeInvalid)
		_, err = shop.Place(t.Context(), upstream.Visit{}, h, upstream.Placement{})
		code(t, err, upstream.CodeInvalid)
		_, err = shop.Recover(t.Context(), upstream.Visit{}, h, upstream.Placement{})
		code(t, err, upstream.CodeInvalid)
	}
}
