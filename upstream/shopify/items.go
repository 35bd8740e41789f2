package shopify

import (
	"context"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// maxQuantity is the most of an item that is ever asked for. Shopify refuses the
// line beyond it.
const maxQuantity = 1_000_000

// wantedLine is a line of the caller whose variant is known and can be bought.
type wantedLine struct {
	key      string
	variant  string
	quantity int64
}

// offer is how a variant is sold.
type offer struct {
	available bool
	// The quantity of a line is at least min, at most max (0 is no limit), and a
	// multiple of step.
	min, max, step int64
}

// items are the ids that lines name, as far as they can be ids of this shop.
func (a *apply) items() []string {
	items := []string{}
	for _, line := range a.desired.Lines {
		if isItem(line.Item) && !slices.Contains(items, line.Item) {
			items = append(items, line.Item)
		}
	}
	return items
}

// resolve finds the variant that each line means among the nodes that were read
// for them. A line that means none, leaves a choice, or names what is not sold
// gets a notice.
func (a *apply) resolve(ctx context.Context, nodes []gjson.Result) error {
	a.lines, a.notices, a.offers = nil, nil, make(map[string]offer)
	products, err := a.readNodes(ctx, nodes)
	if err != nil {
		return err
	}
	for _, line := range a.desired.Lines {
		notice := upstream.Notice{Line: line.Key}
		variant := line.Item
		if at := slices.IndexFunc(products, func(p listed) bool { return p.ID == line.Item }); at >= 0 {
			p := &products[at]
			if len(p.Variants) > 1 {
				notice.Code, notice.Text = upstream.NoticeOptionNeeded, "This product comes in several variants; choose one."
				notice.Options, notice.Variants = p.Options, p.Variants
				a.notices = append(a.notices, notice)
				continue
			}
			variant = p.Variants[0].ID
		}
		switch o, known := a.offers[variant]; {
		case !known:
			notice.Code, notice.Text = upstream.NoticeNotFound, "The shop sells no such item."
		case !o.available:
			notice.Code, notice.Text = upstream.NoticeOutOfStock, "This item is out of stock."
		default:
			a.lines = append(a.lines, wantedLine{line.Key, variant, line.Quantity})
			continue
		}
		a.notices = append(a.notices, notice)
	}
	return nil
}

// readNodes reads the products among nodes, and takes down how all variants are
// sold.
func (a *apply) readNodes(ctx context.Context, nodes []gjson.Result) ([]listed, error) {
	var products []listed
	for _, node := range nodes {
		switch node.Get("__typename").String() {
		case "ProductVariant":
			a.offers[node.Get("id").String()] = readOffer(node)
		case "Product":
			product, err := a.shop.readListed(changingBasket, node)
			if err != nil {
				return nil, err
			}
			if len(product.Variants) == 0 {
				continue
			}
			for _, variant := range node.Get("variants.nodes").Array() {
				a.offers[variant.Get("id").String()] = readOffer(variant)
			}
			products = append(products, product)
		}
	}
	return products, a.shop.complete(ctx, a.facts, a.visit, changingBasket, products)
}

func readOffer(variant gjson.Result) offer {
	rule := variant.Get("quantityRule")
	return offer{
		available: variant.Get("availableForSale").Bool(),
		min:       max(rule.Get("minimum").Int(), 1),
		max:       rule.Get("maximum").Int(),
		step:      max(rule.Get("increment").Int(), 1),
	}
}

// allowed is how many may be asked for where n are wanted, 0 if none.
func (o offer) allowed(n int64) int64 {
	if o.max > 0 {
		n = min(n, o.max)
	}
	n -= n % o.step
	if n < o.min {
		return 0
	}
	return n
}

// total is how many of a variant all lines want together.
func (a *apply) total(variant string) int64 {
	var n int64
	for _, line := range a.lines {
		if line.variant == variant {
			n = min(n+min(line.quantity, maxQuantity), maxQuantity)
		}
	}
	return n
}

// wanted says how many of each variant the cart shall hold: it has one line for
// each.
func (a *apply) wanted() map[string]int64 {
	wanted := make(map[string]int64)
	for _, line := range a.lines {
		if code := a.refusals[line.variant]; code == "" || isAboutNumber(code) {
			wanted[line.variant] = a.offers[line.variant].allowed(a.total(line.variant))
		}
	}
	return wanted
}
