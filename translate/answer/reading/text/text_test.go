package text_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"￥３，０００": "¥3,000", "l’été": "l'été", "5–10": "5-10", "„Rot“": `"Rot"`, "a\u00a0b\x00c": "a b c", "ｶﾊﾞﾝ": "カバン", "\xff": " ", "3〜5": "3~5",
	} {
		if got := text.Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{"Größe": "grosse", "GRÖSSE": "grosse", "Œuvre": "oeuvre", "niño": "nino", "バッグ": "バッグ", "Smørrebrød": "smorrebrod"} {
		if got := text.Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

// words is a dictionary of a few words.
type words []string

func (w words) Longest(s string) int {
	longest := 0
	for _, word := range w {
		if strings.HasPrefix(s, word) {
			longest = max(longest, len(word))
		}
	}
	return longest
}

func TestTokens(t *testing.T) {
	for in, want := range map[string][]string{
		"£1,299.00 bike": {"£", "1,299.00", "bike"},
		"1 299 euros":    {"1 299", "euros"},
		"50ml t-shirt":   {"50ml", "t-shirt"},
		"jusqu'à d'été":  {"jusqu", "a", "d", "ete"},
		"levi's 501":     {"levis", "501"},
		"M&S 32x34":      {"m&s", "32x34"},
		"防水リュック 3000円":   {"防水", "リュック", "3000", "円"},
		"革以外の靴":          {"革", "以外", "の", "靴"},
	} {
		var folds []string
		for _, token := range text.Tokens(in, words{"革", "以外", "の", "靴", "円"}) {
			folds = append(folds, token.Fold)
		}
		if diff := cmp.Diff(want, folds); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

func TestNumberParts(t *testing.T) {
	for in, want := range map[string][2]string{
		"50ml": {"50", "ml"}, "20-volt": {"20", "volt"}, "32x34": {"32", "x34"}, "1.299,00": {"1.299,00", ""}, "2k": {"2", "k"}, "8.5x11": {"8.5", "x11"}, "5.": {"5", ""}, "1'000": {"1'000", ""},
	} {
		got := text.Tokens(in, nil)[0]
		if got.Kind != text.Number || got.Digits != want[0] || got.Suffix != want[1] {
			t.Errorf("%q: %q and %q, want %q", in, got.Digits, got.Suffix, want)
		}
	}
}

// FuzzTokens: tokens are in order, do not overlap, and quote the text.
func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"£1,299.00 bike", "l'été", "3-", "1 299 000", "革以外の靴", "a'b&c", "٣"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		plain, end := text.Plain(s), 0
		for _, token := range text.Tokens(plain, words{"の", "以外"}) {
			if token.Start < end || token.End <= token.Start || plain[token.Start:token.End] != token.Text {
				t.Fatalf("%q: token %+v behind %d", plain, token, end)
			}
			end = token.End
		}
	})
}

func TestStem(t *testing.T) {
	for language, groups := range map[string][][]string{
		"en": {{"boot", "boots"}, {"dress", "dresses"}, {"battery", "batteries"}, {"hoodie", "hoodies", "hoody"}, {"box", "boxes"}, {"glove", "gloves"}, {"shelf", "shelves"}, {"knife", "knives"}, {"scarf", "scarves"}},
		"de": {{"schwarz", "schwarze", "schwarzer", "schwarzes", "schwarzen", "schwarzem"}},
		"fr": {{"noire", "noires", "noir"}, {"bonne", "bonnes"}, {"chapeau", "chapeaux"}},
		"es": {{"negro", "negra", "negros", "negras"}},
		"ja": {{"黒"}},
	} {
		for _, group := range groups {
			for _, word := range group {
				if got, want := text.Stem(language, word), text.Stem(language, group[0]); got != want {
					t.Errorf("%s: the stem of %q is %q, that of %q is %q", language, word, got, group[0], want)
				}
			}
		}
	}
	if text.Stem("en", "glass") == text.Stem("en", "glas") || text.Stem("en", "bus") != "bus" {
		t.Error("a word that ends in s is taken for a plural")
	}
}

func TestSingular(t *testing.T) {
	for in, want := range map[string]string{"boots": "boot", "movies": "movie", "movie": "movie", "hoodies": "hoodie", "batteries": "battery", "shelves": "shelf", "scarf": "scarf", "knives": "knife", "olives": "olive", "series": "series", "glass": "glass", "bus": "bus"} {
		if got := text.Singular(in); got != want {
			t.Errorf("Singular(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestScripts(t *testing.T) {
	for s, want := range map[string]bool{"куртка": true, "재킷 red": false, "ジャケット": false, "été": false, "سترة": true, "": false} {
		if got := text.Foreign(s); got != want {
			t.Errorf("Foreign(%q) = %v", s, got)
		}
	}
	if !text.Kana("黒い") || text.Kana("黒") {
		t.Error("Kana takes one script for another")
	}
}
