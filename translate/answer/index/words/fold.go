package words

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

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
