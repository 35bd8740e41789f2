// Package plaintext makes text of what may be HTML. Shops keep descriptions as an
// editor for rich text wrote them, and anything else may have been typed into
// one; agents and buyers get neither tags nor entities.
package plaintext

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// FromHTML returns the text of what may be HTML, [Tidy]. Blocks end lines, and
// what stands in scripts and styles is left out. Entities are read once: what was
// escaped twice is still escaped.
func FromHTML(text string) string {
	if !strings.ContainsAny(text, "<&") {
		return Tidy(text)
	}
	var out strings.Builder
	var hidden atom.Atom // The element whose text nobody sees, if we are in one.
	for tokens := html.NewTokenizer(strings.NewReader(text)); ; {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return Tidy(out.String())
		}
		token := tokens.Token()
		switch {
		case kind == html.TextToken && hidden == 0:
			out.WriteString(strings.NewReplacer("\n", " ", "\r", " ").Replace(token.Data))
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

// Tidy drops empty lines, NUL characters and needless white space: what is left
// between the words of a line is one space.
func Tidy(text string) string {
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\x00", "")) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}
