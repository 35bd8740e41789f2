package httpsig

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/dunglas/httpsfv"
)

// fieldValue is the component value of a field that arrived as these lines
// (RFC 9421 section 2.1).
func fieldValue(lines []string, c *component) (string, error) {
	if len(lines) == 0 {
		return "", errors.New("the message has no such field")
	}
	switch {
	case c.bs:
		return binaryWrapped(lines), nil
	case c.hasKey:
		return dictionaryMember(lines, c.key)
	case c.sf:
		return strict(lines, c.name)
	}
	return combined(lines), nil
}

// combined is the value of a field that arrived as these lines, empty when
// there are none (RFC 9110 section 5.2).
func combined(lines []string) string {
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return trimOWS(lines[0])
	}
	trimmed := make([]string, len(lines))
	for i, line := range lines {
		trimmed[i] = trimOWS(line)
	}
	return strings.Join(trimmed, ", ")
}

func trimOWS(s string) string { return strings.Trim(s, " \t") }

// binaryWrapped keeps apart what joining with commas would mix up (section
// 2.1.3).
func binaryWrapped(lines []string) string {
	var out []byte
	for i, line := range lines {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(out, ':')
		out = base64.StdEncoding.AppendEncode(out, []byte(trimOWS(line)))
		out = append(out, ':')
	}
	return string(out)
}

// dictionaryMember is one member's value, serialized strictly (section 2.1.2).
func dictionaryMember(lines []string, key string) (string, error) {
	dict, err := httpsfv.UnmarshalDictionary(lines)
	if err != nil {
		return "", fmt.Errorf("the field is not a structured dictionary: %w", err)
	}
	member, ok := dict.Get(key)
	if !ok {
		return "", errors.New("the dictionary has no such member")
	}
	value, err := httpsfv.Marshal(member)
	if err != nil {
		return "", fmt.Errorf("serializing the member: %w", err)
	}
	return value, nil
}

// strict serializes a structured field anew (section 2.1.1). That is possible
// only where the field's type is known, and RFC 9421 wants an error elsewhere.
func strict(lines []string, name string) (string, error) {
	switch name {
	case "accept-signature", "content-digest", "priority", "repr-digest", "signature",
		"signature-agent", "signature-input", "ucp-agent", "want-content-digest",
		"want-repr-digest":
	default:
		return "", errors.New("the field is not known to be structured")
	}
	dict, err := httpsfv.UnmarshalDictionary(lines)
	if err != nil {
		return "", fmt.Errorf("the field is not a structured dictionary: %w", err)
	}
	value, err := httpsfv.Marshal(dict)
	if err != nil {
		return "", fmt.Errorf("serializing the field: %w", err)
	}
	return value, nil
}
