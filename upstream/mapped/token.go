package mapped

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is the longest mapping that is read, in bytes.
const maxText = 1 << 20

// Token is a word or a quoted string of a mapping's text. A Caddyfile's tokens
// are the same, so that a block of one is read like a file.
type Token struct {
	Text string
	// At is where the token begins.
	At Position
	// Quoted: the token stood in quotes, so that it is no keyword and no brace.
	Quoted bool
}

// is reports whether the token is that word or brace.
func (t Token) is(word string) bool { return !t.Quoted && t.Text == word }

// lastLine is the line the token ends on.
func (t Token) lastLine() int { return t.At.Line + strings.Count(t.Text, "\n") }

// Tokens splits a text: words end at white space, "…" may hold \" and line ends,
// `…` holds everything else, # begins a comment where a word could begin, and \
// at the end of a line goes on with the next. The error is a [*Fault].
func Tokens(file, text string) ([]Token, error) {
	if len(text) > maxText {
		return nil, faultf(Position{File: file}, "the text is longer than %d bytes", maxText)
	}
	if !utf8.ValidString(text) {
		return nil, faultf(Position{File: file}, "the text is not UTF-8")
	}
	l := lexer{file: file, rest: strings.TrimPrefix(text, "\ufeff"), line: 1}
	var tokens []Token
	for l.skip() {
		token, err := l.token()
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, token)
	}
	return tokens, nil
}

// lexer is a text that is being read.
type lexer struct {
	file, rest string
	line       int
	// joined is how many line ends were escaped since the last one that was not:
	// a line that goes on has the number of its first.
	joined int
}

// skip leaves out what is no token and reports whether there is another one.
func (l *lexer) skip() bool {
	for l.rest != "" {
		switch first, size := utf8.DecodeRuneInString(l.rest); {
		case first == '\n':
			l.line += 1 + l.joined
			l.joined, l.rest = 0, l.rest[1:]
		case unicode.IsSpace(first):
			l.rest = l.rest[size:]
		case first == '#':
			_, after, _ := strings.Cut(l.rest, "\n")
			l.rest = l.rest[len(l.rest)-len(after):]
			l.line += 1 + l.joined
			l.joined = 0
		case strings.HasPrefix(l.rest, "\\\n"):
			l.joined++
			l.rest = l.rest[2:]
		case strings.HasPrefix(l.rest, "\\\r\n"):
			l.joined++
			l.rest = l.rest[3:]
		default:
			return true
		}
	}
	return false
}

// token reads the token that begins here.
func (l *lexer) token() (Token, error) {
	token := Token{At: Position{l.file, l.line}}
	switch quote := l.rest[0]; quote {
	case '"', '`':
		end := closing(l.rest, quote)
		if end < 0 {
			return Token{}, faultf(token.At, "the quote %c is not closed: write another one at its end", quote)
		}
		token.Text, token.Quoted = l.rest[1:end], true
		l.line += strings.Count(token.Text, "\n")
		l.rest = l.rest[end+1:]
		if quote == '"' {
			token.Text = strings.ReplaceAll(token.Text, `\"`, `"`)
		}
		if next, _ := utf8.DecodeRuneInString(l.rest); l.rest != "" && !unicode.IsSpace(next) {
			return Token{}, faultf(token.At, "a quoted string must be followed by a space or the end of the line")
		}
		return token, nil
	}
	end := strings.IndexFunc(l.rest, unicode.IsSpace)
	if end < 0 {
		end = len(l.rest)
	}
	token.Text, l.rest = l.rest[:end], l.rest[end:]
	if strings.HasPrefix(token.Text, "<<") {
		return Token{}, faultf(token.At, "text of several lines stands in `backticks` here, not after <<")
	}
	return token, nil
}

// closing returns where the quote that text begins with is closed, -1 if nowhere.
func closing(text string, quote byte) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return i
		case text[i] == '\\' && quote == '"' && i+1 < len(text) && text[i+1] == quote:
			i++
		}
	}
	return -1
}
