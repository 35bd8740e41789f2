package walls_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// No float touches money (promise 5). What carries a sum from a shop to an agent has
// no floating-point number in it at all, and reads none out of JSON; a package that
// measures something else does so elsewhere.
func TestNoFloatTouchesMoney(t *testing.T) {
	checked := 0
	for _, pattern := range []string{
		"internal/money/*.go", "translate/basket/*.go", "translate/ucp/*.go", "translate/mcp/*.go", "translate/acp/*.go",
		"upstream/*.go", "upstream/*/*.go", "upstream/demo/shop/*.go", "upstream/demo/shop/internal/till/*.go",
	} {
		files, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			checked++
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if what := floats(n); what != "" {
					t.Errorf("%s: %s", set.Position(n.Pos()), what)
				}
				return true
			})
		}
	}
	if checked < 100 {
		t.Errorf("%d files were read, want 100 at least", checked)
	}
}

// floats says which floating-point number stands at a node, if any does.
func floats(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		if n.Name == "float64" || n.Name == "float32" {
			return n.Name
		}
	case *ast.BasicLit:
		if n.Kind == token.FLOAT {
			return n.Value
		}
	case *ast.SelectorExpr:
		switch n.Sel.Name {
		case "Float", "Num", "ParseFloat", "FormatFloat":
			return "a selector " + n.Sel.Name
		}
	}
	return ""
}
