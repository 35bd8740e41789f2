package httpsig

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// message is the target of a signature: a request, or a response together with
// the request it answers.
type message struct {
	request  *Request
	response *Response // nil when the request itself is the target
}

// signatureBase builds the octets that are signed (RFC 9421 section 2.5):
// one line for each component and a last one for params, the serialized
// signature parameters.
func signatureBase(msg message, components []component, params string) ([]byte, error) {
	base := make([]byte, 0, 1024)
	for i := range components {
		c := &components[i]
		value, err := msg.value(c)
		if err != nil {
			return nil, fmt.Errorf("component %s: %w", c.id, err)
		}
		if !signable(value) {
			return nil, fmt.Errorf("component %s: its value has characters that cannot be signed", c.id)
		}
		base = appendLine(base, c.id, value)
	}
	return appendParamsLine(base, params), nil
}

func appendLine(base []byte, id, value string) []byte {
	base = append(base, id...)
	base = append(base, ": "...)
	base = append(base, value...)
	return append(base, '\n')
}

func appendParamsLine[T string | []byte](base []byte, params T) []byte {
	base = append(base, `"@signature-params": `...)
	return append(base, params...)
}

// signable says whether a value may stand in a signature base: ASCII, visible,
// with blanks, but never a line break, by which one component could pretend to
// be two.
func signable(value string) bool {
	for i := range len(value) {
		if c := value[i]; (c < ' ' && c != '\t') || c > '~' {
			return false
		}
	}
	return true
}

// value finds a component in the message it belongs to.
func (m message) value(c *component) (string, error) {
	if !c.req {
		if m.response == nil {
			return m.request.value(c)
		}
		return m.response.value(c)
	}
	if m.response == nil {
		return "", errors.New("req has no meaning in a request")
	}
	if m.request == nil {
		return "", errors.New("the request is not at hand")
	}
	return m.request.value(c)
}

func (r *Request) value(c *component) (string, error) {
	switch c.name {
	case "@method":
		return r.Method, nil
	case "@target-uri":
		return r.targetURI(), nil
	case "@authority":
		return r.authority(), nil
	case "@scheme":
		return r.scheme(), nil
	case "@request-target":
		return printable(r.Target), nil
	case "@path":
		return r.path(), nil
	case "@query":
		return r.query(), nil
	case "@query-param":
		return r.queryParam(c.param)
	}
	if c.derived() {
		return "", errors.New("a request has no such component")
	}
	if c.name == "host" && len(r.Header["Host"]) == 0 {
		// net/http keeps the Host field outside of the header.
		return fieldValue([]string{r.Authority}, c)
	}
	return fieldValue(r.Header.Values(c.name), c)
}

func (r *Response) value(c *component) (string, error) {
	if c.name == "@status" {
		return strconv.Itoa(r.Status), nil
	}
	if c.derived() {
		return "", errors.New("a response has no such component")
	}
	return fieldValue(r.Header.Values(c.name), c)
}

// queryParam is the one value of a query parameter, decoded as an HTML form
// would and encoded anew (RFC 9421 section 2.2.8). name comes encoded.
func (r *Request) queryParam(name string) (string, error) {
	value, found := "", false
	_, query, _ := strings.Cut(r.originForm(), "?")
	for pair := range strings.SplitSeq(query, "&") {
		k, v, _ := strings.Cut(pair, "=")
		if pair == "" || formEncode(formDecode(k)) != name {
			continue
		}
		if found {
			return "", errors.New("the query has it more than once")
		}
		decoded := formDecode(v)
		if !utf8.ValidString(decoded) {
			return "", errors.New("its value is not UTF-8")
		}
		value, found = formEncode(decoded), true
	}
	if !found {
		return "", errors.New("the query does not have it")
	}
	return value, nil
}
