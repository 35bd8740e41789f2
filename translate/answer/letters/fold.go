package letters

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// AppendFolded appends a letter as words are compared: "É" is "e", "ß" is "ss", "Ａ"
// is "a". A mark that follows its letter is left out. What is no letter stays as it
// is.
func AppendFolded(b []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(b, byte(r))
	}
	// The letters of most texts, without looking them up.
	switch r = unicode.ToLower(r); r {
	case 'à', 'á', 'â', 'ã', 'ä', 'å':
		return append(b, 'a')
	case 'æ':
		return append(b, "ae"...)
	case 'ç':
		return append(b, 'c')
	case 'đ', 'ð':
		return append(b, 'd')
	case 'è', 'é', 'ê', 'ë':
		return append(b, 'e')
	case 'ì', 'í', 'î', 'ï', 'ı':
		return append(b, 'i')
	case 'ł':
		return append(b, 'l')
	case 'ñ':
		return append(b, 'n')
	case 'ò', 'ó', 'ô', 'õ', 'ö', 'ø':
		return append(b, 'o')
	case 'œ':
		return append(b, "oe"...)
	case 'ß':
		return append(b, "ss"...)
	case 'þ':
		return append(b, "th"...)
	case 'ù', 'ú', 'û', 'ü':
		return append(b, 'u')
	case 'ý', 'ÿ':
		return append(b, 'y')
	}
	switch {
	case 0x0300 <= r && r <= 0x036f:
		return b
	case r < 0x0250, 0x1e00 <= r && r < 0x1f00:
		if base := base(r); base < utf8.RuneSelf {
			return AppendFolded(b, base)
		}
	case 0xff01 <= r && r <= 0xff5e: // full width
		return AppendFolded(b, r-0xfee0)
	}
	return utf8.AppendRune(b, r)
}

// base is the letter below the marks of one, and any other character itself.
func base(r rune) rune {
	var text [utf8.UTFMax]byte
	n := utf8.EncodeRune(text[:], r)
	if parts := norm.NFD.Properties(text[:n]).Decomposition(); len(parts) > 0 {
		first, _ := utf8.DecodeRune(parts)
		return first
	}
	return r
}
