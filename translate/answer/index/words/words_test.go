package words_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/translate/answer/index/words"
)

func split(text string) []string {
	var s words.Splitter
	var out []string
	s.Split(text, func(word []byte, kind words.Kind, n int) {
		out = append(out, strings.Repeat("+", int(kind))+string(word))
	})
	return out
}

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"Waterproof walking boots":       "waterproof walking boots",
		"T-Shirt, men's":                 "t shirt ++tshirt men",
		"l’eau d'été":                    "l eau d ete",
		"32GB iPhone15":                  "32gb +32 +gb iphone15 +iphone +15",
		"USB 2.0, 3,5 mm 1.299,00 €":     "usb 2.0 3.5 mm 1.299.00",
		"SPS2601WA/17 MBS-100":           "sps2601wa 17 mbs 100 ++mbs100",
		"processor_front_side_bus":       "processor front side bus",
		"Größe Straße Œuvre İstanbul Ðà": "grosse strasse oeuvre istanbul da",
		"e\u0301te\u0301":                "ete",
		"Intel® Core™ i5":                "intel core i5 +i +5",
		"２ＴＢ ﾌﾟﾘﾝﾀｰ":                     "2tb +2 +tb プリ リン ンタ ター",
		"防水ジャケットの黒":                      "防水 ジャ ャケ ケッ ット 黒",
		"がま":                             "がま",
		"Москва":                         "москва",
		"--- 'tis & co.":                 "tis co",
		"":                               "",
		strings.Repeat("x", 41) + " y":   "y",
	} {
		if diff := cmp.Diff(want, strings.Join(split(text), " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// Each line is one word in several forms.
func TestStem(t *testing.T) {
	for language, lines := range map[words.Language][]string{
		words.English: {
			"jacket jackets", "battery batteries", "shoe shoes", "box boxes", "watch watches", "glove gloves", "knife knives",
			"shelf shelves", "dress dresses", "running run runs", "walking walk", "hooded hood", "insulated insulating insulate",
			"lens lenses", "mouse mice", "man men", "woman women", "child children", "axe axes", "potato potatoes", "glasses", "series",
			"earring earrings", "bag bags", "tie ties",
		},
		words.German: {
			"jacke jacken", "muetze muetzen mutze mutzen", "schuh schuhe schuhen", "kleid kleider kleidern", "handtuch handtuecher handtucher",
			"wasserdicht wasserdichte wasserdichter wasserdichtes wasserdichten wasserdichtem", "mantel maentel maenteln manteln", "auto autos",
			"glas glaeser glaser", "rot rote roter rotes roten", "blau blaue blauer blaues", "lampe lampen",
		},
		words.French: {
			"chaussure chaussures", "impermeable impermeables", "noir noire noirs noires", "blanc blanche blancs blanches", "manteau manteaux",
			"cheval chevaux", "bijou bijoux", "vert verte vertes", "long longue longues", "neuf neuve", "leger legere", "bon bonne bonnes", "sac sacs",
		},
		words.Spanish: {
			"zapato zapatos", "bota botas", "rojo roja rojos rojas", "azul azules", "luz luces", "pantalon pantalones", "impermeable impermeables", "negro negra",
		},
	} {
		stems := map[string]string{}
		for _, line := range lines {
			forms := strings.Fields(line)
			want := string(language.Stem([]byte(forms[0])))
			for _, form := range forms {
				if got := string(language.Stem([]byte(form))); got != want {
					t.Errorf("%s: %s becomes %s, %s becomes %s", language, forms[0], want, form, got)
				}
			}
			if other, taken := stems[want]; taken {
				t.Errorf("%s: %s and %s share the stem %s", language, other, forms[0], want)
			}
			stems[want] = forms[0]
		}
	}
}

// What makes another thing of a word is no inflection.
func TestStemKeepsWordsApart(t *testing.T) {
	for language, pairs := range map[words.Language][][2]string{
		words.English: {{"printer", "print"}, {"ring", "r"}, {"earrings", "ear"}, {"bus", "bu"}, {"glass", "glas"}, {"speed", "spe"}, {"bed", "b"}, {"string", "str"}, {"sewing", "se"}},
		words.German:  {{"leder", "led"}, {"blaue", "blu"}, {"quelle", "qull"}},
		words.French:  {{"sac", "sa"}},
	} {
		for _, p := range pairs {
			a, b := string(language.Stem([]byte(p[0]))), string(language.Stem([]byte(p[1])))
			if a == b {
				t.Errorf("%s: %s and %s have the same stem, %s", language, p[0], p[1], a)
			}
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for tag, want := range map[string]words.Language{
		"en-GB": "en", "DE": "de", "fr_CA": "fr", "es": "es", "ja-JP": "ja", "pt-BR": "", "": "", "-": "",
	} {
		if got := words.LanguageOf(tag); got != want {
			t.Errorf("LanguageOf(%q) = %q, want %q", tag, got, want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"T-Shirt 32GB", "防水ジャケットの黒", "e\u0301te\u0301 ﾌﾟ", "3,5 1.2.3. a-b-c/d_e", "men's l'eau", "\xff\xfea", "ⅷ²½"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, piece := range split(text) {
			word := strings.TrimLeft(piece, "+")
			if word == "" || len(word) > 40 || !utf8.ValidString(word) {
				t.Fatalf("%q gave the word %q", text, word)
			}
			if strings.ContainsAny(word, " \t\n-'") {
				t.Fatalf("%q gave %q, which is no word", text, word)
			}
			for _, l := range []words.Language{"", words.English, words.German, words.French, words.Spanish, words.Japanese} {
				l.Stop([]byte(word))
				if stem := l.Stem([]byte(word)); len(stem) == 0 || len(stem) > len(word)+1 {
					t.Fatalf("%s: %q has the stem %q", l, word, stem)
				}
			}
		}
	})
}

func BenchmarkSplitAndStem(b *testing.B) {
	const text = "Waterproof walking boots with a breathable membrane, 2 cm sole and T-bar laces, for men and women in muddy valleys"
	var s words.Splitter
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s.Split(text, func(word []byte, kind words.Kind, n int) { words.English.Stem(word) })
	}
}
