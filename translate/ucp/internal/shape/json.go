package shape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxDepth is how deep arrays and objects may nest. UCP's own payloads stay
// below twelve.
const maxDepth = 64

// Strict refuses what is not exactly one JSON object that every reader
// understands the same way: invalid UTF-8, a member that is there twice, data
// behind the end, and nesting beyond maxDepth, at which it stops reading. The
// error is *Invalid.
func Strict(text []byte) error {
	if !utf8.Valid(text) {
		return &Invalid{{Path: "$", Want: fmt.Sprintf("must be UTF-8, which it is not at byte %d", invalidUTF8(text))}}
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var open nesting
	for first := true; ; first = false {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF) && !first && len(open) == 0:
			return nil
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return &Invalid{{Path: open.path(), Want: "must be complete JSON, and ends too early"}}
		case err != nil:
			return &Invalid{{Path: open.path(), Want: fmt.Sprintf("must be JSON, which it is not at byte %d", decoder.InputOffset())}}
		case first && token != json.Delim('{'):
			return &Invalid{{Path: "$", Want: "must be a JSON object"}}
		case !first && len(open) == 0:
			return &Invalid{{Path: "$", Want: "must be one JSON object, with nothing behind it"}}
		}
		if problem := open.take(token); problem != "" {
			return &Invalid{{Path: open.path(), Want: problem}}
		}
	}
}

// nesting are the arrays and objects that surround the next token, the outermost
// first.
type nesting []container

// container is an array or object that was begun.
type container struct {
	// names are the members seen so far, nil for an array.
	names map[string]bool
	// name is the member that is being read, if inMember.
	name     string
	inMember bool
	// index counts the elements of an array.
	index int
}

// take follows one token and returns what is wrong with it, if anything.
func (n *nesting) take(token json.Token) string {
	if name, ok := token.(string); ok && n.expectsName() {
		object := &(*n)[len(*n)-1]
		object.name, object.inMember = name, true
		if object.names[name] {
			return "must be there once"
		}
		object.names[name] = true
		return ""
	}
	switch token {
	case json.Delim('{'):
		*n = append(*n, container{names: map[string]bool{}})
	case json.Delim('['):
		*n = append(*n, container{})
	case json.Delim('}'), json.Delim(']'):
		*n = (*n)[:len(*n)-1]
		n.endValue()
	default:
		n.endValue()
	}
	if len(*n) > maxDepth {
		return fmt.Sprintf("must not nest deeper than %d levels", maxDepth)
	}
	return ""
}

// expectsName reports whether a string at this place is the name of a member.
func (n nesting) expectsName() bool {
	return len(n) > 0 && n[len(n)-1].names != nil && !n[len(n)-1].inMember
}

// endValue notes that the value of a member or an element is complete.
func (n nesting) endValue() {
	if len(n) == 0 {
		return
	}
	around := &n[len(n)-1]
	around.inMember = false
	around.index++
}

// path returns the place that is being read.
func (n nesting) path() string {
	var at *Place
	for _, around := range n {
		switch {
		case around.names == nil:
			at = at.At(around.index)
		case around.inMember:
			at = at.Member(around.name)
		}
	}
	return at.String()
}

// invalidUTF8 returns where text stops being UTF-8.
func invalidUTF8(text []byte) int {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return at
}
