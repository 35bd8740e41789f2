package vendure

import (
	"fmt"
	"strings"
)

// An operation is a GraphQL operation put together at run time. What comes from
// outside is in its variables; its text is made of constants.
type operation struct {
	kind   string // query or mutation
	name   string
	fields []field
}

// field is a root field of an operation.
type field struct {
	alias     string
	name      string
	arguments []argument
	selection string
}

// argument is an argument of a field, with its GraphQL type.
type argument struct {
	name  string
	kind  string
	value any
}

// render returns the operation's text and variables.
func (o operation) render() (string, variables) {
	var declared []string
	var body strings.Builder
	values := make(variables)
	for _, f := range o.fields {
		var passed []string
		for _, a := range f.arguments {
			variable := f.alias + "_" + a.name
			values[variable] = a.value
			declared = append(declared, fmt.Sprintf("$%s: %s", variable, a.kind))
			passed = append(passed, fmt.Sprintf("%s: $%s", a.name, variable))
		}
		fmt.Fprintf(&body, "  %s: %s%s %s\n", f.alias, f.name, inParentheses(passed), f.selection)
	}
	return fmt.Sprintf("%s %s%s {\n%s}\n", o.kind, o.name, inParentheses(declared), body.String()), values
}

// inParentheses returns a list in parentheses, nothing for an empty one.
func inParentheses(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ", ") + ")"
}
