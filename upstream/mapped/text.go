package mapped

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// plain returns the text of what may be HTML. Blocks end lines; other white space
// is one space. Some shops escape what is escaped already, so a line that still
// has mark-up is read once more.
func plain(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	if !marked(text) {
		return tidy(text)
	}
	lines := strings.Split(tidy(unmarked(text)), "\n")
	for i, line := range lines {
		if marked(line) {
			lines[i] = unmarked(line)
		}
	}
	return tidy(strings.Join(lines, "\n"))
}

// marked reports whether a text may hold mark-up.
func marked(text string) bool { return strings.ContainsAny(text, "<&") }

// unmarked returns the text between tags, with entities resolved.
func unmarked(text string) string {
	var out strings.Builder
	var hidden atom.Atom // The element whose text nobody sees, if we are in one.
	for tokens := html.NewTokenizer(strings.NewReader(text)); ; {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return out.String()
		}
		token := tokens.Token()
		switch {
		case kind == html.TextToken && hidden == 0:
			out.WriteString(strings.ReplaceAll(token.Data, "\n", " "))
		case kind == html.StartTagToken && (token.DataAtom == atom.Script || token.DataAtom == atom.Style):
			hidden = token.DataAtom
		case kind == html.EndTagToken && token.DataAtom == hidden:
			hidden = 0
		case isBlock(token.DataAtom):
			out.WriteByte('\n')
		}
	}
}

// isBlock reports whether an element begins or ends a line.
func isBlock(element atom.Atom) bool {
	switch element {
	case atom.P, atom.Br, atom.Div, atom.Ul, atom.Ol, atom.Li, atom.Table, atom.Tr, atom.Hr, atom.Blockquote, atom.Pre,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Section, atom.Article, atom.Dl, atom.Dt, atom.Dd:
		return true
	}
	return false
}

// tidy drops empty lines and needless white space.
func tidy(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}
