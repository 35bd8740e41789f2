package facts

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of facts.
const (
	// MaxFacts is how many a shop may have.
	MaxFacts = 100_000
	// maxText bounds a product's name, a key and a value, in bytes.
	maxText = 256
)

// ErrFacts says what is wrong with a file of facts, and in which line.
var ErrFacts = errors.New("the facts cannot be read")

// Fact is something that is recorded of a product.
type Fact struct {
	// Product is the id, handle or SKU.
	Product string `json:"p"`
	Key     string `json:"k"`
	Value   string `json:"v"`
}

// ReadCSV reads facts. The first line names the columns, in any order: product,
// key and value; others are ignored. The error wraps ErrFacts.
func ReadCSV(r io.Reader) ([]Fact, error) {
	table := csv.NewReader(r)
	table.TrimLeadingSpace = true
	header, err := table.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFacts, err)
	}
	column := func(name string) int {
		return slices.IndexFunc(header, func(h string) bool {
			return strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")), name)
		})
	}
	product, key, value := column("product"), column("key"), column("value")
	if product < 0 || key < 0 || value < 0 {
		return nil, fmt.Errorf("%w: the first line must name the columns product, key and value", ErrFacts)
	}
	var all []Fact
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFacts, err)
		}
		line, _ := table.FieldPos(0)
		f := Fact{strings.TrimSpace(row[product]), strings.TrimSpace(row[key]), strings.TrimSpace(row[value])}
		if err := f.check(); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrFacts, line, err)
		}
		if len(all) >= MaxFacts {
			return nil, fmt.Errorf("%w: more than %d", ErrFacts, MaxFacts)
		}
		all = append(all, f)
	}
}

func (f Fact) check() error {
	for name, text := range map[string]string{"product": f.Product, "key": f.Key, "value": f.Value} {
		switch {
		case text == "":
			return fmt.Errorf("the %s is empty", name)
		case len(text) > maxText:
			return fmt.Errorf("the %s has more than %d bytes", name, maxText)
		case !utf8.ValidString(text):
			return fmt.Errorf("the %s is not UTF-8", name)
		}
	}
	return nil
}
