package demo

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// scanner walks once through JSON that is known to be valid. A list of products is
// the one long answer of this shop, and every search waits for it: gjson, which
// reads each level as often as there are levels around it, takes twice as long.
//
// Each of its methods takes the value that comes next, whatever it is. A value that
// is not of the wanted kind is passed over and read as nothing.
type scanner struct {
	s  string
	at int
}

// next skips white space and returns the byte that follows, zero at the end.
func (c *scanner) next() byte {
	for c.at < len(c.s) {
		switch b := c.s[c.at]; b {
		case ' ', '\t', '\n', '\r', ',', ':':
			c.at++
		default:
			return b
		}
	}
	return 0
}

// object calls field for each field of an object. It has to take the field's value.
func (c *scanner) object(field func(key string)) {
	if c.next() != '{' {
		c.skip()
		return
	}
	for c.at++; c.next() != '}' && c.next() != 0; {
		field(c.text())
	}
	c.at++
}

// array calls element for each element of an array. It has to take the element.
func (c *scanner) array(element func()) {
	if c.next() != '[' {
		c.skip()
		return
	}
	for c.at++; c.next() != ']' && c.next() != 0; {
		element()
	}
	c.at++
}

// text takes a string.
func (c *scanner) text() string {
	if c.next() != '"' {
		c.skip()
		return ""
	}
	start := c.at
	if n := strings.IndexByte(c.s[start+1:], '"'); n >= 0 {
		if text := c.s[start+1 : start+1+n]; strings.IndexByte(text, '\\') < 0 {
			c.at = start + n + 2
			return text
		}
	}
	c.skip()
	return gjson.Parse(c.s[start:min(c.at, len(c.s))]).Str
}

// texts takes an array of strings.
func (c *scanner) texts() []string {
	var out []string
	c.array(func() { out = append(out, c.text()) })
	return out
}

// whole takes a number of digits alone.
func (c *scanner) whole() int64 {
	c.next()
	start := c.at
	c.skip()
	n, err := strconv.ParseInt(c.s[start:min(c.at, len(c.s))], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// truth takes true or false.
func (c *scanner) truth() bool {
	is := c.next() == 't'
	c.skip()
	return is
}

// skip passes over a value.
func (c *scanner) skip() {
	switch c.next() {
	case '"':
		for c.at++; c.at < len(c.s) && c.s[c.at] != '"'; c.at++ {
			if c.s[c.at] == '\\' {
				c.at++
			}
		}
		c.at++
	case '{':
		c.object(func(string) { c.skip() })
	case '[':
		c.array(c.skip)
	default:
		// A number or a word ends before what may follow a value.
		for c.at++; c.at < len(c.s) && !strings.ContainsRune(" \t\n\r,:]}", rune(c.s[c.at])); c.at++ {
		}
	}
}
