package main

import (
	"os"
	"path/filepath"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo"
	"github.com/storeware/caddy-storeware/upstream/mapped"
	"github.com/storeware/caddy-storeware/upstream/medusa"
	"github.com/storeware/caddy-storeware/upstream/shopify"
	"github.com/storeware/caddy-storeware/upstream/vendure"
	"github.com/storeware/caddy-storeware/upstream/woocommerce"
)

// examples is where the mappings are, from this folder.
const examples = "../../upstream/mapped/examples"

// shop is a row of the table: a shop system as it may be configured.
type shop struct {
	// name is a system, and with is what is configured besides its URL.
	name, with string
	can        upstream.Capabilities
}

// shops returns the rows. A system has as many as its configuration makes a
// difference.
func shops() ([]shop, error) {
	given := secret.New("given")
	rows := []shop{
		{"[Vendure](upstream/vendure/doc.go) 3", "", vendure.Config{}.Capabilities()},
		{"[Medusa](upstream/medusa/doc.go) 2", "`key`", medusa.Config{Key: given}.Capabilities()},
		{"[WooCommerce](upstream/woocommerce/doc.go) 9.9+", "", woocommerce.Config{}.Capabilities()},
		{"", "`payment none`", woocommerce.Config{Payments: []woocommerce.Payment{}}.Capabilities()},
		{"[Shopify](upstream/shopify/doc.go)", "`private_token`", shopify.Config{PrivateToken: given}.Capabilities()},
		{"", "and `admin_token`", shopify.Config{PrivateToken: given, AdminToken: given}.Capabilities()},
	}
	for i, example := range []string{"products-json.map", "medusa.map", "evershop.map"} {
		text, err := os.ReadFile(filepath.Join(examples, example))
		if err != nil {
			return nil, err
		}
		mapping, err := mapped.Parse(example, string(text))
		if err != nil {
			return nil, err
		}
		row := shop{"", "[`" + example + "`](upstream/mapped/examples/" + example + ")", mapping.Capabilities()}
		if i == 0 {
			row.name = "[any JSON API](upstream/mapped/doc.go)"
		}
		rows = append(rows, row)
	}
	return append(rows, shop{"the demo shop", "", demo.Config{}.Capabilities()}), nil
}
