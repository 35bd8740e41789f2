package spectest

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxInteger is the largest magnitude of an integer in UCP (overview, "Integer
// range and ingestion").
const maxInteger = 1<<53 - 1

// A tree is a place in a JSON document: its JSON Pointer and what is there, nil
// when nothing is.
type tree struct {
	at    string
	value any
}

func (n tree) exists() bool { return n.value != nil }

// get descends by member names.
func (n tree) get(names ...string) tree {
	for _, name := range names {
		object, _ := n.value.(map[string]any)
		n = tree{at: n.at + "/" + escape(name), value: object[name]}
	}
	return n
}

// follow descends by a JSON Pointer.
func (n tree) follow(pointer string) tree {
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		n = n.get(unescape(step))
	}
	return n
}

// has reports whether n is an object with a member of this name, null or not.
func (n tree) has(name string) bool {
	object, _ := n.value.(map[string]any)
	_, ok := object[name]
	return ok
}

// key is the last step of the pointer.
func (n tree) key() string {
	return unescape(n.at[strings.LastIndexByte(n.at, '/')+1:])
}

// text is the string at n, "" when there is none.
func (n tree) text() string {
	text, _ := n.value.(string)
	return text
}

// integer is the whole number at n, within the range of UCP. Unlike a schema's
// "integer", it takes no 5.0 and no 5e0: our own output has neither.
func (n tree) integer() (int64, error) {
	number, ok := n.value.(json.Number)
	if !ok {
		return 0, errors.New("is not a number")
	}
	i, err := strconv.ParseInt(number.String(), 10, 64)
	if err != nil || i > maxInteger || i < -maxInteger {
		return 0, fmt.Errorf("%s is not an integer within ±(2^53-1)", number)
	}
	return i, nil
}

// items are the elements of the array at n, none when it is no array.
func (n tree) items() []tree {
	array, _ := n.value.([]any)
	nodes := make([]tree, len(array))
	for i, value := range array {
		nodes[i] = tree{at: n.at + "/" + strconv.Itoa(i), value: value}
	}
	return nodes
}

// members are the values of the object at n, sorted by name, none when it is no
// object.
func (n tree) members() []tree {
	object, _ := n.value.(map[string]any)
	nodes := make([]tree, 0, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		nodes = append(nodes, n.get(name))
	}
	return nodes
}

// all yields n and everything below it.
func (n tree) all() iter.Seq[tree] {
	return func(yield func(tree) bool) { n.walk(yield) }
}

func (n tree) walk(yield func(tree) bool) bool {
	if !yield(n) {
		return false
	}
	for _, child := range append(n.items(), n.members()...) {
		if !child.walk(yield) {
			return false
		}
	}
	return true
}

// escape writes a member name as a step of a JSON Pointer (RFC 6901).
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// unescape is the inverse of escape.
func unescape(step string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
}
