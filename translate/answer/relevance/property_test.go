package relevance

import (
	"testing"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/upstream"
	"pgregory.net/rapid"
)

// TestAccessories says of every kind that its name is the thing, and that the
// name of an accessory beside it makes another thing of it.
func TestAccessories(t *testing.T) {
	things := map[string][]string{
		"en": {"camera", "tent", "sofa", "phone", "bicycle", "oven", "guitar", "printer", "watch", "stroller"},
		"de": {"Kamera", "Zelt", "Sofa", "Handy", "Fahrrad", "Backofen", "Gitarre", "Drucker", "Kinderwagen"},
		"fr": {"appareil photo", "tente", "canapé", "téléphone", "vélo", "four", "guitare", "imprimante", "poussette"},
		"es": {"cámara", "tienda de campaña", "sofá", "teléfono", "bicicleta", "horno", "guitarra", "impresora"},
		"ja": {"カメラ", "テント", "ソファ", "電話", "自転車", "オーブン", "ギター", "プリンター"},
	}
	served := map[string][]func(string) string{
		"en": {func(s string) string { return s + " cover" }, func(s string) string { return "Mount for " + s }, func(s string) string { return "Strap compatible with " + s }},
		"de": {func(s string) string { return "Abdeckung für " + s }, func(s string) string { return "Halterung passend für " + s }},
		"fr": {func(s string) string { return "Housse pour " + s }, func(s string) string { return "Support de " + s }},
		"es": {func(s string) string { return "Funda para " + s }, func(s string) string { return "Soporte de " + s }},
		"ja": {func(s string) string { return s + "用カバー" }, func(s string) string { return s + "カバー" }, func(s string) string { return s + "対応 ケース" }},
	}
	before := map[string][]string{"en": {"", "Acme ", "X-100 Ultra "}, "de": {"", "Acme "}, "fr": {"", "Acme "}, "es": {"", "Acme "}, "ja": {"", "Acme "}}
	rapid.Check(t, func(t *rapid.T) {
		language := rapid.SampledFrom(tags[:]).Draw(t, "language")
		thing := rapid.SampledFrom(things[language]).Draw(t, "thing")
		title := rapid.SampledFrom(before[language]).Draw(t, "before") + rapid.SampledFrom(served[language]).Draw(t, "accessory")(thing)
		j := For(Question{Words: thing, Language: language}, nil)
		if got := j.Explain(&upstream.Product{Title: thing}); got.Relevance != Related {
			t.Fatalf("%s: %q is %+v (%s)", language, thing, got, got.Reason)
		}
		if got := j.Explain(&upstream.Product{Title: title}); got.Relevance != Unrelated {
			t.Fatalf("%s: %q, asked for %q: %+v (%s)", language, title, thing, got, got.Reason)
		}
	})
}

// TestNames asks for every name of every kind, and offers a product of that name.
func TestNames(t *testing.T) {
	table := builtin()
	for i, n := range table.names {
		for name, e := range n {
			if len(e.senses) == 0 {
				continue
			}
			if !table.below(e.senses).has(e.senses) {
				t.Errorf("%s: %s is not below itself", tags[i], name)
			}
		}
	}
	for _, k := range table.kinds[1:] {
		if k.name == "accessory" || k.name == "part" || k.name == "cooling" {
			continue
		}
		j := For(Question{Words: k.name, Language: "en"}, nil)
		if got := j.Explain(&upstream.Product{Title: k.name}); got.Relevance != Related {
			t.Errorf("%s is %+v (%s)", k.name, got, got.Reason)
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add("en", "phone case", "Case for iPhone 15 (black), 2-pack", "Phones/Cases")
	f.Add("de", "Handyhülle", "Arbeitsschuhe für Damen – Größe 40", "Schuhe > Damen")
	f.Add("fr", "boucle d'oreille", "Boucles d’oreilles en or", "Bijoux")
	f.Add("es", "tienda de campaña", "Juego de 4 sillas", "")
	f.Add("ja", "靴", "ﾌﾟﾘﾝﾀｰ用トナー【純正】", "靴/ブーツ")
	f.Add("en", "\xff'", "'s 's’s --- /&+", "//>")
	learner := NewLearner("en")
	f.Fuzz(func(t *testing.T, language, asked, title, category string) {
		p := &upstream.Product{Title: title, Categories: []string{category}, Brand: asked}
		learner.Add(p)
		got := For(Question{Words: asked, Language: language}, learner.Kinds()).Of(p)
		if again := For(Question{Words: asked, Language: language}, learner.Kinds()).Of(p); got != again {
			t.Errorf("%d, then %d", got, again)
		}
		if title == "" && got != NotJudged {
			t.Errorf("no title, and judged %d", got)
		}
		if b := appendFold(nil, title); !utf8.Valid(b) {
			t.Errorf("folded %q to %q", title, b)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for _, bench := range []struct{ language, asked, title string }{
		{"en", "notebook", "Lenovo ThinkPad X1 Carbon notebook Black 35.6 cm (14\") 1920 x 1080 pixels 16 GB LPDDR4-SDRAM 512 GB SSD Windows 10 Pro"},
		{"de", "Handyhülle", "Stoßfeste Silikonhülle mit Kameraschutz für iPhone 15 Pro Max, schwarz, kabelloses Laden"},
		{"ja", "プリンター", "【純正】ブラザー プリンター用トナーカートリッジ ブラック 大容量タイプ 約3000枚"},
	} {
		b.Run(bench.language, func(b *testing.B) {
			j := For(Question{Words: bench.asked, Language: bench.language}, nil)
			p := &upstream.Product{Title: bench.title, Categories: []string{"Electronics/Computers/Parts"}}
			b.ReportAllocs()
			for b.Loop() {
				j.Of(p)
			}
		})
	}
}

func BenchmarkFor(b *testing.B) {
	kinds := NewKinds("en")
	b.ReportAllocs()
	for b.Loop() {
		For(Question{Words: "waterproof phone case", Language: "en"}, kinds)
	}
}
