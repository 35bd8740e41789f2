package caddymodule

import (
	"net/http"
	"net/url"
)

// basketPrefix is where our own page of a basket is.
const basketPrefix = "/storeware/basket/"

// basketPath is the path of a basket's page. The token lets whoever has the
// address see the basket.
func basketPath(id, token string) string {
	return basketPrefix + url.PathEscape(id) + "/" + url.PathEscape(token)
}

func (h *Handler) serveBasket(w http.ResponseWriter, r *http.Request) error {
	return nil
}
