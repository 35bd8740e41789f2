package caddymodule

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/storeware/caddy-storeware/internal/httpsig"
	"github.com/storeware/caddy-storeware/internal/safehttp"
)

// client is how a request looked to whoever sent it, before the proxies that the
// server trusts (its option trusted_proxies) and the rewrites of its
// configuration.
type client struct {
	addr   netip.Addr // invalid where unknown
	scheme string     // "https" or "http"
	host   string     // as sent, with a port if there was one
	target string     // the request target, as sent
}

func clientOf(r *http.Request) client {
	c := client{scheme: "http", host: r.Host, target: r.RequestURI}
	if r.TLS != nil {
		c.scheme = "https"
	}
	if original, ok := r.Context().Value(caddyhttp.OriginalRequestCtxKey).(http.Request); ok {
		c.target = original.RequestURI
	}
	if ip, ok := caddyhttp.GetVar(r.Context(), caddyhttp.ClientIPVarKey).(string); ok {
		// What is no address is the zero one, which says unknown.
		c.addr, _ = netip.ParseAddr(ip)
		c.addr = c.addr.Unmap()
	}
	if trusted, _ := caddyhttp.GetVar(r.Context(), caddyhttp.TrustedProxyVarKey).(bool); trusted {
		if scheme := strings.ToLower(lastOf(r.Header, "X-Forwarded-Proto")); scheme == "https" || scheme == "http" {
			c.scheme = scheme
		}
		if host := lastOf(r.Header, "X-Forwarded-Host"); host != "" {
			c.host = host
		}
	}
	return c
}

// lastOf returns the last of the values of a field that is a list, which the
// nearest proxy has written.
func lastOf(h http.Header, name string) string {
	values := h.Values(name)
	if len(values) == 0 {
		return ""
	}
	last := values[len(values)-1]
	return strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
}

// origin returns scheme and host as they begin the URLs that the client is given.
// The error wraps safehttp.ErrURL when the host is none.
func (c client) origin() (string, error) {
	if strings.ContainsAny(c.host, "/?#") {
		return "", safehttp.ErrURL
	}
	u, err := safehttp.ParseURL(c.scheme + "://" + c.host)
	if err != nil {
		return "", err
	}
	return u.Scheme + "://" + u.Host, nil
}

// signable is the part of the request that a signature of its answer covers.
func (c client) signable() *httpsig.Request {
	return &httpsig.Request{Scheme: c.scheme, Authority: c.host, Target: c.target}
}

// request returns the request as the client sent it.
func (c client) request(r *http.Request) *http.Request {
	sent := r.WithContext(r.Context())
	sent.Host, sent.RequestURI = c.host, c.target
	return sent
}
