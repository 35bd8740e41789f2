package reading_test

import (
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
	"github.com/storeware/caddy-storeware/upstream"
)

// TestOwnTerms reads with the words of a shop: its compound values, and its own
// word for what is said in another form, by a synonym or in another language.
func TestOwnTerms(t *testing.T) {
	var b vocabulary.Builder
	b.Add(&upstream.Product{
		Title: "Wool scarf",
		Brand: "Fjord & Fell",
		Options: []upstream.Option{
			{Name: "Colour", Values: []string{"Black", "Rust Orange", "Forest Fog"}},
			{Name: "Fabric", Values: []string{"Stainless Steel", "Leather"}},
		},
		Attributes: []upstream.Attribute{{Key: "Waterproof", Values: []string{"yes"}}},
	})
	b.Add(&upstream.Product{Title: "Salt"})
	b.Add(&upstream.Product{Title: "Pepper"})
	words := b.Snapshot()
	rules := reading.NewRules()
	for _, test := range []struct{ language, words, want string }{
		{"en", "rust orange scarf", "scarf +Colour:Rust Orange"},
		{"en", "forest fog scarf", "scarf +Colour:Forest Fog"},
		{"en", "scarf in blk", "scarf +Colour:Black"},
		{"de", "ein schwarzer Schal", "schal +Colour:Black"},
		{"fr", "écharpe noire", "écharpe +Colour:Black"},
		{"ja", "黒いマフラー", "マフラー +Colour:Black"},
		{"de", "Topf aus Edelstahl", "topf +Fabric:Stainless Steel"},
		{"de", "Gürtel ohne Leder", "gürtel -Leather"},
		{"de", "wasserdichter Schal", "schal +Waterproof:true"},
		{"en", "fjord & fell scarf", "scarf +brand:Fjord & Fell"},
		{"en", "salt and pepper", "salt | pepper"},
	} {
		got, err := rules.Read(t.Context(), reading.Question{Words: test.words, Language: test.language, Vocabulary: words})
		if err != nil {
			t.Fatal(err)
		}
		if s := full(got); s != test.want {
			t.Errorf("%q read as %q, want %q", test.words, s, test.want)
		}
	}
}

// TestTermsThatAreNotMeant: what a shop records of something else, and what the
// thing itself is called, is no requirement.
func TestTermsThatAreNotMeant(t *testing.T) {
	var b vocabulary.Builder
	b.Add(&upstream.Product{Title: "USB lead", Attributes: []upstream.Attribute{{Key: "Cable colour", Values: []string{"Turquoise"}}, {Key: "Connectivity", Values: []string{"Wireless"}}}})
	b.Add(&upstream.Product{Title: "Chaz Hoodie", Attributes: []upstream.Attribute{{Key: "Style", Values: []string{"Hoodie"}}, {Key: "Product colour", Values: []string{"Red"}}}})
	words, rules := b.Snapshot(), reading.NewRules()
	for said, want := range map[string]string{
		"turquoise cushion":   "cushion +color:turquoise",
		"wireless mouse":      "mouse +Connectivity:Wireless",
		"red hoodie":          "hoodie +Product colour:Red",
		"cushion without red": "cushion -Red",
	} {
		got, err := rules.Read(t.Context(), reading.Question{Words: said, Language: "en", Vocabulary: words})
		if err != nil {
			t.Fatal(err)
		}
		if s := full(got); s != want {
			t.Errorf("%q read as %q, want %q", said, s, want)
		}
	}
}

// TestLongest: the longest question is read within a millisecond on a free
// machine; ten leave room for a busy one.
func TestLongest(t *testing.T) {
	if testing.Short() {
		t.Skip("TIMES ARE NOT MEASURED with -short")
	}
	rules := reading.NewRules()
	for _, sentence := range []string{
		"a waterproof jacket without a hood under £150 and warm gloves for my iPhone 15, size M; ",
		"eine wasserdichte Jacke ohne Kapuze bis 50 € und ",
		"フードなしのジャケット1万円以下と",
	} {
		question := reading.Question{Words: strings.Repeat(sentence, 2000/len(sentence)), Currency: "GBP"}
		best := time.Hour
		for range 20 {
			start := time.Now()
			if _, err := rules.Read(t.Context(), question); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(start))
		}
		t.Logf("%v for %d bytes of %q", best, len(question.Words), sentence)
		if best > 10*time.Millisecond {
			t.Errorf("%v for %q", best, sentence)
		}
	}
}

// TestKindsOfTheShop: what the shop has a category of is a kind, and what it is for is
// in its name. All else before a noun stays a requirement.
func TestKindsOfTheShop(t *testing.T) {
	var b vocabulary.Builder
	b.Add(&upstream.Product{Title: "Fjell Trail GTX", Categories: []string{"Footwear/Walking boots"}, Attributes: []upstream.Attribute{
		{Key: "activity", Values: []string{"walking", "climbing"}}, {Key: "waterproof", Values: []string{"true"}}, {Key: "colour", Values: []string{"rust"}},
	}})
	b.Add(&upstream.Product{Title: "Drizzle", Categories: []string{"Down jackets", "Waterproof jackets"}, Attributes: []upstream.Attribute{{Key: "fill", Values: []string{"down"}}}})
	b.Add(&upstream.Product{Title: "Bottes Fjell", Categories: []string{"Chaussures/Bottes escalade"}, Attributes: []upstream.Attribute{{Key: "Activité", Values: []string{"escalade"}}}})
	words, rules := b.Snapshot(), reading.NewRules()
	for _, test := range []struct{ language, words, want string }{
		{"en", "waterproof walking boots", "boot +waterproof:true"},
		{"en", "rust walking boot", "boot +colour:rust"},
		{"en", "climbing boots", "boot +activity:climbing"},
		{"en", "boots for walking", "boot +activity:walking"},
		{"en", "walking trousers", "trousers +activity:walking"},
		{"en", "a rust fleece", "fleece +colour:rust"},
		{"en", "fleece jacket", "jacket +material:fleece"},
		{"en", "down jacket", "jacket +material:down"},
		{"en", "waterproof jacket", "jacket +waterproof:true"},
		{"fr", "bottes escalade", "bottes"},
	} {
		got, err := rules.Read(t.Context(), reading.Question{Words: test.words, Language: test.language, Vocabulary: words})
		if err != nil {
			t.Fatal(err)
		}
		if s := full(got); s != test.want {
			t.Errorf("%q read as %q, want %q", test.words, s, test.want)
		}
	}
}
