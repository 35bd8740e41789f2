package text_test

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// wholeFold folds a text all at once, as Fold is defined.
func wholeFold(s string) string {
	var b strings.Builder
	kana := false
	for _, r := range norm.NFD.String(strings.ToLower(s)) {
		if plain, ok := map[rune]string{'ß': "ss", 'œ': "oe", 'æ': "ae", 'ø': "o", 'ł': "l"}[r]; ok {
			b.WriteString(plain)
			continue
		}
		if unicode.Is(unicode.Mn, r) && !kana {
			continue
		}
		b.WriteRune(r)
		kana = unicode.In(r, unicode.Hiragana, unicode.Katakana)
	}
	return norm.NFC.String(b.String())
}

// FuzzFold: a text folded in parts is as one folded whole.
func FuzzFold(f *testing.F) {
	for _, s := range []string{"Größe", "cafe\u0301 ou e\u0301te\u0301", "がか\u3099 ﾊﾞ", "A\u0308\u0323b\u0300", "™ 5½ ①`x\x00", "a\xffé\xff\xfe", "Å K İ ǆ ﬃ", "각\u11a8", "ø\u0301", "雨の日か\u3099バッグ！ ¼", "écaé\u0301`ß\u0301Ẽẞ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := text.Fold(s), wholeFold(s); got != want {
			t.Errorf("Fold(%q) = %q, want %q", s, got, want)
		}
		if got, want := string(text.AppendPlainFold([]byte("before"), s)), "before"+wholeFold(text.Plain(s)); got != want {
			t.Errorf("AppendPlainFold(%q) = %q, want %q", s, got, want)
		}
	})
}

func BenchmarkAppendPlainFold(b *testing.B) {
	for name, s := range map[string]string{
		"english":  "A waterproof walking boot of full-grain leather, with a 5 mm cork insole and a Vibram sole for wet rock.",
		"german":   "Ein wasserdichter Wanderschuh für große Touren aus genarbtem Leder, mit Korksohle für Männer und Füße aller Größen.",
		"japanese": "雨の日でも快適な防水レザーのウォーキングブーツ。軽くて丈夫です。",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				buf = text.AppendPlainFold(buf[:0], s)
			}
		})
	}
}
