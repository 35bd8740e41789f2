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
	case r < utf8.RuneSelf:
		return rune(plainByte(byte(r)))
	case r == '’' || r == '‘' || r == 'ʼ' || r == '´':
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

func plainByte(c byte) byte {
	switch {
	case c == '`':
		return '\''
	case c < ' ' || c == 0x7f:
		return ' '
	}
	return c
}

// Fold returns s in lower case and without accents, so that "Größe", "grösse"
// and "GROSSE" are one word. The marks of kana are kept: they make other letters.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return string(appendFold(make([]byte, 0, len(s)+8), s, false))
}

// AppendPlainFold appends Fold(Plain(s)).
func AppendPlainFold(b []byte, s string) []byte {
	start := len(b)
	b = append(b, s...)
	var all byte
	for i, c := range b[start:] {
		all |= c
		b[start+i] = lower(c)
	}
	if all >= utf8.RuneSelf {
		return appendFold(b[:start], s, true)
	}
	return b
}

// appendFold folds a text with characters beyond ASCII. Most texts have few but
// those of simple, and before one of them a text can be parted.
func appendFold(b []byte, s string, plain bool) []byte {
	r, size := utf8.DecodeRuneInString(s)
	is := simple(r)
	for len(s) > 0 {
		part, this := size, is
		r, size = utf8.DecodeRuneInString(s[part:])
		is = simple(r)
		if next := part == len(s) || is != 0; this != 0 && next {
			if b = utf8.AppendRune(b, this); this == 'ß' {
				b = append(b[:len(b)-len("ß")], "ss"...)
			}
			s = s[part:]
			continue
		}
		for part < len(s) && is == 0 {
			part += size
			r, size = utf8.DecodeRuneInString(s[part:])
			is = simple(r)
		}
		b = appendFoldPart(b, s[:part], plain)
		s = s[part:]
	}
	return b
}

// simple folds a character that does not depend on what stands before it, and on
// what follows only if that is not simple. For others it returns 0.
func simple(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if plainByte(byte(r)) != byte(r) {
			return 0
		}
		return rune(lower(byte(r)))
	case 0x4e00 <= r && r <= 0x9fff, 0x3041 <= r && r <= 0x3096, 0x30a1 <= r && r <= 0x30fc, r == '。', r == '、':
		return r
	}
	switch r {
	case 'ä', 'à', 'á', 'â', 'ã', 'å', 'Ä', 'À', 'Á', 'Â', 'Ã', 'Å':
		return 'a'
	case 'é', 'è', 'ê', 'ë', 'É', 'È', 'Ê', 'Ë':
		return 'e'
	case 'í', 'ì', 'î', 'ï', 'Í', 'Ì', 'Î', 'Ï':
		return 'i'
	case 'ö', 'ó', 'ò', 'ô', 'õ', 'ø', 'Ö', 'Ó', 'Ò', 'Ô', 'Õ', 'Ø':
		return 'o'
	case 'ü', 'ú', 'ù', 'û', 'Ü', 'Ú', 'Ù', 'Û':
		return 'u'
	case 'ñ', 'Ñ':
		return 'n'
	case 'ç', 'Ç':
		return 'c'
	case 'ß':
		return 'ß'
	}
	return 0
}

// appendFoldPart folds any text.
func appendFoldPart(b []byte, s string, plain bool) []byte {
	if plain {
		s = strings.Map(plainRune, norm.NFKC.String(strings.ToValidUTF8(s, " ")))
	}
	var folded strings.Builder
	kana := false
	for _, r := range norm.NFD.String(strings.ToLower(s)) {
		switch {
		case r == 'ß':
			folded.WriteString("ss")
		case r == 'œ':
			folded.WriteString("oe")
		case r == 'æ':
			folded.WriteString("ae")
		case r == 'ø':
			folded.WriteByte('o')
		case r == 'ł':
			folded.WriteByte('l')
		case unicode.Is(unicode.Mn, r) && !kana:
		default:
			folded.WriteRune(r)
			kana = unicode.In(r, unicode.Hiragana, unicode.Katakana)
		}
	}
	return append(b, norm.NFC.String(folded.String())...)
}

func lower(c byte) byte {
	if c-'A' <= 'Z'-'A' {
		c |= 'a' - 'A'
	}
	return c
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
