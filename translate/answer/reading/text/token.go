package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what a token is.
type Kind int

// The kinds of token.
const (
	// Word is letters, perhaps with digits, hyphens and apostrophes inside.
	Word Kind = iota
	// Number begins with a digit. What is written on to it is its Suffix.
	Number
	// Symbol is one character that is neither a letter nor a digit.
	Symbol
)

// Token is a word, a number or a sign.
type Token struct {
	Kind Kind
	// Text is the token as it was typed, Fold what it is compared by.
	Text string
	Fold string
	// Digits and Suffix are the parts of a Number: "1.299,00" and "", "50" and
	// "ml", "32" and "x34".
	Digits string
	Suffix string
	// Start and End are byte offsets in the text that was cut.
	Start, End int
	// Spaced says that white space stands before the token.
	Spaced bool
	// Capital says that the first letter is a capital.
	Capital bool
}

// Dictionary knows the words of a language that writes no spaces.
type Dictionary interface {
	// Longest returns the length in bytes of the longest word that s begins
	// with, or 0.
	Longest(s string) int
}

// MaxTokens bounds how many tokens are cut from one text. What comes after them
// is left unread.
const MaxTokens = 512

// Tokens cuts a text that went through Plain. The dictionary may be nil.
func Tokens(s string, words Dictionary) []Token {
	c := cutter{text: s, words: words, tokens: make([]Token, 0, len(s)/5+4)}
	for c.next() {
	}
	return c.tokens
}

type cutter struct {
	text   string
	words  Dictionary
	at     int
	spaced bool
	tokens []Token
}

// next cuts one token and reports whether there may be more.
func (c *cutter) next() bool {
	if c.at >= len(c.text) || len(c.tokens) >= MaxTokens {
		return false
	}
	r, size := utf8.DecodeRuneInString(c.text[c.at:])
	switch {
	case unicode.IsSpace(r):
		c.at, c.spaced = c.at+size, true
	case r >= '0' && r <= '9':
		c.number()
	case Unspaced(r):
		c.unspaced()
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		c.word()
	default:
		c.emit(Token{Kind: Symbol}, c.at+size)
	}
	return true
}

// number cuts digits with the separators between them, and what is written on to
// them: "1,299.00", "50ml", "20-volt", "32x34".
func (c *cutter) number() {
	end := c.at
	for end < len(c.text) {
		switch b := c.text[end]; {
		case isDigit(b):
			end++
		case strings.IndexByte(".,'", b) >= 0 && end+1 < len(c.text) && isDigit(c.text[end+1]):
			end++
		case b == ' ' && thousands(c.text[c.at:end], c.text[end+1:]):
			end++
		default:
			goto cut
		}
	}
cut:
	digits := c.text[c.at:end]
	start := end
	if rest := c.text[end:]; len(rest) > 1 && rest[0] == '-' && isLetter(rest[1:]) {
		start++
	}
	end = start
	for end < len(c.text) {
		r, size := utf8.DecodeRuneInString(c.text[end:])
		dimension := (r == '.' || r == '/') && end > start && isDigit(c.text[end-1]) && end+1 < len(c.text) && isDigit(c.text[end+1])
		if !dimension && (Unspaced(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)) {
			break
		}
		end += size
	}
	if end == start {
		end = c.at + len(digits)
		start = end
	}
	c.emit(Token{Kind: Number, Digits: digits, Suffix: Fold(c.text[start:end])}, end)
}

// thousands reports whether a space is inside a number, as in "1 299": after one
// to three digits without another mark, and before exactly three.
func thousands(before, after string) bool {
	if i := strings.LastIndexByte(before, ' '); i >= 0 {
		before = before[i+1:]
	}
	if len(before) == 0 || len(before) > 3 || strings.ContainsAny(before, ".,'") || before[0] == '0' {
		return false
	}
	if len(after) < 3 || !isDigit(after[0]) || !isDigit(after[1]) || !isDigit(after[2]) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(after[3:])
	return len(after) == 3 || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// word cuts letters and digits with hyphens and apostrophes between them. What
// French elides ("d'été") is a word of its own.
func (c *cutter) word() {
	end := c.at
	for end < len(c.text) {
		r, size := utf8.DecodeRuneInString(c.text[end:])
		if Unspaced(r) {
			break
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			inside := (r == '-' || r == '\'' || r == '&') && end+1 < len(c.text) && isLetter(c.text[end+1:])
			if !inside || r == '\'' && elided(c.text[c.at:end]) {
				break
			}
		}
		end += size
	}
	next := end
	if end < len(c.text) && c.text[end] == '\'' {
		next++
	}
	text := c.text[c.at:end]
	first, _ := utf8.DecodeRuneInString(text)
	c.emit(Token{Kind: Word, Fold: foldWord(text), Capital: unicode.IsUpper(first)}, end)
	c.at = next
}

// foldWord folds a word and takes the English possessive off it.
func foldWord(word string) string {
	fold := Fold(word)
	if strings.IndexByte(fold, '\'') < 0 {
		return fold
	}
	return strings.ReplaceAll(fold, "'", "")
}

func elided(s string) bool {
	switch strings.ToLower(s) {
	case "l", "d", "j", "n", "s", "c", "m", "t", "qu", "jusqu", "lorsqu", "puisqu":
		return true
	}
	return false
}

// unspaced cuts a word of Japanese: the longest one that the dictionary knows,
// or all up to the next one that it knows in the same script.
func (c *cutter) unspaced() {
	rest := c.text[c.at:]
	if n := c.longest(rest); n > 0 {
		c.emit(Token{Kind: Word}, c.at+n)
		return
	}
	r, size := utf8.DecodeRuneInString(rest)
	script, end := scriptOf(r), size
	for end < len(rest) {
		r, size = utf8.DecodeRuneInString(rest[end:])
		if !Unspaced(r) || scriptOf(r) != script && r != 'ー' || c.longest(rest[end:]) > 0 && script != hiragana {
			break
		}
		end += size
	}
	c.emit(Token{Kind: Word}, c.at+end)
}

func (c *cutter) longest(s string) int {
	if c.words == nil {
		return 0
	}
	return c.words.Longest(s)
}

func (c *cutter) emit(t Token, end int) {
	t.Text, t.Start, t.End, t.Spaced = c.text[c.at:end], c.at, end, c.spaced
	if t.Fold == "" {
		t.Fold = Fold(t.Text)
	}
	c.tokens = append(c.tokens, t)
	c.at, c.spaced = end, false
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) && !Unspaced(r)
}
