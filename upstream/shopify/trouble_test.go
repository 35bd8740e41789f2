package shopify_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/shopify"
	"github.com/storeware/caddy-storeware/upstream/shopify/fakeshop"
)

// says answers an operation with a status and a body, and leaves the others to
// the shop.
func says(operation string, status int, kind, body string) fakeshop.Intercept {
	return func(asked string, w http.ResponseWriter, _ *http.Request) bool {
		if asked != operation {
			return false
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
		return true
	}
}

// throws answers an operation with a top-level error beside data.
func throws(operation, code string) fakeshop.Intercept {
	return says(operation, 200, "application/json", `{"data":null,"errors":[{"message":"`+spoken+`"},{"message":"`+spoken+`","extensions":{"code":"`+code+`"}}]}`)
}

// doings are all that an adapter can be asked to do, by the operation in which it
// goes wrong.
func doings(t *testing.T, h house) map[string]func(context.Context) error {
	shop := h.adapter(t, withOrders)
	d := wants(t, shop, "NCK")
	d.Address = &ada
	applied := apply(t, shop, upstream.Handle{}, d)
	gone := apply(t, shop, upstream.Handle{}, d)
	order, err := h.Buy(cartOf(t, gone.Handle))
	if err != nil {
		t.Fatal(err)
	}
	observed, err := shop.Read(t.Context(), agent, gone.Handle)
	if err != nil || observed.Ordered == nil {
		t.Fatal(order, err)
	}
	changed := d
	changed.Codes = []string{"WELCOME10"}
	search := func(q upstream.Query) func(context.Context) error {
		return func(ctx context.Context) error { _, err := shop.Search(ctx, agent, q); return err }
	}
	return map[string]func(context.Context) error{
		"Shop":         func(ctx context.Context) error { _, err := shop.Describe(ctx); return err },
		"Search":       search(upstream.Query{Words: "merino"}),
		"Products":     search(upstream.Query{}),
		"Categories":   search(upstream.Query{Categories: []string{"Boats"}}),
		"MoreVariants": search(upstream.Query{Words: "sky"}),
		"Resolve":      func(ctx context.Context) error { _, err := shop.Lookup(ctx, agent, []string{"NCK"}); return err },
		"ByID": func(ctx context.Context) error {
			_, err := shop.Lookup(ctx, agent, []string{"gid://shopify/Product/100"})
			return err
		},
		"Basket":       func(ctx context.Context) error { _, err := shop.Apply(ctx, agent, applied.Handle, d); return err },
		"Change":       func(ctx context.Context) error { _, err := shop.Apply(ctx, agent, applied.Handle, changed); return err },
		"Read":         func(ctx context.Context) error { _, err := shop.Read(ctx, agent, applied.Handle); return err },
		"AdminOrdered": func(ctx context.Context) error { _, err := shop.Read(ctx, agent, gone.Handle); return err },
		"AdminOrder":   func(ctx context.Context) error { _, err := shop.Order(ctx, agent, observed.Ordered.Ref); return err },
		"AdminAfterwards": func(ctx context.Context) error {
			_, err := shop.Order(ctx, agent, observed.Ordered.Ref)
			return err
		},
	}
}

// TestBrokenAnswers: whatever a shop answers instead of an answer becomes a code,
// and is not quoted.
func TestBrokenAnswers(t *testing.T) {
	html := "<!doctype html><title>" + spoken + "</title>"
	answers := map[string]struct {
		status     int
		kind, body string
		want       upstream.Code
	}{
		"an error page":       {500, "text/html", html, upstream.CodeUnavailable},
		"a page that says OK": {200, "text/html", html, upstream.CodeUnavailable},
		"a gateway's error":   {502, "text/plain", spoken, upstream.CodeUnavailable},
		"half an answer":      {200, "application/json", `{"data":{"cart":{"id":"` + spoken, upstream.CodeUnavailable},
		"nothing":             {200, "application/json", "", upstream.CodeUnavailable},
		"JSON without data":   {200, "application/json", `{"message":"` + spoken + `"}`, upstream.CodeUnavailable},
		"null":                {200, "application/json", `{"data":null}`, upstream.CodeUnavailable},
		"20 MB":               {200, "application/json", `{"data":"` + strings.Repeat("x", 20<<20) + `"}`, upstream.CodeUnavailable},
		"a redirect":          {302, "text/html", html, upstream.CodeUnavailable},
		"too many":            {429, "text/html", html, upstream.CodeBusy},
		"taken for a robot":   {430, "text/html", html, upstream.CodeBusy},
		"the same, in JSON":   {430, "application/json", `{"errors":"` + spoken + `"}`, upstream.CodeBusy},
		"a frozen shop":       {402, "application/json", `{"errors":"` + spoken + `"}`, upstream.CodeUnavailable},
		"a locked shop":       {423, "text/html", html, upstream.CodeInvalid},
		"a wrong token":       {401, "application/json", `{"errors":"` + spoken + `"}`, upstream.CodeDenied},
	}
	h := orders(t, fakeshop.Options{})
	for operation, do := range doings(t, h) {
		for name, broken := range answers {
			// After an answer that is none, a pause follows and another attempt.
			if again := broken.status == 200 || broken.status/100 == 5; again && operation != "Basket" && name != "half an answer" {
				continue
			}
			t.Run(operation+"/"+name, func(t *testing.T) {
				h.Intercept(says(operation, broken.status, broken.kind, broken.body))
				defer h.Intercept(nil)
				err := do(t.Context())
				if operation == "AdminOrdered" && broken.want == upstream.CodeDenied {
					broken.want = upstream.CodeBasketGone // Who may not ask does not know.
				}
				fails(t, err, broken.want)
			})
		}
	}
}

// TestThrows: Shopify's own codes are understood, wherever they stand in the list.
func TestThrows(t *testing.T) {
	h := orders(t, fakeshop.Options{})
	todo := doings(t, h)
	for code, want := range map[string]upstream.Code{
		"THROTTLED": upstream.CodeBusy, "ACCESS_DENIED": upstream.CodeDenied, "INVALID_VARIABLE": upstream.CodeInvalid,
		"INTERNAL_SERVER_ERROR": upstream.CodeUnavailable, "SHOP_INACTIVE": upstream.CodeUnavailable, "": upstream.CodeUnavailable,
	} {
		for _, operation := range []string{"Products", "Change", "Read", "AdminOrder"} {
			h.Intercept(throws(operation, code))
			fails(t, todo[operation](t.Context()), want)
		}
	}
	h.Intercept(nil)
}

// TestRetryAfter: a shop that asks to be left alone for a while is.
func TestRetryAfter(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	h.Intercept(func(_ string, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(430)
		return true
	})
	_, err := shop.Describe(t.Context())
	var e *upstream.Error
	if !errors.As(err, &e) || e.Code != upstream.CodeBusy || e.RetryAfter != 7*time.Second {
		t.Errorf("got %v", err)
	}
}

// TestContext: a context that ends while the shop thinks is told as such.
func TestContext(t *testing.T) {
	h := orders(t, fakeshop.Options{})
	for operation, do := range doings(t, h) {
		ctx, cancel := context.WithCancel(t.Context())
		h.Intercept(func(asked string, w http.ResponseWriter, _ *http.Request) bool {
			if asked == operation {
				cancel()
				w.WriteHeader(http.StatusBadGateway)
			}
			return asked == operation
		})
		if err := do(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", operation, err)
		}
		cancel()
	}
}

// TestTokens: a wrong token is denied, and no error shows one.
func TestTokens(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	for name, change := range map[string]func(*shopify.Config){
		"private": func(c *shopify.Config) { c.PrivateToken = secret.New("wrong-" + spoken) },
		"public": func(c *shopify.Config) {
			c.PrivateToken, c.PublicToken = secret.String{}, secret.New("wrong-"+spoken)
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := h.adapter(t, change).Describe(t.Context())
			fails(t, err, upstream.CodeDenied)
		})
	}
	public := h.adapter(t, func(c *shopify.Config) {
		c.PrivateToken, c.PublicToken = secret.String{}, secret.New(fakeshop.PublicToken)
	})
	if _, err := public.Describe(t.Context()); err != nil {
		t.Errorf("a public token: %v", err)
	}
}

// TestTokenThatLosesARight: the shop is as good with what is left of it.
func TestTokenThatLosesARight(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	if _, err := shop.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.Use(func(o *fakeshop.Options) { o.HideStock = true })
	_, err := shop.Search(t.Context(), agent, upstream.Query{})
	fails(t, err, upstream.CodeDenied)
	results, err := shop.Search(t.Context(), agent, upstream.Query{Words: "ridge"})
	if err != nil || len(results.Products) != 1 || results.Products[0].Variants[0].Stock != nil || results.Products[0].Tags == nil {
		t.Errorf("got %+v, %v", results, err)
	}
}

// TestCartThatVanishes: a cart that goes between two requests is renewed; one that
// goes again and again is not.
func TestCartThatVanishes(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	d := wants(t, shop, "NCK")
	applied := apply(t, shop, upstream.Handle{}, d)
	d.Lines[0].Quantity = 2
	id := cartOf(t, applied.Handle)
	h.Intercept(func(asked string, _ http.ResponseWriter, _ *http.Request) bool {
		if asked == "Change" {
			h.Drop(id)
		}
		return false
	})
	renewed := apply(t, shop, applied.Handle, d)
	if len(renewed.Notices) != 1 || renewed.Notices[0].Code != upstream.NoticeBasketRenewed || renewed.Observed.Lines[0].Quantity != 2 {
		t.Errorf("notices %+v, lines %+v", renewed.Notices, renewed.Observed.Lines)
	}
}

// TestRestlessCart: a shop that never does what it is asked does not keep anybody
// busy for ever.
func TestRestlessCart(t *testing.T) {
	empty := `{"data":{"m0":{"cart":null,"userErrors":[],"warnings":[]}}}`
	refused := func(code string) string {
		return `{"data":{"m0":{"cart":null,"userErrors":[{"code":"` + code + `","field":["input"]}],"warnings":[]}}}`
	}
	for name, test := range map[string]struct {
		answer string
		want   upstream.Code
	}{
		"no cart":         {empty, upstream.CodeUnavailable},
		"no reason":       {refused("INVALID"), upstream.CodeUnavailable},
		"not now":         {refused("SERVICE_UNAVAILABLE"), upstream.CodeUnavailable},
		"too much":        {refused("CART_TOO_LARGE"), upstream.CodeInvalid},
		"a strange field": {`{"data":{"m0":{"userErrors":[{"code":null,"field":["input","what","ever"]}]}}}`, upstream.CodeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, fakeshop.Options{})
			shop := h.adapter(t)
			d := wants(t, shop, "NCK")
			h.Intercept(says("Change", 200, "application/json", test.answer))
			_, err := shop.Apply(t.Context(), agent, upstream.Handle{}, d)
			fails(t, err, test.want)
		})
	}
}

// TestVersion: who configured a version hears once that Shopify uses another.
func TestVersion(t *testing.T) {
	h := newHouse(t, fakeshop.Options{Version: "2026-10"})
	var log bytes.Buffer
	shop := h.adapter(t, func(c *shopify.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	for range 2 {
		if _, err := shop.Describe(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(log.String(), "configured=2026-07 answered=2026-10"); n != 1 {
		t.Errorf("told %d times: %s", n, log.String())
	}
}

func TestConfig(t *testing.T) {
	base := func(address string) shopclient.Config {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return shopclient.Config{BaseURL: u}
	}
	token := secret.New("token")
	fine := base("https://fell-and-ford.myshopify.com")
	for name, test := range map[string]struct {
		config shopify.Config
		want   string
	}{
		"the least":           {shopify.Config{Client: fine, PublicToken: token}, ""},
		"a slash":             {shopify.Config{Client: base("https://fell-and-ford.myshopify.com/"), PrivateToken: token}, ""},
		"unstable":            {shopify.Config{Client: fine, PrivateToken: token, Version: "unstable"}, ""},
		"a later version":     {shopify.Config{Client: fine, PrivateToken: token, Version: "2027-01"}, ""},
		"no URL":              {shopify.Config{PublicToken: token}, "URL is missing"},
		"a path":              {shopify.Config{Client: base("https://x.myshopify.com/api/2026-07"), PublicToken: token}, "end with its host"},
		"credentials":         {shopify.Config{Client: base("https://a:b@x.myshopify.com"), PublicToken: token}, "credentials"},
		"no token":            {shopify.Config{Client: fine}, "token of the Storefront API is missing"},
		"two tokens":          {shopify.Config{Client: fine, PublicToken: token, PrivateToken: token}, "private one is enough"},
		"no version":          {shopify.Config{Client: fine, PublicToken: token, Version: "latest"}, "is none"},
		"no quarter":          {shopify.Config{Client: fine, PublicToken: token, Version: "2026-08"}, "is none"},
		"an old version":      {shopify.Config{Client: fine, PublicToken: token, Version: "2026-04"}, "too old"},
		"a page":              {shopify.Config{Client: fine, PublicToken: token, ProductURL: "https://x.example/p/{handle}"}, ""},
		"a page of all":       {shopify.Config{Client: fine, PublicToken: token, ProductURL: "https://x.example/p"}, "must hold {handle}"},
		"a page without host": {shopify.Config{Client: fine, PublicToken: token, ProductURL: "/p/{handle}"}, "must begin with http"},
		"a page with id":      {shopify.Config{Client: fine, PublicToken: token, ProductURL: "https://x.example/{id}/{handle}"}, "is none of {handle}"},
		"metafields":          {shopify.Config{Client: fine, PublicToken: token, Metafields: []string{"a.b", "a--b.c.d", "a.b"}}, ""},
		"no metafield":        {shopify.Config{Client: fine, PublicToken: token, Metafields: []string{"waterproof"}}, "is not a namespace"},
		"many metafields":     {shopify.Config{Client: fine, PublicToken: token, Metafields: make([]string, 251)}, "more than the 250"},
	} {
		shop, err := shopify.New(test.config)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
		if shop != nil {
			shop.Close()
		}
	}
}
