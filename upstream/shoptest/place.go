package shoptest

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

func placeCases() []testCase {
	place := []need{needPlace}
	return []testCase{
		{"an order", place, placeOrder},
		{"a variant with options", place, placeVariant},
		{"each way of delivery", []need{needPlace, needDelivery}, placeDelivery},
		{"twice in the same attempt", place, placeTwice},
		{"again in another attempt", place, placeAgain},
		{"ten times at once", []need{needPlace, needSerial}, placeTenTimes},
		{"several baskets at once", place, placeSeveral},
		{"a total that is not the expected one", place, placeWrongTotal},
		{"an expected total in another currency", place, placeWrongCurrency},
		{"a payment that is declined", []need{needPlace, needDeclined}, placeDeclined},
		{"a way to pay that does not exist", place, placeWrongMethod},
		{"a credential is not printed", place, placeSecret},
		{"without a buyer", place, placeNoBuyer},
		{"without an address", place, placeNoAddress},
		{"without a way of delivery", []need{needPlace, needDelivery}, placeNoDelivery},
		{"an empty basket", place, placeEmpty},
		{"a handle that is not one", place, placeGarbage},
		{"a price that changed meanwhile", []need{needPlace, hookPrice}, placePriceChanged},
		{"an item that was sold meanwhile", []need{needPlace, hookStock}, placeSold},
		{"some that were sold meanwhile", []need{needPlace, hookStock}, placeFewer},
		{"a basket that the shop has dropped", []need{needPlace, hookDrop}, placeDropped},
		{"a basket that changed after it was refused", place, placeAfterRefusal},
		{"a basket that changed after it was declined", []need{needPlace, needDeclined}, placeAfterDecline},
		{"on another node", []need{needPlace, hookAnother}, placeAnother},
		{"a context that has ended", place, placeCanceled},
	}
}

// neither orders nor breaks the basket: it can be placed afterwards.
func (r *run) stillUsable(d upstream.Desired, applied upstream.Applied) {
	r.Helper()
	r.same("the basket, after the refusal", applied.Observed, r.read(applied.Handle))
	check := r.counting()
	again := r.apply(applied.Handle, d)
	r.place(again.Handle, r.placement(again.Observed.Total))
	check(1)
}

func placeOrder(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Single)
	check(0)
	r.place(applied.Handle, r.placement(applied.Observed.Total))
	check(1)
}

func placeVariant(r *run) {
	_, applied := r.ready(r.f.Variant)
	r.place(applied.Handle, r.placement(applied.Observed.Total))
}

func placeDelivery(r *run) {
	d, applied := r.addressed()
	for _, option := range applied.Observed.Delivery {
		d.Delivery = option.ID
		fresh := r.apply(upstream.Handle{}, d)
		r.place(fresh.Handle, r.placement(fresh.Observed.Total))
	}
}

// placedAgain checks the answer to placing an ordered basket once more: the same
// order, or a refusal.
func (r *run) placedAgain(first, second upstream.Placed, err error) {
	r.Helper()
	var e *upstream.Error
	switch {
	case err == nil && second.Ref.ID != first.Ref.ID:
		r.Errorf("the basket became order %q and then order %q", first.Ref.ID, second.Ref.ID)
	case err != nil && !errors.As(err, &e):
		r.Errorf("placing again: %T %v is no *upstream.Error", err, err)
	}
}

func placeTwice(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Variant)
	p := r.placement(applied.Observed.Total)
	first := r.place(applied.Handle, p)
	second, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	r.placedAgain(first, second, err)
	check(1)
}

func placeAgain(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Variant)
	first := r.place(applied.Handle, r.placement(applied.Observed.Total))
	second, err := r.shop.Place(r.Context(), r.visit, applied.Handle, r.placement(applied.Observed.Total))
	r.placedAgain(first, second, err)
	check(1)
}

// placeTenTimes asks for more than the contract does: whoever calls an adapter
// never does this for one basket.
func placeTenTimes(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Variant)
	p := r.placement(applied.Observed.Total)
	var mu sync.Mutex
	orders := map[string]bool{}
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			placed, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
			if err != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			orders[placed.Ref.ID] = true
		})
	}
	group.Wait()
	if len(orders) != 1 {
		r.Errorf("ten at once made the orders %v, want one", orders)
	}
	check(1)
}

func placeSeveral(r *run) {
	const baskets = 5
	check := r.counting()
	var ready [baskets]upstream.Applied
	for i := range ready {
		_, ready[i] = r.ready(r.f.Variant)
	}
	var placed [baskets]upstream.Placed
	var group sync.WaitGroup
	for i := range ready {
		group.Go(func() {
			var err error
			placed[i], err = r.shop.Place(r.Context(), r.visit, ready[i].Handle, r.placement(ready[i].Observed.Total))
			if err != nil {
				r.Errorf("Place, several at once: %v", err)
			}
		})
	}
	group.Wait()
	orders := map[string]bool{}
	for _, p := range placed {
		orders[p.Ref.ID] = true
	}
	if len(orders) != baskets {
		r.Errorf("%d baskets became the orders %v", baskets, orders)
	}
	check(baskets)
}

func placeWrongTotal(r *run) {
	for _, off := range []int64{-1, 1} {
		d, applied := r.ready(r.f.Single)
		check := r.counting()
		p := r.placement(applied.Observed.Total)
		p.Expected.Minor += off
		_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
		r.refused(err, "Place for another total", upstream.CodePriceChanged)
		check(0)
		r.stillUsable(d, applied)
	}
}

func placeWrongCurrency(r *run) {
	_, applied := r.ready(r.f.Single)
	check := r.counting()
	p := r.placement(applied.Observed.Total)
	p.Expected.Currency = money.Currency("XOF")
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	r.refused(err, "Place for a total in another currency", upstream.CodePriceChanged)
	check(0)
}

func placeDeclined(r *run) {
	d, applied := r.ready(r.f.Single)
	check := r.counting()
	p := r.placement(applied.Observed.Total)
	p.Credential = r.f.Declined
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	r.refused(err, "Place with a payment that is declined", upstream.CodePaymentDeclined)
	check(0)
	r.stillUsable(d, applied)
}

func placeWrongMethod(r *run) {
	d, applied := r.ready(r.f.Single)
	check := r.counting()
	p := r.placement(applied.Observed.Total)
	p.Method = "no-such-method-xq"
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	r.refused(err, "Place with a method that does not exist", upstream.CodeInvalid, upstream.CodePaymentDeclined, upstream.CodeUnsupported)
	check(0)
	r.stillUsable(d, applied)
}

func placeSecret(r *run) {
	_, applied := r.ready(r.f.Single)
	plain := rand.Text()
	p := r.placement(applied.Observed.Total)
	p.Credential = secret.New(plain)
	p.Expected.Minor++
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	r.refused(err, "Place for another total", upstream.CodePriceChanged)
	if err != nil && strings.Contains(err.Error(), plain) {
		r.Error("the error shows the credential")
	}
}

// incomplete fails unless the shop refuses a basket from which something is
// missing, as Missing said.
func (r *run) incomplete(d upstream.Desired) {
	r.Helper()
	applied := r.apply(upstream.Handle{}, d)
	if len(applied.Observed.Missing) == 0 {
		r.Error("nothing is missing")
	}
	check := r.counting()
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, r.placement(applied.Observed.Total))
	r.refused(err, "Place of an incomplete basket", upstream.CodeIncomplete)
	check(0)
}

func placeNoBuyer(r *run) {
	d, _ := r.ready(r.f.Single)
	d.Buyer = upstream.Buyer{}
	r.incomplete(d)
}

func placeNoAddress(r *run) {
	d := r.single(1)
	d.Buyer = r.f.Buyer
	r.incomplete(d)
}

func placeNoDelivery(r *run) {
	d, applied := r.addressed()
	if applied.Observed.Chosen != "" {
		r.Skip("the shop chooses the way of delivery itself")
	}
	r.incomplete(d)
}

func placeEmpty(r *run) {
	d, applied := r.ready(r.f.Single)
	d.Lines, d.Delivery = nil, ""
	emptied := r.apply(applied.Handle, d)
	check := r.counting()
	_, err := r.shop.Place(r.Context(), r.visit, emptied.Handle, r.placement(emptied.Observed.Total))
	r.refused(err, "Place of an empty basket", upstream.CodeIncomplete, upstream.CodeBasketGone)
	check(0)
}

func placeGarbage(r *run) {
	check := r.counting()
	handles := garbage()
	handles["empty"] = secret.String{}
	for what, h := range handles {
		_, err := r.shop.Place(r.Context(), r.visit, h, r.placement(money.Amount{Minor: 100, Currency: r.d.Currency}))
		r.refused(err, "Place of a handle that is "+what,
			upstream.CodeBasketGone, upstream.CodeInvalid, upstream.CodeNotFound, upstream.CodeIncomplete, upstream.CodePriceChanged)
	}
	check(0)
}

// placePriceChanged: a shop may hold the price that a basket has. What it may not
// do is to charge another one than was agreed.
func placePriceChanged(r *run) {
	_, applied := r.ready(r.f.Single)
	_, variant := r.find(r.f.Single)
	r.hooks.ChangePrice(r.TB, variant.SKU, variant.Price.Minor+100)
	check := r.counting()
	p := r.placement(applied.Observed.Total)
	placed, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	if err == nil {
		r.checkPlaced(placed, p)
		check(1)
		return
	}
	r.refused(err, "Place after a price has changed", upstream.CodePriceChanged)
	check(0)
	r.read(applied.Handle)
}

func placeSold(r *run) {
	_, applied := r.ready(r.f.Single)
	_, variant := r.find(r.f.Single)
	r.hooks.SetStock(r.TB, variant.SKU, 0)
	check := r.counting()
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, r.placement(applied.Observed.Total))
	r.refused(err, "Place of what was sold meanwhile", upstream.CodeOutOfStock, upstream.CodePriceChanged)
	check(0)
	r.read(applied.Handle)
}

// placeFewer: a shop that lowers quantities by itself may not order fewer than was
// agreed.
func placeFewer(r *run) {
	_, applied := r.complete(upstream.Handle{}, r.single(3))
	_, variant := r.find(r.f.Single)
	r.hooks.SetStock(r.TB, variant.SKU, 1)
	check := r.counting()
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, r.placement(applied.Observed.Total))
	r.refused(err, "Place of more than is left", upstream.CodeOutOfStock, upstream.CodePriceChanged)
	check(0)
}

func placeDropped(r *run) {
	_, applied := r.ready(r.f.Single)
	r.hooks.DropBasket(r.TB, applied.Handle)
	check := r.counting()
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, r.placement(applied.Observed.Total))
	r.refused(err, "Place of a dropped basket", upstream.CodeBasketGone)
	check(0)
}

// placeAfterRefusal: a refusal leaves nothing behind that keeps a basket from
// being changed.
func placeAfterRefusal(r *run) {
	d, applied := r.ready(r.f.Single)
	p := r.placement(applied.Observed.Total)
	p.Expected.Minor++
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	r.refused(err, "Place for another total", upstream.CodePriceChanged)
	d.Lines = append(d.Lines, r.line("two", r.f.Variant, 1))
	changed := r.apply(applied.Handle, d)
	r.want("changed after a refusal", changed.Observed, map[string]int64{"one": 1, "two": 1})
	r.place(changed.Handle, r.placement(changed.Observed.Total))
}

// placeAfterDecline: a payment that failed does not keep a basket from being
// changed, and the next one pays for what it holds then.
func placeAfterDecline(r *run) {
	d, applied := r.ready(r.f.Single)
	p := r.placement(applied.Observed.Total)
	p.Credential = r.f.Declined
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	r.refused(err, "Place with a payment that is declined", upstream.CodePaymentDeclined)
	d.Lines = append(d.Lines, r.line("two", r.f.Variant, 1))
	changed := r.apply(applied.Handle, d)
	r.want("changed after a decline", changed.Observed, map[string]int64{"one": 1, "two": 1})
	r.place(changed.Handle, r.placement(changed.Observed.Total))
}

func placeAnother(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Variant)
	p := r.placement(applied.Observed.Total)
	first := r.place(applied.Handle, p)
	second, err := r.hooks.Another(r.TB).Place(r.Context(), r.visit, applied.Handle, p)
	r.placedAgain(first, second, err)
	check(1)
}

func placeCanceled(r *run) {
	d, applied := r.ready(r.f.Single)
	check := r.counting()
	_, err := r.shop.Place(r.canceled(), r.visit, applied.Handle, r.placement(applied.Observed.Total))
	if !errors.Is(err, context.Canceled) {
		r.Errorf("Place: got %v, want the context's error", err)
	}
	check(0)
	r.stillUsable(d, applied)
}
