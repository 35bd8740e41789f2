package woocommerce

import (
	"regexp"
	"strings"

	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// pageRequest asks for the shop's front page.
func pageRequest() shopclient.Request {
	return shopclient.Request{Op: asking, Accept: "text/html", Safe: true}
}

// languageOf returns the language that a page says it is in. WordPress writes a
// BCP 47 tag.
func languageOf(page string) string {
	head := cut(page, 4<<10)
	at := strings.Index(strings.ToLower(head), "<html")
	if at < 0 {
		return unknownLanguage
	}
	found := regexp.MustCompile(`^[^>]*\blang=["']([a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*)["']`).FindStringSubmatch(head[at:])
	if found == nil {
		return unknownLanguage
	}
	return found[1]
}
