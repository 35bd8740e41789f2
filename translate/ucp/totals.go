package ucp

import (
	"slices"

	"github.com/storeware/caddy-storeware/upstream"
)

// Total is a row of a sum (schemas/common/types/total.json). The rows of one sum
// but its total add up to the total.
type Total struct {
	Type string `json:"type"`
	// DisplayText stands on rows whose type does not say what they are.
	DisplayText string `json:"display_text,omitempty"`
	Amount      int64  `json:"amount"`
}

// totalsOf returns the rows of a basket or an order, its total last.
func totalsOf(rows []upstream.Total, total int64) []Total {
	out := make([]Total, 0, len(rows)+2)
	if !slices.ContainsFunc(rows, func(t upstream.Total) bool { return t.Kind == upstream.TotalSubtotal }) {
		out = append(out, Total{Type: string(upstream.TotalSubtotal)})
	}
	for _, row := range rows {
		if row.Amount.Minor == 0 && row.Kind != upstream.TotalSubtotal && row.Kind != upstream.TotalFulfillment {
			continue // a discount of nothing is no discount, and forbidden
		}
		out = append(out, totalOf(row))
	}
	return append(out, Total{Type: "total", Amount: total})
}

func totalOf(row upstream.Total) Total {
	t := Total{Type: string(row.Kind), DisplayText: row.Label, Amount: row.Amount.Minor}
	if row.Kind == upstream.TotalRounding && t.DisplayText == "" {
		t.DisplayText = "Rounding"
	}
	return t
}

// lineTotals are the rows of one line.
func lineTotals(subtotal, total int64) []Total {
	rows := []Total{{Type: "subtotal", Amount: subtotal}}
	if discount := total - subtotal; discount < 0 {
		rows = append(rows, Total{Type: "items_discount", Amount: discount})
	} else if discount > 0 {
		rows = append(rows, Total{Type: "fee", Amount: discount})
	}
	return append(rows, Total{Type: "total", Amount: total})
}
