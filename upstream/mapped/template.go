package mapped

import "strings"

// part is a piece of a template: literal text, or the name in a {placeholder}.
type part struct {
	text string
	name bool
}

// parts splits a template. A brace without a partner is text.
func parts(template string) []part {
	var all []part
	for template != "" {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			return append(all, part{text: template})
		}
		length := strings.IndexAny(template[open+1:], "{}")
		if length < 1 || template[open+1+length] != '}' {
			end := open + 1
			all = append(all, part{text: template[:end]})
			template = template[end:]
			continue
		}
		if open > 0 {
			all = append(all, part{text: template[:open]})
		}
		all = append(all, part{text: template[open+1 : open+1+length], name: true})
		template = template[open+length+2:]
	}
	return all
}

// placeholders returns the names in a template.
func placeholders(template string) []string {
	var names []string
	for _, p := range parts(template) {
		if p.name {
			names = append(names, p.text)
		}
	}
	return names
}

// alone returns the name of a template that is one placeholder and nothing else.
func alone(template string) (name string, ok bool) {
	all := parts(template)
	if len(all) == 1 && all[0].name {
		return all[0].text, true
	}
	return "", false
}

// fill replaces the placeholders of a template. found is false if there are some
// and each of them comes to nothing: then the text means nothing either.
func fill(template string, value func(name string) string) (text string, found bool) {
	var out strings.Builder
	names := 0
	for _, p := range parts(template) {
		if !p.name {
			out.WriteString(p.text)
			continue
		}
		v := value(p.text)
		out.WriteString(v)
		names++
		found = found || v != ""
	}
	return out.String(), found || names == 0
}

// unfill is what the one placeholder of a template was filled with to make text.
func unfill(template, text string) (value string, ok bool) {
	before, after, names := "", "", 0
	for _, p := range parts(template) {
		switch {
		case p.name:
			names++
		case names == 0:
			before += p.text
		default:
			after += p.text
		}
	}
	if names != 1 || len(text) <= len(before)+len(after) || !strings.HasPrefix(text, before) || !strings.HasSuffix(text, after) {
		return "", false
	}
	return text[len(before) : len(text)-len(after)], true
}
