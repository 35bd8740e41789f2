package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/storeware/caddy-storeware/internal/mcphttp"
	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/translate/answer/schema"
)

// compiled compiles a schema that refers to nothing.
func compiled(t testing.TB, encoded []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(encoded)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // loads nothing
	if err := compiler.AddResource("tool.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := compiler.Compile("tool.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, encoded)
	}
	return s
}

// validate checks a text with a schema.
func validate(t testing.TB, s *shape.Schema, text string) error {
	t.Helper()
	encoded, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, encoded).Validate(value)
}

// A client can compile every schema on its own, what the examples show is taken, and
// a tool says what it does.
func TestToolsAreWhole(t *testing.T) {
	for _, tool := range tools() {
		definition, err := tool.definition()
		if err != nil {
			t.Fatal(err)
		}
		compiled(t, definition.RawOutputSchema)
		for _, word := range []string{`"$schema"`, `"$ref"`, `"$id"`} {
			if strings.Contains(string(definition.RawInputSchema)+string(definition.RawOutputSchema), word) {
				t.Errorf("a schema of %s has %s", tool.name, word)
			}
		}
		example, err := jsonschema.UnmarshalJSON(strings.NewReader(tool.example))
		if err != nil {
			t.Fatalf("%s: its example: %v", tool.name, err)
		}
		if err := compiled(t, definition.RawInputSchema).Validate(example); err != nil {
			t.Errorf("%s: its example: %v", tool.name, err)
		}
		if err := tool.input.Check([]byte(tool.example), shape.Other, nil); err != nil {
			t.Errorf("%s does not take its example: %v", tool.name, err)
		}
		if tool.title == "" || len(tool.description) > 400 {
			t.Errorf("%s: title %q, description %q", tool.name, tool.title, tool.description)
		}
		if hints := definition.Annotations; *hints.ReadOnlyHint != (tool.changes == mcphttp.Reads) || *hints.DestructiveHint != (tool.changes == mcphttp.Replaces) {
			t.Errorf("%s: %+v", tool.name, hints)
		}
	}
}

// What search_products answers is an answer as the extension's schema has it.
func TestSearchAnswersAsTheExtensionDoes(t *testing.T) {
	d := newDesk(t)
	var document map[string]any
	if err := json.Unmarshal(schema.Document(), &document); err != nil {
		t.Fatal(err)
	}
	document["$ref"] = "#/$defs/answer"
	encoded, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	published := compiled(t, encoded)
	for _, question := range []string{
		"waterproof walking boots under £150", "a waterproof jacket and warm gloves", "enamel kettle", "xylophone", "", "boots not in black, bis 5 kg oder 3-4 €?",
	} {
		got := d.must("scout", "search_products", string(encode(t, map[string]any{"query": question, "conversation": map[string]string{"id": question + "!"}})))
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(got.content().Raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := published.Validate(value); err != nil {
			t.Errorf("%q: %v", question, err)
		}
	}
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	encoded, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}
