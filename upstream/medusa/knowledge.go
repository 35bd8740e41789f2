package medusa

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

const learning = "asking the shop what it is"

// maxRegions bounds how many regions are read.
const maxRegions = "250"

// knowledge is what has to be known of a shop before it can be asked for
// anything. It is read by [Shop.Describe] and stays until the next one.
type knowledge struct {
	// regions are the shop's, the default one first.
	regions    []region
	categories categories
	tax        upstream.Tax
}

// region is a market of the shop.
type region struct {
	id       string
	currency money.Currency
	// countries are ISO 3166-1 alpha-2 codes in upper case. A country is in one
	// region at most.
	countries []string
	// payments are the payment providers that agents may use there, of those that
	// are switched on.
	payments []string
	enabled  []string
}

// learned returns what is known of the shop, and reads it if nothing is yet.
func (s *Shop) learned(ctx context.Context, v upstream.Visit) (*knowledge, error) {
	if k := s.known.Load(); k != nil {
		return k, nil
	}
	return s.learn(ctx, v)
}

// learn reads what has to be known of the shop, in three requests.
func (s *Shop) learn(ctx context.Context, v upstream.Visit) (*knowledge, error) {
	var k knowledge
	err := together(
		func() (err error) { k.regions, err = s.readRegions(ctx, v); return err },
		func() (err error) { k.categories, err = s.readCategories(ctx, v); return err },
	)
	if err != nil {
		return nil, err
	}
	if k.tax, err = s.readTax(ctx, v, &k); err != nil {
		return nil, err
	}
	s.known.Store(&k)
	return &k, nil
}

// readRegions reads the shop's regions, the default one first and the others by
// age.
func (s *Shop) readRegions(ctx context.Context, v upstream.Visit) ([]region, error) {
	found, err := s.ask(ctx, v, call{
		op: learning, path: []string{"regions"}, fields: regionFields, explain: true, landmark: true,
		query: url.Values{"limit": {maxRegions}, "order": {"created_at"}},
	}, "regions")
	if err != nil {
		return nil, err
	}
	return s.regionsOf(found)
}

// regionsOf reads regions with regionFields, of which there is at least one.
func (s *Shop) regionsOf(found gjson.Result) ([]region, error) {
	var regions []region
	for _, item := range found.Array() {
		currency, err := money.ParseCurrency(item.Get("currency_code").String())
		if err != nil {
			continue // Nobody can pay there.
		}
		r := region{id: item.Get("id").String(), currency: currency, enabled: readPayments(item)}
		for _, id := range r.enabled {
			if len(s.payments) == 0 || slices.Contains(s.payments, id) {
				r.payments = append(r.payments, id)
			}
		}
		for _, country := range item.Get("countries.#.iso_2").Array() {
			r.countries = append(r.countries, strings.ToUpper(country.String()))
		}
		slices.Sort(r.countries)
		regions = append(regions, r)
	}
	at := slices.IndexFunc(regions, func(r region) bool { return r.id == s.region })
	switch {
	case len(regions) == 0:
		return nil, upstream.Errorf(upstream.CodeUnavailable, learning, "the shop has no region to sell in")
	case at < 0 && s.region != "":
		return nil, upstream.Errorf(upstream.CodeUnavailable, learning, "the shop does not have the region of the configuration")
	case at > 0:
		first := regions[at]
		regions = slices.Insert(slices.Delete(regions, at, at+1), 0, first)
	}
	return regions, nil
}

// readPayments returns the ids of a region's payment providers that are switched on.
func readPayments(region gjson.Result) []string {
	var ids []string
	for _, provider := range region.Get("payment_providers").Array() {
		if provider.Get("is_enabled").Bool() {
			ids = append(ids, provider.Get("id").String())
		}
	}
	return ids
}

// readTax says whether the catalogue's prices contain tax, which Medusa tells of
// prices only. It finds out on the way whether the shop tells its stock.
func (s *Shop) readTax(ctx context.Context, v upstream.Visit, k *knowledge) (upstream.Tax, error) {
	found, err := s.ask(ctx, v, call{
		op: learning, path: []string{"products"}, fields: taxFields, explain: true,
		query: k.place(v.Market).query(url.Values{"limit": {"10"}}),
	}, "products")
	if why, refused := isRefusal(err); refused && why.kind == kindInvalid {
		return 0, &upstream.Error{
			Code: upstream.CodeDenied, Op: learning, Err: err,
			Text: "the publishable key must belong to one sales channel, no more",
		}
	}
	if err != nil {
		return 0, err
	}
	for _, price := range found.Get("#.variants|@flatten|#.calculated_price").Array() {
		if price.IsObject() {
			return tax(price.Get("is_calculated_price_tax_inclusive").Bool()), nil
		}
	}
	return upstream.TaxUnknown, nil
}

func tax(included bool) upstream.Tax {
	if included {
		return upstream.TaxIncluded
	}
	return upstream.TaxExcluded
}
