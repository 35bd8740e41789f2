package index

import "math/bits"

// Fields is a set of the fields of a product.
type Fields uint8

// The fields. A brand counts as one, and what makes a variant as an option.
const (
	Title Fields = 1 << iota
	Category
	Brand
	Attribute
	Option
	Tag
	SKU
	Description

	fieldCount = 8
)

// Has reports whether any of others is in the set.
func (f Fields) Has(others Fields) bool { return f&others != 0 }

// fieldOf returns the number of the only field in a set.
func fieldOf(f Fields) int { return bits.TrailingZeros8(uint8(f)) }

// weights say how much a word in a field tells of the product, and slack (b of
// BM25) how much less in a field that is longer than others. Descriptions and
// attributes differ most in how much is written there.
func weights() (weight, slack [fieldCount]float32) {
	set := func(f Fields, w, b float32) { weight[fieldOf(f)], slack[fieldOf(f)] = w, b }
	set(Title, 3, 0.4)
	set(Category, 2.2, 0.2)
	set(Brand, 1.5, 0)
	set(Attribute, 1, 0.5)
	set(Option, 1, 0.2)
	set(Tag, 1.3, 0.3)
	set(SKU, 2, 0)
	set(Description, 0.7, 0.7)
	return weight, slack
}
