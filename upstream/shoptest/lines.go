package shoptest

import (
	"math"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

func lineCases() []testCase {
	baskets := []need{needBaskets}
	return []testCase{
		{"one more", baskets, lineAdded},
		{"one fewer", baskets, lineRemoved},
		{"a larger quantity", baskets, lineMore},
		{"a smaller quantity", baskets, lineLess},
		{"all changed in one call", baskets, lineAllChanged},
		{"in another order", baskets, lineReordered},
		{"keys stay with their lines", baskets, lineKeys},
		{"another item under the same key", baskets, lineReplaced},
		{"two for the same item", baskets, lineTwins},
		{"a product that has one variant", baskets, lineProduct},
		{"a product that has several", baskets, lineOptionNeeded},
		{"the options that are open, then chosen", baskets, lineOptionChosen},
		{"an item that does not exist", baskets, lineUnknown},
		{"odd items", baskets, lineOdd},
		{"a sold-out variant", []need{needBaskets, needSoldVariant}, lineSoldVariant},
		{"a sold-out product", []need{needBaskets, needSoldOut}, lineSoldOut},
		{"exactly as many as there are", []need{needBaskets, needScarce}, lineAllThereAre},
		{"more than there are", []need{needBaskets, needScarce}, lineTooMany},
		{"more than there are, of two lines", []need{needBaskets, needScarce}, lineTooManyTwins},
		{"no quantity", baskets, lineNone},
		{"a huge quantity", baskets, lineHuge},
		{"a bad line spoils no good one", baskets, lineGoodAmongBad},
		{"at the price of now", []need{needBaskets, hookPrice}, linePrice},
		{"an item that was just sold", []need{needBaskets, hookStock}, lineSold},
		{"fewer left than the basket holds", []need{needBaskets, hookStock}, lineFewer},
	}
}

// want fails unless the basket holds exactly these quantities by line.
func (r *run) want(what string, o upstream.Observed, want map[string]int64) {
	r.Helper()
	got := map[string]int64{}
	for _, line := range o.Lines {
		got[line.Key] = line.Quantity
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("%s: quantities by line (-want +got):\n%s", what, diff)
	}
}

// pair returns a basket with two of Single and one of Variant.
func (r *run) pair() upstream.Desired {
	r.Helper()
	d := r.single(2)
	d.Lines = append(d.Lines, r.line("two", r.f.Variant, 1))
	return d
}

func lineAdded(r *run) {
	d := r.pair()
	two := d.Lines
	d.Lines = two[:1:1]
	applied := r.apply(upstream.Handle{}, d)
	d.Lines = two
	r.want("one more", r.apply(applied.Handle, d).Observed, map[string]int64{"one": 2, "two": 1})
}

func lineRemoved(r *run) {
	d := r.pair()
	applied := r.apply(upstream.Handle{}, d)
	d.Lines = d.Lines[1:]
	r.want("one fewer", r.apply(applied.Handle, d).Observed, map[string]int64{"two": 1})
}

func lineMore(r *run) {
	d := r.pair()
	applied := r.apply(upstream.Handle{}, d)
	d.Lines[1].Quantity = 3
	after := r.apply(applied.Handle, d)
	r.want("more", after.Observed, map[string]int64{"one": 2, "two": 3})
	if after.Observed.Total.Minor <= applied.Observed.Total.Minor {
		r.Errorf("with two more it costs %v, before %v", after.Observed.Total, applied.Observed.Total)
	}
}

func lineLess(r *run) {
	d := r.pair()
	applied := r.apply(upstream.Handle{}, d)
	d.Lines[0].Quantity = 1
	r.want("less", r.apply(applied.Handle, d).Observed, map[string]int64{"one": 1, "two": 1})
}

func lineAllChanged(r *run) {
	d := r.pair()
	product, _ := r.find(r.f.Variant)
	applied := r.apply(upstream.Handle{}, d)
	d.Lines = []upstream.DesiredLine{{Key: "two", Item: d.Lines[1].Item, Quantity: 2}}
	want := map[string]int64{"two": 2}
	for _, variant := range product.Variants {
		if variant.ID != d.Lines[0].Item && variant.Availability.Buyable() {
			d.Lines = append(d.Lines, upstream.DesiredLine{Key: "three", Item: variant.ID, Quantity: 1})
			want["three"] = 1
			break
		}
	}
	r.want("all changed", r.apply(applied.Handle, d).Observed, want)
}

func lineReordered(r *run) {
	d := r.pair()
	before := r.apply(upstream.Handle{}, d)
	d.Lines[0], d.Lines[1] = d.Lines[1], d.Lines[0]
	r.same("in another order", before.Observed, r.apply(before.Handle, d).Observed)
}

func lineKeys(r *run) {
	d := r.pair()
	applied := r.apply(upstream.Handle{}, d)
	for _, o := range []upstream.Observed{applied.Observed, r.read(applied.Handle), r.apply(applied.Handle, d).Observed} {
		for _, want := range d.Lines {
			if line, _ := lineOf(o, want.Key); line.Item != want.Item {
				r.Errorf("line %q holds %q, want %q", want.Key, line.Item, want.Item)
			}
		}
	}
}

func lineReplaced(r *run) {
	d := r.single(1)
	applied := r.apply(upstream.Handle{}, d)
	d.Lines = []upstream.DesiredLine{r.line("one", r.f.Variant, 2)}
	o := r.apply(applied.Handle, d).Observed
	if line, _ := lineOf(o, "one"); line.Item != d.Lines[0].Item || line.Quantity != 2 || len(o.Lines) != 1 {
		r.Errorf("the basket holds %+v, want 2 of %q", o.Lines, d.Lines[0].Item)
	}
}

func lineTwins(r *run) {
	d := r.single(1)
	item := d.Lines[0].Item
	d.Lines = append(d.Lines, upstream.DesiredLine{Key: "twin", Item: item, Quantity: 2})
	applied := r.apply(upstream.Handle{}, d)
	for range 2 {
		if got := quantities(applied.Observed)[item]; got != 3 {
			r.Errorf("lines for 1 and 2 of an item: the basket holds %d", got)
		}
		applied = r.apply(applied.Handle, d)
	}
	d.Lines = d.Lines[1:]
	if got := quantities(r.apply(applied.Handle, d).Observed)[item]; got != 2 {
		r.Errorf("after the first was taken away: the basket holds %d, want 2", got)
	}
}

func lineProduct(r *run) {
	product, variant := r.find(r.f.Single)
	d := upstream.Desired{Lines: []upstream.DesiredLine{{Key: "one", Item: product.ID, Quantity: 2}}}
	applied := r.apply(upstream.Handle{}, d)
	if line, _ := lineOf(applied.Observed, "one"); line.Item != variant.ID || line.Quantity != 2 {
		r.Errorf("the line holds %d of %q, want 2 of %q; notices: %+v", line.Quantity, line.Item, variant.ID, applied.Notices)
	}
	r.same("the same again", applied.Observed, r.apply(applied.Handle, d).Observed)
}

func lineOptionNeeded(r *run) {
	product, _ := r.find(r.f.Variant)
	d := upstream.Desired{Lines: []upstream.DesiredLine{{Key: "one", Item: product.ID, Quantity: 1}}}
	applied := r.apply(upstream.Handle{}, d)
	r.want("a product with several variants", applied.Observed, map[string]int64{})
	n := r.noticed(applied, upstream.NoticeOptionNeeded)
	if len(n.Options) == 0 || len(n.Variants) == 0 {
		r.Fatalf("the notice offers %d options and %d variants", len(n.Options), len(n.Variants))
	}
	for _, variant := range n.Variants {
		if product.Variant(variant.ID) == nil {
			r.Errorf("the notice offers variant %q, which the product has not", variant.ID)
		}
	}
}

func lineOptionChosen(r *run) {
	product, _ := r.find(r.f.Variant)
	d := upstream.Desired{Lines: []upstream.DesiredLine{{Key: "one", Item: product.ID, Quantity: 1}}}
	applied := r.apply(upstream.Handle{}, d)
	for _, variant := range r.noticed(applied, upstream.NoticeOptionNeeded).Variants {
		if variant.Availability.Buyable() {
			d.Lines[0].Item = variant.ID
			r.want("a variant that was offered", r.apply(applied.Handle, d).Observed, map[string]int64{"one": 1})
			return
		}
	}
	r.Error("none of the variants that are offered can be bought")
}

func lineUnknown(r *run) {
	d := upstream.Desired{Lines: []upstream.DesiredLine{{Key: "one", Item: "no-such-thing-xq", Quantity: 1}}}
	applied := r.apply(upstream.Handle{}, d)
	r.want("an unknown item", applied.Observed, map[string]int64{})
	r.noticed(applied, upstream.NoticeNotFound)
}

func lineOdd(r *run) {
	for _, item := range []string{"", " ", "0", "-1", "*", "../../admin", `"}`, "größe 🧥", "\x00", "null"} {
		d := upstream.Desired{Lines: []upstream.DesiredLine{{Key: "one", Item: item, Quantity: 1}}}
		applied, err := r.shop.Apply(r.Context(), r.visit, upstream.Handle{}, d)
		switch {
		case err != nil:
			r.refused(err, "Apply of item "+item, upstream.CodeInvalid)
		case len(applied.Observed.Lines) > 0:
			r.Errorf("item %q put %q into the basket", item, applied.Observed.Lines[0].Title)
		default:
			r.checkApplied(d, applied)
		}
	}
}

func lineSoldVariant(r *run) {
	d := upstream.Desired{Lines: []upstream.DesiredLine{r.line("one", r.f.SoldVariant, 1)}}
	applied := r.apply(upstream.Handle{}, d)
	r.want("a sold-out variant", applied.Observed, map[string]int64{})
	r.noticed(applied, upstream.NoticeOutOfStock)
}

// lineSoldOut: whether it is named by its product or a variant, a sold-out
// product never gets into a basket.
func lineSoldOut(r *run) {
	product, variant := r.find(r.f.SoldOut)
	for _, item := range []string{product.ID, variant.ID} {
		d := upstream.Desired{Lines: []upstream.DesiredLine{{Key: "one", Item: item, Quantity: 1}}}
		applied := r.apply(upstream.Handle{}, d)
		r.want("a sold-out product", applied.Observed, map[string]int64{})
		r.noticed(applied, upstream.NoticeOutOfStock, upstream.NoticeOptionNeeded, upstream.NoticeNotBuyable)
	}
}

func lineAllThereAre(r *run) {
	d := upstream.Desired{Lines: []upstream.DesiredLine{r.line("one", r.f.Scarce, r.f.Few)}}
	applied := r.apply(upstream.Handle{}, d)
	r.want("all there are", applied.Observed, map[string]int64{"one": r.f.Few})
}

// tooMany checks what became of wanting more of Scarce than there are.
func (r *run) tooMany(applied upstream.Applied) {
	r.Helper()
	var held int64
	for _, n := range quantities(applied.Observed) {
		held += n
	}
	n := r.noticed(applied, upstream.NoticeQuantityLowered, upstream.NoticeOutOfStock)
	switch {
	case held > r.f.Few:
		r.Errorf("the basket holds %d, and there are %d", held, r.f.Few)
	case r.d.Capabilities.ExactStock && held != r.f.Few:
		r.Errorf("the basket holds %d; the shop knows that there are %d", held, r.f.Few)
	case held == 0 && n.Code != upstream.NoticeOutOfStock:
		r.Errorf("the basket holds none, and the notice is %s", n.Code)
	}
	if n.Available != nil && *n.Available != r.f.Few {
		r.Errorf("the notice says that there are %d, and there are %d", *n.Available, r.f.Few)
	}
}

func lineTooMany(r *run) {
	d := upstream.Desired{Lines: []upstream.DesiredLine{r.line("one", r.f.Scarce, r.f.Few+1)}}
	applied := r.apply(upstream.Handle{}, d)
	r.tooMany(applied)
	if len(applied.Observed.Lines) > 0 {
		r.noticed(applied, upstream.NoticeQuantityLowered)
	}
	// It is still too many when it is asked again, and enough when it is not.
	r.tooMany(r.apply(applied.Handle, d))
	d.Lines[0].Quantity = 1
	r.want("one of it, then", r.apply(applied.Handle, d).Observed, map[string]int64{"one": 1})
}

func lineTooManyTwins(r *run) {
	line := r.line("one", r.f.Scarce, r.f.Few)
	twin := line
	twin.Key = "twin"
	r.tooMany(r.apply(upstream.Handle{}, upstream.Desired{Lines: []upstream.DesiredLine{line, twin}}))
}

func lineNone(r *run) {
	applied := r.apply(upstream.Handle{}, r.single(1))
	for _, n := range []int64{0, -1, math.MinInt64} {
		d := r.single(n)
		_, err := r.shop.Apply(r.Context(), r.visit, applied.Handle, d)
		r.refused(err, "Apply of no quantity", upstream.CodeInvalid)
		_, err = r.shop.Apply(r.Context(), r.visit, upstream.Handle{}, d)
		r.refused(err, "Apply of no quantity to a new basket", upstream.CodeInvalid)
	}
	r.same("the basket, after all that", applied.Observed, r.read(applied.Handle))
}

func lineHuge(r *run) {
	for _, n := range []int64{1_000_000_000, math.MaxInt64} {
		d := r.single(n)
		applied, err := r.shop.Apply(r.Context(), r.visit, upstream.Handle{}, d)
		if err != nil {
			r.refused(err, "Apply of a huge quantity", upstream.CodeInvalid)
			continue
		}
		r.checkApplied(d, applied)
	}
}

func lineGoodAmongBad(r *run) {
	product, _ := r.find(r.f.Variant)
	d := r.pair()
	d.Lines = append([]upstream.DesiredLine{
		{Key: "unknown", Item: "no-such-thing-xq", Quantity: 1},
		{Key: "open", Item: product.ID, Quantity: 1},
	}, d.Lines...)
	applied := r.apply(upstream.Handle{}, d)
	r.want("two good lines and two bad", applied.Observed, map[string]int64{"one": 2, "two": 1})
	r.noticed(applied, upstream.NoticeNotFound)
	r.noticed(applied, upstream.NoticeOptionNeeded)
}

// linePrice: a basket begun after a price has changed has the new one. What
// becomes of one that was begun before is the shop's choice, and the price
// guard's matter.
func linePrice(r *run) {
	_, variant := r.find(r.f.Single)
	before := r.apply(upstream.Handle{}, r.single(1))
	want := variant.Price.Minor + 100
	r.hooks.ChangePrice(r.TB, variant.SKU, want)
	if line, _ := lineOf(r.apply(upstream.Handle{}, r.single(1)).Observed, "one"); line.Unit.Minor != want {
		r.Errorf("the price became %d; a new basket says %v", want, line.Unit)
	}
	r.read(before.Handle)
}

// lineSold: what was just sold gets into no new basket.
func lineSold(r *run) {
	d := r.pair()
	_, variant := r.find(r.f.Single)
	r.hooks.SetStock(r.TB, variant.SKU, 0)
	applied := r.apply(upstream.Handle{}, d)
	r.want("after an item was sold", applied.Observed, map[string]int64{"two": 1})
	r.noticed(applied, upstream.NoticeOutOfStock)
}

// lineFewer: a basket that holds more than there is by now is lowered aloud, or
// left for the shop to refuse when it is ordered.
func lineFewer(r *run) {
	d := r.single(3)
	applied := r.apply(upstream.Handle{}, d)
	_, variant := r.find(r.f.Single)
	r.hooks.SetStock(r.TB, variant.SKU, 1)
	r.read(applied.Handle)
	d.Lines = append(d.Lines, r.line("two", r.f.Variant, 1))
	again := r.apply(applied.Handle, d)
	if line, _ := lineOf(again.Observed, "two"); line.Quantity != 1 {
		r.Errorf("a line for another item holds %d, want 1; notices: %+v", line.Quantity, again.Notices)
	}
}
