package shape

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Shape is what a schema says of a value. Shapes are tables: nothing changes them.
type Shape struct {
	Types Types
	// Fields are the members of an object that are known. Others pass, unless
	// Others is there, which is then the shape of every one of them. Names is what
	// the name of every member must be.
	Fields []Field
	Others *Shape
	Names  *Format
	// Item is the shape of an array's elements, of which there are at least
	// MinItems. When Unique, they are texts and no two are the same.
	Item     *Shape
	MinItems int
	Unique   bool
	// Least and Most bound an integer.
	Least, Most int64
	// Values are the only texts allowed, when there are any; Format is what a text
	// must look like.
	Values []string
	Format *Format
	// Rule checks what a table cannot say of an object.
	Rule func(c *Checker, at *Place, object gjson.Result)
}

// Field is a member of an object.
type Field struct {
	Name  string
	Shape *Shape
	Use   Use
	// Of is the extension that the field belongs to, if any. Where it was not
	// negotiated the field is unknown.
	Of string
}

// Use says of each verb whether a field may be there. The zero Use is an optional
// field.
type Use [Verbs]Presence

// Presence says whether a field may be there.
type Presence uint8

// The presences.
const (
	Optional Presence = iota
	Required
	Forbidden
)

// Verb is what is being done with a document.
type Verb uint8

// The verbs that UCP's annotations tell apart, and how many there are.
const (
	Other Verb = iota
	Create
	Update
	Complete
	Verbs
)

// Types is a set of JSON types. An integer is a number that is written without
// fraction and exponent.
type Types uint8

// The types. A number that is no integer has none of them.
const (
	IsText Types = 1 << iota
	IsInteger
	IsBoolean
	IsNull
	IsObject
	IsArray
)

// Format is what a text must look like.
type Format struct {
	OK func(string) bool
	// Want finishes a sentence that begins with the path.
	Want string
}

// want names what a value must be.
func (s *Shape) want() string {
	switch len(s.Values) {
	case 0:
	case 1:
		return strconv.Quote(s.Values[0])
	default:
		return "one of " + strings.Join(s.Values, ", ")
	}
	var words []string
	for one := IsText; one <= IsArray; one <<= 1 {
		if s.Types&one == 0 {
			continue
		}
		word := one.String()
		if one == IsInteger {
			word = fmt.Sprintf("a whole number from %d to %d", s.Least, s.Most)
		}
		words = append(words, word)
	}
	return strings.Join(words, " or ")
}

// String names a single type, with its article.
func (t Types) String() string {
	switch t {
	case IsText:
		return "a string"
	case IsInteger:
		return "a whole number"
	case IsBoolean:
		return "true or false"
	case IsNull:
		return "null"
	case IsObject:
		return "an object"
	case IsArray:
		return "an array"
	}
	return "a number with a fraction or exponent"
}

// typeOf returns the type of a value.
func typeOf(value gjson.Result) Types {
	switch value.Type {
	case gjson.String:
		return IsText
	case gjson.True, gjson.False:
		return IsBoolean
	case gjson.Null:
		return IsNull
	case gjson.Number:
		if strings.ContainsAny(value.Raw, ".eE") {
			return 0
		}
		return IsInteger
	}
	if value.IsArray() {
		return IsArray
	}
	return IsObject
}
