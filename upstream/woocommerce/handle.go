package woocommerce

import (
	"encoding/json"
	"fmt"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// handle is what is kept of a basket between two calls.
type handle struct {
	// Token is the newest cart token.
	Token string `json:"token"`
	// Began is when the basket was begun, in Unix seconds.
	Began int64 `json:"began"`
	// Lines are the caller's lines that the basket holds.
	Lines []keptLine `json:"lines,omitempty"`
	// Codes are the discount codes as the caller wrote them.
	Codes []string `json:"codes,omitempty"`
	// Customer is a fingerprint of the buyer and the addresses that the shop was
	// told. NoEmail and NoAddress: it did not take them.
	Customer  string `json:"customer,omitempty"`
	NoEmail   bool   `json:"no_email,omitempty"`
	NoAddress bool   `json:"no_address,omitempty"`
	// Drafts are the orders that the basket may become, the newest last.
	Drafts []draft `json:"drafts,omitempty"`
}

// maxDrafts bounds Drafts.
const maxDrafts = 4

// keptLine is a line of the caller.
type keptLine struct {
	Key string `json:"key"`
	// Asked is the id that was asked for, Item the variant's that it came to,
	// Quantity how many were wanted.
	Asked    string `json:"asked"`
	Item     string `json:"item"`
	Quantity int64  `json:"quantity"`
	// Line is the shop's key of the line, which several of the caller's may share.
	Line string `json:"line"`
}

// draft is an order that the shop keeps for a basket from the moment it is
// complete. It has the number that the order will have.
type draft struct {
	ID     int64  `json:"id"`
	Number string `json:"number"`
	Key    string `json:"key"`
	Email  string `json:"email"`
}

// readHandle reads a handle that write made. The zero handle is no basket yet.
func readHandle(h upstream.Handle) (handle, error) {
	var read handle
	if h.IsZero() {
		return read, nil
	}
	if err := json.Unmarshal([]byte(h.Reveal()), &read); err != nil || session(read.Token) == "" {
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

// draft returns the newest draft, nil if there is none.
func (h *handle) draft() *draft {
	if len(h.Drafts) == 0 {
		return nil
	}
	return &h.Drafts[len(h.Drafts)-1]
}

// line returns the caller's first line that shares a line of the shop.
func (h *handle) line(key string) (keptLine, bool) {
	for _, line := range h.Lines {
		if line.Line == key {
			return line, true
		}
	}
	return keptLine{}, false
}
