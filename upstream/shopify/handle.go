package shopify

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// maxPast is how many carts that Shopify has dropped are remembered of a basket.
const maxPast = 3

// handle is what is kept of a basket between two calls.
type handle struct {
	// Cart is the cart's id with the key that opens it.
	Cart string `json:"cart"`
	// Mark is written on the cart, and by Shopify on the order that it becomes:
	// it is how the order is told from all others.
	Mark string `json:"mark"`
	// Past are the tokens of carts before this one. One of them may have been
	// ordered, and the shop have been late to say so.
	Past []string `json:"past,omitempty"`
	// Country is the one whose prices the cart has.
	Country string `json:"country,omitempty"`
	// Lines are the lines of the caller that the cart holds.
	Lines []keptLine `json:"lines,omitempty"`
	// Buyer and Address tell what was sent last from what is wanted now. Shopify
	// writes both in its own way, and a person may have corrected them.
	Buyer   string `json:"buyer,omitempty"`
	Address string `json:"address,omitempty"`
}

// keptLine is a line of the caller: its key, the variant, how many were wanted.
type keptLine struct {
	Key      string `json:"key"`
	Variant  string `json:"variant"`
	Quantity int64  `json:"quantity"`
}

// readHandle reads a handle that write made. The zero handle is a basket that is
// still to be begun.
func readHandle(h upstream.Handle) (handle, error) {
	if h.IsZero() {
		return handle{Mark: rand.Text()}, nil
	}
	var read handle
	err := json.Unmarshal([]byte(h.Reveal()), &read)
	if err != nil || read.Mark == "" || !strings.HasPrefix(read.Cart, cartPrefix) {
		// The cause might quote the secret.
		return handle{}, upstream.Errorf(upstream.CodeInvalid, "reading the basket's handle", "it is not one of this shop")
	}
	return read, nil
}

// write returns the handle as the caller keeps it.
func (h handle) write() (upstream.Handle, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return upstream.Handle{}, fmt.Errorf("writing the basket's handle: %w", err)
	}
	return secret.New(string(text)), nil
}

// renewed is the handle of a new cart in the place of one that is gone.
func (h handle) renewed() handle {
	next := handle{Mark: h.Mark, Past: h.Past}
	if token := cartToken(h.Cart); token != "" {
		next.Past = append(next.Past, token)
	}
	next.Past = next.Past[max(0, len(next.Past)-maxPast):]
	return next
}

// mayBeOrdered reports whether it is worth asking for an order of the basket:
// Shopify takes away a cart that was ordered.
func (h handle) mayBeOrdered(now cart) bool {
	return now.none() || len(h.Past) > 0 || len(h.Lines) > 0 && len(now.lines()) == 0
}

// tokens are those of all carts that the basket was.
func (h handle) tokens() []string {
	if token := cartToken(h.Cart); token != "" {
		return append(h.Past[:len(h.Past):len(h.Past)], token)
	}
	return h.Past
}

// cartToken is the part of a cart's id by which its order is searched, empty if it
// has none that can be.
func cartToken(cart string) string {
	token, _, _ := strings.Cut(strings.TrimPrefix(cart, cartPrefix), "?")
	if strings.Trim(token, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return ""
	}
	return token
}

// printOf tells one input from another.
func printOf(input variables) string {
	sum := sha256.New()
	// A hash takes what it is given, and inputs are strings and nulls.
	_ = json.NewEncoder(sum).Encode(input)
	return base64.RawStdEncoding.EncodeToString(sum.Sum(nil)[:8])
}
