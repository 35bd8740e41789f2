package verdict

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// english is the lexicon of all tests. It is never changed.
var english = NewLexicon("en")

// product makes one with a single variant out of "key: value, value; key: value".
func product(title, facts, description string) *upstream.Product {
	p := &upstream.Product{ID: "p", Title: title, Description: description}
	for fact := range strings.SplitSeq(facts, ";") {
		if key, values, ok := strings.Cut(fact, ":"); ok {
			a := upstream.Attribute{Key: strings.TrimSpace(key)}
			for value := range strings.SplitSeq(values, ",") {
				a.Values = append(a.Values, strings.TrimSpace(value))
			}
			p.Attributes = append(p.Attributes, a)
		}
	}
	p.Variants = []upstream.Variant{variant(10000, upstream.InStock)}
	return p
}

func variant(minor int64, a upstream.Availability, choices ...string) upstream.Variant {
	v := upstream.Variant{ID: fmt.Sprint(minor), Price: money.Amount{Minor: minor, Currency: "GBP"}, Availability: a}
	for i := 0; i+1 < len(choices); i += 2 {
		v.Options = append(v.Options, upstream.Choice{Name: choices[i], Value: choices[i+1]})
	}
	return v
}

func TestAttributes(t *testing.T) {
	for _, test := range []struct {
		wanted, facts, text string
		want                string // outcome source found
	}{
		// What is recorded under the key.
		{"waterproof: true", "waterproof: true", "", "satisfied enrichment [true]"},
		{"waterproof: true", "Waterproof: Yes", "", "satisfied enrichment [Yes]"},
		{"waterproof: true", "wasserdicht: ja", "", "satisfied enrichment [ja]"},
		{"waterproof: true", "is_waterproof: 1", "", "satisfied enrichment [1]"},
		{"waterproof: true", "waterproof: false", "", "failed enrichment [false]"},
		{"waterproof: true", "waterproof: 10000 mm", "", "not_assessed enrichment [10000 mm]"},
		{"waterproof: true", "feature: Waterproof, Windproof", "", "satisfied enrichment [Waterproof]"},
		{"waterproof: true", "features: water-resistant", "", "not_assessed not_recorded"},
		{"waterproof: true", "colour: red", "", "not_assessed not_recorded"},
		{"waterproof: true", "", "", "not_assessed unenriched"},
		{"waterproof: false", "waterproof: true", "", "failed enrichment [true]"},
		{"colour: blue", "color: Navy", "", "satisfied enrichment [Navy]"},
		{"colour: blue", "Farbe: Blau", "", "satisfied enrichment [Blau]"},
		{"colour: bleu", "color: Blue", "", "satisfied enrichment [Blue]"},
		{"colour: blue", "product_colour: light blue", "", "satisfied enrichment [light blue]"},
		{"colour: blue", "colour: red, green", "", "failed enrichment [red green]"},
		{"colour: blue", "colour: red, blue", "", "satisfied enrichment [blue]"},
		{"colour: navy", "colour: blue", "", "not_assessed enrichment [blue]"},
		{"color: rust orange", "colour: rust", "", "not_assessed enrichment [rust]"},
		{"color: rust orange", "colour: orange", "", "not_assessed enrichment [orange]"},
		{"color: grey", "colour: gray", "", "satisfied enrichment [gray]"},
		{"material: leather", "material: Full-grain leather", "", "satisfied enrichment [Full-grain leather]"},
		{"material: leather", "material: faux leather", "", "failed enrichment [faux leather]"},
		{"material: leather", "material: vegan leather", "", "failed enrichment [vegan leather]"},
		{"material: leather", "upper: suede", "", "satisfied enrichment [suede]"},
		{"material: wool", "fabric: merino wool", "", "satisfied enrichment [merino wool]"},
		{"size: 32x34", "size: 32 x 34", "", "satisfied enrichment [32 x 34]"},
		{"size: 32x34", "size: 32/34", "", "satisfied enrichment [32/34]"},
		{"size: 38", "size: 38/40", "", "satisfied enrichment [38/40]"},
		{"size: 9", "size: 9.5", "", "failed enrichment [9.5]"},
		{"size: UK 9", "size: 9", "", "not_assessed enrichment [9]"},
		{"size: 9", "size: UK 9", "", "satisfied enrichment [UK 9]"},
		{": windproof", "properties: windproof", "", "satisfied enrichment [windproof]"},

		// What the merchant's text states.
		{"waterproof: true", "", "A boot that is fully waterproof.", "satisfied enrichment [waterproof]"},
		{"waterproof: true", "", "Not waterproof. Wear it in the sun.", "failed enrichment [not waterproof]"},
		{"waterproof: true", "", "It isn't waterproof.", "failed enrichment [not waterproof]"},
		{"waterproof: true", "", "Not only waterproof but warm.", "satisfied enrichment [waterproof]"},
		{"waterproof: true", "", "Water-resistant, for a light shower.", "not_assessed not_recorded"},
		{"colour: black", "", "Goes well with black jeans.", "not_assessed not_recorded"},
		{"material: leather", "", "Made of soft leather.", "satisfied enrichment [leather]"},
		{"material: leather", "", "Looks good with a leather belt.", "not_assessed not_recorded"},
		{"material: leather", "", "Made without any leather.", "failed enrichment [not leather]"},
	} {
		key, value, _ := strings.Cut(test.wanted, ":")
		got := only1(t, product("Thing", test.facts, test.text), Constraint{Kind: Attribute, Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
		if got != test.want {
			t.Errorf("%s of %q %q: %s, want %s", test.wanted, test.facts, test.text, got, test.want)
		}
	}
}

// only1 is the one verdict of a product in words.
func only1(t testing.TB, p *upstream.Product, c Constraint) string {
	t.Helper()
	j := NewJudge([]Constraint{c}, english, nil)
	v := j.Of(p).Verdicts[0]
	text := fmt.Sprintf("%s %s", v.Outcome, v.Source)
	if !v.Found.IsZero() {
		text += fmt.Sprint(" ", v.Found.List())
	}
	return text
}

func TestExcludedAttributes(t *testing.T) {
	for _, test := range []struct{ excluded, facts, text, want string }{
		{"material: leather", "material: leather", "", "failed enrichment [leather]"},
		{"material: leather", "material: canvas", "", "satisfied enrichment [canvas]"},
		{"material: leather", "material: leather-free", "", "satisfied enrichment [leather-free]"},
		{"material: leather", "", "Made of nubuck.", "failed enrichment [leather]"},
		{"material: leather", "", "100% leather-free.", "satisfied enrichment [not leather]"},
		{"material: leather", "colour: red", "", "not_assessed not_recorded"},
		{"material: leather", "", "", "not_assessed unenriched"},
		{"hood: true", "hood: false", "", "satisfied enrichment [false]"},
		{"hood: true", "", "Without a hood.", "satisfied enrichment [not hood]"},
		{"hood: true", "", "With a warm hood.", "failed enrichment [hood]"},
		{"feature: hood", "", "With a warm hood.", "failed enrichment [hood]"},
	} {
		key, value, _ := strings.Cut(test.excluded, ": ")
		got := only1(t, product("Thing", test.facts, test.text), Constraint{Kind: ExcludedAttribute, Key: key, Value: value})
		if got != test.want {
			t.Errorf("not %s of %q %q: %s, want %s", test.excluded, test.facts, test.text, got, test.want)
		}
	}
}

// TestTextsInOtherLanguages: a shop's texts are read in its language and in English.
func TestTextsInOtherLanguages(t *testing.T) {
	for _, test := range []struct{ shop, wanted, text, want string }{
		{"de-DE", "waterproof: true", "Nicht wasserdicht.", "failed"},
		{"de", "wasserdicht: true", "Diese Jacke ist wasserdicht.", "satisfied"},
		{"fr", "waterproof: true", "Une veste imperméable.", "satisfied"},
		{"fr", "waterproof: true", "A waterproof jacket.", "satisfied"},
		{"es", "material: cuero", "Hecho de cuero.", "satisfied"},
	} {
		key, value, _ := strings.Cut(test.wanted, ": ")
		j := NewJudge([]Constraint{{Kind: Attribute, Key: key, Value: value}}, NewLexicon(test.shop), nil)
		if v := j.Of(product("Thing", "", test.text)).Verdicts[0]; string(v.Outcome) != test.want {
			t.Errorf("%s: %q of %s: %+v, want %s", test.shop, test.text, test.wanted, v, test.want)
		}
	}
}

// TestSizesOfTheCountry: in a British shop "UK 9" is a 9.
func TestSizesOfTheCountry(t *testing.T) {
	for shop, want := range map[string]Outcome{"en-GB": Satisfied, "en": NotAssessed, "de-DE": NotAssessed} {
		j := NewJudge([]Constraint{{Kind: Attribute, Key: "size", Value: "UK 9"}}, NewLexicon(shop), nil)
		if v := j.Of(product("Boot", "size: 9", "")).Verdicts[0]; v.Outcome != want {
			t.Errorf("%s: %+v, want %s", shop, v, want)
		}
	}
	j := NewJudge([]Constraint{{Kind: Attribute, Key: "size", Value: "UK 9"}}, NewLexicon("en-GB"), nil)
	if v := j.Of(product("Boot", "size: EU 9", "")).Verdicts[0]; v.Outcome != Failed {
		t.Errorf("EU 9: %+v", v)
	}
}

// TestOneVariant: what is asked for is true of one thing that can be bought.
func TestOneVariant(t *testing.T) {
	p := product("Boot", "waterproof: true", "")
	p.Options = []upstream.Option{{Name: "Colour", Values: []string{"Brown", "Black"}}, {Name: "Size", Values: []string{"8", "9"}}}
	p.Variants = []upstream.Variant{
		variant(9000, upstream.InStock, "Colour", "Black", "Size", "9"),
		variant(12000, upstream.InStock, "Colour", "Brown", "Size", "9"),
		variant(8000, upstream.OutOfStock, "Colour", "Brown", "Size", "8"),
	}
	judge := func(constraints ...Constraint) Judgement {
		j := NewJudge(constraints, english, nil)
		return j.Of(p)
	}
	brown, nine := Constraint{Kind: Attribute, Key: "color", Value: "brown"}, Constraint{Kind: Attribute, Key: "size", Value: "9"}
	if j := judge(brown, nine, Constraint{Kind: MaxPrice, Minor: 10000}); j.Qualifies() {
		t.Errorf("three boots are taken for one: %+v", j)
	}
	j := judge(brown, nine, Constraint{Kind: MaxPrice, Minor: 12000})
	if !j.Qualifies() || j.Variant.Price.Minor != 12000 || j.Verdicts[2].Found.Minor() != 12000 {
		t.Errorf("the brown one in size 9: %+v", j)
	}
	if j := judge(brown); j.Variant.Price.Minor != 12000 {
		t.Errorf("what can be bought comes first, got %d", j.Variant.Price.Minor)
	}
	if j := judge(brown, Constraint{Kind: MaxPrice, Minor: 9000}, Constraint{Kind: InStock}); j.Qualifies() || j.satisfied() != 2 {
		t.Errorf("brown, cheap and in stock: %+v", j)
	}
	if j := judge(); !j.Qualifies() || j.Variant.Price.Minor != 9000 {
		t.Errorf("nothing asked: %+v", j)
	}
	p.Variants[0].Availability = upstream.AvailabilityUnknown
	p.Variants = p.Variants[:1]
	if v := judge(Constraint{Kind: InStock}).Verdicts[0]; v.Outcome != NotAssessed || v.Source != Inventory || !v.Found.IsZero() {
		t.Errorf("a shop that does not say: %+v", v)
	}
}

func TestPhotographs(t *testing.T) {
	navy := func(*upstream.Product) []string { return []string{"navy"} }
	p := product("Mug", "", "")
	for want, constraint := range map[string]Constraint{
		"satisfied enrichment_image [navy]": {Kind: Attribute, Key: "colour", Value: "blue"},
		"failed enrichment_image [navy]":    {Kind: Attribute, Key: "color", Value: "red"},
		"not_assessed unenriched":           {Kind: Attribute, Key: "dishwasher_safe", Value: "true"},
	} {
		j := NewJudge([]Constraint{constraint}, english, navy)
		v := j.Of(p).Verdicts[0]
		got := strings.TrimSuffix(fmt.Sprint(v.Outcome, " ", v.Source, " ", v.Found.List()), " []")
		if got != want {
			t.Errorf("%v: %s, want %s", constraint, got, want)
		}
	}
	// What the merchant says comes before what a photograph shows.
	p.Attributes = []upstream.Attribute{{Key: "colour", Values: []string{"green"}}}
	j := NewJudge([]Constraint{{Kind: Attribute, Key: "colour", Value: "green"}}, english, navy)
	if v := j.Of(p).Verdicts[0]; v.Outcome != Satisfied || v.Source != Enrichment {
		t.Errorf("recorded as green: %+v", v)
	}
}

func TestVerdictsAsJSON(t *testing.T) {
	p := product("Boot", "waterproof: true", "")
	j := NewJudge([]Constraint{
		{Kind: MaxPrice, Minor: 9000}, {Kind: Attribute, Key: "waterproof", Value: "true"}, {Kind: Attribute, Key: "lining", Value: "gore-tex"}, {Kind: InStock},
	}, english, nil)
	got, err := json.Marshal(j.Of(p).Verdicts)
	want := `[{"constraint":"max_price","outcome":"failed","wanted":9000,"found":10000,"source":"live_price"},` +
		`{"constraint":"attribute","outcome":"satisfied","key":"waterproof","wanted":"true","found":["true"],"source":"enrichment"},` +
		`{"constraint":"attribute","outcome":"not_assessed","key":"lining","wanted":"gore-tex","source":"not_recorded"},` +
		`{"constraint":"in_stock","outcome":"satisfied","wanted":true,"found":true,"source":"inventory"}]`
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestPriceVerdictsAreLive: whatever else is asked, the price of a verdict is that
// of the variant it is about, and it says what the figures say.
func TestPriceVerdictsAreLive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := product("Thing", "", "")
		p.Variants = nil
		for _, minor := range rapid.SliceOfN(rapid.Int64Range(0, 500), 1, 5).Draw(t, "prices") {
			p.Variants = append(p.Variants, variant(minor, upstream.Availability(rapid.IntRange(0, 6).Draw(t, "stock")), "Colour", rapid.SampledFrom([]string{"red", "blue"}).Draw(t, "colour")))
		}
		most, least := rapid.Int64Range(0, 500).Draw(t, "most"), rapid.Int64Range(0, 500).Draw(t, "least")
		j := NewJudge([]Constraint{{Kind: MaxPrice, Minor: most}, {Kind: MinPrice, Minor: least}, {Kind: Attribute, Key: "color", Value: "red"}, {Kind: InStock}}, english, nil)
		got := j.Of(p)
		price := got.Variant.Price.Minor
		if got.Verdicts[0].Found.Minor() != price || got.Verdicts[1].Found.Minor() != price {
			t.Fatalf("verdicts %+v are not about the price %d", got.Verdicts, price)
		}
		if (got.Verdicts[0].Outcome == Satisfied) != (price <= most) || (got.Verdicts[1].Outcome == Satisfied) != (price >= least) {
			t.Fatalf("%d between %d and %d: %+v", price, least, most, got.Verdicts)
		}
		meets := slices.ContainsFunc(p.Variants, func(v upstream.Variant) bool {
			return v.Price.Minor <= most && v.Price.Minor >= least && v.Options[0].Value == "red" && v.Availability.Buyable() && v.Availability != upstream.AvailabilityUnknown
		})
		if got.Qualifies() != meets {
			t.Fatalf("qualifies: %v, want %v: %+v", got.Qualifies(), meets, got)
		}
	})
}

func FuzzReads(f *testing.F) {
	f.Add("Not waterproof, but made of leather-free felt.", "material", "leather")
	f.Add("防水ではありません", "waterproof", "防水")
	f.Fuzz(func(t *testing.T, text, key, value string) {
		j := NewJudge([]Constraint{{Kind: Attribute, Key: key, Value: value}}, english, nil)
		v := j.Of(product(text, key+":"+value, text)).Verdicts[0]
		if (v.Source == Unenriched || v.Source == NotRecorded) != (v.Outcome == NotAssessed && v.Found.IsZero()) {
			t.Errorf("%+v", v)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	p := product("Fjell Trail GTX", "waterproof: true; material: nubuck; colour: brown", strings.Repeat("A boot for a wet week in the hills, warm and light. ", 8))
	j := NewJudge([]Constraint{
		{Kind: MaxPrice, Minor: 9000}, {Kind: Attribute, Key: "waterproof", Value: "true"}, {Kind: Attribute, Key: "lining", Value: "gore-tex"},
	}, english, nil)
	for b.Loop() {
		j.Of(p)
	}
}
