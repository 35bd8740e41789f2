package shape_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/shape"
)

func TestStrict(t *testing.T) {
	deep := func(n int) string { return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	many := func(n int) string {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"n%d":{"a":0}`, i))
		}
		return strings.Join(members, ",")
	}
	for name, test := range map[string]struct {
		text string
		want shape.Invalid // nil for a text that is fine
	}{
		"empty object":           {`{}`, nil},
		"white space around":     {" {\"a\": 1}\n", nil},
		"same names apart":       {`{"a": {"b": 1}, "c": {"b": 2}, "d": [{"b": 3}, {"b": 4}]}`, nil},
		"as deep as allowed":     {deep(63), nil},
		"not UTF-8":              {"{\"a\": \"\xff\"}", shape.Invalid{{"$", "must be UTF-8, which it is not at byte 7"}}},
		"nothing":                {``, shape.Invalid{{"$", "must be complete JSON, and ends too early"}}},
		"cut":                    {`{"a": [1, {"b": `, shape.Invalid{{"$.a[1].b", "must be complete JSON, and ends too early"}}},
		"no JSON":                {`{"a": 1,}`, shape.Invalid{{"$", "must be JSON, which it is not at byte 8"}}},
		"a pair of surrogates":   {`{"a": "\ud83e\uDd7e!"}`, nil},
		"half a pair":            {`{"a": "\ud800"}`, shape.Invalid{{"$.a", "must be JSON, which it is not at byte 12"}}},
		"half a pair, then more": {`{"a": "\ud800\n"}`, shape.Invalid{{"$.a", "must be JSON, which it is not at byte 12"}}},
		"two first halves":       {`{"a": "\ud800\ud800"}`, shape.Invalid{{"$.a", "must be JSON, which it is not at byte 18"}}},
		"a second half alone":    {`{"a": "\udc00"}`, shape.Invalid{{"$.a", "must be JSON, which it is not at byte 12"}}},
		"an array":               {`[]`, shape.Invalid{{"$", "must be a JSON object"}}},
		"a string":               {`"a"`, shape.Invalid{{"$", "must be a JSON object"}}},
		"something behind":       {`{} {}`, shape.Invalid{{"$", "must be one JSON object, with nothing behind it"}}},
		"a bracket behind":       {`{}}`, shape.Invalid{{"$", "must be one JSON object, with nothing behind it"}}},
		"twice":                  {`{"a": 1, "b": {"c": 2, "c": 2}}`, shape.Invalid{{"$.b.c", "must be there once"}}},
		"twice, once escaped":    {`{"a": 1, "\u0061": 1}`, shape.Invalid{{"$.a", "must be there once"}}},
		"twice, far apart":       {`{` + many(100) + `,"n7":0}`, shape.Invalid{{"$.n7", "must be there once"}}},
		"a hundred members":      {`{` + many(100) + `}`, nil},
		"twice in an array":      {`{"a": [{}, {"b c": 2, "b c": 2}]}`, shape.Invalid{{"$.a[1]['b c']", "must be there once"}}},
		"one level too deep":     {deep(64), shape.Invalid{{"$.a" + strings.Repeat("[0]", 63), "must not nest deeper than 64 levels"}}},
		"ten thousand levels":    {deep(10_000), shape.Invalid{{"$.a" + strings.Repeat("[0]", 63), "must not nest deeper than 64 levels"}}},
		"as deep, and no end":    {strings.Repeat(`{"a":`, 1_000_000), shape.Invalid{{"$" + strings.Repeat(".a", 64), "must not nest deeper than 64 levels"}}},
		"a name of some length":  {`{"` + strings.Repeat("x", 500) + `": 1, "` + strings.Repeat("x", 500) + `": 1}`, shape.Invalid{{"$['" + strings.Repeat("x", 64) + "…']", "must be there once"}}},
		"a name with characters": {`{"it's\n": 1, "it's\n": 1}`, shape.Invalid{{`$['it\'s\n']`, "must be there once"}}},
		"a name without any":     {`{"": 1, "": 1}`, shape.Invalid{{"$['']", "must be there once"}}},
	} {
		t.Run(name, func(t *testing.T) {
			err := shape.Strict([]byte(test.text))
			var got *shape.Invalid
			if err != nil && !errors.As(err, &got) {
				t.Fatalf("got %T: %v", err, err)
			}
			if test.want == nil && err == nil {
				return
			}
			if got == nil {
				got = &shape.Invalid{}
			}
			if diff := cmp.Diff(test.want, *got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A path never repeats more of a stranger's text than it must.
func TestPathsAreBounded(t *testing.T) {
	text := strings.Repeat(`{"`+strings.Repeat("é", 100)+`":`, 1000)
	err := shape.Strict([]byte(text))
	if err == nil || len(err.Error()) > 400 {
		t.Errorf("an error of %d bytes: %v", len(err.Error()), err)
	}
}

// What Strict lets pass encoding/json reads as one object, and what encoding/json
// reads as one Strict lets pass, unless it has one of the faults that
// encoding/json does not mind: half a pair of surrogates is one.
func FuzzStrict(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":[1,2,{"b":null}],"c":"\u00e9"}`, `{"a":1,"a":1}`, `[1]`, `{"a":1e5}`, `{"a":-0.5}x`,
		`{"a" 1}`, `{"a":[1 2]}`, `{"a":[1,]}`, `{,}`, "{\"a\":\"\x01\"}", `{"a":tru}`, `{"a":01}`, `{"a":"\ud800"}`, `{"a":[}`, `{"a":{]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := shape.Strict(text)
		var object map[string]any
		reads := json.Unmarshal(text, &object) == nil && object != nil
		if err == nil && !reads {
			t.Errorf("accepted what is no JSON object: %q", text)
		}
		minds := !utf8.Valid(text) || bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) > 64 ||
			err != nil && (strings.Contains(err.Error(), "must be there once") || bytes.Contains(bytes.ToLower(text), []byte(`\ud`)))
		if err != nil && reads && !minds {
			t.Errorf("refused %q: %v", text, err)
		}
		var invalid *shape.Invalid
		if err != nil && (!errors.As(err, &invalid) || len(*invalid) == 0) {
			t.Errorf("an error without violations: %v", err)
		}
	})
}
