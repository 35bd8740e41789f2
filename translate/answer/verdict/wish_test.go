package verdict

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// said draws a text that may speak of anything, with all that joins and parts words.
func said(t *rapid.T) string {
	var text strings.Builder
	for range rapid.IntRange(1, 8).Draw(t, "pieces") {
		text.WriteString(piece(t, "piece"))
		text.WriteString(rapid.SampledFrom([]string{" ", " ", " ", "-", "", ", ", "_", "/", "'", "®", ". ", "\n", "のー", "; ", ":", "(", ") ", "、", "1,5", ".", " – "}).Draw(t, "joint"))
	}
	return text.String()
}

func piece(t *rapid.T, label string) string {
	return rapid.SampledFrom([]string{
		"black", "Navy", "navy-blue", "waterproof", "wasserdicht", "imperméable", "防水", "レザー", "leather", "leather-free", "suede", "levi's", "d'été", "l'imperméable",
		"schwarze", "NOIRES", "knife", "knives", "shelves", "shelf", "body", "bodies", "flies", "fly", "hoodie", "gore-tex", "stainless steel", "20-volt", "50ml", "32x34", "5½", "１００",
		"cotton", "coton", "baumwolle", "standard", "device", "2", "S/M", "m&s", "not", "of", "rosa", "Größe", "黒", "ブラック", "red", "rust orange", "cafe\u0301", "\u0301",
		"made of", "100 %", "ohne", "but", "kein", "sans", "no", "faux", "upper", "ではない",
	}).Draw(t, label)
}

var shops = []string{"en-GB", "de", "ja"}

// TestNeedles: whatever text names a thing in any form and language, a needle of it
// begins a word there, so that no text is passed over that speaks of a wish.
func TestNeedles(t *testing.T) {
	for _, shop := range shops {
		l := NewLexicon(shop)
		rapid.Check(t, func(t *rapid.T) {
			said, w := said(t), l.wish(Constraint{Kind: Attribute, Value: piece(t, "wanted")})
			if len(w.named) == 0 {
				return
			}
			names := slices.ContainsFunc(l.forms(said), func(form string) bool { return form == w.named[0] || l.isKindOf(form, w.named[0]) })
			if names && !w.in(text.AppendPlainFold(nil, said)) {
				t.Fatalf("%q names %q, and none of %q is found in it", said, w.name, w.needles)
			}
		})
	}
}

// TestParted: a text that is read where it may speak of a wish says the same as one
// that is read as a whole.
func TestParted(t *testing.T) {
	for _, shop := range shops {
		l := NewLexicon(shop)
		rapid.Check(t, func(t *rapid.T) {
			said, w := said(t), l.wish(Constraint{Kind: Attribute, Value: piece(t, "wanted")})
			accept := madeOf
			if rapid.Bool().Draw(t, "anywhere") {
				accept = nil
			}
			plain := text.Plain(said)
			want := silent
			if len(w.named) > 0 {
				want = l.speaks(l.cut(plain, text.Kana(plain), l.own), &w, accept)
			}
			if got := l.reads(&prose{text: said}, &w, accept); got != want {
				t.Fatalf("%q says %d of %q, and %d as a whole", said, got, w.name, want)
			}
		})
	}
}

// TestNeedlesBeginWords: a needle inside of a word finds nothing.
func TestNeedlesBeginWords(t *testing.T) {
	w := NewLexicon("en").wish(Constraint{Kind: Attribute, Key: "color", Value: "tan"})
	for said, want := range map[string]bool{"standard": false, "a tan one": true, "metan tan": true, "off-tan": true, "été-tan": true, "étan": false, "革tan": true, "": false} {
		if got := w.in([]byte(said)); got != want {
			t.Errorf("in(%q) = %v", said, got)
		}
	}
}
