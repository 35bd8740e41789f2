package medusa

import (
	"github.com/storeware/caddy-storeware/internal/cursor"
	"github.com/storeware/caddy-storeware/upstream"
)

// writeCursor returns the cursor for what follows the first skip products.
func writeCursor(skip int, q upstream.Query, m upstream.Market) string {
	return cursor.WriteOffset(searchOf(q, m), skip)
}

// readCursor returns how many products to skip.
func readCursor(q upstream.Query, m upstream.Market) (int, error) {
	skip, err := cursor.ReadOffset(searchOf(q, m), q.Cursor)
	if err != nil {
		return 0, upstream.Errorf(upstream.CodeInvalid, searching, "%v", err)
	}
	return skip, nil
}

// searchOf is what a cursor belongs to: a query, whatever the page.
func searchOf(q upstream.Query, m upstream.Market) any {
	q.Cursor, q.Limit = "", 0
	return []any{q, m.Currency, m.Language}
}
