package ucp

import (
	"strings"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// LineItem is a line of a cart or checkout
// (schemas/shopping/types/line_item.json).
type LineItem struct {
	ID       string  `json:"id"`
	Item     Item    `json:"item"`
	Quantity int64   `json:"quantity"`
	Totals   []Total `json:"totals"`
}

// Item is what a line holds (schemas/shopping/types/item.json).
type Item struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Price is what one costs, in minor units of the parent's currency.
	Price    int64  `json:"price"`
	ImageURL string `json:"image_url,omitempty"`
}

// linesOf returns the lines of a basket in the order they were asked for. Lines
// that the shop did not take are not among them.
func linesOf(b *basket.Basket) []LineItem {
	lines := make([]LineItem, 0, len(b.Observed.Lines))
	for _, wanted := range b.Wanted.Lines {
		for i := range b.Observed.Lines {
			if line := &b.Observed.Lines[i]; line.Key == wanted.ID {
				lines = append(lines, lineOf(line))
			}
		}
	}
	return lines
}

func lineOf(l *upstream.Line) LineItem {
	return LineItem{
		ID:       l.Key,
		Item:     Item{ID: l.Item, Title: titleWith(l.Title, l.Choices), Price: l.Unit.Minor, ImageURL: l.Image},
		Quantity: l.Quantity,
		Totals:   lineTotals(l.Subtotal.Minor, l.Total.Minor),
	}
}

// titleWith adds the chosen options to a title that does not name them.
func titleWith(title string, choices []upstream.Choice) string {
	var values []string
	for _, c := range choices {
		if !strings.Contains(title, c.Value) {
			values = append(values, c.Value)
		}
	}
	if len(values) == 0 {
		return title
	}
	return title + " (" + strings.Join(values, ", ") + ")"
}
