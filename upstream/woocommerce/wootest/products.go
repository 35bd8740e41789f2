package wootest

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// unlimited is what the shop says of a stock that it does not count.
const unlimited = 9999

func idOf(p object) int64 { return int64(p["id"].(float64)) }

func priceOf(p object) int64 {
	n, _ := strconv.ParseInt(p["prices"].(object)["price"].(string), 10, 64) // The recordings hold numbers.
	return n
}

// stockOf is how many there are: what the shop says a basket may hold, but for a
// product that a buyer may have one of.
func stockOf(p object) int64 {
	if counted, ok := p["stock"].(int64); ok {
		return counted
	}
	if p["is_in_stock"] == false {
		return 0
	}
	if p["sold_individually"] == true {
		return 3 // As the recorded shop had of its one such product.
	}
	return int64(p["add_to_cart"].(object)["maximum"].(float64))
}

func setStock(p object, n int64) {
	p["stock"] = n
	p["is_in_stock"] = n > 0
	p["low_stock_remaining"] = nil
	most := float64(n)
	if n <= 2 {
		p["low_stock_remaining"] = float64(n)
	}
	if n == 0 {
		most = unlimited
	}
	if p["sold_individually"] == true {
		most = 1
	}
	p["add_to_cart"].(object)["maximum"] = most
}

func isPublished(p object) bool { return p["unpublished"] != true }

// isHidden reports whether a product is in no list of the shop's pages.
func isHidden(p object) bool { return p["sku"] == "HIDDEN-1" }

func (s *Shop) byID(id int64) object {
	for _, p := range s.products {
		if idOf(p) == id && isPublished(p) {
			return p
		}
	}
	return nil
}

// parent returns the product of a variation, and any other product itself.
func (s *Shop) parent(p object) object {
	if id := int64(p["parent"].(float64)); id != 0 {
		return s.byID(id)
	}
	return p
}

// shown is a product as the API shows it.
func (s *Shop) shown(p object) object {
	out := maps.Clone(p)
	for _, name := range []string{"stock", "unpublished", "modified"} {
		delete(out, name)
	}
	if !s.config.Net || p["id"] == 57.0 {
		return out
	}
	prices := maps.Clone(p["prices"].(object))
	for _, name := range []string{"price", "regular_price", "sale_price"} {
		gross, _ := strconv.ParseInt(prices[name].(string), 10, 64)
		prices[name] = fmt.Sprint(untaxed(gross))
	}
	out["prices"] = prices
	return out
}

// catalogue answers a request for products or their categories.
func (c *exchange) catalogue(path string) {
	switch {
	case path == "/categories":
		c.page(c.shop.categories)
	case path == "":
		c.listProducts()
	default:
		p := c.shop.byID(c.integer("id"))
		if p == nil {
			c.refuse("128-product-unknown")
			return
		}
		c.shop.answer(c.w, http.StatusOK, c.shop.shown(p), c.r)
	}
}

// page answers with the page of a list that was asked for.
func (c *exchange) page(list []any) {
	perPage := 10
	if _, given := c.args["per_page"]; given {
		if perPage = int(c.integer("per_page")); perPage == 0 {
			perPage = max(len(list), 1)
		}
	}
	skip := perPage * int(max(c.integer("page"), 1)-1)
	if _, given := c.args["offset"]; given {
		skip = int(c.integer("offset"))
	}
	c.w.Header().Set("X-WP-Total", strconv.Itoa(len(list)))
	c.w.Header().Set("X-WP-TotalPages", strconv.Itoa((len(list)+perPage-1)/perPage))
	list = list[min(skip, len(list)):]
	c.shop.answer(c.w, http.StatusOK, append([]any{}, list[:min(perPage, len(list))]...), c.r)
}

// heeded are the parameters of a list of products that this shop knows.
func heeded() []string {
	return []string{
		"page", "per_page", "offset", "search", "order", "orderby", "include", "parent", "type", "sku", "slug", "category",
		"stock_status", "catalog_visibility", "min_price", "max_price", "after", "date_column",
	}
}

// listProducts answers with the products that meet the filters.
func (c *exchange) listProducts() {
	for name := range c.args {
		if !slices.Contains(heeded(), name) {
			c.shop.t.Errorf("a real shop has the parameter %q, this one cannot heed it", name)
		}
	}
	var found []object
	for _, p := range c.shop.products {
		if isPublished(p) && c.meets(p) {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b object) int {
		switch c.text("orderby") {
		case "price":
			return cmp.Or(cmp.Compare(priceOf(a), priceOf(b)), cmp.Compare(idOf(a), idOf(b)))
		case "include":
			ids := c.strings("include")
			return slices.Index(ids, fmt.Sprint(idOf(a))) - slices.Index(ids, fmt.Sprint(idOf(b)))
		}
		return cmp.Compare(idOf(a), idOf(b))
	})
	if c.text("order") != "asc" && c.text("orderby") != "include" {
		slices.Reverse(found)
	}
	list := make([]any, len(found))
	for i, p := range found {
		list[i] = c.shop.shown(p)
	}
	c.page(list)
}

// meets reports whether a product is in the list that was asked for.
func (c *exchange) meets(p object) bool {
	kind := p["type"].(string)
	skus, slugs := splitList(c.text("sku")), splitList(c.text("slug"))
	switch wanted := c.text("type"); {
	case wanted != "" && kind != wanted:
		return false
	case wanted == "" && kind == "variation" && len(skus) == 0 && len(slugs) == 0:
		return false
	}
	in := func(name string, id int64) bool {
		ids := c.strings(name)
		return len(ids) == 0 || slices.Contains(ids, fmt.Sprint(id))
	}
	if !in("include", idOf(p)) || !in("parent", int64(p["parent"].(float64))) {
		return false
	}
	if len(skus) > 0 && !slices.Contains(skus, p["sku"].(string)) || len(slugs) > 0 && !slices.Contains(slugs, p["slug"].(string)) {
		return false
	}
	if visibility := c.text("catalog_visibility"); (visibility == "catalog" || visibility == "search") && isHidden(p) {
		return false
	}
	if words := strings.ToLower(c.text("search")); words != "" &&
		!strings.Contains(strings.ToLower(p["name"].(string)), words) && !strings.Contains(strings.ToLower(p["sku"].(string)), words) {
		return false
	}
	return c.meetsStock(p) && c.meetsPrice(p) && c.meetsCategory(p) && c.meetsDate(p)
}

// meetsDate reports whether a product was changed after a time that is given.
func (c *exchange) meetsDate(p object) bool {
	if c.text("after") == "" {
		return true
	}
	after, err := time.Parse("2006-01-02T15:04:05", c.text("after"))
	if err != nil || c.text("date_column") != "modified_gmt" {
		c.shop.t.Errorf("after %q of %q: %v", c.text("after"), c.text("date_column"), err)
	}
	modified, _ := p["modified"].(time.Time)
	return modified.After(after)
}

// splitList splits as the shop does, which also takes the whole for one.
func splitList(text string) []string {
	if text == "" {
		return nil
	}
	return append(strings.Split(text, ","), text)
}

func (c *exchange) meetsStock(p object) bool {
	wanted := c.strings("stock_status")
	status := "instock"
	switch {
	case p["is_in_stock"] == false:
		status = "outofstock"
	case p["is_on_backorder"] == true:
		status = "onbackorder"
	}
	return len(wanted) == 0 || slices.Contains(wanted, status)
}

func (c *exchange) meetsPrice(p object) bool {
	prices := c.shop.shown(p)["prices"].(object)
	low, _ := strconv.ParseInt(prices["price"].(string), 10, 64)
	high := low
	if of, ok := prices["price_range"].(object); ok {
		low, _ = strconv.ParseInt(of["min_amount"].(string), 10, 64)
		high, _ = strconv.ParseInt(of["max_amount"].(string), 10, 64)
	}
	least, most := c.integer("min_price"), c.integer("max_price")
	return (least == 0 || high >= least) && (most == 0 || low <= most)
}

func (c *exchange) meetsCategory(p object) bool {
	wanted := c.strings("category")
	if len(wanted) == 0 {
		return true
	}
	for _, one := range p["categories"].([]any) {
		for id := int64(one.(object)["id"].(float64)); id != 0; id = c.shop.above(id) {
			if slices.Contains(wanted, fmt.Sprint(id)) || slices.Contains(wanted, one.(object)["slug"].(string)) {
				return true
			}
		}
	}
	return false
}

// above is the category that a category belongs to.
func (s *Shop) above(id int64) int64 {
	for _, one := range s.categories {
		if int64(one.(object)["id"].(float64)) == id {
			return int64(one.(object)["parent"].(float64))
		}
	}
	return 0
}
