package mcp

import (
	"reflect"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
)

// schemaOf returns the JSON Schema of what a type becomes in JSON. It is made of the
// types themselves, so that a field which is answered is in it: fields without
// omitempty are required, those with a tag doc are described by it, and those with a
// tag enum have one of its values.
func schemaOf(t reflect.Type) *shape.Schema {
	if s := specialSchema(t); s != nil {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Bool:
		return &shape.Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &shape.Schema{Type: "integer"}
	case reflect.Slice:
		return &shape.Schema{Type: "array", Items: schemaOf(t.Elem())}
	case reflect.Struct:
		return structSchema(t)
	}
	return &shape.Schema{Type: "string"}
}

// specialSchema is the schema of a type that is written otherwise than it looks, nil
// for others.
func specialSchema(t reflect.Type) *shape.Schema {
	switch reflect.Zero(t).Interface().(type) {
	case time.Time, answer.Moment:
		return &shape.Schema{Type: "string", Description: "A time (RFC 3339)."}
	case verdict.Datum:
		return &shape.Schema{Type: []string{"integer", "boolean", "string", "array"}, Items: &shape.Schema{Type: "string"}}
	case verdict.Outcome:
		return &shape.Schema{
			Type: "string", Enum: []string{string(verdict.Satisfied), string(verdict.Failed), string(verdict.NotAssessed)},
			Description: "not_assessed: nobody established it, which is another answer than no.",
		}
	case verdict.Source:
		return &shape.Schema{
			Type: "string",
			Enum: []string{
				string(verdict.LivePrice), string(verdict.Inventory), string(verdict.Enrichment), string(verdict.EnrichmentImage),
				string(verdict.Unenriched), string(verdict.NotRecorded),
			},
			Description: "live_price, inventory: read a moment ago. enrichment: recorded by the merchant. enrichment_image: seen on a photograph. " +
				"unenriched: nothing is recorded. not_recorded: something is, and not this.",
		}
	case Status:
		return &shape.Schema{Type: "string", Enum: []string{
			string(Incomplete), string(RequiresEscalation), string(ReadyForComplete), string(CompleteInProgress), string(Completed), string(Canceled),
		}}
	}
	return nil
}

// structSchema is the schema of an object. Fields of embedded structs are its own.
func structSchema(t reflect.Type) *shape.Schema {
	s := &shape.Schema{Type: "object", Properties: map[string]*shape.Schema{}}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" || name == "" || s.Properties[name] != nil {
			continue
		}
		field := schemaOf(f.Type)
		optional := strings.Contains(options, "omit")
		if f.Type.Kind() == reflect.Pointer && !optional {
			field.Type = []string{field.Type.(string), "null"}
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			field.Enum = strings.Split(enum, ",")
		}
		if doc := f.Tag.Get("doc"); doc != "" {
			field.Description = doc
		} else if doc := answerDoc(name); doc != "" {
			field.Description = doc
		}
		s.Properties[name] = field
		if !optional {
			s.Required = append(s.Required, name)
		}
	}
	return s
}

// answerDoc describes the fields of answers, whose types have no tags for it.
func answerDoc(name string) string {
	switch name {
	case "understood":
		return "How the shop read the question. Correct a misreading by asking again."
	case "degraded":
		return "True when the limits could not be read from the words: then none of the words' limits was applied."
	case "ruled_out":
		return "Products of the right kind that do not meet everything, the nearest first, each with why."
	case "ruled_out_count":
		return "How many there are of them in all."
	case "cheapest_ruled_out_minor":
		return "The lowest price of them all."
	case "unrelated_count":
		return "How many were found that are another kind of thing."
	case "relevance_judged":
		return "False when the kind of thing could not be judged; then unrelated_count says nothing."
	case "passes":
		return "How many things were asked for. Limits stated for all hold for each."
	case "remembered":
		return "Limits that this question did not state, with where they are from."
	case "verdicts":
		return "Which limits it meets, and on what evidence."
	case "results_count":
		return "How many results there are on all pages."
	case "next":
		return "The cursor of the next page."
	}
	return ""
}
