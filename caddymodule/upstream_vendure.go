package caddymodule

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/vendure"
)

func init() {
	caddy.RegisterModule(new(Vendure))
}

// Vendure is a Vendure 3 shop (3.1 or later), spoken to through its Shop API.
// Global placeholders such as {env.*} are replaced in all texts.
type Vendure struct {
	// URL is where the shop's server is, such as http://127.0.0.1:3000. The Shop
	// API is taken to be at /shop-api, unless the URL has a path of its own.
	URL string `json:"url,omitempty"`

	// Channel is the token of the channel to sell in. The default is the shop's
	// default channel.
	Channel string `json:"channel,omitempty"`

	// Payments are the codes of the payment methods that agents may use. The
	// default is all that are active. Methods that want a person's browser
	// should not be among them.
	Payments []string `json:"payments,omitempty"`

	// ProductURL is the address of a product's page, with {handle} or {id} in
	// it, such as https://shop.example.com/products/{handle}. A shop that has no
	// pages leaves it empty.
	ProductURL string `json:"product_url,omitempty"`

	// CheckoutURL is the address of the page where a person goes on with a
	// basket, with {order} (the order's code) or {session} (the session's token)
	// in it. Without one a basket is shown on a page of this module.
	CheckoutURL string `json:"checkout_url,omitempty"`

	// AdminKey is an API key of the shop's administration (Vendure 3.6 and
	// later) with the permission ReadOrder. With it orders can be read for as
	// long as the shop has them, not for two hours only. Use a placeholder.
	AdminKey string `json:"admin_key,omitempty"`

	// AdminURL is the Admin API. The default is /admin-api beside the Shop API.
	AdminURL string `json:"admin_url,omitempty"`

	// Decimals is how many decimals of a major unit the shop's integers hold. The
	// default is 2, as Vendure itself has it.
	Decimals *int `json:"decimals,omitempty"`

	Connection
}

// CaddyModule returns the Caddy module information.
func (*Vendure) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.upstreams.vendure",
		New: func() caddy.Module { return new(Vendure) },
	}
}

// Provision replaces placeholders.
func (v *Vendure) Provision(caddy.Context) error {
	if err := errors.Join(
		replace("url", &v.URL), replace("channel", &v.Channel),
		replace("admin_key", &v.AdminKey), replace("admin_url", &v.AdminURL),
		replaceEach("payments", v.Payments),
	); err != nil {
		return err
	}
	// The templates hold placeholders of their own.
	v.ProductURL = replaceKnown(v.ProductURL)
	v.CheckoutURL = replaceKnown(v.CheckoutURL)
	return nil
}

// Validate checks all that can be checked without the shop.
func (v *Vendure) Validate() error {
	shop, err := v.open(UpstreamOptions{})
	if err != nil {
		return err
	}
	shop.Close()
	return nil
}

// OpenShop returns the shop.
func (v *Vendure) OpenShop(o UpstreamOptions) (upstream.Shop, error) { return v.open(o) }

// Doubts says what the doctor has to say of the configuration alone.
func (v *Vendure) Doubts() []string {
	if v.CheckoutURL == "" || v.AdminKey != "" {
		return nil
	}
	return []string{"checkout_url is set without admin_key: an order that a person made on that page cannot be told from a basket that was given up, unless an agent asks within two hours"}
}

func (v *Vendure) open(o UpstreamOptions) (*vendure.Shop, error) {
	config := vendure.Config{
		Client:  v.client(o),
		Channel: v.Channel, Payments: v.Payments,
		ProductURL: v.ProductURL, CheckoutURL: v.CheckoutURL,
		AdminKey: secret.New(v.AdminKey), Decimals: v.Decimals,
	}
	config.Client.Now = time.Now
	var err error
	if config.Client.BaseURL, err = shopURL(v.URL); err != nil {
		return nil, err
	}
	if v.AdminURL != "" {
		if config.AdminURL, err = url.Parse(v.AdminURL); err != nil || !isWeb(config.AdminURL) {
			return nil, fmt.Errorf("admin_url: %q is no URL that begins with http:// or https://", v.AdminURL)
		}
	}
	return vendure.New(config)
}

// UnmarshalCaddyfile sets the module up from Caddyfile tokens. Syntax:
//
//	vendure <url> {
//		channel        <token>
//		payment        <codes...>
//		product_url    <template>
//		checkout_url   <template>
//		admin_key      <key>
//		admin_url      <url>
//		decimals       <number>
//		timeout        <duration>
//		max_concurrent <number>
//	}
func (v *Vendure) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	if err := readShopURL(d, &v.URL, "http://127.0.0.1:3000"); err != nil {
		return err
	}
	var decimals int
	known := v.settings(settings{
		"channel":      textSetting(&v.Channel, "the token of a channel"),
		"payment":      listSetting(&v.Payments, "the codes of payment methods"),
		"product_url":  pageSetting(&v.ProductURL, productExample, "handle", "id"),
		"checkout_url": pageSetting(&v.CheckoutURL, "https://shop.example.com/checkout/{order}", "order", "session"),
		"admin_key":    secretSetting(&v.AdminKey, "VENDURE_ADMIN_KEY"),
		"admin_url":    urlSetting(&v.AdminURL, "a URL, such as http://127.0.0.1:3000/admin-api"),
		"decimals": {read: func(d *caddyfile.Dispenser) error {
			v.Decimals = &decimals
			return numberSetting(&decimals, 0, 6).read(d)
		}},
	})
	return readBlock(d, "upstream vendure", known)
}

// Interface guards
var (
	_ Upstream              = (*Vendure)(nil)
	_ caddy.Provisioner     = (*Vendure)(nil)
	_ caddy.Validator       = (*Vendure)(nil)
	_ caddyfile.Unmarshaler = (*Vendure)(nil)
)
