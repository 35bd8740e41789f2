package httpsig

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dunglas/httpsfv"
)

// component is one covered component: a field of the message or a value
// derived from it, with the parameters that say how to take it (RFC 9421
// section 2).
type component struct {
	id   string // as serialized, which is how the signature base names it
	name string // lower-case field name, or a derived name starting with "@"

	sf, bs, req bool
	hasKey      bool   // ";key": one member of a dictionary field
	key         string //
	param       string // ";name" of @query-param, encoded
}

// derived says whether the value comes from elsewhere than a field.
func (c *component) derived() bool { return strings.HasPrefix(c.name, "@") }

// identity is equal for two identifiers that RFC 9421 calls the same whatever
// the order of their parameters. Strictness adds nothing to a selected member.
func (c *component) identity() component {
	same := *c
	same.id = ""
	same.sf = c.sf && !c.hasKey
	return same
}

// parseComponent reads a component identifier and refuses those that RFC 9421
// section 2.5 says must be an error, whatever the message.
func parseComponent(item httpsfv.Item) (component, error) {
	name, ok := item.Value.(string)
	if !ok {
		return component{}, errors.New("a component identifier is not a string")
	}
	id, err := httpsfv.Marshal(item)
	if err != nil {
		return component{}, fmt.Errorf("serializing a component identifier: %w", err)
	}
	c := component{id: id, name: name}
	for _, parameter := range item.Params.Names() {
		value, _ := item.Params.Get(parameter)
		if err := c.setParameter(parameter, value); err != nil {
			return component{}, fmt.Errorf("component %s: %w", id, err)
		}
	}
	if err := c.check(); err != nil {
		return component{}, fmt.Errorf("component %s: %w", id, err)
	}
	return c, nil
}

func (c *component) setParameter(parameter string, value any) error {
	switch parameter {
	case "sf", "bs", "req":
		if value != true {
			return fmt.Errorf("parameter %s is not a flag", parameter)
		}
		c.sf = c.sf || parameter == "sf"
		c.bs = c.bs || parameter == "bs"
		c.req = c.req || parameter == "req"
		return nil
	case "key", "name":
		text, ok := value.(string)
		if !ok {
			return fmt.Errorf("parameter %s is not a string", parameter)
		}
		if parameter == "key" {
			c.hasKey, c.key = true, text
			return nil
		}
		if c.name != "@query-param" {
			return errors.New("parameter name belongs to @query-param only")
		}
		c.param = text
		return nil
	case "tr":
		return errors.New("trailer fields are not supported")
	default:
		return fmt.Errorf("parameter %s is not known", parameter)
	}
}

func (c *component) check() error {
	switch {
	case c.bs && (c.sf || c.hasKey):
		return errors.New("bs goes with neither sf nor key")
	case c.derived() && (c.sf || c.bs || c.hasKey):
		return errors.New("sf, bs and key belong to fields only")
	case c.name == "@query-param" && c.param == "":
		return errors.New("parameter name is missing")
	case c.name == "@signature-params":
		return errors.New("it is always covered and must not be listed")
	case !c.derived() && !fieldName(c.name):
		return errors.New("it is not a lower-case field name")
	}
	return nil
}

// fieldName says whether s is a field name in the lower case that RFC 9421
// section 2.1 demands: a token of RFC 9110 without capitals.
func fieldName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}

// parseComponents reads the covered components of one signature and refuses a
// list that names one twice.
func parseComponents(items []httpsfv.Item) ([]component, error) {
	if len(items) > maxComponents {
		return nil, fmt.Errorf("it covers more than %d components", maxComponents)
	}
	components := make([]component, 0, len(items))
	seen := make(map[component]bool, len(items))
	for _, item := range items {
		c, err := parseComponent(item)
		if err != nil {
			return nil, err
		}
		if seen[c.identity()] {
			return nil, fmt.Errorf("component %s is listed twice", c.id)
		}
		seen[c.identity()] = true
		components = append(components, c)
	}
	return components, nil
}
