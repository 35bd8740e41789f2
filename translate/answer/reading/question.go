package reading

import (
	"context"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
)

// Question is what a shopper, or an agent for one, asks a shop for.
type Question struct {
	// Words are the free words. Only their first 2,000 bytes are read.
	Words string
	// Intent is UCP's context.intent: read as context, never as a filter.
	Intent string
	// Min and Max are price bounds given as such, in minor units of Currency.
	// They replace bounds read from the words.
	Min, Max *int64
	// Required and Excluded are attributes given as such. A required one
	// replaces one of the same key that was read from the words.
	Required, Excluded []Attribute
	// InStock asks for what can be had now.
	InStock bool
	// Language is a BCP 47 tag, or empty. It is a hint: words that are clearly
	// of another language are read as that.
	Language string
	// Currency is the shop's, which amounts without a currency are in.
	Currency money.Currency
	// Vocabulary is the shop's own; nil for none.
	Vocabulary *vocabulary.Vocabulary
}

// Reader reads questions. Implementations are safe for concurrent use.
//
// A reader that fails returns an error and no reading. A reader that works but
// cannot make out the constraints returns a reading with Degraded set. What the
// question holds in a structured form is part of every reading.
type Reader interface {
	Read(ctx context.Context, question Question) (Reading, error)
}
