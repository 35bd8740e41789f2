package caddymodule

import (
	"github.com/caddyserver/caddy/v2"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Upstream is what a guest module in the namespace storeware.upstreams
// implements: a shop system.
//
// Its exported fields, as they are after Provision, say which shop it is: two
// modules with equal fields share one shop, also across a reload of the
// configuration. Neither Provision nor OpenShop calls the shop, so that one
// which is down does not keep Caddy from starting.
type Upstream interface {
	caddy.Module

	// OpenShop returns the shop. If it has a method Close(), that is called once
	// no configuration uses the shop any more.
	OpenShop(o UpstreamOptions) (upstream.Shop, error)
}

// UpstreamOptions are what a shop is given beside its configuration.
type UpstreamOptions struct {
	// Observe is told of every call of the shop's API. It must be called for
	// the metrics to be complete, and may be called from any goroutine.
	Observe func(shopclient.Call)
}
