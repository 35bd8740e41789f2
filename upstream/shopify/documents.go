package shopify

import (
	_ "embed"
	"strings"
)

// The documents, one operation or a few fragments a file.
var (
	//go:embed graphql/shop.graphql
	shopDocument string
	//go:embed graphql/probe.graphql
	probeDocument string
	//go:embed graphql/categories.graphql
	categoriesDocument string
	//go:embed graphql/search.graphql
	searchDocument string
	//go:embed graphql/products.graphql
	productsDocument string
	//go:embed graphql/collection.graphql
	collectionDocument string
	//go:embed graphql/product_parts.graphql
	productParts string
	//go:embed graphql/variant_parts.graphql
	variantParts string
	//go:embed graphql/basket.graphql
	basketDocument string
	//go:embed graphql/read.graphql
	readDocument string
	//go:embed graphql/cart_parts.graphql
	cartParts string
	//go:embed graphql/admin_probe.graphql
	adminProbeDocument string
	//go:embed graphql/admin_ordered.graphql
	adminOrderedDocument string
	//go:embed graphql/admin_order.graphql
	adminOrderDocument string
	//go:embed graphql/admin_afterwards.graphql
	adminAfterwardsDocument string
)

// document joins an operation with the fragments it uses: GraphQL refuses one
// that it does not.
func document(operation string, fragments ...string) string {
	return operation + "\n" + strings.Join(fragments, "\n")
}
