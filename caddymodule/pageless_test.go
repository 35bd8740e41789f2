package caddymodule_test

import (
	"context"

	"github.com/caddyserver/caddy/v2"

	"github.com/storeware/caddy-storeware/caddymodule"
	"github.com/storeware/caddy-storeware/upstream"
)

func init() {
	caddy.RegisterModule(new(pageless))
}

// pageless is the demo shop without its pages: a shop system as somebody else would
// add it.
type pageless struct{ caddymodule.Demo }

// CaddyModule returns the Caddy module information.
func (*pageless) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.upstreams.pageless",
		New: func() caddy.Module { return new(pageless) },
	}
}

// OpenShop returns the shop.
func (p *pageless) OpenShop(o caddymodule.UpstreamOptions) (upstream.Shop, error) {
	shop, err := p.Demo.OpenShop(o)
	return pagelessShop{shop, p.PublicURL == viewOnly}, err
}

// viewOnly is the address of a shop without pages that takes no orders either, and
// has hostile names for what it sells.
const viewOnly = "https://view-only.example"

// hostileName is what such a shop calls a product.
const hostileName = "</td><script>alert(1)</script>\u202e<img src=x onerror=alert(2)>"

type pagelessShop struct {
	upstream.Shop
	viewOnly bool
}

func (s pagelessShop) Describe(ctx context.Context) (upstream.Description, error) {
	d, err := s.Shop.Describe(ctx)
	d.Capabilities.HandOff = false
	if s.viewOnly {
		d.Capabilities.Place, d.Capabilities.Payments = false, nil
	}
	return d, err
}

// without returns a basket as the shop has it.
func (s pagelessShop) without(o upstream.Observed) upstream.Observed {
	o.HandOff = ""
	if s.viewOnly {
		for i := range o.Lines {
			o.Lines[i].Title, o.Lines[i].URL = hostileName, "javascript:alert(3)"
		}
		for i := range o.Totals {
			o.Totals[i].Label = hostileName
		}
	}
	return o
}

func (s pagelessShop) Apply(ctx context.Context, v upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	applied, err := s.Shop.Apply(ctx, v, h, d)
	applied.Observed = s.without(applied.Observed)
	return applied, err
}

func (s pagelessShop) Read(ctx context.Context, v upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	observed, err := s.Shop.Read(ctx, v, h)
	return s.without(observed), err
}

// Close closes the connections that are kept for later.
func (s pagelessShop) Close() {
	if c, ok := s.Shop.(interface{ Close() }); ok {
		c.Close()
	}
}
