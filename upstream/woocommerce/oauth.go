package woocommerce

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// sign shows the key to the shop. Over HTTPS that is Basic authentication. Over
// plain HTTP WooCommerce takes nothing but a signature (RFC 5849, without a
// token, with HMAC-SHA256), which stands in the query.
func (c credentials) sign(r *shopclient.Request, f *facts, now time.Time) {
	if c.basic {
		pair := c.key.Reveal() + ":" + c.secret.Reveal()
		header := "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
		r.Secrets = map[string]secret.String{"Authorization": secret.New(header)}
		return
	}
	query := maps.Clone(r.Query)
	if query == nil {
		query = make(url.Values)
	}
	query.Set("oauth_consumer_key", c.key.Reveal())
	query.Set("oauth_nonce", rand.Text())
	query.Set("oauth_signature_method", "HMAC-SHA256")
	query.Set("oauth_timestamp", strconv.FormatInt(now.Unix(), 10))
	query.Set("oauth_signature", c.signature(method(r), f.address(r.Path), query))
	r.Query = query
}

// method is the request's, as the client will send it.
func method(r *shopclient.Request) string {
	switch {
	case r.Method != "":
		return r.Method
	case r.Body != nil:
		return http.MethodPost
	}
	return http.MethodGet
}

// signature signs a request to an address without its query.
func (c credentials) signature(method, address string, query url.Values) string {
	pairs := make([]string, 0, len(query))
	for _, name := range slices.Sorted(maps.Keys(query)) {
		pairs = append(pairs, percent(name)+"="+percent(query.Get(name)))
	}
	text := method + "&" + percent(address) + "&" + percent(strings.Join(pairs, "&"))
	mac := hmac.New(sha256.New, []byte(c.secret.Reveal()+"&"))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// percent encodes as RFC 5849 §3.6 wants it: all but letters, digits and -._~.
func percent(s string) string {
	return strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
}
