// Package pageurl makes addresses of a shop's pages from templates, such as
// https://shop.example.com/products/{handle}. An operator writes them for shops
// whose API does not say where their pages are.
package pageurl

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Template is the address of a page with {names} to be replaced. The zero Template
// has no page.
type Template struct {
	path, rest string
}

// Parse reads a template that may hold the given names. An empty text is the zero
// Template; anything else must come to an absolute URL of the web, whose host
// holds no name.
func Parse(text string, names ...string) (Template, error) {
	if text == "" {
		return Template{}, nil
	}
	for _, found := range regexp.MustCompile(`\{[^{}]*\}`).FindAllString(text, -1) {
		if !slices.Contains(names, strings.Trim(found, "{}")) {
			return Template{}, fmt.Errorf("%s is none of {%s}", found, strings.Join(names, "}, {"))
		}
	}
	at := strings.IndexAny(text, "?#")
	if at < 0 {
		at = len(text)
	}
	t := Template{path: text[:at], rest: text[at:]}
	example := make([]string, 0, 2*len(names))
	for _, name := range names {
		example = append(example, name, "x")
	}
	u, err := url.Parse(t.Fill(example...))
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || !strings.Contains(t.path, "://"+u.Host):
		return Template{}, errors.New("must begin with http:// or https:// and a host")
	case strings.ContainsAny(t.Fill(example...), "{}"):
		return Template{}, errors.New("has a brace that belongs to no name")
	}
	return t, nil
}

// Has reports whether the template holds a name.
func (t Template) Has(name string) bool {
	return strings.Contains(t.path+t.rest, "{"+name+"}")
}

// Fill returns the address with its names replaced by values, given in turn. They
// are escaped as the path or the query wants it. It is empty for the zero
// Template.
func (t Template) Fill(namesAndValues ...string) string {
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
