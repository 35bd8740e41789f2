// Package schema holds the JSON Schema of answers, as UCP's extension
// ai.storeware.shopping.answer publishes it.
package schema

import _ "embed"

// The extension. The version moves only when the shape does, and each move adds to
// it.
const (
	Name    = "ai.storeware.shopping.answer"
	Version = "2026-11-30"
	// Path is where a shop serves the schema, and where its authority does.
	Path = "/.well-known/ucp/schemas/" + Name + "/" + Version + ".json"
)

//go:embed answer.json
var document []byte

// Document returns the schema. It is not to be changed.
func Document() []byte { return document }
