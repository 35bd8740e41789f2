package ucp

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"

	"github.com/storeware/caddy-storeware/upstream"
)

// A cursor on the wire is the base64url of a format byte, a sum over the search
// it belongs to, and the shop's own cursor. The sum finds out cursors that were
// cut, changed or taken from another search; it keeps no secret, and whoever
// forges a cursor asks the shop for a page of their own search.
const (
	cursorFormat = 1
	cursorSum    = 8
	maxCursor    = 4 << 10
)

var errCursor = errors.New("must be the cursor of an earlier answer to the same search")

// sealCursor returns the cursor that continues a search at the shop's own.
func sealCursor(q upstream.Query, shops string) string {
	sum := searchSum(q, shops)
	sealed := make([]byte, 0, 1+cursorSum+len(shops))
	sealed = append(sealed, cursorFormat)
	sealed = append(sealed, sum[:cursorSum]...)
	sealed = append(sealed, shops...)
	return base64.RawURLEncoding.EncodeToString(sealed)
}

// openCursor returns the shop's own cursor. The error is errCursor for one that
// sealCursor did not make for this search.
func openCursor(q upstream.Query, cursor string) (string, error) {
	if len(cursor) > maxCursor {
		return "", errCursor
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(sealed) <= 1+cursorSum || sealed[0] != cursorFormat {
		return "", errCursor
	}
	shops := string(sealed[1+cursorSum:])
	if sum := searchSum(q, shops); string(sealed[1:1+cursorSum]) != string(sum[:cursorSum]) {
		return "", errCursor
	}
	return shops, nil
}

// searchSum identifies a search, whatever the size of its pages, and a place in
// its results.
func searchSum(q upstream.Query, shops string) [sha256.Size]byte {
	var text []byte
	add := func(part string) {
		// The lengths keep ("ab", "c") and ("a", "bc") apart.
		text = binary.AppendUvarint(text, uint64(len(part)))
		text = append(text, part...)
	}
	add(q.Words)
	add(shops)
	for _, bound := range []*int64{q.MinPrice, q.MaxPrice} {
		if bound == nil {
			text = append(text, 0)
		} else {
			text = binary.AppendVarint(append(text, 1), *bound)
		}
	}
	for _, category := range q.Categories {
		add(category)
	}
	return sha256.Sum256(text)
}
