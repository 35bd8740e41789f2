package doctor

import (
	"fmt"

	"github.com/tidwall/gjson"
)

// misadded says what does not add up in a basket: in its totals, in those of each
// line, and of all lines against the whole.
func misadded(basket gjson.Result) []string {
	var wrong []string
	if text := misaddedRows("the basket", basket.Get("totals")); text != "" {
		wrong = append(wrong, text)
	}
	var lines int64
	for i, line := range basket.Get("line_items").Array() {
		if text := misaddedRows(fmt.Sprintf("line %d", i+1), line.Get("totals")); text != "" {
			wrong = append(wrong, text)
		}
		lines += line.Get(`totals.#(type=="subtotal").amount`).Int()
	}
	if whole := basket.Get(`totals.#(type=="subtotal").amount`); whole.Exists() && whole.Int() != lines {
		wrong = append(wrong, fmt.Sprintf("the lines come to %d, and the basket's subtotal is %d", lines, whole.Int()))
	}
	return wrong
}

// misaddedRows says why the rows of a sum do not come to their total.
func misaddedRows(what string, rows gjson.Result) string {
	var sum, total int64
	totals := 0
	for _, row := range rows.Array() {
		if row.Get("type").Str == "total" {
			totals++
			total = row.Get("amount").Int()
		} else {
			sum += row.Get("amount").Int()
		}
	}
	switch {
	case totals != 1:
		return fmt.Sprintf("%s has %d totals", what, totals)
	case sum != total:
		return fmt.Sprintf("%s comes to %d, and its total is %d", what, sum, total)
	}
	return ""
}
