package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

// The bounds of an answer.
const (
	maxPasses     = 8
	maxAttributes = 16
	maxContext    = 8
	maxString     = 2000 // as many as are read of a question
)

// claim is what the model says that the words say; see schema.
type claim struct {
	Language string        `json:"language"`
	Context  []string      `json:"context"`
	Passes   []claimedPass `json:"passes"`
}

type claimedPass struct {
	Noun     string              `json:"noun"`
	Query    string              `json:"query"`
	Price    claimedPrice        `json:"price"`
	Required []reading.Attribute `json:"required"`
	Excluded []reading.Attribute `json:"excluded"`
	InStock  bool                `json:"in_stock"`
}

type claimedPrice struct {
	Kind     string   `json:"kind"`
	Amounts  []string `json:"amounts"`
	Currency string   `json:"currency"`
}

// parse reads an answer. Its errors are ErrAnswer.
func parse(content []byte) (claim, error) {
	var c claim
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return claim{}, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return claim{}, fmt.Errorf("%w: more than one value", ErrAnswer)
	}
	if len(c.Passes) == 0 || len(c.Passes) > maxPasses || len(c.Context) > maxContext || len(c.Language) > 8 || slices.ContainsFunc(c.Context, long) {
		return claim{}, fmt.Errorf("%w: %d passes, %d contexts", ErrAnswer, len(c.Passes), len(c.Context))
	}
	for _, p := range c.Passes {
		if err := p.bounded(); err != nil {
			return claim{}, err
		}
	}
	return c, nil
}

// bounded checks what no schema says to the model.
func (p claimedPass) bounded() error {
	if len(p.Required) > maxAttributes || len(p.Excluded) > maxAttributes || long(p.Noun) || long(p.Query) || slices.ContainsFunc(p.Price.Amounts, long) {
		return fmt.Errorf("%w: a pass is too long", ErrAnswer)
	}
	for _, attributes := range [][]reading.Attribute{p.Required, p.Excluded} {
		for _, a := range attributes {
			if a.Key == "" || a.Value == "" || long(a.Key) || long(a.Value) {
				return fmt.Errorf("%w: an attribute is empty or too long", ErrAnswer)
			}
		}
	}
	want := 1
	switch p.Price.Kind {
	case "none":
		want = 0
	case "range":
		want = 2
	case "max", "min", "around":
	default:
		return fmt.Errorf("%w: a price of kind %q", ErrAnswer, p.Price.Kind)
	}
	if len(p.Price.Amounts) != want {
		return fmt.Errorf("%w: %d amounts for a price of kind %s", ErrAnswer, len(p.Price.Amounts), p.Price.Kind)
	}
	return nil
}

// long reports whether a text is longer than anything that can have been said.
func long(s string) bool { return len(s) > maxString }
