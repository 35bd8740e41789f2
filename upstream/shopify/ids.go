package shopify

import "strings"

// Beginnings of Shopify's own ids, which are ours too. A number follows.
const (
	productPrefix = "gid://shopify/Product/"
	variantPrefix = "gid://shopify/ProductVariant/"
	cartPrefix    = "gid://shopify/Cart/"
	orderPrefix   = "gid://shopify/Order/"
)

// isID reports whether id begins with prefix and goes on with a number: Shopify
// refuses the whole request for one that does not.
func isID(id, prefix string) bool {
	number, ok := strings.CutPrefix(id, prefix)
	return ok && number != "" && len(number) < 20 && strings.Trim(number, "0123456789") == ""
}

func isItem(id string) bool { return isID(id, productPrefix) || isID(id, variantPrefix) }
