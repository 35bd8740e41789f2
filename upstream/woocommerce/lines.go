package woocommerce

import (
	"cmp"
	"context"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// wantedLine is a line of the caller as far as it is understood.
type wantedLine struct {
	upstream.DesiredLine
	item item // DesiredLine.Item, or what it came to
	// known: the item's id is one that this adapter makes.
	known bool
}

// verdict is why the shop's basket is not as desired.
type verdict string

// What the shop may say to a line.
const (
	soldOutVerdict  verdict = "sold out"
	tooManyVerdict  verdict = "too many"
	optionsVerdict  verdict = "options"
	chooseVerdict   verdict = "choose"
	unknownVerdict  verdict = "unknown"
	notSoldVerdict  verdict = "not sold"
	inPacksVerdict  verdict = "in packs"
	loweredVerdict  verdict = "lowered"
	notTakenVerdict verdict = "not taken"
)

// lineVerdicts are what the shop's refusals of a line mean.
func lineVerdict(code string) verdict {
	switch code {
	case "woocommerce_rest_product_out_of_stock":
		return soldOutVerdict
	case "woocommerce_rest_product_partially_out_of_stock", "woocommerce_rest_product_too_many_in_cart",
		"woocommerce_rest_product_invalid_quantity", "invalid_quantity", "readonly_quantity":
		return tooManyVerdict
	case "woocommerce_rest_missing_attributes", "woocommerce_rest_missing_variation_data",
		"woocommerce_rest_variation_id_from_variation_data", "woocommerce_rest_invalid_variation_data":
		return optionsVerdict
	case "woocommerce_rest_cart_invalid_product":
		return unknownVerdict
	case "woocommerce_rest_product_not_purchasable":
		return notSoldVerdict
	}
	return notTakenVerdict
}

// maxRounds bounds how often the lines are changed in one call: as wanted, with
// what the shop says it can do, and once more for what was sold between the two.
const maxRounds = 3

// maxQuantity is the most of one item that the shop is asked for. What it takes
// is a number of its own, which some databases do not keep beyond this.
const maxQuantity = 1_000_000

// setLines makes the basket hold the lines that are wanted.
func (a *apply) setLines(ctx context.Context) error {
	came := make(map[string]string) // What an id came to the last time.
	keys := make(map[string]string) // The shop's key of a line, by its item.
	for _, line := range a.handle.Lines {
		came[line.Asked], keys[line.Item] = line.Item, line.Line
	}
	for _, line := range a.desired.Lines {
		wanted := wantedLine{DesiredLine: line}
		wanted.item, wanted.known = parseItem(cmp.Or(came[line.Item], line.Item))
		a.lines = append(a.lines, wanted)
	}
	limits := make(map[string]int64)
	for range maxRounds {
		steps := a.lineSteps(keys, limits)
		if len(steps) == 0 {
			break
		}
		if err := a.changeLines(ctx, steps, keys); err != nil {
			return err
		}
		again, err := a.reconsider(ctx, limits)
		if err != nil {
			return err
		}
		if !again {
			break
		}
	}
	a.keepLines(keys)
	return nil
}

// lineStep is a change to a line.
type lineStep struct {
	change
	item string // the id of what is added or changed, empty for what is removed
}

// lineSteps take lines out of the basket, change quantities and add lines.
func (a *apply) lineSteps(keys map[string]string, limits map[string]int64) []lineStep {
	var steps []lineStep
	wanted := a.quantities(limits)
	held := make(map[string]bool)
	for _, line := range a.cart.lines() {
		key := line.Get("key").String()
		id, want := "", int64(0)
		for candidate, itsKey := range keys {
			if itsKey == key && wanted[candidate] > 0 {
				id, want = candidate, a.possible(candidate, wanted[candidate], line)
			}
		}
		switch {
		case want == 0:
			steps = append(steps, lineStep{change{"cart/remove-item", lineKey{key}}, ""})
			continue
		case want != line.Get("quantity").Int():
			steps = append(steps, lineStep{change{"cart/update-item", quantity{key, want}}, id})
		}
		held[id] = true
	}
	for _, line := range a.lines {
		id := line.item.String()
		if held[id] || wanted[id] == 0 {
			continue
		}
		held[id] = true
		steps = append(steps, lineStep{change{"cart/add-item", addition{line.item.id(), wanted[id], line.item.open}}, id})
	}
	return steps
}

// quantities says how many of each item the basket shall hold.
func (a *apply) quantities(limits map[string]int64) map[string]int64 {
	wanted := make(map[string]int64)
	for _, line := range a.lines {
		id := line.item.String()
		switch a.verdicts[id] {
		case "", tooManyVerdict, loweredVerdict:
		default:
			continue
		}
		if line.known {
			wanted[id] = min(wanted[id]+min(line.Quantity, maxQuantity), maxQuantity)
		}
	}
	for id, limit := range limits {
		wanted[id] = min(wanted[id], limit)
	}
	return wanted
}

// possible is how many of a line's item the basket can hold, as the line itself
// says.
func (a *apply) possible(id string, want int64, line gjson.Result) int64 {
	if soldOut(line) && a.cart.complains() {
		a.verdicts[id] = soldOutVerdict
		return 0
	}
	n := readPacks(line.Get("quantity_limits")).atMost(want)
	if n < want {
		a.verdicts[id] = loweredVerdict
	}
	return n
}

// changeLines sends the steps and takes down what came of them.
func (a *apply) changeLines(ctx context.Context, steps []lineStep, keys map[string]string) error {
	changes := make([]change, len(steps))
	for i, step := range steps {
		changes[i] = step.change
	}
	answers, err := a.send(ctx, changes)
	if err != nil {
		return err
	}
	for i, answer := range answers {
		switch {
		case answer.code() == "woocommerce_rest_cart_invalid_key":
			// The line went by itself; what is there now comes with the refusal.
			if now := answer.body.Get("data.cart"); now.IsObject() {
				a.cart.Result = now
			}
		case answer.refused() && steps[i].item != "":
			a.verdicts[steps[i].item] = lineVerdict(answer.code())
		case answer.refused():
			return answer.err()
		default:
			before := a.cart
			a.take(answer)
			if key := grown(before, a.cart); steps[i].path == "cart/add-item" && key != "" {
				keys[steps[i].item] = key
			}
		}
	}
	return nil
}

// grown returns the key of the line that is new, or longer than before.
func grown(before, after cart) string {
	for _, line := range after.lines() {
		key := line.Get("key").String()
		was := before.line(key)
		if !was.Exists() || was.Get("quantity").Int() < line.Get("quantity").Int() {
			return key
		}
	}
	return ""
}

// reconsider looks up what the shop did not take as it was wanted, and reports
// whether it may take it in another way: fewer, or the one variation there is.
func (a *apply) reconsider(ctx context.Context, limits map[string]int64) (again bool, err error) {
	for i := range a.lines {
		line := &a.lines[i]
		id := line.item.String()
		switch a.verdicts[id] {
		case tooManyVerdict:
			if _, known := limits[id]; known {
				a.verdicts[id] = notTakenVerdict
				continue
			}
			if err := a.findLimit(ctx, line, limits); err != nil {
				return false, err
			}
			again = true
		case optionsVerdict:
			if line.item.variation != 0 {
				a.verdicts[id] = unknownVerdict // A variation that is no more, or has other choices now.
				continue
			}
			more, err := a.findOptions(ctx, line)
			if err != nil {
				return false, err
			}
			again = again || more
		}
	}
	return again, nil
}

// findLimit reads how many of an item a basket takes.
func (a *apply) findLimit(ctx context.Context, line *wantedLine, limits map[string]int64) error {
	answer, err := a.shop.ask(ctx, a.visit, a.facts, call{op: changingBasket, path: "products/" + number(line.item.id()), safe: true})
	if err != nil {
		return err
	}
	id := line.item.String()
	if answer.refused() {
		a.verdicts[id], limits[id] = unknownVerdict, 0
		return nil
	}
	packs := readPacks(answer.body.Get("add_to_cart"))
	limits[id] = packs.atMost(a.quantities(nil)[id])
	switch {
	case !answer.body.Get("is_in_stock").Bool():
		a.verdicts[id], limits[id] = soldOutVerdict, 0
	case limits[id] == 0:
		a.verdicts[id] = inPacksVerdict
	default:
		a.verdicts[id] = loweredVerdict
	}
	return nil
}

// findOptions looks at a product that has to be chosen from. If there is one
// variant only, that is the one.
func (a *apply) findOptions(ctx context.Context, line *wantedLine) (again bool, err error) {
	id := line.item.String()
	found, err := a.shop.byID(ctx, a.visit, a.facts, changingBasket, []string{number(line.item.product)})
	if err != nil {
		return false, err
	}
	products, err := a.shop.complete(ctx, a.visit, a.facts, changingBasket, found)
	if err != nil {
		return false, err
	}
	product, ok := products[line.item.product]
	if !ok {
		a.verdicts[id] = notSoldVerdict
		return false, nil
	}
	if len(product.Variants) == 1 {
		if one, ok := parseItem(product.Variants[0].ID); ok && one.variation != 0 {
			line.item = one
			return true, nil
		}
	}
	a.verdicts[id], a.choices[id] = chooseVerdict, product
	return false, nil
}

// keepLines remembers which line of the shop each of the caller's lines is.
func (a *apply) keepLines(keys map[string]string) {
	a.handle.Lines = nil
	for _, line := range a.lines {
		id := line.item.String()
		if key := keys[id]; key != "" && a.cart.line(key).Exists() {
			a.handle.Lines = append(a.handle.Lines, keptLine{Key: line.Key, Asked: line.Item, Item: id, Quantity: line.Quantity, Line: key})
		}
	}
}

// packs are the numbers in which an item can be bought.
type packs struct{ minimum, maximum, multiple int64 }

func readPacks(limits gjson.Result) packs {
	p := packs{minimum: limits.Get("minimum").Int(), maximum: limits.Get("maximum").Int(), multiple: limits.Get("multiple_of").Int()}
	if p.maximum <= 0 {
		p.maximum = maxQuantity
	}
	return packs{max(p.minimum, 1), p.maximum, max(p.multiple, 1)}
}

// atMost is the largest number that is possible and not more than wanted, 0 if
// there is none.
func (p packs) atMost(wanted int64) int64 {
	n := min(wanted, p.maximum)
	if n -= n % p.multiple; n < p.minimum {
		return 0
	}
	return n
}

// counted reports whether the maximum is how many there are.
func (p packs) counted() bool { return p.maximum > 1 && p.maximum < unlimited }

// lineNotices are about lines that the basket does not hold, or not whole.
func (a *apply) lineNotices(observed upstream.Observed) []upstream.Notice {
	var notices []upstream.Notice
	for _, line := range a.lines {
		var held int64
		for _, part := range observed.Lines {
			if part.Key == line.Key {
				held += part.Quantity
			}
		}
		if held < line.Quantity {
			notices = append(notices, a.lineNotice(line, held))
		}
	}
	return notices
}

func (a *apply) lineNotice(line wantedLine, held int64) upstream.Notice {
	id := line.item.String()
	n := upstream.Notice{Code: upstream.NoticeOutOfStock, Line: line.Key, Text: "This item is sold out."}
	switch said := a.verdicts[id]; {
	case said == chooseVerdict:
		n.Code, n.Text = upstream.NoticeOptionNeeded, "Choose one of the variants of this product."
		n.Options, n.Variants = a.choices[id].Options, a.choices[id].Variants
	case !line.known, said == unknownVerdict:
		n.Code, n.Text = upstream.NoticeNotFound, "The shop has no such item."
	case said == notSoldVerdict:
		n.Code, n.Text = upstream.NoticeNotBuyable, "The shop does not sell this item."
	case said == inPacksVerdict:
		n.Code, n.Text = upstream.NoticeNotBuyable, "The shop sells this item in other numbers only."
	case said == notTakenVerdict:
		n.Code, n.Text = upstream.NoticeNotBuyable, "The shop does not take this item as it was asked for."
	case held > 0:
		n.Code, n.Text = upstream.NoticeQuantityLowered, "The shop does not take as many of this item; the line holds what it takes."
		n.Available = a.available(id)
	}
	return n
}

// available is how many there are of an item in the basket, where the shop counts.
func (a *apply) available(id string) *int64 {
	for _, kept := range a.handle.Lines {
		line := a.cart.line(kept.Line)
		if kept.Item != id || line.Get("sold_individually").Bool() {
			continue
		}
		if limits := readPacks(line.Get("quantity_limits")); limits.counted() {
			return &limits.maximum
		}
	}
	return nil
}
