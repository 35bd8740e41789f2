package mapped

import (
	"encoding/json"
	"fmt"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// handle is what is kept of a basket between two calls.
type handle struct {
	// Basket is the shop's id of the basket, empty while the shop has none, and
	// Cookies are those of its session.
	Basket  string  `json:"basket,omitempty"`
	Cookies cookies `json:"cookies,omitempty"`
	// Lines are the lines of the caller that the basket holds.
	Lines []keptLine `json:"lines,omitempty"`
	// Buyer, Address and Billing are what the shop was told and took. It is not
	// asked for them again: many shops do not show them.
	Buyer   upstream.Buyer    `json:"buyer"`
	Address *upstream.Address `json:"address,omitempty"`
	Billing *upstream.Address `json:"billing,omitempty"`
	// Refused are the codes that the shop did not take, and what it said.
	Refused map[string]upstream.NoticeCode `json:"refused,omitempty"`
}

// keptLine is a line of the caller: its key, what it is, how many were wanted.
type keptLine struct {
	Key      string `json:"key"`
	Item     string `json:"item"`
	Product  string `json:"product"`
	SKU      string `json:"sku,omitempty"`
	Handle   string `json:"handle,omitempty"`
	Quantity int64  `json:"quantity"`
}

// version tells handles of this form from anything else.
const version = "mapped1 "

// readHandle reads a handle that write made. That of no basket yet is the zero
// handle.
func readHandle(op string, h upstream.Handle) (handle, error) {
	var read handle
	if h.IsZero() {
		return read, nil
	}
	text := h.Reveal()
	// The cause of a failure might quote the secret.
	if len(text) < len(version) || text[:len(version)] != version || json.Unmarshal([]byte(text[len(version):]), &read) != nil {
		return handle{}, upstream.Errorf(upstream.CodeInvalid, op, "the basket's handle is not one of this shop")
	}
	return read, nil
}

// begunHandle reads a handle that cannot be the zero one.
func begunHandle(op string, h upstream.Handle) (handle, error) {
	if h.IsZero() {
		return handle{}, upstream.Errorf(upstream.CodeBasketGone, op, "no basket was begun")
	}
	return readHandle(op, h)
}

// begun reports whether the shop has a basket.
func (h handle) begun() bool { return h.Basket != "" || len(h.Cookies) > 0 }

// write returns the handle as the caller keeps it.
func (h handle) write() (upstream.Handle, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return upstream.Handle{}, fmt.Errorf("writing the basket's handle: %w", err)
	}
	return secret.New(version + string(text)), nil
}
