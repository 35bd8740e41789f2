package caddymodule

import (
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

// namelessShop is the name of a shop on a site that has none.
const namelessShop = "default"

// siteName returns the first hostname of the site whose handler is being
// provisioned with ctx.
//
// The HTTP app provisions the matchers of all routes of a server before any
// handler, and then the handlers route by route. Caddy clears a route's raw
// handlers as soon as they are provisioned, so that the first route which still
// has some is the one that is being provisioned: the site that the handler is in.
func siteName(ctx caddy.Context) string {
	server, ok := ctx.Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server)
	if !ok {
		return namelessShop
	}
	for _, route := range server.Routes {
		if len(route.HandlersRaw) == 0 {
			continue
		}
		for _, set := range route.MatcherSets {
			for _, matcher := range set {
				if hosts, ok := matcher.(*caddyhttp.MatchHost); ok && len(*hosts) > 0 {
					return strings.ToLower((*hosts)[0])
				}
			}
		}
		return namelessShop
	}
	return namelessShop
}
