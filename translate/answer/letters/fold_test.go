package letters_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/translate/answer/letters"
)

func fold(text string) string {
	var b []byte
	for _, r := range text {
		b = letters.AppendFolded(b, r)
	}
	return string(b)
}

func TestAppendFolded(t *testing.T) {
	for text, want := range map[string]string{
		"Größe 40,5":      "grosse 40,5",
		"GROẞE":           "grosse",
		"Café":            "cafe",
		"e\u0301te\u0301": "ete",
		"Ærø Łódź Þór":    "aero lodz thor",
		"İstanbul ılık":   "istanbul ilik",
		"Œuvre Šíř Ő":     "oeuvre sir o",
		"Tiếng Việt":      "tieng viet",
		"ＴＢ２":             "tb2",
		"ガード 々":           "ガード 々",
		"Ёлка Άρη":        "ёлка άρη",
		"£12 – “x”":       "£12 – “x”",
	} {
		if got := fold(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A folded text is one that folds to itself, and is UTF-8 if the text was.
func FuzzAppendFolded(f *testing.F) {
	for _, seed := range []string{"Größe", "e\u0301", "ﾌﾟ ⅷ²½", "防水", "\xff", "ǅ ŉ ǰ ẖ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		folded := fold(text)
		if again := fold(folded); again != folded {
			t.Errorf("%q folds to %q, and that to %q", text, folded, again)
		}
		if !utf8.ValidString(folded) || strings.ContainsAny(folded, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			t.Errorf("%q folds to %q", text, folded)
		}
	})
}
