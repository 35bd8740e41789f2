package woocommerce

import (
	"math/big"
	"net/url"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// filtered reports whether a query has filters.
func filtered(q upstream.Query) bool {
	return q.Available || len(q.Categories) > 0 || q.MinPrice != nil || q.MaxPrice != nil
}

// listing turns a query into the shop's, and returns the words that the shop is
// not asked for. It reports false where nothing can be found.
func (f *facts) listing(q upstream.Query) (query url.Values, words []string, ok bool) {
	query = url.Values{"orderby": {"id"}, "order": {"asc"}, "catalog_visibility": {"catalog"}, "_fields": {productFields}}
	if strings.TrimSpace(q.Words) != "" {
		longest, others, ok := split(q.Words)
		if !ok {
			return nil, nil, false
		}
		query.Set("catalog_visibility", "search")
		query.Set("search", longest)
		words = others
	}
	if len(q.Categories) > 0 {
		ids := f.categories.named(q.Categories)
		if len(ids) == 0 {
			return nil, nil, false
		}
		query.Set("category", strings.Join(ids, ","))
	}
	if q.Available {
		query.Set("stock_status[0]", "instock")
		query.Set("stock_status[1]", "onbackorder")
	}
	if q.MinPrice != nil && *q.MinPrice > 0 {
		query.Set("min_price", f.bound(*q.MinPrice, -1))
	}
	if q.MaxPrice != nil && *q.MaxPrice >= 0 {
		query.Set("max_price", f.bound(*q.MaxPrice, 1))
	}
	return query, words, true
}

// bound returns a price in the shop's units, off by one of them and a minor unit
// to the side that lets more through: the shop compares with prices before tax
// and rounding, and what is too much is dropped here.
func (f *facts) bound(minor, side int64) string {
	digits, err := f.currency.Digits()
	if err != nil {
		return strconv.FormatInt(minor, 10) // The currency was known when it was read.
	}
	n := big.NewInt(minor)
	n.Add(n, big.NewInt(side))
	n.Mul(n, power(f.decimals))
	n.Div(n, power(digits))
	n.Add(n, big.NewInt(side))
	if side > 0 {
		n.Add(n, big.NewInt(1)) // Div rounds down.
	}
	if n.Sign() < 0 {
		return "0"
	}
	return n.String()
}

func power(exponent int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)
}
