package index_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func titled(id, title string) upstream.Product { return upstream.Product{ID: id, Title: title} }

func filled(language string, titles ...string) *index.Index {
	x := index.New(index.Options{Language: language})
	for _, title := range titles {
		x.Put(titled(title, title))
	}
	return x
}

func ids(r index.Results) []string {
	all := []string{}
	for _, h := range r.Hits {
		all = append(all, h.ID)
	}
	return all
}

// What a word finds, best first.
func TestFinds(t *testing.T) {
	for _, c := range []struct {
		language string
		titles   []string
		query    string
		want     []string
	}{
		{"en", []string{"Walking Boots", "Rain Jacket"}, "jackets for walks", []string{"Walking Boots", "Rain Jacket"}},
		{"en", []string{"Café Table", "Chair"}, "cafe tables", []string{"Café Table"}},
		{"en", []string{"Wireless Printer", "Toner"}, "prinetr", []string{"Wireless Printer"}},
		{"en", []string{"Waterproof Boots", "Toner"}, "watterproof", []string{"Waterproof Boots"}},
		{"en", []string{"Leather Shoes", "Toner"}, "shoess", []string{"Leather Shoes"}},
		{"en", []string{"Yellow Raincoat", "Rain Gauge", "Winter Coat"}, "raincoats", []string{"Yellow Raincoat"}},
		{"en", []string{"Yellow Raincoat", "Rain Gauge", "Winter Coat"}, "coat", []string{"Winter Coat", "Yellow Raincoat"}},
		{"en", []string{"Yellow Raincoat", "Umbrella"}, "rain coat", []string{"Yellow Raincoat"}},
		{"en", []string{"Rain Coat", "Umbrella"}, "raincoat", []string{"Rain Coat"}},
		{"en", []string{"T-Shirt", "Cap"}, "tshirt", []string{"T-Shirt"}},
		{"en", []string{"Tshirt", "Cap"}, "t-shirts", []string{"Tshirt"}},
		{"en", []string{"Memory 32 GB", "Memory 64 GB"}, "32gb", []string{"Memory 32 GB", "Memory 64 GB"}},
		{"en", []string{"Memory 32GB", "Cap"}, "32 gb", []string{"Memory 32GB"}},
		{"en", []string{"Gold Earring", "Gold String"}, "ring", []string{}},
		{"en", []string{"Intel 5050", "Intel 5051"}, "5052", []string{}},
		{"en", []string{"Boots"}, "the with for", []string{}},
		{"en", []string{"Boots"}, "xylophone", []string{}},
		{"en", []string{"Boots"}, "", []string{}},
		{"de", []string{"Regenjacke blau", "Hose", "Mütze"}, "blaue Jacken", []string{"Regenjacke blau"}},
		{"de", []string{"Jacke gegen Regen", "Hose"}, "Regenjacke", []string{"Jacke gegen Regen"}},
		{"de", []string{"Hose für die Arbeit", "Mütze"}, "Arbeitshose", []string{"Hose für die Arbeit"}},
		{"de", []string{"Mützen", "Hose"}, "muetze", []string{"Mützen"}},
		{"fr", []string{"Manteau imperméable", "Bottes noires"}, "manteaux imperméables noirs", []string{"Manteau imperméable", "Bottes noires"}},
		{"es", []string{"Zapatos rojos", "Bolsa"}, "zapato rojo", []string{"Zapatos rojos"}},
		{"ja", []string{"防水ジャケット 黒", "帽子"}, "黒いジャケット", []string{"防水ジャケット 黒"}},
	} {
		got := ids(filled(c.language, c.titles...).Search(index.Query{Text: c.query}))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %q in %q (-want +got):\n%s", c.language, c.query, c.titles, diff)
		}
	}
}

func TestSearchesEachField(t *testing.T) {
	x := index.New(index.Options{Language: "en"})
	x.Put(upstream.Product{
		ID: "1", Title: "Summit", Description: "A breathable membrane", Brand: "Fjell", Categories: []string{"Women/Jackets"}, Tags: []string{"bestseller"},
		Attributes: []upstream.Attribute{{Key: "waterproof", Values: []string{"true"}}, {Key: "insulated", Values: []string{"no"}}, {Key: "colour", Values: []string{"rust orange"}}},
		Options:    []upstream.Option{{Name: "Size", Values: []string{"XL"}}},
		Variants:   []upstream.Variant{{SKU: "FJ-4711", Attributes: []upstream.Attribute{{Key: "lining", Values: []string{"fleece"}}}}},
	})
	for _, query := range []string{"summit", "membrane", "fjell", "jacket", "bestsellers", "waterproof", "orange", "fleece", "xl", "4711"} {
		if hits := x.Search(index.Query{Text: query}).Hits; len(hits) != 1 || hits[0].Score <= 0 {
			t.Errorf("%q: %+v, want one", query, hits)
		}
	}
	if hits := x.Search(index.Query{Text: "insulated"}).Hits; len(hits) > 0 {
		t.Errorf("a word that is denied finds %+v", hits)
	}
}

// A word counts by the field that it stands in.
func TestFieldsCount(t *testing.T) {
	x := index.New(index.Options{Language: "en"})
	for _, p := range []upstream.Product{
		{ID: "description", Description: "fjell"},
		{ID: "attribute", Attributes: []upstream.Attribute{{Key: "range", Values: []string{"fjell"}}}},
		{ID: "tag", Tags: []string{"fjell"}},
		{ID: "brand", Brand: "Fjell"},
		{ID: "sku", Variants: []upstream.Variant{{SKU: "fjell"}}},
		{ID: "category", Categories: []string{"Fjell"}},
		{ID: "title", Title: "Fjell"},
	} {
		x.Put(p)
	}
	want := []string{"title", "category", "sku", "brand", "tag", "attribute", "description"}
	if diff := cmp.Diff(want, ids(x.Search(index.Query{Text: "fjell"}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestBest: a limit leaves the first of what is found without one.
func TestBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := index.New(index.Options{Language: "en"})
		for i := range rapid.IntRange(1, 60).Draw(t, "products") {
			x.Put(titled(fmt.Sprint(i), strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"red", "boots", "lamp", "oak"}), 1, 6).Draw(t, "title"), " ")))
		}
		for _, id := range rapid.SliceOfN(rapid.IntRange(0, 60), 0, 5).Draw(t, "removed") {
			x.Remove(fmt.Sprint(id))
		}
		all := x.Search(index.Query{Text: "red boots"}).Hits
		for i, h := range all {
			if i > 0 && h.Score > all[i-1].Score {
				t.Fatalf("%+v stands before %+v", all[i-1], h)
			}
		}
		limit := rapid.IntRange(1, 70).Draw(t, "limit")
		if diff := cmp.Diff(all[:min(limit, len(all))], x.Search(index.Query{Text: "red boots", Limit: limit}).Hits); diff != "" {
			t.Fatalf("(-all +best):\n%s", diff)
		}
	})
}

func TestHead(t *testing.T) {
	x := filled("en", "Printer Toner black", "Laser Printer", "Paper")
	x.Put(upstream.Product{ID: "desk", Title: "Desk", Description: "has room for a printer and a printer's paper"})
	r := x.Search(index.Query{Text: "black laser", Head: "printers"})
	if got := r.Words[len(r.Words)-1]; got.Text != "printers" || !got.Head || got.Found != index.Itself || !slices.Equal(got.Forms, []string{"printer"}) {
		t.Errorf("the head is %+v", got)
	}
	if got := ids(r); got[0] != "Laser Printer" || got[2] != "desk" {
		t.Errorf("in the order %q", got)
	}
}

func TestFoundSaysHow(t *testing.T) {
	x := filled("en", "Bluetooth Speaker", "Rain Coat")
	r := x.Search(index.Query{Text: "speakers blutooth raincoat zzzz"})
	var got []string
	for _, w := range r.Words {
		got = append(got, fmt.Sprintf("%s%d%s", w.Text, w.Found, w.Forms))
	}
	want := []string{"speakers1[speaker]", "blutooth3[bluetooth]", "raincoat2[coat rain]", "zzzz0[]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBounds(t *testing.T) {
	x := index.New(index.Options{Products: 2})
	for i := range 5 {
		x.Put(titled(fmt.Sprint(i), "boots"))
	}
	x.Put(titled("", "boots"))
	x.Put(titled("1", "new boots"))
	if got := x.Size().Products; got != 2 {
		t.Errorf("%d products", got)
	}
	if r := x.Search(index.Query{Text: strings.Repeat("boots new many ", 1000), Limit: 1}); len(r.Hits) != 1 || r.Hits[0].ID != "1" {
		t.Errorf("%+v", r.Hits)
	}
}

// However an index came to hold its products, it finds what a fresh one finds.
func TestChangesLeaveNoTrace(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		vocabulary := []string{"red", "blue", "blur", "boots", "jacket", "rain", "raincoat", "coat", "printer", "waterproof"}
		text := rapid.Custom(func(r *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 5).Draw(r, "words"), " ")
		})
		x, holds := index.New(index.Options{Language: "en"}), map[string]string{}
		rounds := rapid.SampledFrom([]int{1, 1, 1, 60}).Draw(r, "rounds") // Many make the index copy itself.
		for range rapid.IntRange(0, 40).Draw(r, "changes") {
			id, title, remove := fmt.Sprint(rapid.IntRange(0, 15).Draw(r, "id")), text.Draw(r, "title"), rapid.Bool().Draw(r, "remove")
			for range rounds {
				x.Put(titled(id, title))
				holds[id] = title
				if remove {
					x.Remove(id)
					delete(holds, id)
				}
			}
		}
		fresh := index.New(index.Options{Language: "en"})
		for id, title := range holds {
			fresh.Put(titled(id, title))
		}
		if x.Size().Products != len(holds) {
			r.Fatalf("%d products, not %d", x.Size().Products, len(holds))
		}
		query := index.Query{Text: text.Draw(r, "query"), Limit: 100}
		got, want := ids(x.Search(query)), ids(fresh.Search(query))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			r.Fatalf("%q finds %v, and in a fresh index %v; there are %v", query.Text, got, want, holds)
		}
	})
}

// Searches see each change whole or not at all, while others are made.
func TestSearchWhileChanging(t *testing.T) {
	x := index.New(index.Options{Language: "en"})
	for i := range 50 {
		x.Put(titled(fmt.Sprint(i), "red boots"))
	}
	var searching sync.WaitGroup
	over := make(chan struct{})
	for range 2 {
		searching.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				r := x.Search(index.Query{Text: "boots red"})
				seen := map[string]bool{}
				for _, h := range r.Hits {
					if seen[h.ID] || h.Score <= 0 {
						t.Errorf("a hit of a change by halves: %+v", h)
						return
					}
					seen[h.ID] = true
				}
				if len(r.Hits) != 50 {
					t.Errorf("%d of 50 products found", len(r.Hits))
					return
				}
			}
		})
	}
	for i := range 20_000 {
		x.Put(titled(fmt.Sprint(i%50), []string{"red boots", "blue boots w" + strings.Repeat("x", i%30)}[i%2]))
	}
	close(over)
	searching.Wait()
}

func FuzzSearch(f *testing.F) {
	for _, seed := range [][2]string{{"Rain Coat T-Shirt 32GB", "raincoat 32 gb tshirt"}, {"防水ジャケット", "ジャケ"}, {"Ärmel", "aermel"}, {"a-b-c", "-"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, title, query string) {
		for _, language := range []string{"en", "de", ""} {
			x := filled(language, "Rain Coat", "Regenjacke", title)
			for _, h := range x.Search(index.Query{Text: query, Head: title, Language: "fr"}).Hits {
				if h.Score <= 0 {
					t.Fatalf("%q finds %+v", query, h)
				}
			}
			// A product is found by its whole title, but for one that says nothing.
			if r := x.Search(index.Query{Text: title}); len(r.Words) > 0 && len(r.Words) < 20 && len(title) < 500 && !slices.Contains(ids(r), title) && title != "" {
				t.Fatalf("%q does not find itself: %+v", title, r)
			}
		}
	})
}
