package spectest

import (
	"maps"
	"slices"
)

// A perspective is the direction and the operation under which annotations are
// read.
type perspective struct {
	annotation string // "ucp_request" or "ucp_response"
	verb       string // "create", "update", "complete", …
}

// visibility is what an annotation says of a field.
type visibility string

const (
	omitted   visibility = "omit"
	mandatory visibility = "required"
	optional  visibility = "optional"
	unsaid    visibility = "" // as the schema has it
)

// of reads the annotation of a field's schema: one word for all operations, or
// a word for each.
func (p perspective) of(schema any) visibility {
	object, _ := schema.(map[string]any)
	switch note := object[p.annotation].(type) {
	case string:
		return visibility(note)
	case map[string]any:
		word, _ := note[p.verb].(string)
		return visibility(word)
	}
	return unsaid
}

// derive returns the plain JSON Schema that an annotated one means: a field
// marked "omit" is refused, "required" demanded and "optional" released. The
// original is left as it is.
func (p perspective) derive(schema any) any {
	switch s := schema.(type) {
	case map[string]any:
		return p.deriveObject(s)
	case []any:
		out := make([]any, len(s))
		for i, element := range s {
			out[i] = p.derive(element)
		}
		return out
	}
	return schema
}

func (p perspective) deriveObject(schema map[string]any) map[string]any {
	out := make(map[string]any, len(schema))
	for keyword, value := range schema {
		switch keyword {
		case "properties", "$defs":
			out[keyword] = p.deriveEach(value)
		default:
			out[keyword] = p.derive(value)
		}
	}
	if fields, ok := schema["properties"].(map[string]any); ok {
		p.apply(out, schema, fields)
	}
	return out
}

// deriveEach derives the schemas in a map whose keys are names.
func (p perspective) deriveEach(value any) any {
	schemas, ok := value.(map[string]any)
	if !ok {
		return value
	}
	out := make(map[string]any, len(schemas))
	for name, schema := range schemas {
		out[name] = p.derive(schema)
	}
	return out
}

// apply carries the annotations of an object's fields into its derived schema.
func (p perspective) apply(out, schema, fields map[string]any) {
	derived := out["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	required = slices.Clone(required)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		isName := func(v any) bool { return v == any(name) }
		switch p.of(fields[name]) {
		case mandatory:
			if !slices.ContainsFunc(required, isName) {
				required = append(required, name)
			}
		case optional:
			required = slices.DeleteFunc(required, isName)
		case omitted:
			required = slices.DeleteFunc(required, isName)
			p.omit(out, derived, schema, name)
		}
	}
	delete(out, "required")
	if len(required) > 0 {
		out["required"] = required
	}
}

// omit refuses a field, except under the conditions by which the same schema
// grants it again: fulfillment_method.json hides "destinations" and grants them
// in allOf/0/then to a method of type "shipping".
func (p perspective) omit(out, derived, schema map[string]any, name string) {
	conditions := p.grants(schema, name)
	if len(conditions) == 0 {
		derived[name] = false
		return
	}
	delete(derived, name)
	refusal := map[string]any{"properties": map[string]any{name: false}}
	all, _ := out["allOf"].([]any)
	out["allOf"] = append(slices.Clone(all), map[string]any{"anyOf": append(conditions, refusal)})
}

// grants lists the conditions under which a branch of allOf shows a field.
func (p perspective) grants(schema map[string]any, name string) []any {
	branches, _ := schema["allOf"].([]any)
	var conditions []any
	for _, value := range branches {
		branch := tree{value: value}
		switch p.of(branch.get("then", "properties", name).value) {
		case mandatory, optional:
			conditions = append(conditions, p.derive(branch.get("if").value))
		}
	}
	return conditions
}

// annotations collects what the branches of an extension say of the fields they
// add to or repeat from their base.
func annotations(extension tree, annotation string) map[string]any {
	notes := map[string]any{}
	for _, branch := range append(extension.get("allOf").items(), extension) {
		for _, field := range branch.get("properties").members() {
			if note := field.get(annotation); note.exists() {
				notes[field.key()] = note.value
			}
		}
	}
	return notes
}

// override returns a copy of a base schema in which later annotations of its
// fields replace its own. buyer_consent.json releases "buyer" for completing
// that way, which checkout.json omits.
func override(schema map[string]any, annotation string, notes map[string]any) map[string]any {
	fields, ok := schema["properties"].(map[string]any)
	if !ok {
		return schema
	}
	fields = maps.Clone(fields)
	for name, note := range notes {
		if field, ok := fields[name].(map[string]any); ok {
			field = maps.Clone(field)
			field[annotation] = note
			fields[name] = field
		}
	}
	schema = maps.Clone(schema)
	schema["properties"] = fields
	return schema
}
