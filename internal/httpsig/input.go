package httpsig

import (
	"fmt"
	"net/http"
	"time"

	"github.com/dunglas/httpsfv"
)

// Bounds on what a message may ask of a verifier. An honest one stays far
// below each of them.
const (
	maxFieldBytes = 16 << 10 // Signature-Input, and Signature, each with all its lines
	maxSignatures = 8
	maxComponents = 64
	maxKeyID      = 512 // bytes
)

// candidate is one signature of a message, parsed and not yet believed.
type candidate struct {
	label      string
	components []component
	params     string // the signature parameters, serialized strictly

	created, expires time.Time // zero when absent
	keyID, alg, tag  string    // empty when absent

	signature []byte
	fault     *Error // why it cannot be used, found while parsing
}

// parseSignatures reads the signatures of a message in the order of its
// Signature-Input field. A single malformed one is a candidate with a fault, so
// that it does not spoil the others.
func parseSignatures(header http.Header) ([]candidate, error) {
	inputs, signatures := header["Signature-Input"], header["Signature"]
	if len(inputs) == 0 && len(signatures) == 0 {
		return nil, ErrUnsigned
	}
	inputDict, err := parseDictionary("Signature-Input", inputs)
	if err != nil {
		return nil, err
	}
	signatureDict, err := parseDictionary("Signature", signatures)
	if err != nil {
		return nil, err
	}
	labels := inputDict.Names()
	if len(labels) > maxSignatures {
		return nil, &Error{Code: SignatureInvalid, Reason: fmt.Sprintf("the message has more than %d signatures", maxSignatures)}
	}
	candidates := make([]candidate, len(labels))
	for i, label := range labels {
		c := &candidates[i]
		c.label = label
		if fault := c.parse(inputDict, signatureDict); fault != nil {
			fault.Label, fault.KeyID = label, c.keyID
			c.fault = fault
		}
	}
	return candidates, nil
}

// parseDictionary reads one of the two fields, which must both be there and
// hold something.
func parseDictionary(field string, lines []string) (*httpsfv.Dictionary, error) {
	total := 0
	for _, line := range lines {
		total += len(line)
	}
	if total > maxFieldBytes {
		return nil, &Error{Code: SignatureInvalid, Reason: fmt.Sprintf("the %s field is longer than %d bytes", field, maxFieldBytes)}
	}
	dict, err := httpsfv.UnmarshalDictionary(lines)
	if err != nil {
		return nil, &Error{Code: SignatureInvalid, Reason: fmt.Sprintf("the %s field is not a structured dictionary", field), Err: err}
	}
	if len(dict.Names()) == 0 {
		return nil, &Error{Code: SignatureMissing, Reason: fmt.Sprintf("the %s field is missing or empty", field)}
	}
	return dict, nil
}

// parse fills c from the members that carry its label.
func (c *candidate) parse(inputs, signatures *httpsfv.Dictionary) *Error {
	input, _ := inputs.Get(c.label)
	list, ok := input.(httpsfv.InnerList)
	if !ok {
		return &Error{Code: SignatureInvalid, Reason: "its Signature-Input member is not an inner list"}
	}
	if fault := c.parseParams(list.Params); fault != nil {
		return fault
	}
	params, err := httpsfv.Marshal(list)
	if err != nil {
		return &Error{Code: SignatureInvalid, Reason: "its parameters cannot be serialized", Err: err}
	}
	c.params = params
	if c.components, err = parseComponents(list.Items); err != nil {
		return &Error{Code: SignatureInvalid, Reason: "its Signature-Input member is malformed", Err: err}
	}
	member, found := signatures.Get(c.label)
	if !found {
		return &Error{Code: SignatureMissing, Reason: "the Signature field has no member for it"}
	}
	item, _ := member.(httpsfv.Item)
	if c.signature, ok = item.Value.([]byte); !ok {
		return &Error{Code: SignatureInvalid, Reason: "its Signature member is not a byte sequence"}
	}
	return nil
}

// parseParams reads the signature parameters of RFC 9421 section 2.3. Those
// that are not known are signed like the others but mean nothing here.
func (c *candidate) parseParams(params *httpsfv.Params) *Error {
	texts := map[string]*string{"keyid": &c.keyID, "alg": &c.alg, "tag": &c.tag}
	times := map[string]*time.Time{"created": &c.created, "expires": &c.expires}
	for _, name := range params.Names() {
		value, _ := params.Get(name)
		if text, known := texts[name]; known {
			s, ok := value.(string)
			if !ok || len(s) > maxKeyID {
				return &Error{Code: SignatureInvalid, Reason: fmt.Sprintf("its parameter %s is not a string of at most %d bytes", name, maxKeyID)}
			}
			*text = s
		}
		if at, known := times[name]; known {
			seconds, ok := value.(int64)
			if !ok {
				return &Error{Code: SignatureInvalid, Reason: fmt.Sprintf("its parameter %s is not a time in whole seconds", name)}
			}
			*at = time.Unix(seconds, 0).UTC()
		}
	}
	return nil
}
