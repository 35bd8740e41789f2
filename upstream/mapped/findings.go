package mapped

import (
	"strconv"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
)

// findings collects what mapped values came to, by where they stand in the
// mapping. A nil collection collects nothing.
type findings struct {
	mu  sync.Mutex
	all map[*Source]string
}

func newFindings() *findings { return &findings{all: make(map[*Source]string)} }

// note notes what a value came to, empty for nothing. The first that is something
// stays.
func (f *findings) note(v Value, found string) {
	if f == nil || len(v.From) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if key := &v.From[0]; f.all[key] == "" {
		f.all[key] = found
	}
}

// of returns what a value came to, and whether it was ever read.
func (f *findings) of(v Value) (found string, read bool) {
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
