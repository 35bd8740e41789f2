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
func siteName(ctx caddy.Context) string {
	if hosts := siteHosts(ctx); len(hosts) > 0 {
		return hosts[0]
	}
	return namelessShop
}

// siteHosts returns the hostnames, in lower case, of the site whose handler is being
// provisioned with ctx; none for a site on every host.
//
// The HTTP app provisions the matchers of all routes of a server before any
// handler, and then the handlers route by route. Caddy clears a route's raw
// handlers as soon as they are provisioned, so that the first route which still
// has some is the one that is being provisioned: the site that the handler is in.
func siteHosts(ctx caddy.Context) []string {
	server, ok := ctx.Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server)
	if !ok {
		return nil
	}
	for _, route := range server.Routes {
		if len(route.HandlersRaw) == 0 {
			continue
		}
		var hosts []string
		for _, set := range route.MatcherSets {
			for _, matcher := range set {
				if named, ok := matcher.(*caddyhttp.MatchHost); ok {
					for _, host := range *named {
						hosts = append(hosts, strings.ToLower(host))
					}
				}
			}
		}
		return hosts
	}
	return nil
}
