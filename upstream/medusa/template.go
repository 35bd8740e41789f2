package medusa

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// template is the address of a page with {names} to be replaced. The zero
// template has no page.
type template struct {
	path, rest string
}

// newTemplate reads a template that may hold the given names.
func newTemplate(text string, names ...string) (template, error) {
	if text == "" {
		return template{}, nil
	}
	for _, found := range regexp.MustCompile(`\{[^{}]*\}`).FindAllString(text, -1) {
		if !slices.Contains(names, strings.Trim(found, "{}")) {
			return template{}, fmt.Errorf("%s is none of {%s}", found, strings.Join(names, "}, {"))
		}
	}
	at := strings.IndexAny(text, "?#")
	if at < 0 {
		at = len(text)
	}
	t := template{path: text[:at], rest: text[at:]}
	example := make([]string, 0, 2*len(names))
	for _, name := range names {
		example = append(example, name, "x")
	}
	u, err := url.Parse(t.fill(example...))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || !strings.Contains(t.path, "://"+u.Host) {
		return template{}, errors.New("must begin with http:// or https:// and a host")
	}
	return t, nil
}

// fill returns the address with its names replaced by values, given in turn.
func (t template) fill(namesAndValues ...string) string {
	if t.path == "" {
		return ""
	}
	inPath, inRest := make([]string, 0, len(namesAndValues)), make([]string, 0, len(namesAndValues))
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		name := "{" + namesAndValues[i] + "}"
		inPath = append(inPath, name, url.PathEscape(namesAndValues[i+1]))
		inRest = append(inRest, name, url.QueryEscape(namesAndValues[i+1]))
	}
	return strings.NewReplacer(inPath...).Replace(t.path) + strings.NewReplacer(inRest...).Replace(t.rest)
}
