package vendure

import (
	_ "embed"
	"strings"
)

// The documents, one operation or fragment a file.
var (
	//go:embed graphql/shop.graphql
	shopDocument string
	//go:embed graphql/channel.graphql
	channelDocument string
	//go:embed graphql/schema.graphql
	schemaDocument string
	//go:embed graphql/payments.graphql
	paymentsDocument string
	//go:embed graphql/probe.graphql
	probeDocument string
	//go:embed graphql/collections.graphql
	collectionsDocument string
	//go:embed graphql/search.graphql
	searchDocument string
	//go:embed graphql/products.graphql
	productsDocument string
	//go:embed graphql/product_parts.graphql
	productParts string
	//go:embed graphql/basket.graphql
	basketDocument string
	//go:embed graphql/order_parts.graphql
	orderParts string
	//go:embed graphql/pay.graphql
	payDocument string
	//go:embed graphql/outcome.graphql
	outcomeDocument string
	//go:embed graphql/admin_outcome.graphql
	adminOutcomeDocument string
	//go:embed graphql/order.graphql
	orderDocument string
	//go:embed graphql/admin_order.graphql
	adminOrderDocument string
	//go:embed graphql/afterwards_parts.graphql
	afterwardsParts string
)

// document joins an operation with the fragments it uses: GraphQL refuses one
// that it does not.
func document(operation string, fragments ...string) string {
	return operation + "\n" + strings.Join(fragments, "\n")
}
