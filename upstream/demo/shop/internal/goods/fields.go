package goods

import (
	"fmt"
	"html"
	"strings"

	"github.com/tidwall/gjson"
)

// fields are those of an object in a row.
type fields struct{ gjson.Result }

// Get returns a field by its name; unlike gjson's, the name is no path.
func (f fields) Get(name string) gjson.Result { return f.Result.Get(gjson.Escape(name)) }

// fail keeps the first error.
func (r *rowReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// name reads a text that must not be empty.
func (r *rowReader) name(f fields, field string) string {
	name := strings.TrimSpace(r.text(f, field, maxName))
	if name == "" {
		r.fail("%s is missing or empty", field)
	}
	return name
}

// text reads a text of at most limit bytes, empty where there is none.
func (r *rowReader) text(f fields, field string, limit int) string {
	value := f.Get(field)
	switch {
	case !value.Exists(), value.Type == gjson.Null:
		return ""
	case value.Type != gjson.String:
		r.fail("%s is %.40q, want a text", field, value.Raw)
	case len(value.Str) > limit:
		r.fail("%s is longer than %d bytes", field, limit)
	}
	return value.Str
}

// number reads a whole number.
func (r *rowReader) number(f fields, field string, lowest, highest int64) int64 {
	value := f.Get(field)
	if !value.Exists() {
		r.fail("%s is missing", field)
		return 0
	}
	return r.whole(value, field, lowest, highest)
}

// optional reads a whole number that need not be there.
func (r *rowReader) optional(f fields, field string, lowest, highest, without int64) int64 {
	value := f.Get(field)
	if !value.Exists() || value.Type == gjson.Null {
		return without
	}
	return r.whole(value, field, lowest, highest)
}

func (r *rowReader) whole(value gjson.Result, field string, lowest, highest int64) int64 {
	n, ok := wholeNumber(value)
	if !ok || n < lowest || n > highest {
		r.fail("%s is %.40q, want a whole number from %d to %d", field, value.Raw, lowest, highest)
		return 0
	}
	return n
}

// wholeNumber reads digits alone: no fraction, no exponent, and never a float.
func wholeNumber(value gjson.Result) (int64, bool) {
	if value.Type != gjson.Number || len(value.Raw) > 18 || strings.Trim(value.Raw, "-0123456789") != "" {
		return 0, false
	}
	return value.Int(), true
}

// flag reads true or false.
func (r *rowReader) flag(f fields, field string, without bool) bool {
	value := f.Get(field)
	switch {
	case !value.Exists(), value.Type == gjson.Null:
		return without
	case !value.IsBool():
		r.fail("%s is %.40q, want true or false", field, value.Raw)
	}
	return value.Bool()
}

// texts reads a text, a number, true or false, or a list of these.
func (r *rowReader) texts(value gjson.Result, field string) []string {
	if !value.Exists() || value.Type == gjson.Null {
		return nil
	}
	var out []string
	for _, element := range value.Array() {
		text := strings.TrimSpace(element.String())
		switch {
		case element.IsObject(), element.IsArray(), element.Type == gjson.Null:
			r.fail("%.80s is %.40q, want a text or a list of texts", field, value.Raw)
			return nil
		case len(text) > maxText:
			r.fail("%.80s is longer than %d bytes", field, maxText)
			return nil
		}
		if text != "" {
			out = append(out, text)
		}
	}
	if len(out) > maxValues {
		r.fail("%.80s has more than %d values", field, maxValues)
		return nil
	}
	return out
}

// plain returns the text of a description that may be HTML. A '<' that begins no
// tag stays.
func plain(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return strings.TrimSpace(s)
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "<")
		b.WriteString(before)
		if !found {
			break
		}
		end := strings.IndexByte(rest, '>')
		if end < 0 || !startsTag(rest) {
			b.WriteByte('<')
			s = rest
			continue
		}
		b.WriteByte(' ')
		s = rest[end+1:]
	}
	return strings.Join(strings.Fields(html.UnescapeString(b.String())), " ")
}

// startsTag reports whether what follows a '<' is a tag or a comment.
func startsTag(rest string) bool {
	if rest == "" {
		return false
	}
	c := rest[0] | 0x20
	return c >= 'a' && c <= 'z' || rest[0] == '/' || rest[0] == '!'
}
