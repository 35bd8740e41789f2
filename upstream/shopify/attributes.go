package shopify

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// The metafields in which apps for reviews keep what buyers gave.
const (
	ratingField      = "reviews.rating"
	ratingCountField = "reviews.rating_count"
)

// hundredths is a currency with two decimals, for reading ratings without floats.
const hundredths = money.Currency("USD")

// readAttributes returns what the shop has recorded of a product: its category in
// Shopify's taxonomy, and the metafields that were asked for.
func readAttributes(product gjson.Result) []upstream.Attribute {
	var attributes []upstream.Attribute
	if category := plaintext.FromHTML(product.Get("category.name").String()); category != "" {
		attributes = append(attributes, upstream.Attribute{Key: "category", Values: []string{category}})
	}
	for _, field := range product.Get("metafields").Array() {
		values := readMetafield(field.Get("type").String(), field.Get("value").String())
		if key := field.Get("key").String(); len(values) > 0 && fieldName(field) != ratingField {
			attributes = append(attributes, upstream.Attribute{Key: key, Values: values})
		}
	}
	return attributes
}

func fieldName(field gjson.Result) string {
	return field.Get("namespace").String() + "." + field.Get("key").String()
}

// readMetafield returns the values of a metafield as a person reads them, none
// for a type that is not for reading, such as a reference to something else.
// https://shopify.dev/docs/apps/build/metafields/list-of-data-types
func readMetafield(kind, value string) []string {
	if kind, ok := strings.CutPrefix(kind, "list."); ok {
		var all []string
		if gjson.Valid(value) {
			for _, one := range gjson.Parse(value).Array() {
				all = append(all, readMetafield(kind, one.String())...)
			}
		}
		return all
	}
	var text string
	switch kind {
	case "single_line_text_field", "multi_line_text_field", "number_integer", "number_decimal", "boolean",
		"date", "date_time", "color", "url", "id", "language":
		text = plaintext.FromHTML(value)
	case "dimension", "volume", "weight":
		if is := gjson.Parse(value); gjson.Valid(value) && is.IsObject() {
			text = plaintext.FromHTML(is.Get("value").String() + " " + is.Get("unit").String())
		}
	}
	if text == "" {
		return nil
	}
	return []string{text}
}

// readRating reads the mean of what buyers gave, if the metafields with it were
// asked for.
func readRating(metafields gjson.Result) *upstream.Rating {
	var rating upstream.Rating
	for _, field := range metafields.Array() {
		value := field.Get("value").String()
		switch fieldName(field) {
		case ratingField:
			if !gjson.Valid(value) {
				return nil
			}
			mean, err := money.RoundDecimal(gjson.Get(value, "value").String(), hundredths)
			scale, err2 := money.RoundDecimal(gjson.Get(value, "scale_max").String(), hundredths)
			if err != nil || err2 != nil || mean.Minor < 0 || mean.Minor > scale.Minor || scale.Minor%100 != 0 {
				return nil
			}
			rating.Hundredths, rating.Scale = int(mean.Minor), int(scale.Minor/100)
		case ratingCountField:
			rating.Count, _ = strconv.Atoi(value) // What is no number counts nothing.
		}
	}
	if rating.Scale == 0 || rating.Count < 0 {
		return nil
	}
	return &rating
}
