package medusa

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"

	"github.com/storeware/caddy-storeware/upstream"
)

// maxOffset bounds how far a cursor leads.
const maxOffset = 1_000_000

// A cursor is the number of products to skip, in four bytes, and eight bytes of a
// hash of the query it belongs to.
const cursorSize = 12

// writeCursor returns the cursor for what follows the first skip products.
func writeCursor(skip int, q upstream.Query, m upstream.Market) string {
	raw := binary.BigEndian.AppendUint32(make([]byte, 0, cursorSize), uint32(skip))
	return base64.RawURLEncoding.EncodeToString(append(raw, fingerprint(q, m)...))
}

// readCursor returns how many products to skip.
func readCursor(q upstream.Query, m upstream.Market) (int, error) {
	if q.Cursor == "" {
		return 0, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || len(raw) != cursorSize || !bytes.Equal(raw[4:], fingerprint(q, m)) {
		return 0, upstream.Errorf(upstream.CodeInvalid, searching, "the cursor is not one of this search")
	}
	skip := binary.BigEndian.Uint32(raw)
	if skip > maxOffset {
		return 0, upstream.Errorf(upstream.CodeInvalid, searching, "the cursor leads too far")
	}
	return int(skip), nil
}

// fingerprint tells one query from another, whatever the page.
func fingerprint(q upstream.Query, m upstream.Market) []byte {
	q.Cursor, q.Limit = "", 0
	sum := sha256.New()
	// A hash takes what it is given, and a query is strings, numbers and booleans.
	_ = json.NewEncoder(sum).Encode([]any{q, m.Country, m.Currency})
	return sum.Sum(nil)[:8]
}
