package acp

import "github.com/storeware/caddy-storeware/upstream"

// Total is a row of a sum.
type Total struct {
	Type        string `json:"type"`
	DisplayText string `json:"display_text"`
	Amount      int64  `json:"amount"`
}

// totalsOf returns the rows of a basket. The protocol wants the items before and
// after what lowered their prices, and discounts without a sign
// (rfc.discount_extension, section 8.2).
func totalsOf(rows []upstream.Total, total int64) []Total {
	var items, lowered int64
	var rest []Total
	for _, row := range rows {
		amount := row.Amount.Minor
		switch row.Kind {
		case upstream.TotalSubtotal:
			items += amount
		case upstream.TotalItemsDiscount:
			lowered -= amount
		default:
			if amount != 0 || row.Kind == upstream.TotalFulfillment {
				rest = append(rest, totalOf(row))
			}
		}
	}
	out := append(itemTotals(items, lowered), rest...)
	return append(out, Total{"total", textOf("total"), total})
}

// totalOf returns a row. A sum that the shop rounds up has a fee, and one that it
// rounds down has a discount.
func totalOf(row upstream.Total) Total {
	kind, amount := string(row.Kind), row.Amount.Minor
	switch {
	case row.Kind == upstream.TotalRounding && amount < 0, row.Kind == upstream.TotalDiscount:
		kind, amount = "discount", -amount
	case row.Kind == upstream.TotalRounding:
		kind = "fee"
	}
	text := row.Label
	if text == "" {
		text = textOf(string(row.Kind))
	}
	return Total{kind, text, amount}
}

// itemTotals are the rows about items.
func itemTotals(items, lowered int64) []Total {
	out := []Total{{"items_base_amount", textOf("items_base_amount"), items}}
	if lowered > 0 {
		out = append(out, Total{"items_discount", textOf("items_discount"), lowered})
	}
	return append(out, Total{"subtotal", textOf("subtotal"), items - lowered})
}

// lineTotals are the rows of one line.
func lineTotals(subtotal, total int64) []Total {
	rows := itemTotals(subtotal, max(subtotal-total, 0))
	if total > subtotal {
		rows = append(rows, Total{"fee", textOf("fee"), total - subtotal})
	}
	return append(rows, Total{"total", textOf("total"), total})
}

// textOf is what a buyer reads of a row that the shop has no word for.
func textOf(kind string) string {
	switch kind {
	case "items_base_amount":
		return "Items"
	case "items_discount":
		return "Discount on items"
	case "subtotal":
		return "Subtotal"
	case "discount":
		return "Discount"
	case "fulfillment":
		return "Delivery"
	case "tax":
		return "Tax"
	case "fee":
		return "Fee"
	case "rounding":
		return "Rounding"
	}
	return "Total"
}
