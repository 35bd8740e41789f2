package shopify

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/storeware/caddy-storeware/upstream"
)

// A cursor is printSize bytes of a hash of the query it belongs to, and Shopify's
// own cursor.
const (
	printSize = 8
	maxCursor = 2000
)

// writeCursor returns the cursor for what follows Shopify's own one.
func writeCursor(after string, q upstream.Query, m market) string {
	return base64.RawURLEncoding.EncodeToString(append(fingerprint(q, m), after...))
}

// readCursor returns Shopify's own cursor, empty for the beginning.
func readCursor(q upstream.Query, m market) (string, error) {
	if q.Cursor == "" {
		return "", nil
	}
	if len(q.Cursor) > maxCursor {
		return "", upstream.Errorf(upstream.CodeInvalid, searching, "the cursor is too long")
	}
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || len(raw) <= printSize || !bytes.Equal(raw[:printSize], fingerprint(q, m)) {
		return "", upstream.Errorf(upstream.CodeInvalid, searching, "the cursor is not one of this search")
	}
	return string(raw[printSize:]), nil
}

// fingerprint tells one query from another, whatever the page.
func fingerprint(q upstream.Query, m market) []byte {
	q.Cursor, q.Limit = "", 0
	sum := sha256.New()
	// A hash takes what it is given, and a query is strings, numbers and booleans.
	_ = json.NewEncoder(sum).Encode([]any{q, m.country, m.language})
	return sum.Sum(nil)[:printSize]
}
