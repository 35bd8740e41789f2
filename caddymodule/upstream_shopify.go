package caddymodule

import (
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopify"
)

func init() {
	caddy.RegisterModule(new(Shopify))
}

// Shopify is a shop at Shopify whose pages are on a domain of their own, spoken to
// through the Storefront API. It takes no orders: a purchase ends on Shopify's own
// page. Global placeholders such as {env.*} are replaced in all texts.
type Shopify struct {
	// URL is the shop's own address at Shopify, such as
	// https://my-shop.myshopify.com, without a path.
	URL string `json:"url,omitempty"`

	// Version is the version of Shopify's API: a year and the first month of a
	// quarter, or unstable. The default, and the oldest, is 2026-07.
	Version string `json:"version,omitempty"`

	// PrivateToken is the private access token of the Storefront API. Use a
	// placeholder.
	PrivateToken string `json:"private_token,omitempty"`

	// PublicToken is the public access token, for shops without a private one.
	PublicToken string `json:"public_token,omitempty"`

	// AdminToken is an access token of the Admin API with the scopes read_orders
	// and read_products. Without it no order can be read, and nobody hears what
	// became of a basket after its hand-off. Use a placeholder.
	AdminToken string `json:"admin_token,omitempty"`

	// ProductURL is the address of a product's page, with {handle} in it, such as
	// https://shop.example.com/products/{handle}. It is empty for a shop whose
	// pages Shopify serves, and for one without pages.
	ProductURL string `json:"product_url,omitempty"`

	// Metafields are the metafields of products that are told as attributes, each
	// as namespace.key. The shop must show them to its storefronts. The default is
	// none.
	Metafields []string `json:"metafields,omitempty"`

	Connection
}

// CaddyModule returns the Caddy module information.
func (*Shopify) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.upstreams.shopify",
		New: func() caddy.Module { return new(Shopify) },
	}
}

// Provision replaces placeholders.
func (s *Shopify) Provision(caddy.Context) error {
	s.ProductURL = replaceKnown(s.ProductURL) // which holds {handle}, too
	return errors.Join(
		replace("url", &s.URL), replace("version", &s.Version),
		replace("private_token", &s.PrivateToken), replace("public_token", &s.PublicToken),
		replace("admin_token", &s.AdminToken), replaceEach("metafields", s.Metafields),
	)
}

// Validate checks all that can be checked without the shop.
func (s *Shopify) Validate() error {
	shop, err := s.open(UpstreamOptions{})
	if err != nil {
		return err
	}
	shop.Close()
	return nil
}

// OpenShop returns the shop.
func (s *Shopify) OpenShop(o UpstreamOptions) (upstream.Shop, error) { return s.open(o) }

func (s *Shopify) open(o UpstreamOptions) (*shopify.Shop, error) {
	config := shopify.Config{
		Client:       s.client(o),
		Version:      s.Version,
		PrivateToken: secret.New(s.PrivateToken), PublicToken: secret.New(s.PublicToken), AdminToken: secret.New(s.AdminToken),
		ProductURL: s.ProductURL, Metafields: s.Metafields,
		Log: slog.New(runningLog{name: string(s.CaddyModule().ID)}),
	}
	config.Client.Now = time.Now
	var err error
	if config.Client.BaseURL, err = shopURL(s.URL); err != nil {
		return nil, err
	}
	return shopify.New(config)
}

// UnmarshalCaddyfile sets the module up from Caddyfile tokens. Syntax:
//
//	shopify <url> {
//		private_token  <token>
//		public_token   <token>
//		admin_token    <token>
//		version        <version>
//		product_url    <template>
//		metafield      <namespace.key...>
//		timeout        <duration>
//		max_concurrent <number>
//	}
//
// One of the first two must be there.
func (s *Shopify) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	noToken := d.Err("the access token of the Storefront API is missing: write private_token {env.SHOPIFY_PRIVATE_TOKEN} in the block of upstream shopify")
	const example = "https://my-shop.myshopify.com"
	if err := readShopURL(d, &s.URL, example); err != nil {
		return err
	}
	if u, err := url.Parse(s.URL); err == nil && u.Path != "" && u.Path != "/" && u.Host != "" {
		return d.Errf("the URL of the shop must end with its host, since the path follows from the version: write, for instance, upstream shopify %s", example)
	}
	err := readBlock(d, "upstream shopify", s.settings(settings{
		"private_token": s.token(secretSetting(&s.PrivateToken, "SHOPIFY_PRIVATE_TOKEN")),
		"public_token":  s.token(secretSetting(&s.PublicToken, "SHOPIFY_PUBLIC_TOKEN")),
		"admin_token":   secretSetting(&s.AdminToken, "SHOPIFY_ADMIN_TOKEN"),
		"version":       s.checked(textSetting(&s.Version, "a version of Shopify's API, such as 2026-07")),
		"product_url":   s.checked(pageSetting(&s.ProductURL, productExample, "handle")),
		"metafield":     s.checked(listSetting(&s.Metafields, "the names of metafields with their namespaces, such as custom.material")),
	}))
	if err == nil && s.PrivateToken == "" && s.PublicToken == "" {
		err = noToken
	}
	return err
}

// token is a setting of which there can be one in a block.
func (s *Shopify) token(one setting) setting {
	return setting{read: func(d *caddyfile.Dispenser) error {
		if err := one.read(d); err != nil {
			return err
		}
		if s.PrivateToken != "" && s.PublicToken != "" {
			return d.Err("there is a private token and a public one: leave public_token out")
		}
		return nil
	}}
}

// checked is a setting whose value is looked at as soon as it was read.
func (s *Shopify) checked(one setting) setting {
	return setting{many: one.many, read: func(d *caddyfile.Dispenser) error {
		if err := one.read(d); err != nil {
			return err
		}
		// What has yet to be replaced is looked at later. With a URL and a token
		// that are right, nothing else can be wrong.
		check := Shopify{URL: "http://localhost", PublicToken: "any", Metafields: slices.DeleteFunc(slices.Clone(s.Metafields), placeholder.MatchString)}
		if !placeholder.MatchString(s.Version) {
			check.Version = s.Version
		}
		if !placeholder.MatchString(s.ProductURL) {
			check.ProductURL = s.ProductURL
		}
		if err := check.Validate(); err != nil {
			return d.WrapErr(err)
		}
		return nil
	}}
}

// Interface guards
var (
	_ Upstream              = (*Shopify)(nil)
	_ caddy.Provisioner     = (*Shopify)(nil)
	_ caddy.Validator       = (*Shopify)(nil)
	_ caddyfile.Unmarshaler = (*Shopify)(nil)
)
