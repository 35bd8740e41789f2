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
	return pagelessShop{shop}, err
}

type pagelessShop struct{ upstream.Shop }

func (s pagelessShop) Apply(ctx context.Context, v upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	applied, err := s.Shop.Apply(ctx, v, h, d)
	applied.Observed.HandOff = ""
	return applied, err
}

func (s pagelessShop) Read(ctx context.Context, v upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	observed, err := s.Shop.Read(ctx, v, h)
	observed.HandOff = ""
	return observed, err
}

// Close closes the connections that are kept for later.
func (s pagelessShop) Close() {
	if c, ok := s.Shop.(interface{ Close() }); ok {
		c.Close()
	}
}
