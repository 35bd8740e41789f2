package text

import "unicode"

type script int

const (
	han script = iota
	hiragana
	katakana
)

// Unspaced reports whether r is of a script that Japanese is written in.
func Unspaced(r rune) bool {
	return r >= 0x3005 && (r == '々' || r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana))
}

func scriptOf(r rune) script {
	switch {
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case unicode.Is(unicode.Katakana, r) || r == 'ー':
		return katakana
	}
	return han
}

// Kana reports whether s has any kana, which only Japanese is written with.
func Kana(s string) bool {
	for _, r := range s {
		if r >= 0x3040 && unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			return true
		}
	}
	return false
}

// Foreign reports whether most letters of s are of a script in which none of the
// five languages is written, such as Cyrillic, Arabic or Hangul.
func Foreign(s string) bool {
	letters, foreign := 0, 0
	for _, r := range s {
		if r < 0x80 || !unicode.IsLetter(r) {
			if r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				letters++
			}
			continue
		}
		letters++
		if r != 'ー' && !unicode.In(r, unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			foreign++
		}
	}
	return 2*foreign > letters
}
