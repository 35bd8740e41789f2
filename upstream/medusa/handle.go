package medusa

import (
	"encoding/json"
	"fmt"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// handle is what is kept of a basket between two calls.
type handle struct {
	// Cart is the id of the shop's cart: whoever knows it has the cart.
	Cart string `json:"cart"`
	// Region is the id of the cart's region, and Country the country of it where
	// the goods go, in upper case, as far as known.
	Region  string `json:"region"`
	Country string `json:"country,omitempty"`
	// Lines are the lines of the caller that the cart holds.
	Lines []keptLine `json:"lines,omitempty"`
	// Unknown are the desired codes that the shop does not know, and Absent those
	// that it knows and did not apply to the cart as it is.
	Unknown []string `json:"unknown,omitempty"`
	Absent  []string `json:"absent,omitempty"`
	// OtherBuyer: the address of e-mail on the cart is not, or no longer, the
	// desired one. Medusa has no way to take one off a cart.
	OtherBuyer bool `json:"other_buyer,omitempty"`
}

// keptLine is a line of the caller: its key, the variant, how many were wanted.
type keptLine struct {
	Key      string `json:"key"`
	Variant  string `json:"variant"`
	Quantity int64  `json:"quantity"`
}

// readHandle reads a handle that write made. That of no basket yet is the zero
// handle.
func readHandle(op string, h upstream.Handle) (handle, error) {
	var read handle
	if h.IsZero() {
		return read, nil
	}
	// The cause of a failure might quote the secret.
	if err := json.Unmarshal([]byte(h.Reveal()), &read); err != nil || read.Cart == "" {
		return handle{}, upstream.Errorf(upstream.CodeInvalid, op, "the basket's handle is not one of this shop")
	}
	return read, nil
}

// begun reads a handle of a basket that there is.
func begun(op string, h upstream.Handle) (handle, error) {
	if h.IsZero() {
		return handle{}, upstream.Errorf(upstream.CodeBasketGone, op, "no basket was begun")
	}
	return readHandle(op, h)
}

// write returns the handle as the caller keeps it.
func (h handle) write() (upstream.Handle, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return upstream.Handle{}, fmt.Errorf("writing the basket's handle: %w", err)
	}
	return secret.New(string(text)), nil
}
