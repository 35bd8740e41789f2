package basket_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

type notes = map[string]json.RawMessage

// Two protocols that drive one basket keep each its own notes.
func TestNotesOfTwoProtocols(t *testing.T) {
	b := newBench(t)
	w := full()
	w.Notes = notes{"one": json.RawMessage(`1`)}
	id := b.create(t, w).ID
	for _, step := range []struct{ given, want notes }{
		{nil, notes{"one": json.RawMessage(`1`)}},
		{notes{"two": json.RawMessage(`2`)}, notes{"one": json.RawMessage(`1`), "two": json.RawMessage(`2`)}},
		{notes{"one": nil}, notes{"two": json.RawMessage(`2`)}},
	} {
		w.Notes = step.given
		got, err := b.Replace(t.Context(), alice, visit, id, w)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.want, got.Wanted.Notes); diff != "" {
			t.Errorf("after %s:\n%s", step.given, diff)
		}
	}
}

// What comes with the payment is part of the order, and the guard of what the
// buyer saw looks past it.
func TestCompleteWithBuyerAndNotes(t *testing.T) {
	b := newBench(t)
	w := full()
	w.Buyer = upstream.Buyer{}
	made := b.create(t, w)
	payment := card
	payment.Buyer = &upstream.Buyer{Email: "ada@example.com", FirstName: "Ada", LastName: "Thwaite"}
	payment.Notes = notes{"one": json.RawMessage(`1`)}
	b.shop.setPrice("boot", 12500)
	got, err := b.Complete(t.Context(), alice, visit, made.ID, payment)
	if err != nil || got.State != basket.Open || !has(brief(got.Blockers), codeField{Code: basket.PriceChanged}) {
		t.Fatalf("Complete after a change of price = %+v, %v", got, err)
	}
	done, err := b.Complete(t.Context(), alice, visit, made.ID, payment)
	if err != nil || done.State != basket.Completed {
		t.Fatalf("Complete = %+v, %v", done, err)
	}
	read, err := b.Get(t.Context(), alice, visit, made.ID)
	if err != nil || read.Wanted.Buyer != *payment.Buyer || string(read.Wanted.Notes["one"]) != "1" {
		t.Errorf("Get = %+v, %v", read.Wanted, err)
	}
}

// A basket that lacks more keeps the buyer that it was told of.
func TestBuyerIsKeptThoughMoreIsMissing(t *testing.T) {
	b := newBench(t)
	w := full()
	w.Buyer, w.Delivery = upstream.Buyer{}, ""
	made := b.create(t, w)
	payment := card
	payment.Buyer = &upstream.Buyer{Email: "ada@example.com", FirstName: "Ada", LastName: "Thwaite"}
	if _, err := b.Complete(t.Context(), alice, visit, made.ID, payment); err != nil {
		t.Fatal(err)
	}
	read, err := b.Get(t.Context(), alice, visit, made.ID)
	if err != nil || read.Wanted.Buyer != *payment.Buyer || len(read.Blockers) != 1 || read.Blockers[0].Field != basket.FieldDelivery {
		t.Errorf("Get = %+v, %v", read, err)
	}
}
