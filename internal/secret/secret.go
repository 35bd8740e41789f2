package secret

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
)

// redacted is what a secret looks like wherever it is printed.
const redacted = "[redacted]"

// String is a secret string. Its zero value is the empty secret.
//
// A String can be encoded but not decoded: what was written as "[redacted]"
// must never be read back as a secret. Configuration that is itself encoded
// again (Caddy's JSON) or values that are stored use plain strings, which
// become a String as soon as they are put to use.
type String struct {
	// A closure is the one thing that printers built on reflection (fmt for
	// unexported fields, go-cmp, debuggers' dumps) cannot look into. It also
	// makes == a compile error, so that a comparison has to use Equal.
	reveal func() string
}

// New returns s as a secret.
func New(s string) String {
	if s == "" {
		return String{}
	}
	return String{reveal: func() string { return s }}
}

// Reveal returns the secret in the clear, for the one call that needs it.
func (s String) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// IsZero reports whether the secret is empty.
func (s String) IsZero() bool { return s.reveal == nil }

// Equal reports whether both secrets are the same, in a time that depends on
// neither where they differ nor on which of them is longer.
func (s String) Equal(t String) bool {
	a, b := sha256.Sum256([]byte(s.Reveal())), sha256.Sum256([]byte(t.Reveal()))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// String implements fmt.Stringer.
func (String) String() string { return redacted }

// GoString implements fmt.GoStringer.
func (String) GoString() string { return redacted }

// Format implements fmt.Formatter: every verb prints the same.
func (String) Format(f fmt.State, _ rune) {
	// A fmt.State keeps what was written until the print call returns it, and
	// has no way to report a failure from here.
	_, _ = io.WriteString(f, redacted)
}

// MarshalText implements encoding.TextMarshaler.
func (String) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON implements json.Marshaler.
func (String) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// LogValue implements slog.LogValuer.
func (String) LogValue() slog.Value { return slog.StringValue(redacted) }
