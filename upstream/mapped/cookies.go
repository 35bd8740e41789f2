package mapped

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/secret"
)

// maxCookies bounds how many cookies are kept with a basket, and maxCookie how
// long each may be, in bytes.
const (
	maxCookies = 20
	maxCookie  = 4096
)

// cookies are those by which a shop knows a basket again, by name. A nil map keeps
// none.
type cookies map[string]string

// keep takes over what an answer sets.
func (c cookies) keep(header http.Header) {
	if c == nil {
		return
	}
	for _, cookie := range (&http.Response{Header: header}).Cookies() {
		switch {
		case cookie.MaxAge < 0 || cookie.Value == "":
			delete(c, cookie.Name)
		case len(cookie.Name)+len(cookie.Value) <= maxCookie && len(c) < maxCookies:
			c[cookie.Name] = cookie.Value
		}
	}
}

// header is what is sent.
func (c cookies) header() secret.String {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		all = append(all, name+"="+c[name])
	}
	return secret.New(strings.Join(all, "; "))
}
