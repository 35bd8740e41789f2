package httpsig

import "strings"

// printable percent-encodes the octets that have no place in a URI but that
// servers let through. A peer that writes correct URIs signed them encoded.
func printable(s string) string {
	return escape(s, func(c byte) bool { return ' ' < c && c <= '~' })
}

// formEncode percent-encodes all but the characters that the URL standard's
// form serializer leaves; a blank becomes %20.
func formEncode(s string) string {
	return escape(s, func(c byte) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '*' || c == '-' || c == '.' || c == '_'
	})
}

// escape percent-encodes the octets of s that are not to be kept.
func escape(s string, keep func(byte) bool) string {
	const hex = "0123456789ABCDEF"
	var b []byte // nil while s needs no change
	for i := range len(s) {
		c := s[i]
		switch {
		case !keep(c):
			if b == nil {
				b = append(make([]byte, 0, len(s)+32), s[:i]...)
			}
			b = append(b, '%', hex[c>>4], hex[c&0xf])
		case b != nil:
			b = append(b, c)
		}
	}
	if b == nil {
		return s
	}
	return string(b)
}

// formDecode undoes application/x-www-form-urlencoded as the URL standard
// does: "+" is a blank and a broken escape stands for itself.
func formDecode(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			b = append(b, ' ')
		case s[i] == '%' && i+2 < len(s) && unhex(s[i+1]) >= 0 && unhex(s[i+2]) >= 0:
			b = append(b, byte(unhex(s[i+1])<<4|unhex(s[i+2])))
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

// unhex is the value of a hexadecimal digit, -1 for anything else.
func unhex(c byte) int {
	i := strings.IndexByte("0123456789abcdefABCDEF", c)
	if i > 0xf {
		return i - 6
	}
	return i
}
