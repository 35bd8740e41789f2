package mapped

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/storeware/caddy-storeware/upstream"
)

// Bounds for cursors: how far one leads, and how long it is in bytes.
const (
	maxOffset = 1_000_000
	maxCursor = 4096
	// markSize is how long the mark is that ties a cursor to its query.
	markSize = 8
)

// searchPlace is where a page of a search begins: in a page of the shop's, after
// some of its products.
type searchPlace struct {
	Page pagePlace `json:"p"`
	Skip int       `json:"s,omitempty"`
}

// writeCursor returns the cursor for what begins at a place.
func writeCursor(at searchPlace, q upstream.Query, m upstream.Market) string {
	raw, _ := json.Marshal(at) // Numbers and a string.
	return base64.RawURLEncoding.EncodeToString(append(fingerprint(q, m), raw...))
}

// readCursor returns where a page begins.
func readCursor(q upstream.Query, m upstream.Market) (searchPlace, error) {
	var at searchPlace
	if q.Cursor == "" {
		return at, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || len(q.Cursor) > maxCursor || len(raw) < markSize || !bytes.Equal(raw[:markSize], fingerprint(q, m)) ||
		json.Unmarshal(raw[markSize:], &at) != nil {
		return at, upstream.Errorf(upstream.CodeInvalid, searching, "the cursor is not one of this search")
	}
	if at.Skip < 0 || at.Page.Number < 0 || at.Page.Offset < 0 || at.Page.Number > maxOffset || at.Page.Offset > maxOffset {
		return at, upstream.Errorf(upstream.CodeInvalid, searching, "the cursor leads too far")
	}
	return at, nil
}

// fingerprint tells one query from another, whatever the page.
func fingerprint(q upstream.Query, m upstream.Market) []byte {
	q.Cursor, q.Limit = "", 0
	sum := sha256.New()
	// A hash takes what it is given, and a query is strings, numbers and booleans.
	_ = json.NewEncoder(sum).Encode([]any{q, m.Country, m.Currency, m.Language})
	return sum.Sum(nil)[:markSize]
}
