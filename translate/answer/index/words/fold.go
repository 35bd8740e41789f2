package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns text in the letters that words are compared in: small, without
// marks on Latin letters ("é" is "e", "ß" is "ss", "æ" is "ae") and in one width.
// Everything that is no letter stays where it is.
func Fold(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range even(text) {
		out = appendFolded(out, r)
	}
	return string(out)
}

// even brings letters of other widths, and letters written as two characters, to
// their usual form, and puts a space where there is no UTF-8. Most text is in it
// already.
func even(text string) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, " ")
	}
	for i := 0; i < len(text); i++ {
		if text[i] < utf8.RuneSelf {
			continue
		}
		// U+0300–U+036F begin with 0xCC or 0xCD, U+3099 and U+309A with 0xE3 0x82,
		// U+FF00–U+FFEF with 0xEF 0xBC to 0xBF.
		switch c := text[i]; {
		case c == 0xcc, c == 0xcd, c == 0xef:
			return norm.NFKC.String(text)
		case c == 0xe3 && i+2 < len(text) && text[i+1] == 0x82 && (text[i+2] == 0x99 || text[i+2] == 0x9a):
			return norm.NFKC.String(text)
		}
	}
	return text
}

// appendFolded appends a letter as words are compared.
func appendFolded(out []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(out, byte(r))
	}
	switch r {
	case 'ß', 'ẞ':
		return append(out, "ss"...)
	case 'æ', 'Æ':
		return append(out, "ae"...)
	case 'œ', 'Œ':
		return append(out, "oe"...)
	case 'ø', 'Ø':
		return append(out, 'o')
	case 'ł', 'Ł':
		return append(out, 'l')
	case 'đ', 'Đ', 'ð', 'Ð':
		return append(out, 'd')
	case 'þ', 'Þ':
		return append(out, "th"...)
	case 'ı', 'İ':
		return append(out, 'i')
	}
	if unicode.Is(unicode.Mn, r) && r < 0x0370 {
		return out // A mark that no letter took up.
	}
	if r < 0x0250 || 0x1e00 <= r && r < 0x1f00 {
		var letter [utf8.UTFMax]byte
		n := utf8.EncodeRune(letter[:], r)
		if parts := norm.NFD.Properties(letter[:n]).Decomposition(); len(parts) > 0 && parts[0] < utf8.RuneSelf {
			return appendFolded(out, rune(parts[0]))
		}
	}
	return utf8.AppendRune(out, unicode.ToLower(r))
}
