package basket_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

var (
	alice = basket.Owner{Shop: "kiln", Agent: "a1", Name: "Alice's agent"}
	bob   = basket.Owner{Shop: "kiln", Agent: "b1", Name: "Bob's agent"}
	visit = upstream.Visit{Agent: "Alice's agent"}
	card  = basket.Payment{Method: "card", Credential: secret.New("tok_ok")}
)

// clock is a time that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// bench is a service over a shop in memory and a store in a file.
type bench struct {
	*basket.Service
	shop  *shop
	clock *clock
}

func newBench(t testing.TB) *bench {
	t.Helper()
	c := &clock{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	store, err := bolt.Open(t.TempDir()+"/state.db", c.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return on(store, newShop(), c)
}

func on(store state.Store, s *shop, c *clock) *bench {
	return &bench{
		Service: &basket.Service{
			Shop: s, Describe: s.description, Store: store, Now: c.Now,
			Page: func(id, token string) string { return "https://shop.example/basket/" + id + "/" + token },
		},
		shop: s, clock: c,
	}
}

// full is a basket that lacks nothing.
func full() basket.Wanted {
	return basket.Wanted{
		Lines:        []basket.Line{{Item: "boot", Quantity: 1}, {Item: "sock", Quantity: 2}},
		Buyer:        upstream.Buyer{Email: "ada@example.com", FirstName: "Ada", LastName: "Thwaite"},
		Destinations: []basket.Destination{{Address: upstream.Address{Street: "12 Stricklandgate", City: "Kendal", PostalCode: "LA9 4ND", Country: "GB"}}},
		Destination:  "dest_3",
		Delivery:     "post",
	}
}

func (b *bench) create(t testing.TB, w basket.Wanted) *basket.Basket {
	t.Helper()
	made, err := b.Create(t.Context(), alice, visit, w)
	if err != nil {
		t.Fatalf("Create: %v", err)
	}
	return made
}

// codeField is an issue without its words.
type codeField struct {
	Code  basket.IssueCode
	Field basket.Field
	Index int
}

func brief(issues []basket.Issue) []codeField {
	var out []codeField
	for _, i := range issues {
		out = append(out, codeField{i.Code, i.Field, i.Index})
		if i.Text == "" {
			out = append(out, codeField{Code: "has no text"})
		}
	}
	return out
}

func TestAllBlockersAtOnce(t *testing.T) {
	b := newBench(t)
	made := b.create(t, basket.Wanted{
		Lines: []basket.Line{{Item: "boot", Quantity: 1}, {Item: "jacket", Quantity: 1}, {Item: "nonsense", Quantity: 3}},
		Codes: []string{"NOPE"},
	})
	want := []codeField{
		{basket.OptionNeeded, basket.FieldLine, 1},
		{basket.NotFound, basket.FieldLine, 2},
		{basket.Missing, basket.FieldEmail, 0},
		{basket.Missing, basket.FieldDestination, 0},
		{basket.Missing, basket.FieldDelivery, 0},
	}
	if diff := cmp.Diff(want, brief(made.Blockers)); diff != "" {
		t.Errorf("blockers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]codeField{{basket.CodeUnknown, basket.FieldCode, 0}}, brief(made.Warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if len(made.Blockers[0].Options) == 0 {
		t.Error("the blocker does not list the choices")
	}
	// What is in no basket has no place there, so that its name has to be told.
	for i, item := range []string{"jacket", "nonsense"} {
		if b := made.Blockers[i]; b.Item != item || !strings.HasPrefix(b.Text, "Item "+item+": ") {
			t.Errorf("the blocker of %s is %q about %q", item, b.Text, b.Item)
		}
	}
	if made.State != basket.Open || made.HandOff == "" {
		t.Errorf("state %q, hand-off %q", made.State, made.HandOff)
	}
}

// What the shop refuses, and so still lacks, is one thing to mend.
func TestRefusedBuyerIsOneBlocker(t *testing.T) {
	b := newBench(t)
	b.shop.wantsNames = true
	made := b.create(t, basket.Wanted{Lines: []basket.Line{{Item: "boot", Quantity: 1}}, Buyer: upstream.Buyer{Email: "refused", LastName: "Lovelace"}})
	want := []codeField{
		{basket.BuyerRefused, basket.FieldEmail, 0},
		{basket.Missing, basket.FieldFirstName, 0},
		{basket.Missing, basket.FieldDestination, 0},
		{basket.Missing, basket.FieldDelivery, 0},
	}
	if diff := cmp.Diff(want, brief(made.Blockers)); diff != "" {
		t.Errorf("blockers (-want +got):\n%s", diff)
	}
}

func TestCreateOfNothing(t *testing.T) {
	b := newBench(t)
	_, err := b.Create(t.Context(), alice, visit, basket.Wanted{Lines: []basket.Line{{Item: "nonsense", Quantity: 1}}})
	var nothing *basket.Nothing
	if !errors.As(err, &nothing) || !has(brief(nothing.Issues), codeField{basket.NotFound, basket.FieldLine, 0}) {
		t.Fatalf("Create = %v, want Nothing with not_found", err)
	}
	if issue := nothing.Issues[0]; issue.Item != "nonsense" || issue.Text != "Item nonsense: The shop has no such item." {
		t.Errorf("the issue is %q about %q", issue.Text, issue.Item)
	}
	// However long a name is, the text stays one.
	long := strings.Repeat("x", 1000)
	_, err = b.Create(t.Context(), alice, visit, basket.Wanted{Lines: []basket.Line{{Item: long, Quantity: 1}}})
	if !errors.As(err, &nothing) || nothing.Issues[0].Item != long || len(nothing.Issues[0].Text) > 200 {
		t.Errorf("a long name: %v, %+v", err, nothing)
	}
}

func TestInvalidInput(t *testing.T) {
	b := newBench(t)
	many := make([]basket.Line, basket.MaxLines+1)
	for i := range many {
		many[i] = basket.Line{Item: "boot", Quantity: 1}
	}
	for name, test := range map[string]struct {
		wanted basket.Wanted
		field  basket.Field
	}{
		"quantity 0":      {basket.Wanted{Lines: []basket.Line{{Item: "boot", Quantity: 0}}}, basket.FieldQuantity},
		"quantity -1":     {basket.Wanted{Lines: []basket.Line{{Item: "boot", Quantity: -1}}}, basket.FieldQuantity},
		"quantity 10^9":   {basket.Wanted{Lines: []basket.Line{{Item: "boot", Quantity: 1e9}}}, basket.FieldQuantity},
		"too many in two": {basket.Wanted{Lines: []basket.Line{{Item: "boot", Quantity: 99_999}, {Item: "boot", Quantity: 1}}}, basket.FieldQuantity},
		"no item":         {basket.Wanted{Lines: []basket.Line{{Quantity: 1}}}, basket.FieldLine},
		"too many lines":  {basket.Wanted{Lines: many}, basket.FieldLine},
		"too many codes":  {basket.Wanted{Codes: make([]string, basket.MaxCodes+1)}, basket.FieldCode},
		"too many places": {basket.Wanted{Destinations: make([]basket.Destination, basket.MaxDestinations+1)}, basket.FieldDestination},
	} {
		_, err := b.Create(t.Context(), alice, visit, test.wanted)
		var invalid *basket.Invalid
		if !errors.As(err, &invalid) || invalid.Field != test.field || invalid.Text == "" {
			t.Errorf("%s: Create = %v, want Invalid about %s", name, err, test.field)
		}
	}
	if b.shop.applies != 0 {
		t.Error("the shop was asked for what no basket can hold")
	}
}

func TestLinesKeepTheirIDs(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	if got := made.Wanted.Lines; got[0].ID != "li_1" || got[1].ID != "li_2" {
		t.Fatalf("lines %+v", got)
	}
	// Without ids, in another order, one new and one twice.
	next := full()
	next.Lines = []basket.Line{{Item: "sock", Quantity: 1}, {ID: "made-up", Item: "boot", Quantity: 1}, {Item: "sock", Quantity: 4}}
	changed, err := b.Replace(t.Context(), alice, visit, made.ID, next)
	if err != nil {
		t.Fatal(err)
	}
	want := []basket.Line{{ID: "li_2", Item: "sock", Quantity: 5}, {ID: "li_1", Item: "boot", Quantity: 1}}
	if diff := cmp.Diff(want, changed.Wanted.Lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if got := changed.Wanted.Destinations[0].ID; got != made.Wanted.Destinations[0].ID {
		t.Errorf("the same address changed its id from %q to %q", made.Wanted.Destinations[0].ID, got)
	}
	if changed.Observed.Total != gbp(12000+5*999+495) {
		t.Errorf("total %v", changed.Observed.Total)
	}
}

func TestAgentsAreKeptApart(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	ctx := t.Context()
	other := alice
	other.Shop = "another shop"
	for name, o := range map[string]basket.Owner{"another agent": bob, "another shop": other} {
		if _, err := b.Get(ctx, o, visit, made.ID); !errors.Is(err, basket.ErrNotFound) {
			t.Errorf("%s: Get = %v", name, err)
		}
		if _, err := b.Replace(ctx, o, visit, made.ID, full()); !errors.Is(err, basket.ErrNotFound) {
			t.Errorf("%s: Replace = %v", name, err)
		}
		if _, err := b.Cancel(ctx, o, visit, made.ID); !errors.Is(err, basket.ErrNotFound) {
			t.Errorf("%s: Cancel = %v", name, err)
		}
		if _, err := b.Complete(ctx, o, visit, made.ID, card); !errors.Is(err, basket.ErrNotFound) {
			t.Errorf("%s: Complete = %v", name, err)
		}
	}
	done, err := b.Complete(ctx, alice, visit, made.ID, card)
	if err != nil || done.Order == nil {
		t.Fatalf("Complete = %+v, %v", done, err)
	}
	for name, o := range map[string]basket.Owner{"another agent": bob, "another shop": other} {
		if _, err := b.Order(ctx, o, visit, done.Order.ID); !errors.Is(err, basket.ErrNotFound) {
			t.Errorf("%s: Order = %v", name, err)
		}
	}
	if got, err := b.Order(ctx, alice, visit, done.Order.ID); err != nil || got.BasketID != made.ID {
		t.Errorf("the owner's Order = %+v, %v", got, err)
	}
}

func TestNoSuchBasket(t *testing.T) {
	b := newBench(t)
	for _, id := range []string{"", "bsk_", "x", "bsk_" + string(make([]byte, 32)), "../../etc/passwd", "bsk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} {
		if _, err := b.Get(t.Context(), alice, visit, id); !errors.Is(err, basket.ErrNotFound) {
			t.Errorf("Get(%q) = %v", id, err)
		}
	}
	for _, id := range []string{"", "nope", "a\x00b", string(make([]byte, 1<<12))} {
		if _, err := b.Order(t.Context(), alice, visit, id); !errors.Is(err, basket.ErrNotFound) {
			t.Errorf("Order(%.20q) = %v", id, err)
		}
	}
}

func TestExpiry(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	if got := made.Expires.Sub(b.clock.Now()); got != 6*time.Hour {
		t.Errorf("expires in %v", got)
	}
	b.clock.advance(6*time.Hour - time.Second)
	if got, err := b.Get(t.Context(), alice, visit, made.ID); err != nil || got.State != basket.Open {
		t.Fatalf("a second before: %+v, %v", got, err)
	}
	b.clock.advance(time.Second)
	got, err := b.Get(t.Context(), alice, visit, made.ID)
	if err != nil || got.State != basket.Canceled || !got.Expired || got.HandOff != "" {
		t.Fatalf("at its end: %+v, %v", got, err)
	}
	done, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || done.State != basket.Canceled || !has(brief(done.Warnings), codeField{Code: basket.AlreadyCanceled}) {
		t.Errorf("Complete of an expired basket = %+v, %v", done, err)
	}
	b.clock.advance(25 * time.Hour)
	if _, err := b.Get(t.Context(), alice, visit, made.ID); !errors.Is(err, basket.ErrNotFound) {
		t.Errorf("a day later: %v", err)
	}
	if b.shop.count() != 0 {
		t.Error("an expired basket was ordered")
	}
}

func TestCancel(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	got, err := b.Cancel(t.Context(), alice, visit, made.ID)
	if err != nil || got.State != basket.Canceled || got.Expired || len(got.Warnings) != 0 {
		t.Fatalf("Cancel = %+v, %v", got, err)
	}
	for name, call := range map[string]func() (*basket.Basket, error){
		"Cancel":   func() (*basket.Basket, error) { return b.Cancel(t.Context(), alice, visit, made.ID) },
		"Replace":  func() (*basket.Basket, error) { return b.Replace(t.Context(), alice, visit, made.ID, full()) },
		"Complete": func() (*basket.Basket, error) { return b.Complete(t.Context(), alice, visit, made.ID, card) },
	} {
		got, err := call()
		if err != nil || got.State != basket.Canceled || !has(brief(got.Warnings), codeField{Code: basket.AlreadyCanceled}) {
			t.Errorf("%s of a canceled basket = %+v, %v", name, got, err)
		}
	}
	if b.shop.count() != 0 {
		t.Error("a canceled basket was ordered")
	}
}

func TestViewNeedsItsToken(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	page := made.HandOff
	token := page[len(page)-32:]
	got, err := b.View(t.Context(), made.ID, token)
	if err != nil || got.ID != made.ID {
		t.Fatalf("View = %v, %v", got, err)
	}
	if got.Wanted.Buyer != (upstream.Buyer{}) || len(got.Wanted.Destinations) != 0 {
		t.Error("the page shows who buys")
	}
	if _, err := b.View(t.Context(), made.ID, token[1:]+"a"); !errors.Is(err, basket.ErrNotFound) {
		t.Errorf("View with another token = %v", err)
	}
}

func TestGetIsLive(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	b.shop.setPrice("boot", 11000)
	got, err := b.Get(t.Context(), alice, visit, made.ID)
	if err != nil || got.Observed.Total != gbp(11000+2*999+495) {
		t.Errorf("Get = %v, %v", got.Observed.Total, err)
	}
	b.shop.dropBaskets()
	got, err = b.Get(t.Context(), alice, visit, made.ID)
	if err != nil || got.Observed.Total != gbp(11000+2*999+495) || !has(brief(got.Warnings), codeField{Code: basket.BasketRenewed}) {
		t.Errorf("Get of a basket the shop dropped = %+v, %v", got, err)
	}
}

func TestErrorsOfTheShopComeThrough(t *testing.T) {
	b := newBench(t)
	away := upstream.Errorf(upstream.CodeUnavailable, "asking", "away")
	b.Describe = func() (upstream.Description, error) { return upstream.Description{}, away }
	if _, err := b.Create(t.Context(), alice, visit, full()); !errors.Is(err, away) {
		t.Errorf("Create = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b = newBench(t)
	if _, err := b.Get(ctx, alice, visit, "bsk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"); err == nil {
		t.Error("a call whose caller is gone succeeded")
	}
}

func TestOwnersOrderOfBlockers(t *testing.T) {
	b := newBench(t)
	made := b.create(t, basket.Wanted{Lines: []basket.Line{{Item: "boot", Quantity: 1}}})
	fields := []basket.Field{}
	for _, i := range made.Blockers {
		fields = append(fields, i.Field)
	}
	if !slices.Equal(fields, []basket.Field{basket.FieldEmail, basket.FieldDestination, basket.FieldDelivery}) {
		t.Errorf("blockers stand in the order %v", fields)
	}
}
