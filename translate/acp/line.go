package acp

import (
	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// LineItem is a line of a session or cart.
type LineItem struct {
	ID             string          `json:"id"`
	Item           Item            `json:"item"`
	Quantity       int64           `json:"quantity"`
	Name           string          `json:"name,omitempty"`
	Images         []string        `json:"images,omitempty"`
	UnitAmount     int64           `json:"unit_amount"`
	ProductID      string          `json:"product_id,omitempty"`
	VariantID      string          `json:"variant_id,omitempty"`
	VariantOptions []VariantOption `json:"variant_options,omitempty"`
	Totals         []Total         `json:"totals"`
}

// Item is what a line holds.
type Item struct {
	ID         string `json:"id"`
	Name       string `json:"name,omitempty"`
	UnitAmount int64  `json:"unit_amount"`
}

// VariantOption is something that was chosen of a product.
type VariantOption struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// linesOf returns the lines of a basket in the order they were asked for. Lines
// that the shop did not take are not among them.
func linesOf(b *basket.Basket) []LineItem {
	observed := make(map[string]*upstream.Line, len(b.Observed.Lines))
	for i := range b.Observed.Lines {
		observed[b.Observed.Lines[i].Key] = &b.Observed.Lines[i]
	}
	lines := make([]LineItem, 0, len(observed))
	for _, wanted := range b.Wanted.Lines {
		if l := observed[wanted.ID]; l != nil {
			lines = append(lines, lineOf(l))
		}
	}
	return lines
}

func lineOf(l *upstream.Line) LineItem {
	line := LineItem{
		ID: l.Key, Item: Item{l.Item, l.Title, l.Unit.Minor}, Quantity: l.Quantity, Name: l.Title, UnitAmount: l.Unit.Minor,
		ProductID: l.Product, VariantID: l.Item, Totals: lineTotals(l.Subtotal.Minor, l.Total.Minor),
	}
	if image := pageurl.Clean(l.Image); image != "" {
		line.Images = []string{image}
	}
	for _, choice := range l.Choices {
		line.VariantOptions = append(line.VariantOptions, VariantOption(choice))
	}
	return line
}
