package basket

import (
	"slices"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// sameOffer reports whether a buyer who agreed to a has agreed to b: the same
// goods in the same numbers, going the same way, for the same sums.
func sameOffer(a, b *upstream.Observed) bool {
	return a.Currency == b.Currency && a.Total == b.Total && a.Chosen == b.Chosen && a.Tax == b.Tax &&
		slices.EqualFunc(sorted(a.Lines), sorted(b.Lines), sameLine) &&
		slices.Equal(a.Totals, b.Totals)
}

func sameLine(a, b upstream.Line) bool {
	return a.Key == b.Key && a.Item == b.Item && a.Quantity == b.Quantity && a.Unit == b.Unit && a.Total == b.Total
}

// sorted returns the lines by key: shops do not keep an order of lines.
func sorted(lines []upstream.Line) []upstream.Line {
	lines = slices.Clone(lines)
	slices.SortFunc(lines, func(a, b upstream.Line) int {
		switch {
		case a.Key < b.Key:
			return -1
		case a.Key > b.Key:
			return 1
		}
		return 0
	})
	return lines
}

// addUp makes the totals add up to the total. A shop that rounds every line and
// then the sum is off by a unit or so, which becomes a line of its own; more than
// that nobody can explain, and the figures are refused.
func addUp(o *upstream.Observed) error {
	sum, err := sumOf(o.Totals)
	if err != nil {
		return upstream.Errorf(upstream.CodeUnavailable, "adding up the basket", "the shop's totals cannot be added")
	}
	if o.Total.Currency == "" {
		o.Total.Currency = o.Currency
	}
	difference, err := o.Total.Sub(sum)
	switch {
	case err != nil:
		return upstream.Errorf(upstream.CodeUnavailable, "adding up the basket", "the shop's totals are in another currency than its total")
	case difference.Minor == 0:
		return nil
	case difference.Minor > roundingLimit(o) || difference.Minor < -roundingLimit(o):
		return upstream.Errorf(upstream.CodeUnavailable, "adding up the basket", "the shop's totals do not add up to its total")
	}
	o.Totals = append(slices.Clip(o.Totals), upstream.Total{Kind: upstream.TotalRounding, Label: "Rounding", Amount: difference})
	return nil
}

// roundingLimit is what rounding may come to: a unit a line, and one each for
// delivery and the whole.
func roundingLimit(o *upstream.Observed) int64 { return int64(len(o.Lines)) + 2 }

func sumOf(totals []upstream.Total) (money.Amount, error) {
	amounts := make([]money.Amount, len(totals))
	for i, t := range totals {
		amounts[i] = t.Amount
	}
	return money.Sum(amounts...)
}
