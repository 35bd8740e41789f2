package caddymodule

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo"
)

func init() {
	caddy.RegisterModule(new(Demo))
}

// Demo is the demo shop, run with storeware demo-shop. Global placeholders such as
// {env.*} are replaced in all texts.
type Demo struct {
	// URL is where the shop is, such as http://127.0.0.1:8081.
	URL string `json:"url,omitempty"`

	// PublicURL is where people reach the shop's pages. The default is the URL.
	PublicURL string `json:"public_url,omitempty"`

	Connection
}

// CaddyModule returns the Caddy module information.
func (*Demo) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.upstreams.demo",
		New: func() caddy.Module { return new(Demo) },
	}
}

// Provision replaces placeholders.
func (s *Demo) Provision(caddy.Context) error {
	return errors.Join(replace("url", &s.URL), replace("public_url", &s.PublicURL))
}

// Validate checks all that can be checked without the shop.
func (s *Demo) Validate() error {
	shop, err := s.open(UpstreamOptions{})
	if err != nil {
		return err
	}
	shop.Close()
	return nil
}

// OpenShop returns the shop.
func (s *Demo) OpenShop(o UpstreamOptions) (upstream.Shop, error) { return s.open(o) }

func (s *Demo) open(o UpstreamOptions) (*demo.Shop, error) {
	config := demo.Config{Client: s.client(o)}
	config.Client.Now = time.Now
	var err error
	if config.Client.BaseURL, err = shopURL(s.URL); err != nil {
		return nil, err
	}
	if s.PublicURL != "" {
		if config.PublicURL, err = url.Parse(s.PublicURL); err != nil {
			return nil, fmt.Errorf("public_url: %q is no URL", s.PublicURL)
		}
	}
	return demo.New(config)
}

// UnmarshalCaddyfile sets the module up from Caddyfile tokens. Syntax:
//
//	demo <url> {
//		public_url     <url>
//		timeout        <duration>
//		max_concurrent <number>
//	}
func (s *Demo) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	if err := readShopURL(d, &s.URL, "http://127.0.0.1:8081"); err != nil {
		return err
	}
	return readBlock(d, "upstream demo", s.settings(settings{
		"public_url": urlSetting(&s.PublicURL, "the URL where people reach the shop, such as https://shop.example.com"),
	}))
}

// Interface guards
var (
	_ Upstream              = (*Demo)(nil)
	_ caddy.Provisioner     = (*Demo)(nil)
	_ caddy.Validator       = (*Demo)(nil)
	_ caddyfile.Unmarshaler = (*Demo)(nil)
)
