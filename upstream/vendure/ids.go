package vendure

import "strings"

// The forms of ids. Vendure gives products and variants numbers of their own,
// and a variant can be read by way of its product only. A shop may have other
// ids than numbers, none with a point in it.
const (
	productPrefix = "p."
	variantPrefix = "v."
)

func productID(product string) string { return productPrefix + product }

func variantID(product, variant string) string { return variantPrefix + product + "." + variant }

// splitID returns Vendure's own ids; variant is empty for the id of a product.
func splitID(id string) (product, variant string, ok bool) {
	if product, ok = strings.CutPrefix(id, productPrefix); ok {
		return product, "", product != ""
	}
	if id, ok = strings.CutPrefix(id, variantPrefix); !ok {
		return "", "", false
	}
	product, variant, ok = strings.Cut(id, ".")
	return product, variant, ok && product != "" && variant != ""
}
