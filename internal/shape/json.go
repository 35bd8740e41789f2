package shape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep arrays and objects may nest. UCP's own payloads stay below
// twelve.
const maxDepth = 64

// Strict refuses what is not exactly one JSON object (RFC 8259) that every reader
// understands the same way: invalid UTF-8 and escapes of half a character, a
// member that is there twice, data behind the end, and nesting beyond 64 levels, at
// which it stops reading. The error is *Invalid.
func Strict(text []byte) error {
	if !utf8.Valid(text) {
		return &Invalid{{Path: "$", Want: fmt.Sprintf("must be UTF-8, which it is not at byte %d", invalidUTF8(text))}}
	}
	s := scanner{text: text}
	s.space()
	first := s.peek()
	s.value(1)
	s.space()
	switch {
	case s.want != "":
	case first != '{':
		s.want = "must be a JSON object"
	case s.at < len(text):
		s.want = "must be one JSON object, with nothing behind it"
	default:
		return nil
	}
	return &Invalid{{Path: s.path(), Want: s.want}}
}

// scanner reads a JSON text from its beginning to its end, or to what is wrong
// with it. Its methods report whether they came to the end of what they read.
type scanner struct {
	text []byte
	at   int

	// names are the members seen so far of the objects around, one after the
	// other.
	names [][]byte

	// want says what is wrong, and steps where, the innermost step first.
	want  string
	steps []step
}

// step is a member, or an element when name is nil.
type step struct {
	name  []byte
	index int
}

// fail notes what is wrong at the place that is being read.
func (s *scanner) fail(format string, args ...any) bool {
	s.want = fmt.Sprintf(format, args...)
	return false
}

// failHere notes that the text is no JSON from here on.
func (s *scanner) failHere() bool {
	if s.at >= len(s.text) {
		return s.fail("must be complete JSON, and ends too early")
	}
	return s.fail("must be JSON, which it is not at byte %d", s.at)
}

// below adds the step that leads to what is wrong.
func (s *scanner) below(at step) bool {
	s.steps = append(s.steps, at)
	return false
}

// path returns the place of what is wrong.
func (s *scanner) path() string {
	var at *Place
	for _, step := range slices.Backward(s.steps) {
		if step.name != nil {
			at = at.Member(string(step.name))
		} else {
			at = at.At(step.index)
		}
	}
	return at.String()
}

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// take reads a byte if it is the next one.
func (s *scanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// value reads a value that lies in so many arrays and objects, itself included.
func (s *scanner) value(depth int) bool {
	switch c := s.peek(); {
	case (c == '{' || c == '[') && depth > maxDepth:
		return s.fail("must not nest deeper than %d levels", maxDepth)
	case c == '{':
		return s.object(depth)
	case c == '[':
		return s.array(depth)
	case c == '"':
		return s.string()
	case c == '-' || isDigit(c):
		return s.number()
	}
	for _, word := range [][]byte{[]byte("true"), []byte("false"), []byte("null")} {
		if bytes.HasPrefix(s.text[s.at:], word) {
			s.at += len(word)
			return true
		}
	}
	return s.failHere()
}

func (s *scanner) array(depth int) bool {
	s.at++
	s.space()
	if s.take(']') {
		return true
	}
	for i := 0; ; i++ {
		s.space()
		if !s.value(depth + 1) {
			return s.below(step{index: i})
		}
		s.space()
		if s.take(']') {
			return true
		}
		if !s.take(',') {
			return s.failHere()
		}
	}
}

func (s *scanner) object(depth int) bool {
	s.at++
	members := members{scanner: s, from: len(s.names)}
	defer func() { s.names = s.names[:members.from] }()
	s.space()
	if s.take('}') {
		return true
	}
	for {
		s.space()
		begin := s.at
		if s.peek() != '"' {
			return s.failHere()
		}
		if !s.string() {
			return false
		}
		name := memberName(s.text[begin:s.at])
		if !members.add(name) {
			s.fail("must be there once")
			return s.below(step{name: name})
		}
		s.space()
		if !s.take(':') {
			return s.failHere()
		}
		s.space()
		if !s.value(depth + 1) {
			return s.below(step{name: name})
		}
		s.space()
		if s.take('}') {
			return true
		}
		if !s.take(',') {
			return s.failHere()
		}
	}
}

// members are the names of an object's members: those of the scanner's names that
// come after from, and in a set as soon as they are many.
type members struct {
	scanner *scanner
	from    int
	set     map[string]bool
}

// manyNames is how many names are compared one by one.
const manyNames = 24

// add notes a name and reports whether it is new.
func (m *members) add(name []byte) bool {
	seen := m.scanner.names[m.from:]
	if m.set == nil && len(seen) >= manyNames {
		m.set = make(map[string]bool, 2*manyNames)
		for _, other := range seen {
			m.set[string(other)] = true
		}
	}
	if m.set != nil {
		known := m.set[string(name)]
		m.set[string(name)] = true
		return !known
	}
	if slices.ContainsFunc(seen, func(other []byte) bool { return bytes.Equal(other, name) }) {
		return false
	}
	m.scanner.names = append(m.scanner.names, name)
	return true
}

// memberName returns what a JSON string says. It is never nil.
func memberName(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var name string
	if err := json.Unmarshal(quoted, &name); err != nil {
		return quoted // which a string of valid JSON never is
	}
	return []byte(name)
}

func (s *scanner) string() bool {
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return true
		case c < ' ':
			return s.failHere()
		case c == '\\':
			s.at++
			if !s.escape() {
				return s.failHere()
			}
		}
	}
	return s.failHere()
}

// escape reads what follows a backslash but for its last byte.
func (s *scanner) escape() bool {
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		unit, ok := s.unit()
		if !ok || !utf16.IsSurrogate(unit) {
			return ok
		}
		// Half a character is none, and readers make different things of it.
		if s.at+2 >= len(s.text) || s.text[s.at+1] != '\\' || s.text[s.at+2] != 'u' {
			return false
		}
		s.at += 2
		second, ok := s.unit()
		return ok && utf16.DecodeRune(unit, second) != utf8.RuneError
	}
	return false
}

// unit reads the four digits that follow a u, but for the last one.
func (s *scanner) unit() (rune, bool) {
	var unit rune
	for range 4 {
		s.at++
		digit, ok := hexDigit(s.peek())
		if !ok {
			return 0, false
		}
		unit = unit<<4 | digit
	}
	return unit, true
}

func (s *scanner) number() bool {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return s.failHere()
	}
	if s.take('.') && !s.digits() {
		return s.failHere()
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		if !s.digits() {
			return s.failHere()
		}
	}
	return true
}

// digits reads one digit or more.
func (s *scanner) digits() bool {
	begin := s.at
	for isDigit(s.peek()) {
		s.at++
	}
	return s.at > begin
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// hexDigit returns the value of a hexadecimal digit, and whether it is one.
func hexDigit(c byte) (rune, bool) {
	switch {
	case isDigit(c):
		return rune(c - '0'), true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10, true
	}
	return 0, false
}

// invalidUTF8 returns where text stops being UTF-8.
func invalidUTF8(text []byte) int {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return at
}
