package answer_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/upstream"
)

// ada is a shopper whom the shop knows.
var ada = answer.Asker{Shop: "shop", Agent: "agent", Shopper: "ada|1"}

func wishes(t *testing.T) *answer.Wishes {
	t.Helper()
	store, err := bolt.Open(t.TempDir()+"/state.db", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return &answer.Wishes{Store: store, Now: func() time.Time { return asOf }}
}

func tell(t *testing.T, w *answer.Wishes, wish answer.Wish) answer.Wish {
	t.Helper()
	kept, err := w.Tell(t.Context(), ada.Shop, ada.Shopper, wish)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func attribute(of, key, value string) answer.Wish {
	return answer.Wish{Of: of, Constraint: verdict.Constraint{Kind: verdict.Attribute, Key: key, Value: value}}
}

func excluded(key, value string) answer.Wish {
	return answer.Wish{Constraint: verdict.Constraint{Kind: verdict.ExcludedAttribute, Key: key, Value: value}}
}

func most(of string, minor int64) answer.Wish {
	return answer.Wish{Of: of, Constraint: verdict.Constraint{Kind: verdict.MaxPrice, Minor: minor}, Currency: "GBP"}
}

// remembered writes what an answer says it remembered: scope, constraint, key.
func remembered(a *answer.Answer) string {
	var all []string
	for _, r := range a.Understood.Remembered {
		all = append(all, strings.TrimSpace(fmt.Sprint(r.Scope, " ", r.Constraint, " ", r.Key)))
	}
	return strings.Join(all, "; ")
}

// TestStanding: now beats the conversation, which beats what a shopper told before;
// that only fills a gap, and is told.
func TestStanding(t *testing.T) {
	s := serviceOf(t, outdoor())
	s.Wishes = wishes(t)
	s.Memory = &answer.Memory{Store: s.Wishes.Store, Now: s.Now}
	asked := func(by answer.Asker, q answer.Query) *answer.Answer {
		t.Helper()
		a, err := s.Search(t.Context(), upstream.Visit{}, by, q)
		if err != nil {
			t.Fatal(err)
		}
		conforms(t, a)
		return a
	}
	tell(t, s.Wishes, attribute("boot", "waterproof", "true"))
	tell(t, s.Wishes, most("boot", 15000))
	tell(t, s.Wishes, excluded("material", "leather"))
	tell(t, s.Wishes, answer.Wish{Constraint: verdict.Constraint{Kind: verdict.InStock}})
	for _, test := range []struct{ words, remembered, max string }{
		{"walking boots", "standing attribute waterproof; standing max_price; standing excluded_attribute material; standing in_stock", "15000"},
		{"walking boots up to £200", "standing attribute waterproof; standing excluded_attribute material; standing in_stock", "20000"},
		{"walking boots at least £20", "standing attribute waterproof; standing excluded_attribute material; standing in_stock", "<nil>"},
		{"leather walking boots, not waterproof, in stock", "standing max_price", "15000"},
		{"an enamel mug", "standing excluded_attribute material; standing in_stock", "<nil>"},
		{"a red jacket and walking boots under £90", "standing attribute waterproof; standing excluded_attribute material; standing in_stock", "9000"},
	} {
		a := asked(ada, answer.Query{Words: test.words})
		got := "<nil>"
		if a.Understood.MaxPrice != nil {
			got = fmt.Sprint(*a.Understood.MaxPrice)
		}
		if remembered(a) != test.remembered || got != test.max {
			t.Errorf("%s: at most %s, remembered %s\nwant %s, %s", test.words, got, remembered(a), test.max, test.remembered)
		}
		if told := strings.Contains(a.Messages()[0].Content, "the shopper told the shop before"); !told {
			t.Errorf("%s: %s", test.words, a.Messages()[0].Content)
		}
	}
	// Of a currency that is not the answer's, nobody here knows the rate.
	euros := most("", 100)
	euros.Currency = "EUR"
	tell(t, s.Wishes, euros)
	if a := asked(ada, answer.Query{Words: "an enamel mug"}); a.Understood.MaxPrice != nil {
		t.Errorf("in another currency: %+v", a.Understood)
	}
	// What was said in the conversation comes first, and takes no wish along.
	asked(ada, answer.Query{Words: "walking boots under £120", Conversation: "c"})
	a := asked(ada, answer.Query{Words: "walking boots", Conversation: "c"})
	if want := "conversation max_price; standing attribute waterproof; standing excluded_attribute material; standing in_stock"; remembered(a) != want || *a.Understood.MaxPrice != 12000 {
		t.Errorf("in a conversation: %s", remembered(a))
	}
	if err := s.Wishes.ForgetAll(t.Context(), ada.Shop, ada.Shopper); err != nil {
		t.Fatal(err)
	}
	if a := asked(ada, answer.Query{Words: "walking boots", Conversation: "c"}); remembered(a) != "conversation max_price" {
		t.Errorf("after all was removed: %s", remembered(a))
	}
}

// TestStandingIsOf: nobody else's wishes count, and none where an operator wants no
// such memory.
func TestStandingIsOf(t *testing.T) {
	s := serviceOf(t, outdoor())
	kept := wishes(t)
	tell(t, kept, most("", 100))
	other := ada
	other.Shopper = "ada"
	shop := ada
	shop.Shop = "another"
	nobody := ada
	nobody.Shopper = ""
	for name, test := range map[string]struct {
		asker answer.Asker
		kept  *answer.Wishes
		want  int
	}{"hers": {ada, kept, 1}, "another shopper's": {other, kept, 0}, "at another shop": {shop, kept, 0}, "nobody's": {nobody, kept, 0}, "no such memory": {ada, nil, 0}} {
		s.Wishes = test.kept
		a, err := s.Search(t.Context(), upstream.Visit{}, test.asker, answer.Query{Words: "walking boots"})
		if err != nil || len(a.Understood.Remembered) != test.want {
			t.Errorf("%s: %+v, %v", name, a.Understood.Remembered, err)
		}
	}
}

// TestWishes: they are told, listed and removed one by one.
func TestWishes(t *testing.T) {
	w := wishes(t)
	first := tell(t, w, attribute("boots", "Colour", "black"))
	tell(t, w, excluded("material", "leather"))
	tell(t, w, excluded("material", "fur"))
	again := tell(t, w, attribute("Boots", "farbe", "brown")) // about the same
	if again.ID != first.ID || !again.Told.Equal(asOf) {
		t.Errorf("%+v after %+v", again, first)
	}
	listed := func() string {
		t.Helper()
		all, err := w.List(t.Context(), ada.Shop, ada.Shopper)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]string, len(all))
		for i, wish := range all {
			values[i] = wish.Value
		}
		return strings.Join(values, " ")
	}
	if got := listed(); got != "leather fur brown" {
		t.Errorf("listed: %s", got)
	}
	for range 2 { // what is not there is no error
		if err := w.Forget(t.Context(), ada.Shop, ada.Shopper, first.ID); err != nil {
			t.Fatal(err)
		}
	}
	if got := listed(); got != "leather fur" {
		t.Errorf("after one was removed: %s", got)
	}
	for name, wish := range map[string]answer.Wish{
		"nothing": {}, "no value": attribute("", "size", ""), "no currency": {Constraint: verdict.Constraint{Kind: verdict.MaxPrice, Minor: 5}}, "free": most("", 0),
	} {
		if _, err := w.Tell(t.Context(), ada.Shop, ada.Shopper, wish); !errors.Is(err, answer.ErrWish) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Tell(t.Context(), ada.Shop, "", first); !errors.Is(err, answer.ErrWish) {
		t.Errorf("nobody's: %v", err)
	}
}

// TestManyWishes: they are bounded, and none is lost where several are told at once.
func TestManyWishes(t *testing.T) {
	w := wishes(t)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			if _, err := w.Tell(t.Context(), ada.Shop, ada.Shopper, attribute("", fmt.Sprint("at once ", i), "x")); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i := range 96 {
		tell(t, w, attribute("", fmt.Sprint("key ", i), "x"))
	}
	if _, err := w.Tell(t.Context(), ada.Shop, ada.Shopper, attribute("", "one more", "x")); !errors.Is(err, answer.ErrManyWishes) {
		t.Errorf("one more: %v", err)
	}
	if _, err := w.Tell(t.Context(), ada.Shop, ada.Shopper, attribute("", "key 1", "y")); err != nil {
		t.Errorf("in the place of another: %v", err)
	}
}
