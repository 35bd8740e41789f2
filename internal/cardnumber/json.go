package cardnumber

import (
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/shape"
)

// Rule says how a value is looked through, In, InID or InPhone, by the place where
// it stands. The name is that of the member which the value is, or is in a list of.
type Rule func(name string) func(string) bool

// Find looks through valid JSON and returns the place of the first card number, as
// a JSONPath (RFC 9535) in which no card number stands, and whether there is one.
func Find(json gjson.Result, rule Rule) (path string, found bool) {
	at := look(nil, "", json, rule)
	if at == nil {
		return "", false
	}
	return at.place.String(), true
}

// spot is where a card number is.
type spot struct{ place *shape.Place }

// look returns where in a value a card number is, nil for nowhere.
func look(at *shape.Place, name string, value gjson.Result, rule Rule) (found *spot) {
	switch {
	case value.IsObject():
		value.ForEach(func(key, member gjson.Result) bool {
			if In(key.Str) {
				found = &spot{at} // and not at the member, whose name it is
			} else {
				found = look(at.Member(key.Str), key.Str, member, rule)
			}
			return found == nil
		})
	case value.IsArray():
		i := 0
		value.ForEach(func(_, element gjson.Result) bool {
			found = look(at.At(i), name, element, rule)
			i++
			return found == nil
		})
	case value.Type == gjson.String && rule(name)(value.Str), value.Type == gjson.Number && In(value.Raw):
		found = &spot{at}
	}
	return found
}
