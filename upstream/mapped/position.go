package mapped

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Position is a place in the text of a mapping. Everything that can be wrong
// carries one, so that an error names the line to look at.
type Position struct {
	// File is the name the text was read under.
	File string
	// Line counts from 1; zero is no place, as in a mapping made by a program.
	Line int
}

// String returns "file:line", empty for no place.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// MarshalText implements encoding.TextMarshaler.
func (p Position) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Position) UnmarshalText(text []byte) error {
	*p = Position{File: string(text)}
	at := strings.LastIndexByte(p.File, ':')
	if at < 0 {
		return nil
	}
	if line, err := strconv.Atoi(p.File[at+1:]); err == nil && line > 0 {
		*p = Position{p.File[:at], line}
	}
	return nil
}

// compare orders positions as they are read.
func (p Position) compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line))
}

// Fault is something in a mapping that cannot be as it is.
type Fault struct {
	At Position
	// Text says what is wrong and what would be right.
	Text string
}

// Error implements error: "file:line: what would be right".
func (f *Fault) Error() string {
	if at := f.At.String(); at != "" {
		return at + ": " + f.Text
	}
	return f.Text
}

// faultf returns a Fault with a text made like fmt.Sprintf.
func faultf(at Position, format string, args ...any) *Fault {
	return &Fault{at, fmt.Sprintf(format, args...)}
}
