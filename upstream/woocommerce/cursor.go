package woocommerce

import (
	"github.com/storeware/caddy-storeware/internal/cursor"
	"github.com/storeware/caddy-storeware/upstream"
)

// writeCursor returns the cursor for what follows the first skip places.
func writeCursor(skip int, q upstream.Query) string {
	return cursor.WriteOffset(searchOf(q), skip)
}

// readCursor returns how many places to skip.
func readCursor(q upstream.Query) (int, error) {
	skip, err := cursor.ReadOffset(searchOf(q), q.Cursor)
	if err != nil {
		return 0, upstream.Errorf(upstream.CodeInvalid, searching, "%v", err)
	}
	return skip, nil
}

// searchOf is what a cursor belongs to: a query, whatever the page.
func searchOf(q upstream.Query) any {
	q.Cursor, q.Limit = "", 0
	return q
}
