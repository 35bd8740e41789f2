package mapped

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/storeware/caddy-storeware/upstream"
)

// ErrMapping says that Check found something that does not work.
var ErrMapping = errors.New("the mapping does not fit the shop")

// Check calls the shop in each way that is mapped, short of ordering: it lists
// products, searches for a word of the first one's title, looks it up by its
// names, and puts one piece of what can be bought into a new basket, with the
// address that is given, if any, and the first way of delivery there. It writes what each mapped value came to, and
// each that came to nothing, with the line it stands on.
//
// The error is ErrMapping, wrapped, if a call failed or if nothing could be read
// that has to be; that an optional value is nowhere is told and is no error. What
// is read may be secret and is then not shown; the rest is the shop's own text.
func Check(ctx context.Context, s *Shop, address *upstream.Address, w io.Writer) error {
	c := &inspection{shop: s.watched(), address: address, out: w}
	c.shop.asked = func(sent call, kept []string) { c.asked.note(c.shop, sent, kept) }
	c.catalogue(ctx)
	c.baskets(ctx)
	c.report()
	if c.err == nil && c.failed > 0 {
		c.err = fmt.Errorf("%w: %d of its calls failed", ErrMapping, c.failed)
	}
	return c.err
}

// watched returns a copy of the shop that notes what its values come to.
func (s *Shop) watched() *Shop {
	watched, reader := *s, *s.reader
	reader.seen = newFindings()
	watched.reader = &reader
	watched.index = newIndex()
	return &watched
}

// inspection is one Check.
type inspection struct {
	shop    *Shop
	address *upstream.Address
	out     io.Writer
	asked   asked
	failed  int
	err     error
}

// print writes a line of the report. The first error of writing ends it.
func (c *inspection) print(format string, args ...any) {
	if c.err == nil {
		_, c.err = fmt.Fprintf(c.out, format, args...)
	}
}

// call tells how a call went, and what was asked for it.
func (c *inspection) call(what string, err error, found string, args ...any) bool {
	if err != nil {
		c.failed++
		c.print("✗ %s: %v\n", what, err)
	} else {
		c.print("✓ %s: %s\n", what, fmt.Sprintf(found, args...))
	}
	for _, request := range c.asked.take() {
		c.print("    %s\n", request)
	}
	return err == nil
}

// catalogue reads products in every way.
func (c *inspection) catalogue(ctx context.Context) {
	found, err := c.shop.Search(ctx, upstream.Visit{}, upstream.Query{Limit: maxLimit})
	if err == nil && len(found.Products) == 0 {
		err = faultf(c.shop.m.List.Items.At, "there is no product with an id, a title and a price")
	}
	if !c.call("list", err, "%d products, the first is %q", len(found.Products), firstTitle(found.Products)) {
		return
	}
	first := found.Products[0]
	if c.shop.m.Search != nil || c.shop.m.Scan {
		word := longest(strings.Fields(first.Title))
		found, err := c.shop.Search(ctx, upstream.Visit{}, upstream.Query{Words: word, Limit: maxLimit})
		if err == nil && !slices.ContainsFunc(found.Products, func(p upstream.Product) bool { return p.ID == first.ID }) {
			err = faultf(at(c.shop.m.Search), "%q does not find the product that it is of", word)
		}
		c.call("search", err, "%q finds %d products", word, len(found.Products))
	}
	refs := []string{first.ID, first.Variants[0].ID, first.Handle, first.Variants[0].SKU}
	for i, name := range []Name{NameID, NameVariant, NameHandle, NameSKU} {
		if refs[i] == "" {
			continue
		}
		matches, err := c.shop.Lookup(ctx, upstream.Visit{}, refs[i:i+1])
		if err == nil && (len(matches) == 0 || matches[0].Product.ID != first.ID) {
			err = errors.New("it is not found")
		}
		c.call("look-up by "+string(name), err, "%q", refs[i])
	}
}

func firstTitle(products []upstream.Product) string {
	if len(products) == 0 {
		return ""
	}
	return products[0].Title
}

func longest(words []string) string {
	return slices.MaxFunc(append(words, ""), func(a, b string) int { return len(a) - len(b) })
}

// baskets fills a basket with one piece.
func (c *inspection) baskets(ctx context.Context) {
	if c.failed > 0 || c.shop.m.Basket == nil && !c.shop.m.local() {
		return
	}
	d := upstream.Desired{Address: c.address}
	found, err := c.shop.Search(ctx, upstream.Visit{}, upstream.Query{Available: true, Limit: maxLimit})
	for _, product := range found.Products {
		at := slices.IndexFunc(product.Variants, func(v upstream.Variant) bool { return v.Availability.Buyable() })
		if at >= 0 && len(d.Lines) == 0 {
			d.Lines = []upstream.DesiredLine{{Key: "1", Item: product.Variants[at].ID, Quantity: 1}}
		}
	}
	if len(d.Lines) == 0 {
		c.call("basket", errors.Join(err, errors.New("no product can be bought")), "")
		return
	}
	applied, err := c.shop.Apply(ctx, upstream.Visit{}, upstream.Handle{}, d)
	if err == nil && len(applied.Observed.Lines) == 0 {
		err = errors.New("the line is not in it" + noticed(applied.Notices))
	}
	if err == nil && applied.Observed.Lines[0].Item != d.Lines[0].Item {
		err = faultf(c.shop.m.Basket.Lines.Item.At, "a line of the basket names its variant by something else than the catalogue does")
	}
	if !c.call("basket", err, "one piece costs %s%s", applied.Observed.Total.Display(), noticed(applied.Notices)) {
		return
	}
	if c.shop.m.Delivery != nil && c.address != nil {
		applied = c.delivery(ctx, d, applied)
	}
	// Nothing is left behind that the shop could be taken out of.
	if _, err := c.shop.Apply(ctx, upstream.Visit{}, applied.Handle, upstream.Desired{}); err != nil {
		c.call("emptying the basket", err, "")
	}
}

// delivery chooses the first way of delivery.
func (c *inspection) delivery(ctx context.Context, d upstream.Desired, before upstream.Applied) upstream.Applied {
	ways := before.Observed.Delivery
	if len(ways) == 0 {
		c.call("delivery", errors.New("there is no way of delivery to the address"), "")
		return before
	}
	d.Delivery = ways[0].ID
	applied, err := c.shop.Apply(ctx, upstream.Visit{}, before.Handle, d)
	if err == nil && applied.Observed.Chosen != d.Delivery {
		err = faultf(c.shop.m.Basket.Chosen.At, "the basket does not have the way of delivery that was chosen")
	}
	if !c.call("delivery", err, "%d ways; with %q it costs %s", len(ways), ways[0].Title, applied.Observed.Total.Display()) {
		return before
	}
	return applied
}

// noticed writes notices behind something else.
func noticed(notices []upstream.Notice) string {
	text := ""
	for _, n := range notices {
		text += fmt.Sprintf(" (%s: %s)", n.Code, n.Text)
	}
	return text
}

// report shows what every value came to.
func (c *inspection) report() {
	values := slices.DeleteFunc(c.shop.m.values(), func(v labelled) bool { return v.sent || len(v.From) == 0 })
	slices.SortStableFunc(values, func(a, b labelled) int { return a.At.compare(b.At) })
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	nothing, tried := 0, len(values)
	for _, v := range values {
		found, read := c.shop.reader.seen.of(v.Value)
		shown := "  " + short(found.text)
		switch {
		case !read:
			tried--
			shown = "  (not tried)"
		case found.text == "" && found.there:
			shown = "  (empty)"
		case found.text == "":
			nothing++
			shown = "✗ found nothing"
		}
		// Neither fails: they write to a builder.
		_, _ = fmt.Fprintf(table, "%s\t%s.%s\t%s\t%s\n", v.At, v.block, v.field, v.source(), shown)
	}
	_ = table.Flush()
	c.print("%s", text.String())
	switch {
	case tried == 0:
		c.print("Nothing was tried of %d values, since no product could be listed: see the line with ✗ above.\n", len(values))
	case tried < len(values):
		c.print("%d of the %d values that were tried found nothing; %d were not tried.\n", nothing, tried, len(values)-tried)
	default:
		c.print("%d of %d values found nothing.\n", nothing, tried)
	}
}

// source is where a value stands, as the mapping says it.
func (v Value) source() string {
	var all []string
	for _, source := range v.From {
		if source.Path != "" {
			all = append(all, source.Path)
		} else {
			all = append(all, strconv.Quote(source.Text))
		}
	}
	return strings.Join(all, " or ")
}
