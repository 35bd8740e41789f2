package woocommerce

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// productFields are what is read of a product. Without the list a shop sends its
// prices as HTML and every picture in all sizes besides.
const productFields = "id,name,slug,parent,type,permalink,sku,short_description,description,on_sale,prices,average_rating," +
	"review_count,images,categories,tags,brands,attributes,variations,is_purchasable,is_in_stock,is_on_backorder," +
	"low_stock_remaining,sold_individually,add_to_cart"

// unlimited is what WooCommerce says of a stock that it does not count.
const unlimited = 9999

// isVariable reports whether a product is sold in variations. That is what
// WooCommerce calls it; a plugin may have kinds of its own that work alike.
func isVariable(product gjson.Result) bool { return len(product.Get("variations").Array()) > 0 }

// forSale reports whether a basket would take a product, if there is any left.
// It takes no grouped product, which is a page about others, and no external one,
// which is sold by somebody else.
func forSale(product gjson.Result) bool {
	kind := product.Get("type").String()
	return product.Get("is_purchasable").Bool() && kind != "grouped" && kind != "external"
}

// readProduct reads a product with its variations. It reports false for one that
// nobody can buy here.
func (f *facts) readProduct(op string, product gjson.Result, variations []gjson.Result) (upstream.Product, bool, error) {
	purse := newPurse(product.Get("prices"))
	p := upstream.Product{
		ID:          item{product: product.Get("id").Int()}.String(),
		Handle:      product.Get("slug").String(),
		Title:       title(product.Get("name").String()),
		Description: describe(product),
		URL:         link(product.Get("permalink").String()),
		Brand:       title(product.Get("brands.0.name").String()),
		Categories:  f.paths(product.Get("categories")),
		Tags:        names(product.Get("tags")),
		Attributes:  readFacts(product.Get("attributes")),
		Media:       readMedia(product.Get("images")),
		Rating:      readRating(product),
	}
	switch {
	case !forSale(product):
		return p, false, nil
	case isVariable(product):
		p.Options, p.Variants = f.readVariants(purse, product, variations)
	default:
		variant := f.readVariant(purse, product)
		variant.ID = p.ID
		p.Variants = []upstream.Variant{variant}
	}
	return p, len(p.Variants) > 0, purse.failed(op)
}

// readVariant reads what a product or a variation says of what it costs and
// whether it can be had.
func (f *facts) readVariant(purse *purse, one gjson.Result) upstream.Variant {
	v := upstream.Variant{
		SKU:          one.Get("sku").String(),
		Title:        title(one.Get("name").String()),
		URL:          link(one.Get("permalink").String()),
		Price:        purse.read(one.Get("prices.price")),
		Tax:          f.tax,
		Availability: availability(one),
		Stock:        stock(one),
		Media:        readMedia(one.Get("images")),
	}
	if before := purse.read(one.Get("prices.regular_price")); one.Get("on_sale").Bool() && before.Minor > v.Price.Minor {
		v.ListPrice = &before
	}
	return v
}

func availability(one gjson.Result) upstream.Availability {
	switch {
	case !one.Get("is_in_stock").Bool():
		return upstream.OutOfStock
	case one.Get("is_on_backorder").Bool():
		return upstream.Backorder
	case one.Get("low_stock_remaining").Int() > 0:
		return upstream.LowStock
	}
	return upstream.InStock
}

// stock is how many there are: as many as a basket takes, where the shop counts
// and does not hold a buyer to one.
func stock(one gjson.Result) *int64 {
	most := one.Get("add_to_cart.maximum")
	if !one.Get("is_in_stock").Bool() || one.Get("is_on_backorder").Bool() || one.Get("sold_individually").Bool() ||
		most.Type != gjson.Number || most.Int() < 1 || most.Int() >= unlimited {
		return nil
	}
	n := most.Int()
	return &n
}

// describe returns the short description and the long one, which may begin with
// the short one.
func describe(product gjson.Result) string {
	short, long := plain(product.Get("short_description").String()), plain(product.Get("description").String())
	switch {
	case short == "" || strings.HasPrefix(long, short):
		return long
	case long == "":
		return short
	}
	return cut(short+"\n"+long, maxText)
}

// paths returns the paths of categories and of all that these belong to.
func (f *facts) paths(list gjson.Result) []string {
	var paths []string
	for _, one := range list.Array() {
		elements := f.categories.path(one.Get("id").Int())
		if len(elements) == 0 {
			elements = []string{pathElement(one.Get("name").String())}
		}
		for n := range elements {
			if path := strings.Join(elements[:n+1], "/"); path != "" && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// names returns the names in a list of terms.
func names(list gjson.Result) []string {
	var all []string
	for _, one := range list.Array() {
		if name := title(one.Get("name").String()); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// readFacts returns the attributes that are facts and not choices.
func readFacts(list gjson.Result) []upstream.Attribute {
	var attributes []upstream.Attribute
	for _, one := range list.Array() {
		key, values := title(one.Get("name").String()), names(one.Get("terms"))
		if !one.Get("has_variations").Bool() && key != "" && len(values) > 0 {
			attributes = append(attributes, upstream.Attribute{Key: key, Values: values})
		}
	}
	return attributes
}

func readMedia(list gjson.Result) []upstream.Media {
	var media []upstream.Media
	for _, one := range list.Array() {
		if address := link(one.Get("src").String()); address != "" {
			media = append(media, upstream.Media{URL: address, Alt: title(one.Get("alt").String())})
		}
	}
	return media
}

// readRating returns the mean of the reviews, nil where there are none. The shop
// writes it as a decimal number of at most five.
func readRating(product gjson.Result) *upstream.Rating {
	count := product.Get("review_count").Int()
	if count < 1 {
		return nil
	}
	// Any currency with two decimals reads a number in hundredths.
	mean, err := money.RoundDecimal(product.Get("average_rating").String(), "EUR")
	if err != nil || mean.Minor < 0 || mean.Minor > 500 {
		return nil
	}
	return &upstream.Rating{Hundredths: int(mean.Minor), Scale: 5, Count: int(count)}
}

// number writes a number of WordPress.
func number(id int64) string { return strconv.FormatInt(id, 10) }
