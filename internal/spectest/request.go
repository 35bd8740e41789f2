package spectest

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Request checks what a platform sends for an operation of the REST
// description ("create_checkout"), with these capabilities active: types,
// required fields, and fields that the operation forbids. Unknown fields pass,
// as they must. A body is optional, and anything but an object refused, where
// the description has none.
//
// It knows the schemas only. A search without any input and a checkout without
// lines pass.
func (s *Spec) Request(operation string, active []string, body []byte) error {
	op, ok := s.find(operation)
	if !ok {
		return fmt.Errorf("UCP %s has no operation %q", s.release, operation)
	}
	if op.request == "" && len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	doc, err := parse(body)
	if err != nil || op.request == "" {
		return err
	}
	schema, err := s.compose(op, "ucp_request", op.request, active)
	if err != nil {
		return err
	}
	var found Problems
	found.check(schema, doc)
	return found.err()
}

// parse reads a body that is to be one JSON object.
func parse(body []byte) (tree, error) {
	if !utf8.Valid(body) {
		return tree{}, Problems{{Text: "is not UTF-8"}}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return tree{}, Problems{{Text: "is not JSON: " + err.Error()}}
	}
	if _, ok := value.(map[string]any); !ok {
		return tree{}, Problems{{Text: "is not a JSON object"}}
	}
	return tree{value: value}, nil
}
