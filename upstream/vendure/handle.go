package vendure

import (
	"encoding/json"
	"fmt"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// handle is what is kept of a basket between two calls.
type handle struct {
	Session session `json:"session"`
	// Order is the code of the order, empty while the shop has not begun one.
	Order string `json:"order,omitempty"`
	// Currency is the order's: a basket stays in the one it was begun in.
	Currency money.Currency `json:"currency,omitempty"`
	// Lines are the lines of the caller that the order holds.
	Lines []keptLine `json:"lines,omitempty"`
	// OtherBuyer: the buyer on the order is not, or no longer, the desired one.
	// Vendure has no way to take a buyer off an order.
	OtherBuyer bool `json:"other_buyer,omitempty"`
	// NoRoute: the goods shall go to a country that the shop does not know, and
	// so the order has no address.
	NoRoute bool `json:"no_route,omitempty"`
}

// keptLine is a line of the caller: its key, the variant, how many were wanted,
// and what the variant cost when the line was last looked at.
type keptLine struct {
	Key      string `json:"key"`
	Variant  string `json:"variant"`
	Quantity int64  `json:"quantity"`
	Price    string `json:"price,omitempty"`
}

// readHandle reads a handle that write made.
func readHandle(h upstream.Handle) (handle, error) {
	var read handle
	if h.IsZero() {
		return read, nil
	}
	if err := json.Unmarshal([]byte(h.Reveal()), &read); err != nil {
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
