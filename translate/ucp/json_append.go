package ucp

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The functions here write JSON behind b and return it, as append does. Answers
// of the catalogue are large, frequent and signed: encoding/json spends several
// times as long on one as the signature costs.

// appendKey begins a member of the object that b ends in.
func appendKey(b []byte, name string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

// appendText writes a member that is a string.
func appendText(b []byte, name, value string) []byte {
	return appendString(appendKey(b, name), value)
}

// appendSomeText writes a member that is a string and left out when empty.
func appendSomeText(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	return appendText(b, name, value)
}

// appendSomeBool writes a member that is left out when nil.
func appendSomeBool(b []byte, name string, value *bool) []byte {
	if value == nil {
		return b
	}
	return strconv.AppendBool(appendKey(b, name), *value)
}

// appendSome writes a member that is left out when nil.
func appendSome[T any](b []byte, name string, value *T, encode func(T, []byte) []byte) []byte {
	if value == nil {
		return b
	}
	return encode(*value, appendKey(b, name))
}

// appendSomeList writes a member that is an array and left out when empty.
func appendSomeList[T any](b []byte, name string, items []T, encode func(T, []byte) []byte) []byte {
	if len(items) == 0 {
		return b
	}
	return appendList(b, name, items, encode)
}

// appendList writes a member that is an array.
func appendList[T any](b []byte, name string, items []T, encode func(T, []byte) []byte) []byte {
	b = append(appendKey(b, name), '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = encode(item, b)
	}
	return append(b, ']')
}

// encodeString is appendString for lists of strings.
func encodeString(s string, b []byte) []byte { return appendString(b, s) }

// appendString writes a string. What is no UTF-8 becomes U+FFFD, as in
// encoding/json; unlike there, <, > and & stay what they are.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	done := 0 // how much of s was written
	for i := plainPrefix(s); i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if c >= utf8.RuneSelf && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		b = append(b, s[done:i]...)
		i++
		done = i
		if c == '"' || c == '\\' { // JSON in JSON has little else
			b = append(b, '\\', c)
			continue
		}
		switch i := strings.IndexByte("\b\f\n\r\t", c); {
		case i >= 0:
			b = append(b, '\\', "bfnrt"[i])
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		default:
			b = append(b, `\ufffd`...)
		}
	}
	b = append(b, s[done:]...)
	return append(b, '"')
}

// plainPrefix returns how many bytes at the beginning of s certainly stay as they
// are. It looks at eight at a time, which most texts are done with.
func plainPrefix(s string) int {
	const (
		each = 0x0101010101010101 // a byte times each stands in all eight
		high = 0x80 * each
	)
	i := 0
	for ; i+8 <= len(s); i += 8 {
		p := s[i : i+8]
		x := uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24 |
			uint64(p[4])<<32 | uint64(p[5])<<40 | uint64(p[6])<<48 | uint64(p[7])<<56
		// A subtraction reaches the high bit where a byte is less than what is
		// taken from it, and perhaps in the byte after that.
		if (x|(x-' '*each)|((x^'"'*each)-each)|((x^'\\'*each)-each))&high != 0 {
			break
		}
	}
	return i
}
