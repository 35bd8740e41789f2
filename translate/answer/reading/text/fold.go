package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Plain returns s with compatibility forms resolved (full-width digits and
// letters, half-width kana, ligatures), typographic apostrophes and dashes made
// plain, and invalid UTF-8 and control characters replaced by spaces.
func Plain(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(plainRune, norm.NFKC.String(strings.ToValidUTF8(s, " ")))
}

func plainRune(r rune) rune {
	switch {
	case r == '’' || r == '‘' || r == 'ʼ' || r == '´' || r == '`':
		return '\''
	case r == '–' || r == '—' || r == '‐' || r == '‑' || r == '−':
		return '-'
	case r == '〜' || r == '～' || r == '∼':
		return '~'
	case r == '“' || r == '”' || r == '„' || r == '«' || r == '»':
		return '"'
	case unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
		return ' '
	}
	return r
}

// Fold returns s in lower case and without accents, so that "Größe", "grösse"
// and "GROSSE" are one word. The marks of kana are kept: they make other letters.
func Fold(s string) string {
	s = strings.ToLower(s)
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	kana := false
	for _, r := range norm.NFD.String(s) {
		switch {
		case r == 'ß':
			b.WriteString("ss")
		case r == 'œ':
			b.WriteString("oe")
		case r == 'æ':
			b.WriteString("ae")
		case r == 'ø':
			b.WriteByte('o')
		case r == 'ł':
			b.WriteByte('l')
		case unicode.Is(unicode.Mn, r) && !kana:
		default:
			b.WriteRune(r)
			kana = unicode.In(r, unicode.Hiragana, unicode.Katakana)
		}
	}
	return norm.NFC.String(b.String())
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
