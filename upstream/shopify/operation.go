package shopify

import (
	"fmt"
	"maps"
	"strings"
)

// An operation is a GraphQL operation put together at run time. What comes from
// outside is in its variables; its text is made of constants.
type operation struct {
	kind   string // query or mutation
	name   string
	fields []field
	// shared are variables that the selections use.
	shared []argument
	market market
}

// field is a root field of an operation.
type field struct {
	alias     string
	name      string
	arguments []argument
	// fixed are arguments that are part of the text.
	fixed     string
	selection string
}

// argument is an argument of a field, with its GraphQL type.
type argument struct {
	name  string
	kind  string
	value any
}

// call returns the operation as a call, with the fragments it uses.
func (o operation) call(op string, fragments ...string) call {
	values := o.market.variables()
	declared := []string{"$country: CountryCode", "$language: LanguageCode"}
	declare := func(name string, a argument) {
		values[name] = a.value
		declared = append(declared, fmt.Sprintf("$%s: %s", name, a.kind))
	}
	for _, a := range o.shared {
		declare(a.name, a)
	}
	var body strings.Builder
	for _, f := range o.fields {
		var passed []string
		for _, a := range f.arguments {
			variable := f.alias + "_" + a.name
			declare(variable, a)
			passed = append(passed, fmt.Sprintf("%s: $%s", a.name, variable))
		}
		if f.fixed != "" {
			passed = append(passed, f.fixed)
		}
		fmt.Fprintf(&body, "  %s: %s(%s) %s\n", f.alias, f.name, strings.Join(passed, ", "), f.selection)
	}
	text := fmt.Sprintf("%s %s(%s) @inContext(country: $country, language: $language) {\n%s}\n",
		o.kind, o.name, strings.Join(declared, ", "), body.String())
	return call{op: op, name: o.name, document: document(text, fragments...), variables: values, safe: o.kind == "query"}
}

// productVariables are those that the fragments of products use.
func (s *Shop) productVariables(f *facts) []argument {
	return []argument{
		{"withStock", "Boolean!", f.stock},
		{"withTags", "Boolean!", f.tags},
		{"metafields", "[HasMetafieldsIdentifier!]!", s.metafields},
	}
}

// catalogueCall is a call of a document that reads products in a market.
func (s *Shop) catalogueCall(f *facts, m market, op, name, text string, values variables, fragments ...string) call {
	all := m.variables()
	for _, a := range s.productVariables(f) {
		all[a.name] = a.value
	}
	maps.Copy(all, values)
	return call{op: op, name: name, document: document(text, fragments...), variables: all, safe: true}
}
