package caddymodule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// demoLines returns what the demo prints: where the shop is, and lines for a shell
// that search, make a checkout and complete it, with something that this shop
// really has.
func demoLines(ctx context.Context, origin, shop string, key secret.String) (string, error) {
	base, err := url.Parse(shop)
	if err != nil {
		return "", err
	}
	adapter, err := demo.New(demo.Config{Client: shopclient.Config{BaseURL: base}})
	if err != nil {
		return "", err
	}
	defer adapter.Close()
	pick, err := pickDemo(ctx, adapter)
	if err != nil {
		return "", fmt.Errorf("looking for something to buy in the demo shop: %w", err)
	}
	curl := func(path, body string) string {
		return fmt.Sprintf(`curl -sS %s/api/ucp/v1%s -H 'X-API-Key: %s' -H 'UCP-Agent: profile="%s/agent.json"' -H 'Content-Type: application/json' -d '%s'`,
			origin, path, key.Reveal(), origin, body)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nThe shop:   %s\nAgent key:  %s\n\n", origin, key.Reveal())
	fmt.Fprintf(&b, "Search:\n\n%s\n\n", curl("/catalog/search", pick.search))
	// The id of the checkout is the one thing in the answer that begins like this.
	fmt.Fprintf(&b, "Make a checkout, and keep its id:\n\nid=$(%s | tee /dev/stderr | grep -o 'bsk_[0-9a-z]*' | head -n 1)\n\n", curl("/checkout-sessions", pick.checkout))
	fmt.Fprintf(&b, "Buy:\n\n%s\n\nCtrl-C ends it.\n", curl(`/checkout-sessions/"$id"/complete`, pick.payment))
	return b.String(), nil
}

// demoPick is something to buy: the bodies of three requests.
type demoPick struct{ search, checkout, payment string }

// pickDemo finds something that the shop has and delivers.
func pickDemo(ctx context.Context, s upstream.Shop) (demoPick, error) {
	description, err := s.Describe(ctx)
	if err != nil {
		return demoPick{}, err
	}
	if len(description.Capabilities.Payments) == 0 {
		return demoPick{}, errors.New("it takes no payment")
	}
	found, err := s.Search(ctx, upstream.Visit{}, upstream.Query{Available: true, Limit: 1})
	if err != nil {
		return demoPick{}, err
	}
	if len(found.Products) == 0 {
		return demoPick{}, errors.New("nothing is in stock")
	}
	product := found.Products[0]
	item := firstAvailable(product)
	delivery, err := firstDelivery(ctx, s, item)
	if err != nil {
		return demoPick{}, err
	}
	return demoPick{
		search: fmt.Sprintf(`{"query": %s}`, encode(product.Title)),
		checkout: fmt.Sprintf(`{"line_items": [{"item": {"id": %s}, "quantity": 1}], `+
			`"buyer": {"email": %s, "first_name": %s, "last_name": %s}, `+
			`"fulfillment": {"methods": [{"type": "shipping", "destinations": [{"type": "shipping_address", `+
			`"street_address": %s, "address_locality": %s, "postal_code": %s, "address_country": %s}], `+
			`"groups": [{"selected_option_id": %s}]}]}}`,
			encode(item), encode(demoBuyer.Email), encode(demoBuyer.FirstName), encode(demoBuyer.LastName),
			encode(demoAddress.Street), encode(demoAddress.City), encode(demoAddress.PostalCode), encode(demoAddress.Country),
			encode(delivery)),
		payment: fmt.Sprintf(`{"payment": {"instruments": [{"id": "1", "type": "card", "handler_id": %s}]}}`,
			encode("upstream:"+description.Capabilities.Payments[0].ID)),
	}, nil
}

// Who buys in the demo, and where the goods go.
var (
	demoBuyer   = upstream.Buyer{Email: "ada@example.com", FirstName: "Ada", LastName: "Byron"}
	demoAddress = upstream.Address{Street: "12 Stricklandgate", City: "Kendal", PostalCode: "LA9 4ND", Country: "GB"}
)

// firstAvailable returns the first variant that can be bought.
func firstAvailable(p upstream.Product) string {
	for _, variant := range p.Variants {
		if variant.Availability.Buyable() {
			return variant.ID
		}
	}
	return p.ID
}

// firstDelivery returns the first way in which the shop delivers an item.
func firstDelivery(ctx context.Context, s upstream.Shop, item string) (string, error) {
	applied, err := s.Apply(ctx, upstream.Visit{}, upstream.Handle{}, upstream.Desired{
		Lines: []upstream.DesiredLine{{Key: "1", Item: item, Quantity: 1}}, Buyer: demoBuyer, Address: &demoAddress,
	})
	if err != nil {
		return "", err
	}
	if len(applied.Observed.Delivery) == 0 {
		return "", errors.New("it does not deliver to Kendal")
	}
	return applied.Observed.Delivery[0].ID, nil
}

// encode writes a text as JSON that may stand between a shell's single quotes.
func encode(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil { // texts can always be encoded
		return `""`
	}
	return strings.ReplaceAll(string(encoded), "'", `\u0027`)
}
