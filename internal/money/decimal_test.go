package money_test

import (
	"errors"
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
)

func TestParseDecimal(t *testing.T) {
	for _, test := range []struct {
		text     string
		currency money.Currency
		want     int64
		err      error
	}{
		{"12.5", "GBP", 1250, nil},
		{"12.50", "GBP", 1250, nil},
		{"12.500000", "GBP", 1250, nil},
		{"12", "GBP", 1200, nil},
		{"0", "GBP", 0, nil},
		{"-0.00", "GBP", 0, nil},
		{"-5", "GBP", -500, nil},
		{"+5", "GBP", 500, nil},
		{"007", "GBP", 700, nil},
		{".99", "GBP", 99, nil},
		{"5.", "GBP", 500, nil},
		{"15000", "JPY", 15000, nil},
		{"15000.00", "JPY", 15000, nil},
		{"1.234", "KWD", 1234, nil},
		{"1.5e3", "GBP", 150000, nil},
		{"15E-1", "GBP", 150, nil},
		{"1000e-3", "JPY", 1, nil},
		{"0e9999", "GBP", 0, nil},
		{"92233720368547758.07", "GBP", math.MaxInt64, nil},
		{"-92233720368547758.08", "GBP", math.MinInt64, nil},

		{"12.505", "GBP", 0, money.ErrPrecision},
		{"0.001", "GBP", 0, money.ErrPrecision},
		{"1e-9999", "GBP", 0, money.ErrPrecision},
		{"15000.5", "JPY", 0, money.ErrPrecision},
		{"92233720368547758.08", "GBP", 0, money.ErrOverflow},
		{"-92233720368547758.09", "GBP", 0, money.ErrOverflow},
		{"184467440737095516.17", "GBP", 0, money.ErrOverflow},
		{"1e18", "GBP", 0, money.ErrOverflow},
		{"1e9999", "GBP", 0, money.ErrOverflow},
		{"1", "ZZZ", 0, money.ErrCurrency},
		{"1", "", 0, money.ErrCurrency},

		{"", "GBP", 0, money.ErrSyntax},
		{".", "GBP", 0, money.ErrSyntax},
		{"-", "GBP", 0, money.ErrSyntax},
		{"--5", "GBP", 0, money.ErrSyntax},
		{"1.2.3", "GBP", 0, money.ErrSyntax},
		{"1,000", "GBP", 0, money.ErrSyntax},
		{" 1", "GBP", 0, money.ErrSyntax},
		{"1 ", "GBP", 0, money.ErrSyntax},
		{"£1", "GBP", 0, money.ErrSyntax},
		{"e5", "GBP", 0, money.ErrSyntax},
		{"1e", "GBP", 0, money.ErrSyntax},
		{"1e+", "GBP", 0, money.ErrSyntax},
		{"1e1.5", "GBP", 0, money.ErrSyntax},
		{"1e12345", "GBP", 0, money.ErrSyntax},
		{"0x10", "GBP", 0, money.ErrSyntax},
		{"1_000", "GBP", 0, money.ErrSyntax},
		{"Inf", "GBP", 0, money.ErrSyntax},
		{"NaN", "GBP", 0, money.ErrSyntax},
		{"١٢", "GBP", 0, money.ErrSyntax},
		{strings.Repeat("0", 65), "GBP", 0, money.ErrSyntax},
	} {
		got, err := money.ParseDecimal(test.text, test.currency)
		want := money.Amount{Minor: test.want, Currency: test.currency}
		if test.err != nil {
			want = money.Amount{}
		}
		if got != want || !errors.Is(err, test.err) {
			t.Errorf("ParseDecimal(%q, %q) = %v, %v, want %v, %v", test.text, test.currency, got, err, want, test.err)
		}
	}
}

func TestRoundDecimal(t *testing.T) {
	for _, test := range []struct {
		text     string
		currency money.Currency
		want     int64
		err      error
	}{
		{"829.1666", "GBP", 82917, nil},
		{"829.1649999999999", "GBP", 82916, nil},
		{"1.005", "GBP", 101, nil},
		{"-1.005", "GBP", -101, nil},
		{"1.004", "GBP", 100, nil},
		{"0.005", "GBP", 1, nil},
		{"0.0049", "GBP", 0, nil},
		{"-0.0049", "GBP", 0, nil},
		{"99.995", "GBP", 10000, nil},
		{"12.5", "JPY", 13, nil},
		{"1.2345", "KWD", 1235, nil},
		{"12.5", "GBP", 1250, nil},
		{"1.4210854715202e-14", "GBP", 0, nil},
		{"9e-9999", "GBP", 0, nil},
		{"92233720368547758.074", "GBP", math.MaxInt64, nil},
		{"92233720368547758.075", "GBP", 0, money.ErrOverflow},
		{"184467440737095516.159", "GBP", 0, money.ErrOverflow},
		{"1,5", "GBP", 0, money.ErrSyntax},
		{"1", "ZZZ", 0, money.ErrCurrency},
	} {
		got, err := money.RoundDecimal(test.text, test.currency)
		if got.Minor != test.want || !errors.Is(err, test.err) {
			t.Errorf("RoundDecimal(%q, %q) = %v, %v, want %d, %v", test.text, test.currency, got, err, test.want, test.err)
		}
	}
}

func TestFormatDecimal(t *testing.T) {
	for want, amount := range map[string]money.Amount{
		"150.00":                {Minor: 15000, Currency: "GBP"},
		"-0.05":                 {Minor: -5, Currency: "GBP"},
		"0.00":                  {Minor: 0, Currency: "GBP"},
		"15000":                 {Minor: 15000, Currency: "JPY"},
		"0.001":                 {Minor: 1, Currency: "KWD"},
		"-92233720368547758.08": {Minor: math.MinInt64, Currency: "GBP"},
	} {
		if got, err := amount.FormatDecimal(); err != nil || got != want {
			t.Errorf("%v.FormatDecimal() = %q, %v, want %q", amount, got, err, want)
		}
	}
	if got, err := (money.Amount{Minor: 1}).FormatDecimal(); !errors.Is(err, money.ErrCurrency) {
		t.Errorf("an amount in no currency was formatted: %q, %v", got, err)
	}
}

func currencies() *rapid.Generator[money.Currency] {
	return rapid.SampledFrom([]money.Currency{"GBP", "JPY", "KWD", "CLF"})
}

func TestParseDecimalReadsWhatFormatDecimalWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := money.Amount{Minor: rapid.Int64().Draw(t, "minor"), Currency: currencies().Draw(t, "currency")}
		text, err := want.FormatDecimal()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := money.ParseDecimal(text, want.Currency); err != nil || got != want {
			t.Fatalf("ParseDecimal(%q) = %v, %v, want %v", text, got, err, want)
		}
	})
}

// number is the grammar that ParseDecimal documents.
var number = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,4})?$`)

func FuzzParseDecimal(f *testing.F) {
	for _, seed := range []string{
		"12.5", "-0.005", "829.1666", ".99", "5.", "1e3", "1.0e-5", "92233720368547758.07", "", "1,000", "0x1p-2", "1e9999",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, currency := range []money.Currency{"GBP", "JPY", "KWD"} {
			exact, exactErr := money.ParseDecimal(text, currency)
			rounded, roundedErr := money.RoundDecimal(text, currency)

			if valid := len(text) <= 64 && number.MatchString(text); valid == errors.Is(roundedErr, money.ErrSyntax) {
				t.Fatalf("RoundDecimal(%q): %v, but a number: %v", text, roundedErr, valid)
			}
			if exactErr == nil && (roundedErr != nil || exact != rounded) {
				t.Fatalf("%q is exactly %v but rounds to %v, %v", text, exact, rounded, roundedErr)
			}
			if roundedErr != nil || strings.ContainsAny(text, "eE") {
				continue
			}
			// An independent reading: with big rationals.
			value, ok := new(big.Rat).SetString(text)
			if !ok {
				t.Fatalf("%q was read as %v, and is no number", text, rounded)
			}
			digits, err := currency.Digits()
			if err != nil {
				t.Fatal(err)
			}
			scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
			value.Mul(value, new(big.Rat).SetInt(scale))
			if want := roundedQuotient(value.Num(), value.Denom()); want.Cmp(big.NewInt(rounded.Minor)) != 0 {
				t.Fatalf("RoundDecimal(%q, %s) = %d, want %v", text, currency, rounded.Minor, want)
			}
			if isExact := value.IsInt(); isExact != (exactErr == nil) {
				t.Fatalf("ParseDecimal(%q, %s): %v, but exact: %v", text, currency, exactErr, isExact)
			}
		}
	})
}
