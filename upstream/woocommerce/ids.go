package woocommerce

import (
	"net/url"
	"strconv"
	"strings"
)

// item is what an id of this adapter names: a product, or a variation of one.
// Products and variations share one sequence of numbers in WordPress.
type item struct {
	product   int64
	variation int64
	// open are the values of attributes that the variation leaves open ("any
	// size"), in the product's order.
	open []attributeValue
}

// attributeValue is a value of an attribute as the Store API wants it: a slug of
// a taxonomy such as pa_size, or the words of a product's own attribute.
type attributeValue struct {
	Attribute string `json:"attribute"`
	Value     string `json:"value"`
}

// String returns the id: 25, 65.67, or 73.74~pa_size=xl.
func (i item) String() string {
	id := strconv.FormatInt(i.product, 10)
	if i.variation == 0 {
		return id
	}
	id += "." + strconv.FormatInt(i.variation, 10)
	for n, value := range i.open {
		separator := "&"
		if n == 0 {
			separator = "~"
		}
		id += separator + url.QueryEscape(value.Attribute) + "=" + url.QueryEscape(value.Value)
	}
	return id
}

// id is the number that the shop's cart goes by.
func (i item) id() int64 {
	if i.variation != 0 {
		return i.variation
	}
	return i.product
}

// parseItem reads an id that String made, and no other.
func parseItem(id string) (item, bool) {
	numbers, values, hasValues := strings.Cut(id, "~")
	product, variation, _ := strings.Cut(numbers, ".")
	var i item
	i.product, _ = strconv.ParseInt(product, 10, 64)
	if variation != "" {
		i.variation, _ = strconv.ParseInt(variation, 10, 64)
	}
	if hasValues {
		for pair := range strings.SplitSeq(values, "&") {
			name, value, _ := strings.Cut(pair, "=")
			attribute, err := url.QueryUnescape(name)
			if err != nil {
				return item{}, false
			}
			if value, err = url.QueryUnescape(value); err != nil {
				return item{}, false
			}
			i.open = append(i.open, attributeValue{attribute, value})
		}
	}
	return i, i.product > 0 && i.variation >= 0 && i.String() == id
}
