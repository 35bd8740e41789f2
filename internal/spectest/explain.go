package spectest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// A Problem is one thing that is wrong with a document.
type Problem struct {
	At   string // JSON Pointer to the place, "" for the whole document
	Text string // what is wrong there
}

// Problems is the error of a document that does not conform. It is never empty.
type Problems []Problem

// Error lists the problems, one a line when there are several.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		at := problem.At
		if at == "" {
			at = "(root)"
		}
		lines[i] = at + ": " + problem.Text
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return fmt.Sprintf("%d problems:\n\t%s", len(lines), strings.Join(lines, "\n\t"))
}

// add notes a problem at a place.
func (p *Problems) add(n tree, format string, args ...any) {
	*p = append(*p, Problem{At: n.at, Text: fmt.Sprintf(format, args...)})
}

// err is the error that p amounts to: by place, each problem once.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	sorted := slices.SortedFunc(slices.Values(p), func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.At, b.At), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(Problems(sorted))
}

// check validates a document and notes what the schema has against it.
func (p *Problems) check(schema *jsonschema.Schema, doc tree) {
	err := schema.Validate(doc.value)
	if err == nil {
		return
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		p.add(doc, "%v", err)
		return
	}
	printer := message.NewPrinter(language.English)
	for _, leaf := range leaves(invalid) {
		problem := Problem{At: pointer(leaf.InstanceLocation), Text: leaf.ErrorKind.LocalizedString(printer)}
		switch what := leaf.ErrorKind.(type) {
		case *kind.FalseSchema:
			problem.Text = "this field is not allowed here"
		case *kind.PropertyNames:
			problem.At = bearer(doc, what.Property, len(leaf.InstanceLocation))
		}
		*p = append(*p, problem)
	}
}

// bearer returns the place of an object at a depth that has a member of this
// name. The location of a kind.PropertyNames cannot be used: jsonschema v6.0.3
// keeps it in memory that it writes over, and only its length stays right.
func bearer(doc tree, name string, depth int) string {
	for n := range doc.all() {
		if n.has(name) && strings.Count(n.at, "/") == depth {
			return n.at
		}
	}
	return doc.at
}

// leaves returns the errors that have no causes of their own. Of alternatives
// that all failed it follows those that were meant.
func leaves(err *jsonschema.ValidationError) []*jsonschema.ValidationError {
	// Below the name of a field no place is known any more.
	if _, ok := err.ErrorKind.(*kind.PropertyNames); ok || len(err.Causes) == 0 {
		return []*jsonschema.ValidationError{err}
	}
	causes := err.Causes
	switch err.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		causes = meant(err)
	}
	var all []*jsonschema.ValidationError
	for _, cause := range causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// meant narrows failed alternatives down to those that no discriminator, such as
// the "type" of a message, rules out.
func meant(err *jsonschema.ValidationError) []*jsonschema.ValidationError {
	depth := len(err.InstanceLocation)
	possible := slices.DeleteFunc(slices.Clone(err.Causes), func(cause *jsonschema.ValidationError) bool {
		return slices.ContainsFunc(leaves(cause), func(leaf *jsonschema.ValidationError) bool {
			_, isConst := leaf.ErrorKind.(*kind.Const)
			return isConst && len(leaf.InstanceLocation) == depth+1
		})
	})
	if len(possible) > 0 {
		return possible
	}
	return err.Causes
}

// pointer writes the steps of a location as a JSON Pointer.
func pointer(steps []string) string {
	var at strings.Builder
	for _, step := range steps {
		at.WriteString("/" + escape(step))
	}
	return at.String()
}
