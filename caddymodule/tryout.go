package caddymodule

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// Tryout is something to buy at a shop, for whoever tries it out: the bodies of
// three requests over UCP.
type Tryout struct {
	Search   string `json:"search"`
	Checkout string `json:"checkout"`
	// Payment is empty where the shop takes orders on its own page only.
	Payment string `json:"payment,omitempty"`
}

// blankTryout says with words in capitals what stands where.
func blankTryout() Tryout {
	return Tryout{
		Search:   `{"query": "WORDS"}`,
		Checkout: `{"line_items": [{"item": {"id": "VARIANT_ID"}, "quantity": 1}], "buyer": {"email": "` + tryoutBuyer().Email + `"}}`,
		Payment:  `{"payment": {"instruments": [{"id": "1", "type": "card", "handler_id": "HANDLER_ID"}]}}`,
	}
}

// lines are lines for a shell that search, make a checkout and complete it. The
// header with the key is in quotes; profile is the URL of a platform's profile.
func (t Tryout) lines(origin, header, profile string) string {
	curl := func(path, body string) string {
		return fmt.Sprintf(`curl -sS -w '\n' %s%s%s -H %s -H 'UCP-Agent: profile="%s"' -H 'Content-Type: application/json' -d '%s'`,
			origin, ucpREST, path, header, profile, body)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Search:\n\n%s\n\n", curl("/catalog/search", t.Search))
	// The id of the checkout is the one thing in the answer that begins like this.
	fmt.Fprintf(&b, "Make a checkout, and keep its id:\n\nid=$(%s | tee /dev/stderr | grep -o 'bsk_[0-9a-z]*' | head -n 1)\n\n", curl("/checkout-sessions", t.Checkout))
	if t.Payment == "" {
		return b.String() + "The shop takes orders on its own page: continue_url in that answer leads there.\n"
	}
	// An order, and what is wrong where there is none, begin like this.
	fmt.Fprintf(&b, "Buy. The last line is the order's id, or why there is none:\n\n%s | tee /dev/stderr | grep -oE '\"order\":.\"id\":\"[^\"]*\"|\"content\":\"[^\"]*\"'\n",
		curl(`/checkout-sessions/"$id"/complete`, t.Payment))
	return b.String()
}

// pickTryout finds something that the shop has and, if it takes orders, delivers.
func pickTryout(ctx context.Context, s upstream.Shop) (Tryout, error) {
	description, err := s.Describe(ctx)
	if err != nil {
		return Tryout{}, err
	}
	can := description.Capabilities
	if !can.Baskets || !can.Place && !can.HandOff {
		return Tryout{}, errors.New("it takes no orders")
	}
	found, err := s.Search(ctx, upstream.Visit{}, upstream.Query{Available: true, Limit: 1})
	if err != nil {
		return Tryout{}, err
	}
	if len(found.Products) == 0 {
		return Tryout{}, errors.New("nothing is in stock")
	}
	product := found.Products[0]
	item, buyer, address := firstAvailable(product), tryoutBuyer(), tryoutAddress
	if len(description.Countries) > 0 && !slices.Contains(description.Countries, address.Country) {
		address.Country = description.Countries[0]
	}
	pick := Tryout{Search: fmt.Sprintf(`{"query": %s}`, encode(product.Title))}
	group := ""
	if can.Place && len(can.Payments) > 0 {
		pick.Payment = fmt.Sprintf(`{"payment": {"instruments": [{"id": "1", "type": "card", "handler_id": %s}]}}`, encode("upstream:"+can.Payments[0].ID))
		delivery, err := firstDelivery(ctx, s, item, buyer, address)
		if err != nil {
			return Tryout{}, err
		}
		group = fmt.Sprintf(`{"selected_option_id": %s}`, encode(delivery))
	}
	pick.Checkout = fmt.Sprintf(`{"line_items": [{"item": {"id": %s}, "quantity": 1}], `+
		`"buyer": {"email": %s, "first_name": %s, "last_name": %s}, `+
		`"fulfillment": {"methods": [{"type": "shipping", "destinations": [{"type": "shipping_address", `+
		`"street_address": %s, "address_locality": %s, "postal_code": %s, "address_country": %s}], `+
		`"groups": [%s]}]}}`,
		encode(item), encode(buyer.Email), encode(buyer.FirstName), encode(buyer.LastName),
		encode(address.Street), encode(address.City), encode(address.PostalCode), encode(address.Country), group)
	return pick, nil
}

// tryoutBuyer is who buys when a shop is tried out. No shop knows the address: where
// a customer has it who can sign in, shops refuse it to everybody else.
func tryoutBuyer() upstream.Buyer {
	return upstream.Buyer{Email: "ada-" + strings.ToLower(rand.Text()[:10]) + "@example.com", FirstName: "Ada", LastName: "Byron"}
}

// tryoutAddress is where the goods go.
var tryoutAddress = upstream.Address{Street: "12 Stricklandgate", City: "Kendal", PostalCode: "LA9 4ND", Country: "GB"}

// firstAvailable returns the first variant that can be bought.
func firstAvailable(p upstream.Product) string {
	for _, variant := range p.Variants {
		if variant.Availability.Buyable() {
			return variant.ID
		}
	}
	return p.ID
}

// firstDelivery returns the first way in which the shop delivers an item. The shop's
// basket that tells is left empty.
func firstDelivery(ctx context.Context, s upstream.Shop, item string, buyer upstream.Buyer, address upstream.Address) (string, error) {
	applied, err := s.Apply(ctx, upstream.Visit{}, upstream.Handle{}, upstream.Desired{
		Lines: []upstream.DesiredLine{{Key: "1", Item: item, Quantity: 1}}, Buyer: buyer, Address: &address,
	})
	if err != nil {
		return "", err
	}
	if _, err := s.Apply(ctx, upstream.Visit{}, applied.Handle, upstream.Desired{}); err != nil {
		return "", err
	}
	if len(applied.Observed.Delivery) == 0 {
		return "", fmt.Errorf("it does not deliver to %s, %s", address.City, address.Country)
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
