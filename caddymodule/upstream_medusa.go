package caddymodule

import (
	"errors"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/medusa"
)

func init() {
	caddy.RegisterModule(new(Medusa))
}

// Medusa is a Medusa 2 shop, spoken to through its Store API. Global placeholders
// such as {env.*} are replaced in all texts.
type Medusa struct {
	// URL is where the shop's server is, such as http://127.0.0.1:9000. The Store
	// API is taken to be at /store, unless the URL has a path of its own.
	URL string `json:"url,omitempty"`

	// Key is the publishable API key of the one sales channel to sell in. Use a
	// placeholder.
	Key string `json:"key,omitempty"`

	// Name is the shop's name as people read it, which Medusa does not tell. The
	// default is the host of the URL.
	Name string `json:"name,omitempty"`

	// Language is the language of the shop's texts, such as en-GB. The default is
	// en.
	Language string `json:"language,omitempty"`

	// Region is the id of the region for visitors of whom no country is known. The
	// default is the shop's oldest one.
	Region string `json:"region,omitempty"`

	// Payments are the ids of the payment providers that agents may use, such as
	// pp_stripe_stripe. The default is all that a region has. Those that want a
	// person's browser should not be among them.
	Payments []string `json:"payments,omitempty"`

	// Facts are the names of metadata of products that buyers may know. One that
	// is called brand becomes the product's brand. The default is none.
	Facts []string `json:"facts,omitempty"`

	// ProductURL is the address of a product's page, with {handle} or {id} in
	// it, such as https://shop.example.com/products/{handle}. A shop that has no
	// pages leaves it empty.
	ProductURL string `json:"product_url,omitempty"`

	// CheckoutURL is the address of the page where a person goes on with a
	// basket, with {cart} (the cart's id) in it. Without one a basket is shown on
	// a page of this module.
	CheckoutURL string `json:"checkout_url,omitempty"`

	Connection
}

// CaddyModule returns the Caddy module information.
func (*Medusa) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.upstreams.medusa",
		New: func() caddy.Module { return new(Medusa) },
	}
}

// Provision replaces placeholders.
func (m *Medusa) Provision(caddy.Context) error {
	// The templates hold placeholders of their own.
	m.ProductURL = replaceKnown(m.ProductURL)
	m.CheckoutURL = replaceKnown(m.CheckoutURL)
	return errors.Join(
		replace("url", &m.URL), replace("key", &m.Key), replace("name", &m.Name),
		replace("language", &m.Language), replace("region", &m.Region),
		replaceEach("payments", m.Payments), replaceEach("facts", m.Facts),
	)
}

// Validate checks all that can be checked without the shop.
func (m *Medusa) Validate() error {
	shop, err := m.open(UpstreamOptions{})
	if err != nil {
		return err
	}
	shop.Close()
	return nil
}

// OpenShop returns the shop.
func (m *Medusa) OpenShop(o UpstreamOptions) (upstream.Shop, error) { return m.open(o) }

func (m *Medusa) open(o UpstreamOptions) (*medusa.Shop, error) {
	config := medusa.Config{
		Client: m.client(o),
		Key:    secret.New(m.Key),
		Name:   m.Name, Language: m.Language, Region: m.Region,
		Payments: m.Payments, Facts: m.Facts,
		ProductURL: m.ProductURL, CheckoutURL: m.CheckoutURL,
	}
	config.Client.Now = time.Now
	var err error
	if config.Client.BaseURL, err = shopURL(m.URL); err != nil {
		return nil, err
	}
	return medusa.New(config)
}

// UnmarshalCaddyfile sets the module up from Caddyfile tokens. Syntax:
//
//	medusa <url> {
//		key            <key>
//		name           <text>
//		language       <tag>
//		region         <id>
//		payment        <ids...>
//		fact           <names...>
//		product_url    <template>
//		checkout_url   <template>
//		timeout        <duration>
//		max_concurrent <number>
//	}
//
// The key must be there.
func (m *Medusa) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	noKey := d.Err("the shop's publishable key is missing: write key {env.MEDUSA_PUBLISHABLE_KEY} in the block of upstream medusa; Medusa shows it under Settings, Publishable API Keys")
	if err := readShopURL(d, &m.URL, "http://127.0.0.1:9000"); err != nil {
		return err
	}
	err := readBlock(d, "upstream medusa", m.settings(settings{
		"key":          secretSetting(&m.Key, "MEDUSA_PUBLISHABLE_KEY"),
		"name":         textSetting(&m.Name, "the shop's name as people read it"),
		"language":     languageSetting(&m.Language),
		"region":       textSetting(&m.Region, "the id of a region, such as reg_01JB0Z"),
		"payment":      listSetting(&m.Payments, "the ids of payment providers, such as pp_stripe_stripe"),
		"fact":         listSetting(&m.Facts, "the names of metadata that buyers may know, such as brand material"),
		"product_url":  pageSetting(&m.ProductURL, productExample, "handle", "id"),
		"checkout_url": pageSetting(&m.CheckoutURL, "https://shop.example.com/checkout?cart={cart}", "cart"),
	}))
	if err == nil && m.Key == "" {
		err = noKey
	}
	return err
}

// Interface guards
var (
	_ Upstream              = (*Medusa)(nil)
	_ caddy.Provisioner     = (*Medusa)(nil)
	_ caddy.Validator       = (*Medusa)(nil)
	_ caddyfile.Unmarshaler = (*Medusa)(nil)
)
