package openai

import (
	"fmt"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// checker holds claims against the words. Its errors are ErrInvented and, for
// amounts that are none, ErrAnswer.
type checker struct {
	rules    *reading.Rules
	question reading.Question
	words    string
	language string
}

func (c checker) passes(claims []claimedPass) ([]reading.Pass, error) {
	passes := make([]reading.Pass, 0, len(claims))
	for _, claimed := range claims {
		pass := reading.Pass{Noun: strings.ToLower(claimed.Noun), Query: claimed.Query, InStock: claimed.InStock}
		for _, quote := range []string{claimed.Noun, claimed.Query} {
			if err := c.quoted(quote); err != nil {
				return nil, err
			}
		}
		if pass.Query == "" {
			pass.Query = pass.Noun
		}
		var err error
		if pass.Price, err = c.bounds(claimed.Price); err != nil {
			return nil, err
		}
		if pass.Required, err = c.attributes(claimed.Required); err != nil {
			return nil, err
		}
		if pass.Excluded, err = c.attributes(claimed.Excluded); err != nil {
			return nil, err
		}
		passes = append(passes, pass)
	}
	return passes, nil
}

// bounds makes bounds of a price of which every amount was said.
func (c checker) bounds(p claimedPrice) (reading.Bounds, error) {
	if p.Kind == "none" {
		return reading.Bounds{}, nil
	}
	said := c.rules.Amounts(c.words)
	currency, stated := c.currency(p.Currency, said)
	unit := currency
	if unit == "" {
		// Two decimals are assumed, as the rules reader does.
		unit = "EUR"
	}
	var values []int64
	for _, amount := range p.Amounts {
		value, err := money.ParseDecimal(amount, unit)
		if err != nil || value.Minor < 0 {
			return reading.Bounds{}, fmt.Errorf("%w: the amount %q", ErrAnswer, amount)
		}
		if !slices.ContainsFunc(said, func(a reading.Amount) bool {
			was, err := money.ParseDecimal(a.Decimal, unit)
			return err == nil && was.Minor == value.Minor
		}) {
			return reading.Bounds{}, fmt.Errorf("%w: the amount %q", ErrInvented, amount)
		}
		values = append(values, value.Minor)
	}
	var bounds reading.Bounds
	if stated {
		bounds.Currency = currency
	}
	switch first := values[0]; p.Kind {
	case "max":
		bounds.Max = &first
	case "min":
		bounds.Min = &first
	case "around":
		lower, upper := first-first/5, first+first/5
		bounds.Min, bounds.Max = &lower, &upper
	case "range":
		if first > values[1] {
			return reading.Bounds{}, fmt.Errorf("%w: a range from %q to %q", ErrAnswer, p.Amounts[0], p.Amounts[1])
		}
		bounds.Min, bounds.Max = &first, &values[1]
	}
	return bounds, nil
}

// currency returns the currency of the amounts and whether it was said. Of those
// that the words may mean, the shop's comes first.
func (c checker) currency(claimed string, said []reading.Amount) (money.Currency, bool) {
	for _, code := range []money.Currency{c.question.Currency, money.Currency(claimed)} {
		if code != "" && slices.ContainsFunc(said, func(a reading.Amount) bool { return slices.Contains(a.Currencies, code) }) {
			return code, true
		}
	}
	return c.question.Currency, false
}

// attributes returns the claimed attributes in the shop's own terms.
func (c checker) attributes(claimed []reading.Attribute) ([]reading.Attribute, error) {
	var attributes []reading.Attribute
	for _, a := range claimed {
		quote := a.Value
		if quote == "true" {
			quote = strings.ReplaceAll(a.Key, "_", " ")
		}
		if !c.recorded(a, quote) {
			if err := c.quoted(quote); err != nil {
				return nil, err
			}
		}
		if own, ok := c.rules.Attribute(c.question, quote, c.language); ok {
			a = own
		}
		if !slices.Contains(attributes, a) {
			attributes = append(attributes, a)
		}
	}
	return attributes, nil
}

// recorded reports whether the shop records the value under the key, and the
// numbers in it were said.
func (c checker) recorded(a reading.Attribute, name string) bool {
	for _, term := range c.question.Vocabulary.Value(name) {
		if strings.EqualFold(term.Key, a.Key) {
			return c.numbers(name)
		}
	}
	return false
}

// quoted checks that text was said: word by word, in any order and inflection,
// or as it stands where no spaces are written.
func (c checker) quoted(quote string) error {
	if strings.ContainsFunc(quote, text.Unspaced) {
		if c.numbers(quote) && strings.Contains(text.Fold(text.Plain(c.words)), text.Fold(text.Plain(quote))) {
			return nil
		}
		return fmt.Errorf("%w: %q", ErrInvented, quote)
	}
	said := map[string]bool{}
	for _, t := range tokens(c.words) {
		said[c.stem(t)] = true
	}
	for _, t := range tokens(quote) {
		if t.Kind != text.Symbol && !said[c.stem(t)] {
			return fmt.Errorf("%w: %q", ErrInvented, quote)
		}
	}
	return nil
}

// numbers reports whether every number in s stands in the words as a number of
// its own: the 5 of "15" was not said.
func (c checker) numbers(s string) bool {
	said := map[string]bool{}
	for _, t := range tokens(c.words) {
		said[t.Digits] = true
	}
	for _, t := range tokens(s) {
		if t.Kind == text.Number && !said[t.Digits] {
			return false
		}
	}
	return true
}

func (c checker) stem(t text.Token) string {
	if t.Kind == text.Number {
		return t.Fold
	}
	return text.Stem(c.language, t.Fold)
}

// tokens cuts words at their hyphens too: "water-resistant" is "water resistant".
func tokens(s string) []text.Token {
	return text.Tokens(strings.ReplaceAll(text.Plain(s), "-", " "), nil)
}
