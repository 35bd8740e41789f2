package fakeshop

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// The APIs of which there are schemas.
const (
	Storefront = "storefront-graphql"
	Admin      = "admin"
)

// LoadSchema reads the schema of an API in a version from a directory of Node
// modules with @shopify/dev-mcp in it.
func LoadSchema(modules, api, version string) (*ast.Schema, error) {
	name := filepath.Join(modules, "@shopify", "dev-mcp", "dist", "data", api+"_"+version+".json.gz")
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading Shopify's schema: %w", err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	var answer struct {
		Data struct {
			Schema introspection `json:"__schema"`
		} `json:"data"`
	}
	if err := json.NewDecoder(packed).Decode(&answer); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: name, Input: answer.Data.Schema.text()})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return schema, nil
}

// introspection is the answer to GraphQL's introspection query, as far as it says
// what a document may hold.
type introspection struct {
	QueryType    struct{ Name string }
	MutationType struct{ Name string }
	Types        []definition
	Directives   []struct {
		Name      string
		Locations []string
		Args      []input
	}
}

type definition struct {
	Kind, Name    string
	IsOneOf       bool
	Fields        []output
	InputFields   []input
	Interfaces    []reference
	EnumValues    []struct{ Name string }
	PossibleTypes []reference
}

type output struct {
	Name string
	Args []input
	Type reference
}

type input struct {
	Name         string
	Type         reference
	DefaultValue *string
}

type reference struct {
	Kind, Name string
	OfType     *reference
}

func (r reference) String() string {
	switch r.Kind {
	case "NON_NULL":
		return r.OfType.String() + "!"
	case "LIST":
		return "[" + r.OfType.String() + "]"
	}
	return r.Name
}

// text writes the schema in GraphQL's own language.
func (s introspection) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "schema { query: %s mutation: %s }\n", s.QueryType.Name, s.MutationType.Name)
	own := []string{"defer", "include", "skip", "deprecated", "specifiedBy", "oneOf"}
	for _, d := range s.Directives {
		if !slices.Contains(own, d.Name) {
			fmt.Fprintf(&b, "directive @%s%s on %s\n", d.Name, arguments(d.Args), strings.Join(d.Locations, " | "))
		}
	}
	scalars := []string{"Int", "Float", "String", "Boolean", "ID"}
	for _, t := range s.Types {
		if !strings.HasPrefix(t.Name, "__") && !slices.Contains(scalars, t.Name) {
			t.write(&b)
		}
	}
	return b.String()
}

func (t definition) write(b *strings.Builder) {
	keyword := map[string]string{
		"SCALAR": "scalar", "OBJECT": "type", "INTERFACE": "interface", "UNION": "union", "ENUM": "enum", "INPUT_OBJECT": "input",
	}[t.Kind]
	b.WriteString(keyword + " " + t.Name)
	switch {
	case t.Kind == "UNION":
		b.WriteString(" = " + names(t.PossibleTypes, " | "))
	case len(t.Interfaces) > 0:
		b.WriteString(" implements " + names(t.Interfaces, " & "))
	case t.IsOneOf:
		b.WriteString(" @oneOf")
	}
	if t.Kind == "SCALAR" || t.Kind == "UNION" {
		b.WriteString("\n")
		return
	}
	b.WriteString(" {\n")
	for _, f := range t.Fields {
		fmt.Fprintf(b, "  %s%s: %s\n", f.Name, arguments(f.Args), f.Type)
	}
	for _, f := range t.InputFields {
		b.WriteString("  " + f.String() + "\n")
	}
	for _, v := range t.EnumValues {
		b.WriteString("  " + v.Name + "\n")
	}
	b.WriteString("}\n")
}

func (i input) String() string {
	text := i.Name + ": " + i.Type.String()
	if i.DefaultValue != nil {
		text += " = " + *i.DefaultValue
	}
	return text
}

func arguments(list []input) string {
	if len(list) == 0 {
		return ""
	}
	texts := make([]string, len(list))
	for i, one := range list {
		texts[i] = one.String()
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func names(list []reference, separator string) string {
	texts := make([]string, len(list))
	for i, one := range list {
		texts[i] = one.Name
	}
	return strings.Join(texts, separator)
}
