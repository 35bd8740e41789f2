package relevance

import "github.com/storeware/caddy-storeware/translate/answer/letters"

// appendFold appends s as words are compared.
func appendFold(b []byte, s string) []byte {
	for _, r := range s {
		b = letters.AppendFolded(b, r)
	}
	return b
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
