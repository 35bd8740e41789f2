package pageurl

import (
	"fmt"
	"strings"
)

// Clean returns a URL with what may not stand in one escaped, and nothing for
// what is no absolute URL.
func Clean(text string) string {
	if !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "http://") {
		return ""
	}
	clean := 0
	for clean < len(text) && (isUnreserved(text[clean]) || inURI(text[clean:])) {
		clean++
	}
	if clean == len(text) {
		return text
	}
	out := []byte(text[:clean])
	for i := clean; i < len(text); i++ {
		if inURI(text[i:]) {
			out = append(out, text[i])
		} else {
			out = fmt.Appendf(out, "%%%02X", text[i])
		}
	}
	return string(out)
}

// isUnreserved reports whether a byte may stand anywhere in a URI (RFC 3986,
// section 2.3), as most of them may; a slash too.
func isUnreserved(c byte) bool {
	const (
		digits  = (1<<10 - 1) << '0'
		low     = digits | 1<<'-' | 1<<'.' | 1<<'/'
		letters = 1<<26 - 1
		high    = letters<<('A'-64) | letters<<('a'-64) | 1<<('_'-64) | 1<<('~'-64)
	)
	if c < 64 {
		return uint64(low)>>c&1 != 0
	}
	return c < 128 && uint64(high)>>(c-64)&1 != 0
}

// inURI reports whether the first byte of rest may stand in a URI as it is
// (RFC 3986).
func inURI(rest string) bool {
	switch c := rest[0]; c {
	case '"', '<', '>', '\\', '^', '`', '{', '|', '}':
		return false
	case '%':
		return len(rest) > 2 && isHex(rest[1]) && isHex(rest[2])
	default:
		return ' ' < c && c < 0x7f
	}
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
