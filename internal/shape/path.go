package shape

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// How much of names and paths that strangers chose an error repeats, in bytes.
const (
	maxShownName = 64
	maxShownPath = 256
)

// Place is where a value stands in a document: a member of up, or an element of
// it. A nil Place is the root.
type Place struct {
	up      *Place
	element bool
	name    string // of a member
	index   int    // of an element
}

// Member returns the place of a member of the object at p.
func (p *Place) Member(name string) *Place { return &Place{up: p, name: name} }

// At returns the place of an element of the array at p.
func (p *Place) At(index int) *Place { return &Place{up: p, element: true, index: index} }

// String returns the place as a JSONPath (RFC 9535), as in
// $.line_items[0].quantity.
func (p *Place) String() string { return shorten(string(p.append(nil)), maxShownPath) }

func (p *Place) append(path []byte) []byte {
	if p == nil {
		return append(path, '$')
	}
	path = p.up.append(path)
	switch {
	case p.element:
		path = append(path, '[')
		path = strconv.AppendInt(path, int64(p.index), 10)
		return append(path, ']')
	case isShorthand(p.name):
		path = append(path, '.')
		return append(path, p.name...)
	}
	path = append(path, "['"...)
	path = append(path, quotedName.Replace(shorten(p.name, maxShownName))...)
	return append(path, "']"...)
}

// isShorthand reports whether a member can be written behind a dot.
func isShorthand(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= maxShownName
}

// quotedName escapes a member's name for a path in bracket notation.
var quotedName = strings.NewReplacer(
	`\`, `\\`, `'`, `\'`, "\b", `\b`, "\f", `\f`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// shorten cuts a text that a stranger chose the length of.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
