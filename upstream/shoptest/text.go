package shoptest

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/upstream"
)

// markup finds tags and entities.
var markup = regexp.MustCompile(`</?[a-zA-Z!][^<>]*>|&(#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);`)

// badText says why s is not plain text, or returns the empty string.
func badText(s string) string {
	if found := markup.FindString(s); found != "" {
		return fmt.Sprintf("holds mark-up: %q", found)
	}
	if !utf8.ValidString(s) {
		return fmt.Sprintf("is not UTF-8: %q", s)
	}
	if strings.ContainsRune(s, 0) {
		return "holds a NUL"
	}
	return ""
}

// badURL says why s is neither empty nor an absolute URL.
func badURL(s string) string {
	if s == "" {
		return ""
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return fmt.Sprintf("is no URL: %q", s)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Sprintf("is not an absolute URL of the web: %q", s)
	}
	return ""
}

// describeQuery writes a query without what it does not ask for.
func describeQuery(q upstream.Query) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if q.Words != "" {
		add("words %.60q", q.Words)
	}
	if len(q.Categories) > 0 {
		add("categories %q", q.Categories)
	}
	if q.MinPrice != nil {
		add("from %d", *q.MinPrice)
	}
	if q.MaxPrice != nil {
		add("to %d", *q.MaxPrice)
	}
	if q.Available {
		add("available")
	}
	if q.Limit > 0 {
		add("limit %d", q.Limit)
	}
	if q.Cursor != "" {
		add("cursor %.40q", q.Cursor)
	}
	return strings.Join(parts, ", ")
}
