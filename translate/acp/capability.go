package acp

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Capabilities are what a session can do: what both sides can
// (rfc.capability_negotiation, section 4.5).
type Capabilities struct {
	Payment       Payment       `json:"payment"`
	Interventions Interventions `json:"interventions"`
	Extensions    []Extension   `json:"extensions,omitempty"`
}

// Payment are the ways to pay.
type Payment struct {
	Handlers []PaymentHandler `json:"handlers"`
}

// Interventions are the steps that a buyer can be asked to take. There are none
// here, whatever the agent can show: no handler asks for one.
type Interventions struct {
	Supported []string `json:"supported"`
	Required  []string `json:"required"`
}

// Extension is an extension that is active.
type Extension struct {
	Name    string   `json:"name"`
	Extends []string `json:"extends"`
}

// discountExtension is the one extension of the protocol's that is spoken here.
const discountExtension = "discount"

// has reports whether an extension is active.
func (c *Capabilities) has(name string) bool {
	return slices.ContainsFunc(c.Extensions, func(e Extension) bool { return e.Name == name })
}

// capabilitiesOf negotiates for a basket.
func (s *Server) capabilitiesOf(b *basket.Basket, shop *upstream.Description) Capabilities {
	c := Capabilities{
		Payment:       Payment{Handlers: []PaymentHandler{}},
		Interventions: Interventions{Supported: []string{}, Required: []string{}},
	}
	if b.CanPlace && (b.State == basket.Open || b.State == basket.Completing) {
		c.Payment.Handlers = s.Handler.declare(b.Methods)
	}
	if shop.Capabilities.Codes != upstream.CodesNone && noteOf(b).understands(discountExtension) {
		c.Extensions = []Extension{{discountExtension, []string{
			"$.CheckoutSessionCreateRequest.discounts",
			"$.CheckoutSessionUpdateRequest.discounts",
			"$.CheckoutSession.discounts",
		}}}
	}
	return c
}

// understands reports whether the agent knows an extension. One that did not say
// what it knows can leave alone what it does not.
func (n note) understands(name string) bool {
	return n.Extensions == nil || slices.Contains(n.Extensions, name)
}

// extensionsIn reads the extensions that an agent knows, without their versions.
// The list is nil where it does not say.
func extensionsIn(r gjson.Result) []string {
	if !r.IsArray() {
		return nil
	}
	known := []string{}
	for _, e := range r.Array() {
		name := e.Str
		if e.IsObject() {
			name = e.Get("name").Str
		}
		name, _, _ = strings.Cut(name, "@")
		known = append(known, name)
	}
	return known
}
