package caddymodule

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Connection says within which limits a shop's API is called.
type Connection struct {
	// Timeout bounds one call of the shop's API, from sending to the last byte
	// of the answer. The default is 10s.
	Timeout caddy.Duration `json:"timeout,omitempty"`

	// MaxConcurrent is how many calls of the shop's API run at once. Four times
	// as many wait for their turn, and agents beyond that are asked to come
	// back. The default is 32.
	MaxConcurrent int `json:"max_concurrent,omitempty"`
}

// client returns the configuration of a client within these limits.
func (c Connection) client(o UpstreamOptions) shopclient.Config {
	return shopclient.Config{
		Timeout:       time.Duration(c.Timeout),
		MaxConcurrent: c.MaxConcurrent,
		Observe:       o.Observe,
	}
}

// settings adds the words of a connection to those of a shop system.
func (c *Connection) settings(known settings) settings {
	known["timeout"] = durationSetting(&c.Timeout)
	known["max_concurrent"] = numberSetting(&c.MaxConcurrent, 1, 1000)
	return known
}

// readShopURL reads the URL of a shop's API. The example is one of such a system.
func readShopURL(d *caddyfile.Dispenser, to *string, example string) error {
	system := d.Val()
	if !d.NextArg() {
		return d.Errf("the URL of the shop is missing: write, for instance, upstream %s %s", system, example)
	}
	*to = d.Val()
	return checkShopURL(d, system, *to, example)
}

// checkShopURL checks the URL of a shop's API, unless it has yet to be replaced.
func checkShopURL(d *caddyfile.Dispenser, system, text, example string) error {
	if strings.Contains(text, "{") {
		return nil
	}
	if _, err := shopURL(text); err != nil {
		return d.Errf("%v: write, for instance, upstream %s %s", err, system, example)
	}
	return nil
}

// shopURL parses the URL of a shop's API.
func shopURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return nil, fmt.Errorf("the URL of the shop is missing")
	case err == nil && u.User != nil:
		return nil, fmt.Errorf("the URL of the shop holds credentials, which would appear in logs")
	case err != nil || !isWeb(u):
		return nil, fmt.Errorf("%q is no URL of a shop, which begins with http:// or https://", text)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q must end with its path", text)
	}
	return u, nil
}
