package ucp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tidwall/gjson"
	"pgregory.net/rapid"
)

// listed returns the tools as a client sees them.
func listed(t *testing.T, d *desk) map[Operation]gjson.Result {
	t.Helper()
	got := d.send(d.message("", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	out := map[Operation]gjson.Result{}
	for _, tool := range got.json.Get("result.tools").Array() {
		out[Operation(tool.Get("name").Str)] = tool
	}
	return out
}

// compile compiles a schema that refers to nothing.
func compile(t *testing.T, schema gjson.Result) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(schema.Raw))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // loads nothing
	if err := compiler.AddResource("tool.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("tool.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, schema.Raw)
	}
	return compiled
}

// fits checks arguments with a tool's schema.
func fits(t interface{ Fatal(...any) }, schema *jsonschema.Schema, arguments string) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(arguments))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}

// argumentsOf returns a tool's arguments with a payload.
func argumentsOf(t *tool, payload string) string {
	out := `{"meta":{"ucp-agent":{"profile":"` + wholeURL + `"},"idempotency-key":"1b4e28ba-2fa1-11d2-883f-0016d3cca427"},"id":"x"`
	if t.payload != "" {
		out += `,"` + t.payload + `":` + payload
	}
	return out + "}"
}

// A client can compile every schema on its own, and what the examples show is
// taken.
func TestMCPToolsAreWhole(t *testing.T) {
	d := newDesk(t, nil)
	known := listed(t, d)
	if len(known) != 13 {
		t.Errorf("%d tools: %v", len(known), slices.Sorted(maps.Keys(known)))
	}
	for _, tool := range tools() {
		got, ok := known[tool.op]
		if !ok {
			t.Errorf("%s is missing", tool.op)
			continue
		}
		input, output := compile(t, got.Get("inputSchema")), compile(t, got.Get("outputSchema"))
		for _, word := range []string{`"$schema"`, `"$ref"`, `"$id"`, `null`} {
			if strings.Contains(strings.ReplaceAll(got.Get("inputSchema").Raw, `["string","null"]`, ""), word) {
				t.Errorf("the schema of %s has %s", tool.op, word)
			}
		}
		if !got.Get("annotations.readOnlyHint").Exists() || got.Get("annotations.readOnlyHint").Bool() == tool.op.Writes() {
			t.Errorf("%s: annotations %s", tool.op, got.Get("annotations").Raw)
		}
		if got.Get("title").Str == "" || len(got.Get("description").Str) > 400 {
			t.Errorf("%s: title %q, description %q", tool.op, got.Get("title").Str, got.Get("description").Str)
		}
		if err := fits(t, input, argumentsOf(tool, tool.example)); err != nil {
			t.Errorf("%s: its example: %v", tool.op, err)
		}
		if err := fits(t, input, `{}`); err == nil {
			t.Errorf("%s takes no arguments", tool.op)
		}
		if tool.payload != "" {
			if err := Validate(tool.op, activeFrom(CapabilityCart, CapabilityDiscount, CapabilityFulfillment), []byte(tool.example)); err != nil {
				t.Errorf("%s: its example: %v", tool.op, err)
			}
			if got.Get("inputSchema.properties."+tool.payload+".examples.0").Raw == "" {
				t.Errorf("%s shows no example", tool.op)
			}
		}
		if err := fits(t, output, `{"ucp":{"version":"2026-08-25","status":"error"},"messages":[{"type":"error","code":"x","content":"y","severity":"unrecoverable"}]}`); err != nil {
			t.Errorf("%s: an error response: %v", tool.op, err)
		}
	}
}

// What a call may send its tool's schema allows, whatever it is.
func TestMCPSchemasAllowWhatIsTaken(t *testing.T) {
	d := newDesk(t, nil)
	schemas := map[Operation]*jsonschema.Schema{}
	for op, tool := range listed(t, d) {
		schemas[op] = compile(t, tool.Get("inputSchema"))
	}
	var payloads []*tool
	for _, tool := range tools() {
		if tool.payload != "" {
			payloads = append(payloads, tool)
		}
	}
	active := activeFrom(CapabilitySearch, CapabilityLookup, CapabilityCart, CapabilityCheckout, CapabilityDiscount, CapabilityFulfillment)
	rapid.Check(t, func(t *rapid.T) {
		tool := rapid.SampledFrom(payloads).Draw(t, "tool")
		var value any
		if err := json.Unmarshal([]byte(wholePayloads[tool.op]), &value); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 2).Draw(t, "mutations") {
			value = mutate(t, value)
		}
		payload, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if Validate(tool.op, active, payload) != nil {
			return
		}
		if err := fits(t, schemas[tool.op], argumentsOf(tool, string(payload))); err != nil {
			t.Fatalf("%s takes %s and its schema does not: %v", tool.op, payload, err)
		}
	})
}
