package language_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

func byTag(t *testing.T, tag string) *language.Language {
	t.Helper()
	for _, l := range language.All() {
		if l.Tag == tag {
			return l
		}
	}
	t.Fatalf("no language %s", tag)
	return nil
}

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		tag, words string
		covers     int
		roles      language.Role
		fact       language.Fact
	}{
		{"en", "less than 5", 2, language.Max, language.Fact{}},
		{"en", "stainless steel pan", 2, 0, language.Fact{Key: "material", Value: "stainless steel"}},
		{"de", "schwarzes Hemd", 1, 0, language.Fact{Key: "color", Value: "schwarz", English: "black"}},
		{"de", "ohne Kapuze", 1, language.Not, language.Fact{}},
		{"fr", "moins de 50", 2, language.Max, language.Fact{}},
		{"es", "negras", 1, 0, language.Fact{Key: "color", Value: "negro", English: "black"}},
		{"ja", "以下", 1, language.MaxAfter, language.Fact{}},
		{"en", "apple watch band", 2, language.Device, language.Fact{}},
	} {
		l := byTag(t, test.tag)
		var words text.Dictionary
		if l.Unspaced {
			words = l
		}
		entry, ok := l.Match(text.Tokens(test.words, words))
		if !ok || entry.Words != test.covers || test.roles != 0 && !entry.Roles.Has(test.roles) {
			t.Errorf("%s %q: %+v, %v", test.tag, test.words, entry, ok)
			continue
		}
		if test.fact.Key != "" && (len(entry.Facts) == 0 || entry.Facts[0] != test.fact) {
			t.Errorf("%s %q: facts %v, want %v", test.tag, test.words, entry.Facts, test.fact)
		}
	}
	if _, ok := byTag(t, "en").Match(nil); ok {
		t.Error("nothing matches an entry")
	}
	if _, ok := byTag(t, "en").Match(text.Tokens("zyxw", nil)); ok {
		t.Error("a word that is in no table matches")
	}
}

func TestDenied(t *testing.T) {
	for _, test := range []struct{ tag, word, want string }{
		{"en", "sugar-free", "sugar"}, {"de", "zuckerfrei", "zucker"}, {"de", "zuckerfreie", "zucker"}, {"en", "freedom", ""}, {"de", "frei", ""},
	} {
		got, ok := byTag(t, test.tag).Denied(test.word)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%s %q denies %q, %v", test.tag, test.word, got, ok)
		}
	}
}

func TestEndsIn(t *testing.T) {
	german := byTag(t, "de")
	if !german.EndsIn("handyhulle", language.Accessory) || german.EndsIn("handy", language.Accessory) {
		t.Error("the last part of a compound is not seen")
	}
}

// Every language knows the words that each step depends on.
func TestTables(t *testing.T) {
	for _, l := range language.All() {
		seen, properties := language.Role(0), 0
		l.Names(func(string, language.Fact) { properties++ })
		for _, sample := range map[string][]string{
			"en": {"under", "without", "and", "for", "a", "in stock", "size", "case"},
			"de": {"unter", "ohne", "und", "für", "ein", "auf lager", "größe", "hülle"},
			"fr": {"moins de", "sans", "et", "pour", "un", "en stock", "taille", "coque"},
			"es": {"menos de", "sin", "y", "para", "un", "en stock", "talla", "funda"},
			"ja": {"以下", "なし", "と", "用", "在庫あり", "サイズ", "ケース"},
		}[l.Tag] {
			var words text.Dictionary
			if l.Unspaced {
				words = l
			}
			entry, ok := l.Match(text.Tokens(text.Plain(sample), words))
			if !ok {
				t.Errorf("%s does not know %q", l.Tag, sample)
			}
			seen |= entry.Roles
		}
		for _, role := range []language.Role{language.Max | language.MaxAfter, language.Not | language.NotAfter, language.And, language.For | language.Purpose, language.Stock, language.Size, language.Accessory} {
			if !seen.Has(role) {
				t.Errorf("%s: none of the samples has role %b", l.Tag, role)
			}
		}
		if properties < 50 {
			t.Errorf("%s names %d properties", l.Tag, properties)
		}
	}
}
