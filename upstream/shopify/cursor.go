package shopify

import (
	"github.com/storeware/caddy-storeware/internal/cursor"
	"github.com/storeware/caddy-storeware/upstream"
)

// writeCursor returns the cursor for what follows Shopify's own one.
func writeCursor(after string, q upstream.Query, m market) string {
	return cursor.Write(searchOf(q, m), []byte(after))
}

// readCursor returns Shopify's own cursor, empty for the beginning.
func readCursor(q upstream.Query, m market) (string, error) {
	if q.Cursor == "" {
		return "", nil
	}
	after, err := cursor.Read(searchOf(q, m), q.Cursor)
	if err != nil {
		return "", upstream.Errorf(upstream.CodeInvalid, searching, "%v", err)
	}
	return string(after), nil
}

// searchOf is what a cursor belongs to: a query, whatever the page.
func searchOf(q upstream.Query, m market) any {
	q.Cursor, q.Limit = "", 0
	return []any{q, m.country, m.language}
}
