package caddymodule

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/woocommerce"
)

func init() {
	caddy.RegisterModule(new(WooCommerce))
}

// WooCommerce is a WooCommerce shop (9.9 or later), spoken to through its Store
// API, and through its REST API if there is a key. Global placeholders such as
// {env.*} are replaced in all texts.
type WooCommerce struct {
	// URL is the shop's front page as Caddy reaches it, such as
	// http://127.0.0.1:8080 or https://10.0.0.5/store.
	URL string `json:"url,omitempty"`

	// PublicURL is the shop's front page as buyers reach it. The default is what
	// the shop itself says.
	PublicURL string `json:"public_url,omitempty"`

	// ConsumerKey and ConsumerSecret are a key of the REST API with the right
	// Read, of a user who is a shop manager: both or neither. With it orders are
	// found that a person made after a hand-off, and refunds are told. Use
	// placeholders.
	ConsumerKey    string `json:"consumer_key,omitempty"`
	ConsumerSecret string `json:"consumer_secret,omitempty"`

	// Payments are the ways to pay that agents may use. The default is bank
	// transfer, cheque and cash on delivery, whichever the shop has switched on.
	// If it is an empty list, every purchase ends on the shop's own page.
	Payments []WooPayment `json:"payments,omitzero"`

	// Language is the language of the shop's own words, such as en-GB. The
	// default is what its front page says.
	Language string `json:"language,omitempty"`

	// CheckoutPath is the path of the checkout page below the front page. The
	// default is /checkout/.
	CheckoutPath string `json:"checkout_path,omitempty"`

	// ForwardedHTTPS says that the shop is reached over plain HTTP and trusts its
	// proxy: it is told that buyers come over HTTPS (X-Forwarded-Proto), and is
	// shown the key as it stands.
	ForwardedHTTPS bool `json:"forwarded_https,omitempty"`

	Connection
}

// WooPayment is a way to pay that agents may use.
type WooPayment struct {
	// ID is the gateway's id in the shop, such as cod or stripe.
	ID string `json:"id"`

	// Title is what buyers read. The default is the shop's own, where it tells.
	Title string `json:"title,omitempty"`

	// Field is the key of payment_data under which the gateway expects what the
	// payment handler was given. It is empty for a gateway that wants nothing,
	// and for one that is given a whole JSON object of such fields.
	Field string `json:"field,omitempty"`
}

// CaddyModule returns the Caddy module information.
func (*WooCommerce) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.upstreams.woocommerce",
		New: func() caddy.Module { return new(WooCommerce) },
	}
}

// Provision replaces placeholders.
func (w *WooCommerce) Provision(caddy.Context) error {
	err := errors.Join(
		replace("url", &w.URL), replace("public_url", &w.PublicURL),
		replace("consumer_key", &w.ConsumerKey), replace("consumer_secret", &w.ConsumerSecret),
		replace("language", &w.Language), replace("checkout_path", &w.CheckoutPath),
	)
	for i := range w.Payments {
		p := &w.Payments[i]
		err = errors.Join(err, replace("payments", &p.ID), replace("payments", &p.Title), replace("payments", &p.Field))
	}
	return err
}

// Validate checks all that can be checked without the shop.
func (w *WooCommerce) Validate() error {
	shop, err := w.open(UpstreamOptions{})
	if err != nil {
		return err
	}
	shop.Close()
	return nil
}

// OpenShop returns the shop.
func (w *WooCommerce) OpenShop(o UpstreamOptions) (upstream.Shop, error) { return w.open(o) }

func (w *WooCommerce) open(o UpstreamOptions) (*woocommerce.Shop, error) {
	config := woocommerce.Config{
		Client:      w.client(o),
		ConsumerKey: secret.New(w.ConsumerKey), ConsumerSecret: secret.New(w.ConsumerSecret),
		Language: w.Language, CheckoutPath: w.CheckoutPath,
	}
	config.Client.Now = time.Now
	if w.ForwardedHTTPS {
		config.Client.Header = http.Header{"X-Forwarded-Proto": {"https"}}
	}
	if w.Payments != nil {
		config.Payments = make([]woocommerce.Payment, 0, len(w.Payments))
		for _, p := range w.Payments {
			config.Payments = append(config.Payments, woocommerce.Payment{ID: p.ID, Title: p.Title, Field: p.Field})
		}
	}
	if err := checkPath(w.CheckoutPath); err != nil {
		return nil, fmt.Errorf("checkout_path: %w", err)
	}
	var err error
	if config.Client.BaseURL, err = shopURL(w.URL); err != nil {
		return nil, err
	}
	if w.PublicURL != "" {
		if config.PublicURL, err = url.Parse(w.PublicURL); err != nil {
			return nil, fmt.Errorf("public_url: %q is no URL", w.PublicURL)
		}
	}
	return woocommerce.New(config)
}

// checkPath refuses what is no path of a page.
func checkPath(path string) error {
	if path != "" && (!strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "?#")) {
		return fmt.Errorf("%q is no path below the shop's front page, such as /checkout/", path)
	}
	return nil
}

// UnmarshalCaddyfile sets the module up from Caddyfile tokens. Syntax:
//
//	woocommerce <url> {
//		public_url      <url>
//		consumer_key    <key>
//		consumer_secret <secret>
//		payment         <id> {
//			title <text>
//			field <key>
//		}
//		payment         none
//		language        <tag>
//		checkout_path   <path>
//		forwarded_https
//		timeout         <duration>
//		max_concurrent  <number>
//	}
//
// The word payment may stand more than once. With payment none, every purchase
// ends on the shop's own page.
func (w *WooCommerce) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	halfKey := d.Err("consumer_key and consumer_secret go together: write both into the block of upstream woocommerce, or neither")
	if err := readShopURL(d, &w.URL, "http://127.0.0.1:8080"); err != nil {
		return err
	}
	err := readBlock(d, "upstream woocommerce", w.settings(settings{
		"public_url":      urlSetting(&w.PublicURL, "the URL where buyers reach the shop, such as https://shop.example.com"),
		"consumer_key":    secretSetting(&w.ConsumerKey, "WOO_CONSUMER_KEY"),
		"consumer_secret": secretSetting(&w.ConsumerSecret, "WOO_CONSUMER_SECRET"),
		"payment":         {read: w.readPayment, many: true},
		"language":        languageSetting(&w.Language),
		"checkout_path": {read: func(d *caddyfile.Dispenser) error {
			if err := textSetting(&w.CheckoutPath, "the path of the shop's checkout page, such as /checkout/").read(d); err != nil {
				return err
			}
			if err := checkPath(w.CheckoutPath); err != nil && !placeholder.MatchString(w.CheckoutPath) {
				return d.WrapErr(err)
			}
			return nil
		}},
		"forwarded_https": flagSetting(&w.ForwardedHTTPS),
	}))
	if err == nil && (w.ConsumerKey == "") != (w.ConsumerSecret == "") {
		err = halfKey
	}
	return err
}

// readPayment reads a way to pay.
func (w *WooCommerce) readPayment(d *caddyfile.Dispenser) error {
	if err := argument(d, "the id of a payment gateway, such as payment cod, or none"); err != nil {
		return err
	}
	payment := WooPayment{ID: d.Val()}
	known := slices.ContainsFunc(w.Payments, func(p WooPayment) bool { return p.ID == payment.ID })
	switch none := payment.ID == "none"; {
	case known || none && w.Payments != nil && len(w.Payments) == 0:
		return d.Errf("payment %s is set twice: remove one", payment.ID)
	case none && len(w.Payments) > 0, !none && w.Payments != nil && len(w.Payments) == 0:
		return d.Err("payment none says that agents may use no way to pay: remove it, or the others")
	case none:
		w.Payments = []WooPayment{}
		return nothingElse(d)
	}
	if err := readBlock(d, "payment "+payment.ID, settings{
		"title": textSetting(&payment.Title, "what buyers read, such as \"Credit card\""),
		"field": textSetting(&payment.Field, "the key of payment_data under which the gateway expects its token"),
	}); err != nil {
		return err
	}
	w.Payments = append(w.Payments, payment)
	return nil
}

// Interface guards
var (
	_ Upstream              = (*WooCommerce)(nil)
	_ caddy.Provisioner     = (*WooCommerce)(nil)
	_ caddy.Validator       = (*WooCommerce)(nil)
	_ caddyfile.Unmarshaler = (*WooCommerce)(nil)
)
