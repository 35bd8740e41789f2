package caddymodule

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

func TestClientOf(t *testing.T) {
	for name, test := range map[string]struct {
		trusted, tls         bool
		ip, proto, fwdHost   string
		scheme, host, origin string
		addr                 string
	}{
		"plain":             {ip: "192.0.2.1", scheme: "http", host: "Shop.Example:8080", origin: "http://shop.example:8080", addr: "192.0.2.1"},
		"encrypted":         {tls: true, ip: "2001:db8::1", scheme: "https", host: "Shop.Example:8080", origin: "https://shop.example:8080", addr: "2001:db8::1"},
		"a stranger's word": {ip: "192.0.2.1", proto: "https", fwdHost: "evil.example", scheme: "http", host: "Shop.Example:8080", origin: "http://shop.example:8080", addr: "192.0.2.1"},
		"a trusted proxy":   {trusted: true, ip: "192.0.2.7", proto: "HTTPS", fwdHost: "www.shop.example", scheme: "https", host: "www.shop.example", origin: "https://www.shop.example", addr: "192.0.2.7"},
		"several proxies":   {trusted: true, ip: "192.0.2.7", proto: "http, https", fwdHost: "evil.example, shop.example:443", scheme: "https", host: "shop.example:443", origin: "https://shop.example", addr: "192.0.2.7"},
		"an odd scheme":     {trusted: true, proto: "gopher", scheme: "http", host: "Shop.Example:8080", origin: "http://shop.example:8080", addr: "invalid IP"},
		"a mapped address":  {ip: "::ffff:192.0.2.1", scheme: "http", host: "Shop.Example:8080", origin: "http://shop.example:8080", addr: "192.0.2.1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/rewritten", nil)
			r.Host = "Shop.Example:8080"
			if test.tls {
				r.TLS = &tls.ConnectionState{}
			}
			if test.proto != "" {
				r.Header.Set("X-Forwarded-Proto", test.proto)
				if test.fwdHost != "" {
					r.Header.Set("X-Forwarded-Host", test.fwdHost)
				}
			}
			ctx := context.WithValue(r.Context(), caddyhttp.VarsCtxKey, map[string]any{
				caddyhttp.TrustedProxyVarKey: test.trusted, caddyhttp.ClientIPVarKey: test.ip,
			})
			ctx = context.WithValue(ctx, caddyhttp.OriginalRequestCtxKey, http.Request{RequestURI: "/sent?x=%2F"})
			c := clientOf(r.WithContext(ctx))
			if c.scheme != test.scheme || c.host != test.host || c.addr.String() != test.addr {
				t.Errorf("got scheme %s, host %s, address %s", c.scheme, c.host, c.addr)
			}
			if c.target != "/sent?x=%2F" {
				t.Errorf("got target %s", c.target)
			}
			if origin, err := c.origin(); err != nil || origin != test.origin {
				t.Errorf("got origin %s (%v), want %s", origin, err, test.origin)
			}
		})
	}
}

func TestOriginRefuses(t *testing.T) {
	for _, host := range []string{"", "shop.example/x", "shop.example?x", "shop.example#x", "user@shop.example", "a b", "shop.example:99999", "[::1"} {
		if origin, err := (client{scheme: "https", host: host}).origin(); err == nil {
			t.Errorf("%q is the origin %s", host, origin)
		}
	}
}
