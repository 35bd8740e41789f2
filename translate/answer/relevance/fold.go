package relevance

import (
	"unicode"
	"unicode/utf8"
)

// appendFold appends s in lower case and without accents.
func appendFold(b []byte, s string) []byte {
	for _, r := range s {
		b = appendRune(b, r)
	}
	return b
}

// appendRune folds one character. It does without package norm, which is too slow
// for what every title goes through; letters of other alphabets stay as they are.
func appendRune(b []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(b, byte(r))
	}
	switch r = unicode.ToLower(r); r {
	case 'à', 'á', 'â', 'ã', 'ä', 'å':
		return append(b, 'a')
	case 'ç':
		return append(b, 'c')
	case 'è', 'é', 'ê', 'ë':
		return append(b, 'e')
	case 'ì', 'í', 'î', 'ï':
		return append(b, 'i')
	case 'ñ':
		return append(b, 'n')
	case 'ò', 'ó', 'ô', 'õ', 'ö', 'ø':
		return append(b, 'o')
	case 'ù', 'ú', 'û', 'ü':
		return append(b, 'u')
	case 'ÿ':
		return append(b, 'y')
	case 'ß':
		return append(b, "ss"...)
	case 'œ':
		return append(b, "oe"...)
	case 'æ':
		return append(b, "ae"...)
	}
	switch {
	case 0x300 <= r && r <= 0x36f: // an accent that follows its letter
		return b
	case 0xff01 <= r && r <= 0xff5e: // full width
		return appendRune(b, r-0xfee0)
	}
	return utf8.AppendRune(b, r)
}

// unspaced reports whether a character is of a script without spaces.
func unspaced(r rune) bool {
	return r >= 0x3040 && (r <= 0x30ff && r != '・' || 0x3400 <= r && r <= 0x9fff || 0xff66 <= r && r <= 0xff9f) || r == '々'
}

// script tells hiragana, katakana and kanji apart, so that a word ends where the
// script changes.
func script(r rune) int {
	switch {
	case r <= 0x309f:
		return 1
	case r <= 0x30ff:
		return 2
	}
	return 3
}
