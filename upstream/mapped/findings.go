package mapped

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
)

// findings collects what mapped values came to, by where they stand in the
// mapping. A nil collection collects nothing.
type findings struct {
	mu  sync.Mutex
	all map[*Source]finding
}

// finding is what a value came to.
type finding struct {
	// text is the value, empty for nothing.
	text string
	// there: the answer has something at its path, if only null.
	there bool
}

func newFindings() *findings { return &findings{all: make(map[*Source]finding)} }

// note notes what a value came to in a scope. The first that is something stays.
func (f *findings) note(s scope, v Value, text string) {
	if f == nil || len(v.From) == 0 {
		return
	}
	found := finding{text, slices.ContainsFunc(v.From, func(source Source) bool { return source.isIn(s) })}
	f.mu.Lock()
	defer f.mu.Unlock()
	if key := &v.From[0]; f.all[key].text == "" {
		found.there = found.there || f.all[key].there
		f.all[key] = found
	}
}

// isIn reports whether there is anything where the source is from.
func (source Source) isIn(s scope) bool {
	if source.Path != "" {
		return s.get(source.Path).Exists()
	}
	return slices.ContainsFunc(placeholders(source.Text), func(path string) bool { return s.get(path).Exists() })
}

// of returns what a value came to, and whether it was ever read.
func (f *findings) of(v Value) (found finding, read bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	found, read = f.all[&v.From[0]]
	return found, read
}

// maxShown is how much of a value is shown, in bytes.
const maxShown = 60

// summary describes JSON in few words.
func summary(r gjson.Result) string {
	switch {
	case r.IsArray():
		n := len(r.Array())
		if n == 1 {
			return "a list of 1"
		}
		return "a list of " + strconv.Itoa(n)
	case r.IsObject():
		return "an object"
	}
	return literal(r)
}

// short is a value in one line.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return text
}
