package verdict

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Kind is what a constraint is about.
type Kind string

// The kinds of constraint.
const (
	MaxPrice          Kind = "max_price"
	MinPrice          Kind = "min_price"
	InStock           Kind = "in_stock"
	Attribute         Kind = "attribute"
	ExcludedAttribute Kind = "excluded_attribute"
)

// Constraint is something that a product has to meet.
type Constraint struct {
	Kind Kind
	// Minor is a bound of the price, in minor units.
	Minor int64
	// Key and Value are an attribute, such as waterproof: true or colour: rust
	// orange. Key is empty for a value whose key nobody said.
	Key, Value string
}

// Outcome is what came of looking.
type Outcome string

// The outcomes.
const (
	Satisfied   Outcome = "satisfied"
	Failed      Outcome = "failed"
	NotAssessed Outcome = "not_assessed"
)

// Source is where a verdict comes from.
type Source string

// The sources.
const (
	// LivePrice and Inventory were read from the shop a moment ago.
	LivePrice Source = "live_price"
	Inventory Source = "inventory"
	// Enrichment is what the merchant has recorded, EnrichmentImage what a
	// photograph of the product shows.
	Enrichment      Source = "enrichment"
	EnrichmentImage Source = "enrichment_image"
	// Unenriched: nothing is recorded about the product. NotRecorded: something is,
	// and this is not among it. Both are always not_assessed.
	Unenriched  Source = "unenriched"
	NotRecorded Source = "not_recorded"
)

// Verdict says whether a product meets a constraint.
type Verdict struct {
	Constraint Kind    `json:"constraint"`
	Outcome    Outcome `json:"outcome"`
	// Key is the attribute's, as it was asked for.
	Key string `json:"key,omitempty"`
	// Wanted is what was asked for: minor units, a text, or true for stock.
	Wanted Datum `json:"wanted"`
	// Found is what the shop has: minor units, texts, or whether it is in stock.
	Found  Datum  `json:"found,omitzero"`
	Source Source `json:"source"`
}

// Datum is a number, a truth, a text or a list of texts. The zero Datum is none.
type Datum struct {
	is     datum
	number int64
	text   string
	texts  []string
}

// datum is what a Datum is.
type datum uint8

const (
	none datum = iota
	aNumber
	aTruth // the number 1 if it is true
	aText
	aList
)

// Number returns a number.
func Number(n int64) Datum { return Datum{is: aNumber, number: n} }

// Truth returns true or false.
func Truth(is bool) Datum {
	d := Datum{is: aTruth}
	if is {
		d.number = 1
	}
	return d
}

// Text returns a text.
func Text(text string) Datum { return Datum{is: aText, text: text} }

// Texts returns a list of texts, none where there is none.
func Texts(l ...string) Datum {
	if len(l) == 0 {
		return Datum{}
	}
	return Datum{is: aList, texts: l}
}

// IsZero reports whether it is none.
func (d Datum) IsZero() bool { return d.is == none }

// List returns the texts of a list.
func (d Datum) List() []string { return slices.Clone(d.texts) }

// Minor returns the number, zero if it is none.
func (d Datum) Minor() int64 {
	if d.is != aNumber {
		return 0
	}
	return d.number
}

// Equal reports whether two data are the same.
func (d Datum) Equal(e Datum) bool {
	return d.is == e.is && d.number == e.number && d.text == e.text && slices.Equal(d.texts, e.texts)
}

// MarshalJSON implements json.Marshaler.
func (d Datum) MarshalJSON() ([]byte, error) {
	switch d.is {
	case aNumber:
		return strconv.AppendInt(nil, d.number, 10), nil
	case aTruth:
		return strconv.AppendBool(nil, d.number == 1), nil
	case aText:
		return json.Marshal(d.text)
	}
	return json.Marshal(d.texts)
}
