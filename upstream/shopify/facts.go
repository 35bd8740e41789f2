package shopify

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

const describing = "asking the shop what it is"

// facts are what is known of a shop.
type facts struct {
	name     string
	currency money.Currency
	// countries are those with prices, in the shop's order; shipsTo are those
	// that goods go to, none where the shop sends nothing.
	countries []country
	shipsTo   []string
	language  string
	languages []string // as Shopify's LanguageCode
	links     []upstream.Link
	// What the tokens may read.
	stock, tags, orders bool
}

// known returns the facts, which are read once.
func (s *Shop) known(ctx context.Context, v upstream.Visit) (*facts, error) {
	if f := s.facts.Load(); f != nil {
		return f, nil
	}
	return s.learn(ctx, v)
}

// learn reads the facts anew. It takes two requests, or four with a token that
// may not read everything, and one more of the Admin API.
func (s *Shop) learn(ctx context.Context, v upstream.Visit) (*facts, error) {
	data, err := s.run(ctx, v, call{op: describing, name: "Shop", document: shopDocument, safe: true})
	if err != nil {
		return nil, err
	}
	s.mind(data.Header.Get(versionHeader))
	f, err := readFacts(data.Result)
	if err != nil {
		return nil, err
	}
	if f.stock, f.tags, err = s.probe(ctx, v); err != nil {
		return nil, err
	}
	if f.orders, err = s.probeAdmin(ctx, v); err != nil {
		return nil, err
	}
	s.facts.Store(f)
	return f, nil
}

// mind tells the log when Shopify begins to answer in another version than asked
// for: it does when ours has come to its end.
func (s *Shop) mind(version string) {
	before := s.answered.Swap(&version)
	if version == "" || version == s.version || before != nil && *before == version {
		return
	}
	s.log.Warn("Shopify answers in another version of its API", "configured", s.version, "answered", version)
}

func readFacts(answer gjson.Result) (*facts, error) {
	shop, local := answer.Get("shop"), answer.Get("localization")
	f := &facts{
		name:     plaintext.FromHTML(shop.Get("name").String()),
		shipsTo:  texts(shop.Get("shipsToCountries")),
		language: languageTag(local.Get("language.isoCode").String()),
	}
	var err error
	if f.currency, err = money.ParseCurrency(local.Get("country.currency.isoCode").String()); err != nil {
		return nil, unusable(describing, "its currency is none", bare(err))
	}
	// The shop's own country comes first: of several with the same currency it is
	// the one to ask for.
	home := local.Get("country")
	for _, is := range append([]gjson.Result{home}, local.Get("availableCountries").Array()...) {
		c := country{code: is.Get("isoCode").String()}
		c.currency, err = money.ParseCurrency(is.Get("currency.isoCode").String())
		if err == nil && c.code != "" && !slices.Contains(f.countries, c) {
			f.countries = append(f.countries, c)
		}
	}
	for _, is := range local.Get("availableLanguages").Array() {
		f.languages = append(f.languages, is.Get("isoCode").String())
	}
	for _, page := range []struct{ kind, name string }{
		{"privacy_policy", "privacyPolicy"},
		{"refund_policy", "refundPolicy"},
		{"shipping_policy", "shippingPolicy"},
		{"terms_of_service", "termsOfService"},
	} {
		if address := webAddress(shop.Get(page.name + ".url")); address != "" {
			f.links = append(f.links, upstream.Link{Type: page.kind, URL: address, Title: plaintext.FromHTML(shop.Get(page.name + ".title").String())})
		}
	}
	return f, nil
}

// probe finds out whether the token may read stock and tags. A shop without
// products cannot tell; nothing is lost by asking again when it has some.
func (s *Shop) probe(ctx context.Context, v upstream.Visit) (stock, tags bool, err error) {
	both, err := s.mayRead(ctx, v, true, true)
	if both || err != nil {
		return both, both, err
	}
	if stock, err = s.mayRead(ctx, v, true, false); err != nil {
		return false, false, err
	}
	tags, err = s.mayRead(ctx, v, false, true)
	return stock, tags, err
}

// mayRead reports whether the token may read both of what is asked.
func (s *Shop) mayRead(ctx context.Context, v upstream.Visit, stock, tags bool) (bool, error) {
	_, err := s.run(ctx, v, call{
		op: describing, name: "Probe", document: probeDocument,
		variables: variables{"withStock": stock, "withTags": tags}, safe: true,
	})
	return err == nil, unlessDenied(err)
}

// probeAdmin finds out whether orders can be read. A shop whose Admin API is away
// for the moment is taken at its configuration's word.
func (s *Shop) probeAdmin(ctx context.Context, v upstream.Visit) (bool, error) {
	if s.admin == nil {
		return false, nil
	}
	_, err := s.runAdmin(ctx, v, call{op: describing, name: "AdminProbe", document: adminProbeDocument})
	if ctx.Err() != nil {
		return false, fmt.Errorf("%s: %w", describing, ctx.Err())
	}
	return upstream.CodeOf(err) != upstream.CodeDenied, nil
}

// unlessDenied returns err unless it says that a token may not read something.
func unlessDenied(err error) error {
	if upstream.CodeOf(err) == upstream.CodeDenied {
		return nil
	}
	return err
}

// unusable is the error for an answer that does not hold what it should.
func unusable(op, why string, cause error) error {
	return &upstream.Error{Code: upstream.CodeUnavailable, Op: op, Text: "the shop's answer cannot be used: " + why, Err: cause}
}
