package woocommerce

import (
	"encoding/base64"
	"strings"

	"github.com/tidwall/gjson"
)

// A cart token is a JSON Web Token that the shop has signed for itself. What the
// adapter reads of it are two claims, and nothing is decided on them that the
// shop would not decide again.

// sessionIssuer is who issues the tokens of a shop that also takes them in the
// address of a page. Before WooCommerce 10.0 the issuer was the API's namespace.
const sessionIssuer = "store-api"

// claims are the payload of a token, nothing for what is no token.
func claims(token string) gjson.Result {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return gjson.Result{}
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || !gjson.ValidBytes(payload) {
		return gjson.Result{}
	}
	return gjson.ParseBytes(payload)
}

// session names the basket that a token opens. The shop renews tokens all the
// time; as long as they name the same session, the basket is the same.
func session(token string) string { return claims(token).Get("user_id").String() }

// opensPages reports whether the shop's pages take the token in their address.
func opensPages(token string) bool { return claims(token).Get("iss").String() == sessionIssuer }
