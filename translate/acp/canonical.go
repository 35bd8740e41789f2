package acp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// canonical returns a body in a form that is the same for bodies that mean the
// same (rfc.agentic_checkout, section 6.2): whatever the order of members, and
// with or without zeros at the end of a fraction. A member that is null is another
// thing than none.
func canonical(body []byte) ([]byte, error) {
	if len(body) == 0 {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("reading a body: %w", err)
	}
	return json.Marshal(trimmedNumbers(value))
}

// trimmedNumbers takes the zeros from the ends of fractions.
func trimmedNumbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = trimmedNumbers(member)
		}
	case []any:
		for i, element := range value {
			value[i] = trimmedNumbers(element)
		}
	case json.Number:
		if text := value.String(); strings.Contains(text, ".") && !strings.ContainsAny(text, "eE") {
			return json.Number(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
		}
	}
	return value
}
