package reading_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

// summary writes a reading in one line: noun, prices and denials of its passes.
func summary(r reading.Reading) string { return write(r, false) }

// full is a summary with what is required, and with context.
func full(r reading.Reading) string {
	s := write(r, true)
	for _, c := range r.Context {
		s += " (" + c + ")"
	}
	return s
}

func write(r reading.Reading, required bool) string {
	if r.Degraded {
		return "degraded " + string(r.Reason)
	}
	var passes []string
	for _, p := range r.Passes {
		s := p.Noun
		if p.Price.Min != nil {
			s += fmt.Sprintf(" >=%d", *p.Price.Min)
		}
		if p.Price.Max != nil {
			s += fmt.Sprintf(" <=%d", *p.Price.Max)
		}
		if required {
			for _, a := range p.Required {
				s += fmt.Sprintf(" +%s:%s", a.Key, a.Value)
			}
		}
		for _, a := range p.Excluded {
			s += " -" + a.Value
		}
		if p.InStock {
			s += " in stock"
		}
		passes = append(passes, strings.TrimSpace(s+" "+string(p.Price.Currency)))
	}
	return strings.Join(passes, " | ")
}

func TestRules(t *testing.T) {
	rules := reading.NewRules()
	for _, test := range []struct {
		language, words string
		currency        money.Currency
		want            string
	}{
		{"en", "waterproof walking boots under £150 for a wet week in Iceland", "GBP", "boot <=15000 GBP"},
		{"en", "rain coat not leather", "GBP", "coat -leather"},
		{"en", "bag without zips or straps", "GBP", "bag -zips -straps"},
		{"en", "iphone 15 case", "GBP", "case"},
		{"en", "100% cotton shirt", "GBP", "shirt"},
		{"en", "2 person tent", "GBP", "tent"},
		{"en", "under desk treadmill", "GBP", "treadmill"},
		{"en", "black and white shirt", "GBP", "shirt"},
		{"en", "salt and pepper shaker", "GBP", "shaker"},
		{"en", "a laptop for 2k max", "USD", "laptop <=200000"},
		{"en", "sugar-free gum", "USD", "gum -sugar"},
		{"de", "Ich suche eine Jacke ohne Kapuze bis 50 €", "EUR", "jacke <=5000 -kapuze EUR"},
		{"de", "Fahrrad für höchstens 1.299,00 €", "EUR", "fahrrad <=129900 EUR"},
		{"de", "eine wasserdichte Jacke und warme Handschuhe", "EUR", "jacke | handschuhe"},
		{"fr", "veste sans capuche à moins de 80 euros", "EUR", "veste <=8000 -capuche EUR"},
		{"fr", "chaussures entre 50 et 80 €", "EUR", "chaussures >=5000 <=8000 EUR"},
		{"es", "botas que no sean de cuero por menos de 90 euros", "EUR", "botas <=9000 -cuero EUR"},
		{"ja", "¥3,000以下の防水リュック", "JPY", "リュック <=3000 JPY"},
		{"ja", "フードなしのジャケット 1万円以下", "JPY", "ジャケット <=10000 -フード JPY"},
		{"", "чёрные ботинки до 5000 рублей", "EUR", "degraded unknown_language"},
		{"en", "shoes over $80 and under $50", "USD", "degraded contradiction"},
	} {
		t.Run(test.words, func(t *testing.T) {
			got, err := rules.Read(t.Context(), reading.Question{Words: test.words, Language: test.language, Currency: test.currency})
			if err != nil {
				t.Fatal(err)
			}
			if s := summary(got); s != test.want {
				t.Errorf("read as %q, want %q", s, test.want)
			}
		})
	}
}

// FuzzRules: no words make the reader panic, and every reading has a pass.
func FuzzRules(f *testing.F) {
	for _, seed := range []string{"", "not", "under", "between 5 and", "$", "1,2,3.4€", "なし", "と", "ohne", "a, and, a", "no no no", "1) 2) 3)", "\xff£\x00", "￥３０００以下"} {
		f.Add(seed, "en")
		f.Add(seed, "ja")
	}
	rules := reading.NewRules()
	f.Fuzz(func(t *testing.T, words, language string) {
		got, err := rules.Read(t.Context(), reading.Question{Words: words, Language: language, Currency: "JPY"})
		if err != nil || len(got.Passes) == 0 {
			t.Fatalf("%q: %d passes, %v", words, len(got.Passes), err)
		}
	})
}

func BenchmarkRules(b *testing.B) {
	rules := reading.NewRules()
	question := reading.Question{Words: "a waterproof jacket without a hood under £150 and warm gloves, size M, for a wet week in Iceland", Currency: "GBP"}
	for b.Loop() {
		if _, err := rules.Read(b.Context(), question); err != nil {
			b.Fatal(err)
		}
	}
}
