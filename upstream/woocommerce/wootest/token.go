package wootest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// tokenSecret signs the cart tokens of every shop of this package, so that a
// token of one is good in another, as after a restart.
const tokenSecret = "@put your unique phrase here"

// tokenLife is how long a token is good.
const tokenLife = 48 * time.Hour

// nonce is what a browser is given. It is the same for all visitors.
const nonce = "cc123090a4"

// claims are the payload of a token.
type claims struct {
	User    string `json:"user_id"`
	Expires int64  `json:"exp"`
	Issuer  string `json:"iss"`
	Issued  int64  `json:"iat"`
}

// token returns a fresh token for a session.
func (s *Shop) token(user string) string {
	c := claims{User: user, Expires: s.now().Add(tokenLife).Unix(), Issuer: "store-api", Issued: s.now().Unix()}
	if s.config.Old {
		c.Issuer = "wc/store/v1"
	}
	payload, err := json.Marshal(c)
	if err != nil {
		s.t.Errorf("writing a token: %v", err)
	}
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + base64.RawURLEncoding.EncodeToString(payload)
	return text + "." + sign(text)
}

func sign(text string) string {
	mac := hmac.New(sha256.New, []byte(tokenSecret))
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// userOf returns the session that a token names, good or not.
func userOf(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return ""
	}
	var c claims
	if json.Unmarshal(payload, &c) != nil {
		return ""
	}
	return c.User
}

// opened returns the session that a token opens, empty for a bad one and for one
// that has expired.
func (s *Shop) opened(token string) string {
	text, signature, ok := cutLast(token, ".")
	if !ok || signature != sign(text) {
		return ""
	}
	payload, err := base64.RawURLEncoding.DecodeString(text[strings.IndexByte(text, '.')+1:])
	var c claims
	if err != nil || json.Unmarshal(payload, &c) != nil || c.Expires < s.now().Unix() {
		return ""
	}
	return c.User
}

func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return "", "", false
	}
	return text[:at], text[at+len(separator):], true
}

// open finds the session of a request, or begins one where it brings no good
// token, and writes the headers of every answer about a basket.
func (c *exchange) open() (withToken bool) {
	user := c.shop.opened(c.r.Header.Get("Cart-Token"))
	withToken = user != ""
	if user == "" {
		c.shop.nextGuest++
		user = fmt.Sprintf("t_%030x", c.shop.nextGuest)
	}
	c.session = c.shop.sessions[user]
	if c.session == nil {
		c.session = newSession(user)
		c.shop.sessions[user] = c.session
	}
	c.headers()
	return withToken
}

func (c *exchange) headers() {
	header := c.w.Header()
	header.Set("Nonce", nonce)
	header.Set("Nonce-Timestamp", fmt.Sprint(c.shop.now().Unix()))
	header.Set("User-ID", "0")
	header.Set("Cart-Token", c.shop.token(c.session.user))
}

// admitted reports whether a request may change a basket. One without a token
// needs a nonce.
func (c *exchange) admitted(withToken bool) bool {
	switch given := c.r.Header.Get("Nonce"); {
	case withToken, given == nonce:
		return true
	case given == "":
		c.refuse("201-add-item-no-token-no-nonce")
	default:
		c.refuse("202-add-item-bad-nonce")
	}
	return false
}

// serve answers a request to the Store API.
func (c *exchange) serve() {
	path := strings.TrimPrefix(c.path, "/wc/store/v1/")
	switch {
	case strings.HasPrefix(path, "products"):
		c.catalogue(strings.TrimPrefix(path, "products"))
		return
	case strings.HasPrefix(path, "order/"):
		c.showOrder()
		return
	case path == "batch":
		c.batch()
		return
	}
	withToken := c.open()
	if (c.r.Method != http.MethodGet || path == "checkout") && !c.admitted(withToken) {
		return
	}
	c.shop.load(c.session)
	switch path {
	case "cart":
		c.showCart(http.StatusOK)
	case "cart/items/" + c.text("key"):
		c.session.items = slices.DeleteFunc(c.session.items, func(l *line) bool { return l.key == c.text("key") })
		c.w.WriteHeader(http.StatusNoContent)
	case "cart/items":
		c.session.items = nil
		c.shop.answer(c.w, http.StatusOK, []any{}, nil)
	case "cart/add-item":
		c.addItem()
	case "cart/update-item":
		c.updateItem()
	case "cart/remove-item":
		c.removeItem()
	case "cart/apply-coupon":
		c.applyCoupon()
	case "cart/remove-coupon":
		c.removeCoupon()
	case "cart/update-customer":
		c.updateCustomer()
	case "cart/select-shipping-rate":
		c.selectRate()
	case "checkout":
		if c.r.Method == http.MethodGet {
			c.openCheckout()
		} else {
			c.checkout()
		}
	}
}
