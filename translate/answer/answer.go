package answer

import (
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/upstream"
)

// Answer is what a shop says to a search. All amounts are minor units of Currency.
type Answer struct {
	Understood Understood `json:"understood"`
	// Degraded: constraints could not be read from the words, and none that was is
	// applied.
	Degraded bool `json:"degraded"`
	// AsOf is when prices and stock were read.
	AsOf     Moment         `json:"as_of"`
	Currency money.Currency `json:"currency"`
	// Results meet every constraint: a page of them, in order.
	Results []Item `json:"results"`
	// RuledOut are of the right kind and do not meet every constraint: the nearest
	// of them, with RuledOutCount counting all.
	RuledOut      []Item `json:"ruled_out"`
	RuledOutCount int    `json:"ruled_out_count"`
	// CheapestRuledOut is the lowest price of all that were ruled out, nil without
	// any.
	CheapestRuledOut *int64 `json:"cheapest_ruled_out_minor"`
	// UnrelatedCount counts what was found and is another kind of thing.
	// RelevanceJudged is false when that could not be told, and then it is zero.
	UnrelatedCount  int  `json:"unrelated_count"`
	RelevanceJudged bool `json:"relevance_judged"`
	// Passes is how many things were asked for.
	Passes int `json:"passes"`
	// ResultsCount counts the results of all pages, Next asks for the page after
	// this one; empty on the last.
	ResultsCount int    `json:"results_count"`
	Next         string `json:"next,omitempty"`
	// Conversation is the caller's id, to be sent again with what follows up.
	Conversation *Conversation `json:"conversation,omitempty"`
}

// Moment is a time to the millisecond, in UTC.
type Moment struct{ time.Time }

// MarshalText implements encoding.TextMarshaler.
func (m Moment) MarshalText() ([]byte, error) {
	return m.UTC().AppendFormat(nil, "2006-01-02T15:04:05.000Z"), nil
}

// MarshalJSON implements json.Marshaler, since that of time.Time would come first.
func (m Moment) MarshalJSON() ([]byte, error) {
	return m.UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`), nil
}

// Understood is how a question was read. What applies to every pass stands in its
// own fields.
type Understood struct {
	Query    string              `json:"query"`
	MaxPrice *int64              `json:"max_price_minor"`
	MinPrice *int64              `json:"min_price_minor"`
	Required []reading.Attribute `json:"required_attributes"`
	Excluded []reading.Attribute `json:"excluded_attributes,omitempty"`
	InStock  bool                `json:"in_stock,omitempty"`
	Context  []string            `json:"context"`
	// Remembered are constraints that this question did not state.
	Remembered []Remembered `json:"remembered,omitempty"`
	// Passes are there when there is more than one.
	Passes []UnderstoodPass `json:"passes,omitempty"`
}

// UnderstoodPass is how one of several things was read.
type UnderstoodPass struct {
	Query    string              `json:"query"`
	MaxPrice *int64              `json:"max_price_minor"`
	MinPrice *int64              `json:"min_price_minor"`
	Required []reading.Attribute `json:"required_attributes"`
	Excluded []reading.Attribute `json:"excluded_attributes,omitempty"`
	InStock  bool                `json:"in_stock,omitempty"`
}

// Remembered is a constraint that was stated before.
type Remembered struct {
	Scope Scope `json:"scope"`
	// Constraint is as in a verdict, or "query" for the thing that is talked about.
	Constraint string        `json:"constraint"`
	Key        string        `json:"key,omitempty"`
	Wanted     verdict.Datum `json:"wanted"`
}

// Scope is where something was remembered from.
type Scope string

// The scopes.
const (
	// InConversation: earlier in this conversation.
	InConversation Scope = "conversation"
	// Standing: told the shop before, by a shopper it knows by name.
	Standing Scope = "standing"
)

// Item is a product with its verdicts.
type Item struct {
	ID      string            `json:"id"`
	Handle  string            `json:"handle"`
	Title   string            `json:"title"`
	Variant string            `json:"variant_id"`
	Price   int64             `json:"price_minor"`
	URL     string            `json:"url,omitempty"`
	InStock *bool             `json:"in_stock,omitempty"`
	Pass    *int              `json:"pass,omitempty"`
	Verdict []verdict.Verdict `json:"verdicts"`

	// Product is what was read, for those who show more of it.
	Product *upstream.Product `json:"-"`
}

// Conversation names a conversation.
type Conversation struct {
	ID string `json:"id"`
	// Expires is when it is forgotten if nothing more is said.
	Expires Moment `json:"expires_at"`
}
