package shape

import (
	"math/bits"
	"slices"
)

// Schema is a JSON Schema (2020-12) of its own: it refers to nothing, and says of
// its dialect nothing, which some readers of schemas stumble over.
type Schema struct {
	// Type is a name, or a list of names.
	Type        any                `json:"type,omitempty"`
	Description string             `json:"description,omitempty"`
	Properties  map[string]*Schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	// AdditionalProperties is for what has no name of its own.
	AdditionalProperties *Schema  `json:"additionalProperties,omitempty"`
	Items                *Schema  `json:"items,omitempty"`
	MinItems             int      `json:"minItems,omitempty"`
	UniqueItems          bool     `json:"uniqueItems,omitempty"`
	Enum                 []string `json:"enum,omitempty"`
	Minimum              *int64   `json:"minimum,omitempty"`
	Maximum              *int64   `json:"maximum,omitempty"`
	// Examples are values that fit.
	Examples []any `json:"examples,omitempty"`
}

// Schema returns what may be written in a document of the shape when a verb is done
// to it and these extensions were negotiated: the fields that are forbidden are not
// in it. The function describe says in words what a field is for, by the name of
// the one it is in and its own.
//
// It says less than the shape where that has a format or a rule. What the shape
// accepts fits the schema, all the same.
func (s *Shape) Schema(verb Verb, speaks func(extension string) bool, describe func(parent, name string) string) *Schema {
	w := schemaWriter{verb, speaks, describe}
	return w.write("", s)
}

type schemaWriter struct {
	verb     Verb
	speaks   func(extension string) bool
	describe func(parent, name string) string
}

// write returns the schema of a value in the field of a name.
func (w *schemaWriter) write(name string, s *Shape) *Schema {
	out := &Schema{Type: typeNames(s.Types), Enum: s.Values, MinItems: s.MinItems, UniqueItems: s.Unique}
	if s.Types&IsInteger != 0 {
		out.Minimum, out.Maximum = &s.Least, &s.Most
	}
	if s.Item != nil {
		out.Items = w.write(name, s.Item)
	}
	if s.Others != nil {
		out.AdditionalProperties = w.write(name, s.Others)
	}
	for _, f := range s.Fields {
		if f.Use[w.verb] == Forbidden || f.Of != "" && !w.speaks(f.Of) {
			continue
		}
		if out.Properties == nil {
			out.Properties = map[string]*Schema{}
		}
		field := w.write(f.Name, f.Shape)
		field.Description = w.describe(name, f.Name)
		out.Properties[f.Name] = field
		if f.Use[w.verb] == Required {
			out.Required = append(out.Required, f.Name)
		}
	}
	slices.Sort(out.Required)
	return out
}

// typeNames returns what JSON Schema calls the types: a name, or several.
func typeNames(t Types) any {
	names := map[Types]string{
		IsText: "string", IsInteger: "integer", IsBoolean: "boolean",
		IsNull: "null", IsObject: "object", IsArray: "array",
	}
	if bits.OnesCount8(uint8(t)) == 1 {
		return names[t]
	}
	var all []string
	for one := IsText; one <= IsArray; one <<= 1 {
		if t&one != 0 {
			all = append(all, names[one])
		}
	}
	return all
}
