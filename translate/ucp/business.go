package ucp

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/translate/answer/schema"
	"github.com/storeware/caddy-storeware/upstream"
)

// How long others may keep a profile, by default and while the shop has not said
// what it can do. The specification wants at least 60 seconds (overview,
// "Hosting").
const (
	defaultMaxAge = 5 * time.Minute
	leastMaxAge   = time.Minute
)

// Offer is what a shop's profile is made of.
type Offer struct {
	// Shop is what the shop says it is, nil while it has not said so yet. Then
	// nothing is declared but where the shop will be served.
	Shop *upstream.Description
	// Services are the doors that are open.
	Services []Service
	// Handlers are the ways to pay. They stand in the profile only if the shop
	// takes orders.
	Handlers Handlers
	// Keys are the JWKs that verify our signatures, as a JSON array.
	Keys json.RawMessage
	// Answers is the origin that the JSON Schema of answers is published at, if
	// searches are answered: https://storeware.ai, whose namespace the extension is
	// in (overview, "Namespace Governance").
	Answers string
	// MaxAge is for how long the profile may be kept, 60 seconds or more; zero
	// means 5 minutes.
	MaxAge time.Duration
}

// Service is a door to the shop (schemas/service.json).
type Service struct {
	Version   string `json:"version"`
	Spec      string `json:"spec"`
	Transport string `json:"transport"`
	// Endpoint is an absolute URL without a slash at its end.
	Endpoint string `json:"endpoint"`
	Schema   string `json:"schema,omitempty"`
}

// RESTService returns the REST binding at an endpoint, for Offer.Services.
func RESTService(endpoint string) Service {
	return Service{
		Version:   Release,
		Spec:      site + "specification/overview/",
		Transport: "rest",
		Endpoint:  endpoint,
		Schema:    site + "services/shopping/rest.openapi.json",
	}
}

// MCPService returns the MCP binding at an endpoint, for Offer.Services.
func MCPService(endpoint string) Service {
	return Service{
		Version:   Release,
		Spec:      site + "specification/overview/",
		Transport: "mcp",
		Endpoint:  endpoint,
		Schema:    site + "services/shopping/mcp.openrpc.json",
	}
}

// site is where this release is published.
const site = "https://ucp.dev/" + Release + "/"

// shopping is the name of the service that all our operations belong to.
const shopping = "dev.ucp.shopping"

// Business is what a shop offers: one side of every negotiation, and the profile
// that says so. It does not change; when the shop, a key or an endpoint does, a
// new one is made.
type Business struct {
	// Shop is what the shop said it is, nil while it has not said so yet.
	Shop *upstream.Description
	// Declarations are the capabilities in the profile.
	Declarations []Declaration
	// Profile is the profile document (schemas/profile.json, business_schema).
	// The same offer always makes the same bytes.
	Profile []byte
	// ETag is the profile's entity tag, MaxAge how long it may be kept.
	ETag   string
	MaxAge time.Duration
}

// profile is the document.
type profile struct {
	UCP  profileMetadata `json:"ucp"`
	Keys json.RawMessage `json:"keys,omitempty"`
}

type profileMetadata struct {
	Version         string                           `json:"version"`
	Services        map[string][]Service             `json:"services"`
	Capabilities    map[Capability][]capabilityEntry `json:"capabilities"`
	PaymentHandlers map[string][]PaymentHandler      `json:"payment_handlers"`
}

// capabilityEntry is a capability in a profile (schemas/capability.json).
type capabilityEntry struct {
	Version string `json:"version"`
	Spec    string `json:"spec"`
	Schema  string `json:"schema"`
	// Extends is a name, or a list of names.
	Extends any `json:"extends,omitempty"`
}

// NewBusiness makes what a shop offers. The error says which part of the offer
// no profile can have.
func NewBusiness(o Offer) (*Business, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("making a profile: %w", err)
	}
	b := &Business{Shop: o.Shop, MaxAge: o.MaxAge}
	handlers := map[string][]PaymentHandler{}
	switch {
	case o.Shop == nil:
		b.MaxAge = leastMaxAge
	case o.MaxAge == 0:
		b.MaxAge = defaultMaxAge
	}
	if o.Shop != nil {
		b.Declarations = declarations(o.Shop.Capabilities)
		if o.Answers != "" && o.Shop.Capabilities.Search {
			b.Declarations = append(b.Declarations, Declaration{CapabilityAnswer, schema.Version, []Capability{CapabilitySearch}})
		}
		if o.Shop.Capabilities.Place {
			handlers = o.Handlers.Declared(o.Shop.Capabilities.Payments)
		}
	}
	document := profile{
		UCP: profileMetadata{
			Version:         Release,
			Services:        map[string][]Service{shopping: o.Services},
			Capabilities:    entries(b.Declarations, o.Answers),
			PaymentHandlers: handlers,
		},
		Keys: o.Keys,
	}
	var err error
	if b.Profile, err = json.Marshal(document); err != nil {
		return nil, fmt.Errorf("making a profile: %w", err)
	}
	b.ETag = httpdoor.ETagOf(b.Profile)
	return b, nil
}

func (o *Offer) check() error {
	for _, s := range o.Services {
		u, err := url.Parse(s.Endpoint)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.HasSuffix(s.Endpoint, "/") {
			return fmt.Errorf("endpoint %q is not an absolute URL without a slash at its end", s.Endpoint)
		}
	}
	var keys []json.RawMessage
	if len(o.Keys) > 0 && json.Unmarshal(o.Keys, &keys) != nil {
		return errors.New("the keys are not a JSON array")
	}
	if o.MaxAge != 0 && o.MaxAge < leastMaxAge {
		return fmt.Errorf("a profile must be kept for %v or more, not %v", leastMaxAge, o.MaxAge)
	}
	return nil
}

// declarations returns what a shop with these capabilities can be asked for.
// What it cannot do, or what would lead nowhere, is not declared.
func declarations(can upstream.Capabilities) []Declaration {
	var out []Declaration
	declare := func(name Capability, extends ...Capability) {
		out = append(out, Declaration{name, Release, extends})
	}
	// A checkout has to end: in an order, or on a page of the shop where a person
	// goes on. Our own page of a basket is no such end.
	cart := can.Baskets
	checkout := can.Baskets && (can.Place || can.HandOff)

	if can.Search {
		declare(CapabilitySearch)
	}
	declare(CapabilityLookup) // every shop reads products
	if cart {
		declare(CapabilityCart)
	}
	if checkout {
		declare(CapabilityCheckout)
	}
	// Only an order that was placed here is known here.
	if can.Baskets && can.Place && can.Orders {
		declare(CapabilityOrder)
	}
	if checkout && can.Delivery {
		declare(CapabilityFulfillment, CapabilityCheckout)
	}
	switch {
	case can.Codes == upstream.CodesNone:
	case checkout:
		declare(CapabilityDiscount, CapabilityCart, CapabilityCheckout)
	case cart:
		declare(CapabilityDiscount, CapabilityCart)
	}
	return out
}

// entries returns the capabilities as the profile has them.
func entries(declarations []Declaration, answers string) map[Capability][]capabilityEntry {
	out := make(map[Capability][]capabilityEntry, len(declarations))
	for _, d := range declarations {
		entry := capabilityEntry{Version: d.Version}
		entry.Spec, entry.Schema = published(d.Name)
		if d.Name == CapabilityAnswer {
			entry.Spec, entry.Schema = "https://storeware.ai/docs/agents/answers", answers+schema.Path
		}
		switch len(d.Extends) {
		case 0:
		case 1:
			entry.Extends = d.Extends[0]
		default:
			entry.Extends = slices.Clone(d.Extends)
		}
		out[d.Name] = append(out[d.Name], entry)
	}
	return out
}

// published returns where a capability is described, for people and for
// programs.
func published(name Capability) (spec, schema string) {
	pages := map[Capability]string{
		CapabilitySearch:   "shopping/catalog/search",
		CapabilityLookup:   "shopping/catalog/lookup",
		CapabilityCart:     "shopping/cart",
		CapabilityCheckout: "shopping/checkout",
		CapabilityOrder:    "shopping/order",
	}
	short := strings.TrimPrefix(string(name), shopping+".")
	page, ok := pages[name]
	if !ok {
		page = short
	}
	return site + "specification/" + page, site + "schemas/shopping/" + strings.ReplaceAll(short, ".", "_") + ".json"
}

// Negotiate returns the capabilities that the shop and a platform both speak,
// and those of them that an operation's answer declares: none when the operation
// is not among what was negotiated.
func (b *Business) Negotiate(p *Platform, op Operation) (negotiated, active Active) {
	negotiated = negotiate(b.Declarations, p.Capabilities)
	return negotiated, relevant(b.Declarations, negotiated, op)
}
