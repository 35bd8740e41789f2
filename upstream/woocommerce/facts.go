package woocommerce

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

const asking = "asking the shop what it is"

// probeEvery is how long what was found out by trial is relied on.
const probeEvery = time.Hour

// facts are what the adapter has learned about a shop. They are not changed once
// they are known; newer ones take their place.
type facts struct {
	// plain: the shop's permalinks are plain, so that its API is found under the
	// front page only.
	plain bool
	name  string
	// home is the shop's front page as the shop itself writes it, public as a
	// buyer reaches it.
	home       *url.URL
	public     *url.URL
	language   string
	categories categories
	settings
}

// settings are what is read with a key or else found out by trial.
type settings struct {
	tried    time.Time
	currency money.Currency
	// decimals are those the shop counts with, which need not be the currency's.
	decimals int
	// country is where the shop puts a visitor who has not said where they are.
	country   string
	countries []string
	tax       upstream.Tax
	// baskets: there are any; codes: they take discount codes; sessions: the
	// shop's pages open a basket by its token.
	baskets  bool
	codes    bool
	sessions bool
	payments []upstream.PaymentMethod
	// enabled are the ids of all ways to pay that are switched on.
	enabled []string
}

// known returns the facts as they were when the shop was last asked.
func (s *Shop) known(ctx context.Context, v upstream.Visit) (*facts, error) {
	if f := s.learned.Load(); f != nil {
		return f, nil
	}
	return s.learn(ctx, v)
}

// learn asks the shop. Whoever comes while it is being asked waits.
func (s *Shop) learn(ctx context.Context, v upstream.Visit) (*facts, error) {
	before := s.learned.Load()
	select {
	case s.learning <- struct{}{}:
		defer func() { <-s.learning }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if now := s.learned.Load(); now != before {
		return now, nil
	}
	f, err := s.root(ctx, v, before)
	if err != nil {
		return nil, err
	}
	if f.categories, err = s.readCategories(ctx, v, f); err != nil {
		return nil, err
	}
	if err := s.findLanguage(ctx, v, f, before); err != nil {
		return nil, err
	}
	if before != nil && s.now().Sub(before.tried) < probeEvery {
		f.settings = before.settings
	} else if err := s.try(ctx, v, f); err != nil {
		return nil, err
	}
	s.learned.Store(f)
	return f, nil
}

// root reads the front door of the shop's API, which tells whether WooCommerce
// is there.
func (s *Shop) root(ctx context.Context, v upstream.Visit, before *facts) (*facts, error) {
	f := &facts{plain: before != nil && before.plain}
	a, err := s.readRoot(ctx, v, f)
	if before == nil && ctx.Err() == nil && (err != nil || a.refused()) {
		// Without pretty permalinks there is no /wp-json, but perhaps a page.
		other := &facts{plain: true}
		if b, otherErr := s.readRoot(ctx, v, other); otherErr == nil && !b.refused() {
			f, a, err = other, b, nil
		}
	}
	if err != nil {
		return nil, err
	}
	request, err := rootCall().request(f.plain, "")
	if err != nil {
		return nil, err
	}
	if a.status == http.StatusNotFound {
		return nil, s.client.Foreign(request, "404")
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	isStoreAPI := func(namespace gjson.Result) bool { return namespace.String() == storeAPI }
	if !slices.ContainsFunc(a.body.Get("namespaces").Array(), isStoreAPI) {
		return nil, s.client.Foreign(request, "no sign of its Store API")
	}
	f.name = title(a.body.Get("name").String())
	if f.home, err = url.Parse(link(a.body.Get("home").String())); err != nil || f.home.Host == "" {
		return nil, upstream.Errorf(upstream.CodeUnavailable, asking, "the shop does not know its own address")
	}
	if f.public = s.public; f.public == nil {
		f.public = f.home
	}
	if f.name == "" {
		f.name = f.public.Host
	}
	return f, nil
}

// rootCall asks for the front door, which every shop has.
func rootCall() call {
	return call{op: asking, query: url.Values{"_fields": {"name,home,namespaces"}}, safe: true, landmark: true}
}

func (s *Shop) readRoot(ctx context.Context, v upstream.Visit, f *facts) (answer, error) {
	request, err := rootCall().request(f.plain, "")
	if err != nil {
		return answer{}, err
	}
	return s.send(ctx, v, request)
}

// address is the address of a path below the shop's front page, as the shop
// checks a signature of it: by plain HTTP, since over HTTPS nothing is signed.
func (f *facts) address(path []string) string {
	home := *f.home
	home.Scheme = "http"
	if len(path) == 0 {
		return strings.TrimSuffix(home.String(), "/") + "/"
	}
	return home.JoinPath(path...).String()
}

// page is the address of a page of the shop, for a buyer's browser.
func (f *facts) page(path string, query url.Values) string {
	u := *f.public
	if u.Path = strings.TrimSuffix(u.Path, "/") + "/"; path != "" {
		u.Path += path + "/"
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// findLanguage reads the language of the shop's front page, once.
func (s *Shop) findLanguage(ctx context.Context, v upstream.Visit, f, before *facts) error {
	switch {
	case s.language != "":
		f.language = s.language
		return nil
	case before != nil:
		f.language = before.language
		return nil
	}
	language, err := s.frontPage(ctx, v)
	f.language = language
	return err
}

// unknownLanguage is the BCP 47 tag for a language that nobody has determined.
const unknownLanguage = "und"

func (s *Shop) frontPage(ctx context.Context, v upstream.Visit) (string, error) {
	response, err := s.client.Do(ctx, v, pageRequest())
	if err != nil {
		// A front page that cannot be read is no obstacle to the API.
		return unknownLanguage, ctx.Err()
	}
	if response.Status != http.StatusOK {
		return unknownLanguage, nil
	}
	return languageOf(response.Body), nil
}
