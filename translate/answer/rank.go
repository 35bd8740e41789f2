package answer

import (
	"cmp"
	"slices"

	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/upstream"
)

// fill sorts what was found into results, what was ruled out and what is unrelated.
// A product that several passes found is counted with the first that it qualifies
// for, else with the first that it is related to.
func (a *Answer) fill(found []judged, offset int, q Query) {
	var results, out []judged
	for _, one := range once(found, a.RelevanceJudged) {
		switch {
		case !one.related:
			a.UnrelatedCount++
		case one.judgement.Qualifies():
			results = append(results, one)
		default:
			out = append(out, one)
		}
	}
	// What is sold out comes last; otherwise the better find comes first, and
	// several things take turns.
	slices.SortStableFunc(results, func(x, y judged) int {
		return cmp.Or(cmp.Compare(soldOut(x), soldOut(y)), cmp.Compare(x.place, y.place), cmp.Compare(x.pass, y.pass))
	})
	slices.SortStableFunc(out, func(x, y judged) int {
		return cmp.Or(
			cmp.Compare(unmet(x), unmet(y)), cmp.Compare(beyond(x), beyond(y)),
			cmp.Compare(x.place, y.place), cmp.Compare(x.pass, y.pass),
		)
	})
	a.ResultsCount, a.RuledOutCount = len(results), len(out)
	for _, one := range out {
		if price := one.judgement.Variant.Price.Minor; a.CheapestRuledOut == nil || price < *a.CheapestRuledOut {
			a.CheapestRuledOut = &price
		}
	}
	offset = min(offset, len(results))
	page := results[offset:]
	if len(page) > q.limit() {
		page = page[:q.limit()]
		a.Next = sealCursor(q, offset+len(page))
	}
	a.Results = a.items(page)
	a.RuledOut = a.items(out[:min(len(out), maxRuledOut)])
}

// once leaves one of each product.
func once(found []judged, relevance bool) []judged {
	best := map[string]int{}
	var out []judged
	for _, one := range found {
		one.related = one.related || !relevance
		i, seen := best[one.product.ID]
		switch {
		case !seen:
			best[one.product.ID] = len(out)
			out = append(out, one)
		case rank(one) > rank(out[i]):
			out[i] = one
		}
	}
	return out
}

// rank prefers what qualifies to what is related, and that to what is not.
func rank(one judged) int {
	switch {
	case !one.related:
		return 0
	case !one.judgement.Qualifies():
		return 1
	}
	return 2
}

func soldOut(one judged) int {
	if one.judgement.Variant.Availability.Buyable() {
		return 0
	}
	return 1
}

// unmet counts the constraints that are not met; those that nobody knows about
// count half.
func unmet(one judged) int {
	n := 0
	for _, v := range one.judgement.Verdicts {
		switch v.Outcome {
		case verdict.Failed:
			n += 2
		case verdict.NotAssessed:
			n++
		}
	}
	return n
}

// beyond is by how many minor units a price is outside of its bounds.
func beyond(one judged) int64 {
	var far int64
	for _, v := range one.judgement.Verdicts {
		if v.Outcome != verdict.Failed || v.Source != verdict.LivePrice {
			continue
		}
		d := v.Found.Minor() - v.Wanted.Minor()
		far += max(d, -d)
	}
	return far
}

// items returns candidates as an answer shows them.
func (a *Answer) items(all []judged) []Item {
	items := make([]Item, len(all))
	for i, one := range all {
		v := one.judgement.Variant
		items[i] = Item{
			ID: one.product.ID, Handle: one.product.Handle, Title: one.product.Title, Variant: v.ID, Price: v.Price.Minor,
			URL: one.product.URL, Verdict: nonNil(one.judgement.Verdicts), Product: one.product,
		}
		if v.Availability != upstream.AvailabilityUnknown {
			buyable := v.Availability.Buyable()
			items[i].InStock = &buyable
		}
		if a.Passes > 1 {
			pass := one.pass
			items[i].Pass = &pass
		}
	}
	return items
}
