package fakeshop

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// object is a GraphQL object: fields by their names, and "__typename". A field is
// a value or a resolver.
type object map[string]any

// resolver makes the value of a field from its arguments.
type resolver func(arguments map[string]any) any

// refusal is a value that the token may not read, or an error in its place.
type refusal struct{ code, message string }

// kinds are the interfaces and unions that objects of a type belong to, as far as
// documents name them.
func kinds(typename string) []string {
	switch typename {
	case "CartLine":
		return []string{"BaseCartLine"}
	case "CartCodeDiscountAllocation", "CartAutomaticDiscountAllocation":
		return []string{"CartDiscountAllocation"}
	}
	return nil
}

// execution is a document that is being run.
type execution struct {
	document  *ast.QueryDocument
	variables map[string]any
	errors    []any
}

// run runs an operation on the root object.
func (e *execution) run(o *ast.OperationDefinition, root object) map[string]any {
	return e.object([]ast.SelectionSet{o.SelectionSet}, root, nil)
}

// object makes what a document selects of an object.
func (e *execution) object(sets []ast.SelectionSet, of object, path []any) map[string]any {
	var order []string
	fields := make(map[string][]*ast.Field)
	for _, set := range sets {
		e.collect(set, of, func(f *ast.Field) {
			if fields[f.Alias] == nil {
				order = append(order, f.Alias)
			}
			fields[f.Alias] = append(fields[f.Alias], f)
		})
	}
	made := make(map[string]any, len(order))
	for _, key := range order {
		made[key] = e.field(fields[key], of, append(slices.Clone(path), key))
	}
	return made
}

// collect finds the fields that apply to an object.
func (e *execution) collect(set ast.SelectionSet, of object, take func(*ast.Field)) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if e.included(s.Directives) {
				take(s)
			}
		case *ast.InlineFragment:
			if e.included(s.Directives) && fits(of, s.TypeCondition) {
				e.collect(s.SelectionSet, of, take)
			}
		case *ast.FragmentSpread:
			fragment := e.document.Fragments.ForName(s.Name)
			if e.included(s.Directives) && fragment != nil && fits(of, fragment.TypeCondition) {
				e.collect(fragment.SelectionSet, of, take)
			}
		}
	}
}

// fits reports whether an object is of a type that a document names.
func fits(of object, condition string) bool {
	typename, _ := of["__typename"].(string)
	return condition == "" || typename == "" || typename == condition || slices.Contains(kinds(typename), condition)
}

func (e *execution) included(directives ast.DirectiveList) bool {
	for _, d := range directives {
		if d.Name == "include" || d.Name == "skip" {
			value, _ := d.Arguments.ForName("if").Value.Value(e.variables)
			if wanted, _ := value.(bool); wanted != (d.Name == "include") {
				return false
			}
		}
	}
	return true
}

// field makes a field's value.
func (e *execution) field(selected []*ast.Field, of object, path []any) any {
	f := selected[0]
	value, known := of[f.Name]
	if !known {
		value = refusal{"NOT_FAKED", fmt.Sprintf("the fake has no field %s", f.Name)}
	}
	if resolve, ok := value.(resolver); ok {
		arguments := make(map[string]any)
		for _, a := range f.Arguments {
			arguments[a.Name], _ = a.Value.Value(e.variables)
		}
		value = resolve(arguments)
	}
	var sets []ast.SelectionSet
	for _, s := range selected {
		sets = append(sets, s.SelectionSet)
	}
	return e.value(sets, value, path)
}

func (e *execution) value(sets []ast.SelectionSet, value any, path []any) any {
	switch v := value.(type) {
	case refusal:
		e.errors = append(e.errors, map[string]any{
			"message": v.message, "path": path, "extensions": map[string]any{"code": v.code},
		})
		return nil
	case object:
		if v == nil {
			return nil
		}
		return e.object(sets, v, path)
	case []object:
		list := make([]any, len(v))
		for i, one := range v {
			list[i] = e.value(sets, one, append(slices.Clone(path), i))
		}
		return list
	}
	return value
}
