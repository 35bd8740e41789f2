package mapped

import (
	"strings"

	"github.com/tidwall/gjson"
)

// scope is JSON that paths are read from, inside other JSON that a path may step
// up to.
type scope struct {
	gjson.Result
	up *scope
}

// inner is a part of a scope.
func (s scope) inner(part gjson.Result) scope { return scope{part, &s} }

// get reads a path. Each ^ in front of it steps up once.
func (s scope) get(path string) gjson.Result {
	for strings.HasPrefix(path, "^") {
		if s.up == nil {
			return gjson.Result{}
		}
		s, path = *s.up, path[1:]
	}
	if path == "" || path == "@this" {
		return s.Result
	}
	return s.Get(path)
}

// there reports whether a result says something.
func there(r gjson.Result) bool {
	switch r.Type {
	case gjson.Null:
		return false
	case gjson.String:
		return r.Str != ""
	case gjson.JSON:
		return !r.IsArray() || len(r.Array()) > 0
	}
	return true
}

// maxItems is how many items of one list are read.
const maxItems = 10_000

// flat returns the items of a list as texts, those of lists in it too. What is no
// list is one item; null and objects are none.
func flat(r gjson.Result) []string {
	var texts []string
	var add func(gjson.Result)
	add = func(one gjson.Result) {
		switch {
		case len(texts) == maxItems || one.Type == gjson.Null || one.IsObject():
		case one.IsArray():
			one.ForEach(func(_, item gjson.Result) bool { add(item); return len(texts) < maxItems })
		default:
			texts = append(texts, literal(one))
		}
	}
	add(r)
	return texts
}

// literal is a scalar as it stands in the answer: a number keeps all its digits.
func literal(r gjson.Result) string {
	if r.Type == gjson.Number {
		return strings.TrimSpace(r.Raw)
	}
	return r.String()
}
