package shape

import (
	"net/url"
	"regexp"
	"slices"

	"github.com/tidwall/gjson"
)

// MaxInteger is the largest integer on UCP's wire (overview, "Integer range").
const MaxInteger = 1<<53 - 1

// The shapes of single values that need no telling apart.
var (
	Text       = &Shape{Types: IsText}
	TextOrNull = &Shape{Types: IsText | IsNull}
	Texts      = ListOf(Text)
	Boolean    = &Shape{Types: IsBoolean}
	AnyObject  = &Shape{Types: IsObject}
	// Amount counts minor units (schemas/common/types/amount.json).
	Amount = Integer(0, MaxInteger)
	// ReverseDomain is schemas/common/types/reverse_domain_name.json, Date is
	// version of schemas/ucp.json, URI is JSON Schema's format of that name.
	ReverseDomain = &Shape{Types: IsText, Format: ReverseDomainName}
	Date          = &Shape{Types: IsText, Format: &Format{datePattern.MatchString, `must be a date such as "2026-08-25"`}}
	URI           = &Shape{Types: IsText, Format: &Format{isURI, "must be an absolute URL"}}
)

// ReverseDomainName is the format of names such as "com.example.name".
var ReverseDomainName = &Format{reverseDomainPattern.MatchString, `must be a reverse domain name such as "com.example.name"`}

// The patterns of the specification's schemas.
var (
	datePattern          = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	reverseDomainPattern = regexp.MustCompile(`^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$`)
)

// Integer is a whole number within bounds.
func Integer(least, most int64) *Shape { return &Shape{Types: IsInteger, Least: least, Most: most} }

// ListOf is an array, empty or not.
func ListOf(item *Shape) *Shape { return &Shape{Types: IsArray, Item: item} }

// Must is a field that is always required.
func Must(name string, s *Shape) Field {
	return Field{Name: name, Shape: s, Use: Use{Required, Required, Required, Required}}
}

// May is a field that is always optional.
func May(name string, s *Shape) Field { return Field{Name: name, Shape: s} }

// MayTexts are optional fields that are texts.
func MayTexts(names ...string) []Field {
	fields := make([]Field, len(names))
	for i, name := range names {
		fields[i] = May(name, Text)
	}
	return fields
}

// MustNot are fields that are never allowed.
func MustNot(names ...string) []Field {
	fields := make([]Field, len(names))
	for i, name := range names {
		fields[i] = Field{Name: name, Use: Use{Forbidden, Forbidden, Forbidden, Forbidden}}
	}
	return fields
}

// Object is an object with known fields, of which the lists are put together.
func Object(lists ...[]Field) *Shape {
	return &Shape{Types: IsObject, Fields: slices.Concat(lists...)}
}

// With returns the shape with a rule for what a table cannot say.
func (s Shape) With(rule func(c *Checker, at *Place, object gjson.Result)) *Shape {
	s.Rule = rule
	return &s
}

// isURI reports whether text is an absolute URI.
func isURI(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.IsAbs()
}
