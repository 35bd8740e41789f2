package shape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Checker collects what is wrong with a document.
type Checker struct {
	verb     Verb
	speaks   func(extension string) bool
	problems Invalid
}

// Check returns what is wrong with a JSON text, which must be valid JSON: an
// *Invalid. The function speaks reports whether an extension was negotiated; it
// may be nil when no field belongs to one.
func (s *Shape) Check(text []byte, verb Verb, speaks func(extension string) bool) error {
	c := &Checker{verb: verb, speaks: speaks}
	c.Value(nil, s, gjson.ParseBytes(text))
	if len(c.problems) > 0 {
		return &c.problems
	}
	return nil
}

// Complain notes what would be right at a place.
func (c *Checker) Complain(at *Place, format string, args ...any) {
	if !c.full() {
		c.problems = append(c.problems, Violation{Path: at.String(), Want: fmt.Sprintf(format, args...)})
	}
}

// full reports whether looking further is of no use.
func (c *Checker) full() bool { return len(c.problems) >= maxViolations }

// Value checks a value and everything below it.
func (c *Checker) Value(at *Place, s *Shape, value gjson.Result) {
	found := typeOf(value)
	if s.Types&found == 0 {
		c.Complain(at, "must be %s, not %s", s.want(), found)
		return
	}
	switch found {
	case IsInteger:
		// The digits are digits; whether they fit is another matter.
		n, err := strconv.ParseInt(value.Raw, 10, 64)
		if err != nil || n < s.Least || n > s.Most {
			c.Complain(at, "must be %s", s.want())
		}
	case IsText:
		c.text(at, s, value.Str)
	case IsArray:
		c.array(at, s, value)
	case IsObject:
		c.object(at, s, value)
		if s.Rule != nil {
			s.Rule(c, at, value)
		}
	}
}

func (c *Checker) text(at *Place, s *Shape, text string) {
	switch {
	case len(s.Values) > 0 && !slices.Contains(s.Values, text):
		c.Complain(at, "must be %s", s.want())
	case s.Format != nil && !s.Format.OK(text):
		c.Complain(at, "%s", s.Format.Want)
	}
}

func (c *Checker) array(at *Place, s *Shape, array gjson.Result) {
	count := 0
	seen := map[string]bool{}
	array.ForEach(func(_, item gjson.Result) bool {
		if s.Item != nil {
			c.Value(at.At(count), s.Item, item)
		}
		if s.Unique {
			if seen[item.Str] {
				c.Complain(at.At(count), "must not repeat an earlier element")
			}
			seen[item.Str] = true
		}
		count++
		return !c.full()
	})
	if count < s.MinItems {
		c.Complain(at, "must have at least %d element", s.MinItems)
	}
}

func (c *Checker) object(at *Place, s *Shape, object gjson.Result) {
	var seen uint64 // the fields that are there, a bit for each
	object.ForEach(func(key, value gjson.Result) bool {
		name := key.Str
		if s.Names != nil && !s.Names.OK(name) {
			c.Complain(at.Member(name), "%s", s.Names.Want)
		}
		// Decoders of Go take a field in any case, so that one in another case
		// would be read without having been checked.
		i := slices.IndexFunc(s.Fields, func(f Field) bool { return strings.EqualFold(f.Name, name) && c.knows(f) })
		switch {
		case i < 0 && s.Others != nil:
			c.Value(at.Member(name), s.Others, value)
		case i < 0:
		case s.Fields[i].Name != name:
			c.Complain(at.Member(name), "must be written %q", s.Fields[i].Name)
		case s.Fields[i].Use[c.verb] == Forbidden:
			c.Complain(at.Member(name), "must not be sent here")
		default:
			seen |= 1 << i
			c.Value(at.Member(name), s.Fields[i].Shape, value)
		}
		return !c.full()
	})
	for i, f := range s.Fields {
		if f.Use[c.verb] == Required && seen&(1<<i) == 0 && c.knows(f) {
			c.Complain(at.Member(f.Name), "is missing: must be %s", f.Shape.want())
		}
	}
}

// knows reports whether a field is part of what was negotiated.
func (c *Checker) knows(f Field) bool { return f.Of == "" || c.speaks(f.Of) }
