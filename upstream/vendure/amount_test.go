package vendure

import (
	"errors"
	"strconv"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
)

func TestPurse(t *testing.T) {
	for _, test := range []struct {
		number   string
		currency money.Currency
		decimals int
		want     int64
		err      error
	}{
		{"18900", "GBP", 2, 18900, nil},
		{"-2940", "GBP", 2, -2940, nil},
		{"829.1666666666667", "GBP", 2, 829, nil},
		{"412.5", "GBP", 2, 413, nil},
		{"1.4e-14", "GBP", 2, 0, nil},
		{"1e3", "GBP", 2, 1000, nil},
		{"150000", "JPY", 2, 1500, nil},
		{"1500", "JPY", 0, 1500, nil},
		{"1500", "KWD", 2, 15000, nil},
		{"123456", "GBP", 4, 1235, nil},
		{"9223372036854775808", "GBP", 2, 0, money.ErrOverflow},
		{`"18900"`, "GBP", 2, 0, money.ErrSyntax},
		{"null", "GBP", 2, 0, money.ErrSyntax},
		{"1e99999999999999999999", "GBP", 2, 0, money.ErrSyntax},
		{"1", "ZZZ", 2, 0, money.ErrCurrency},
	} {
		purse := &purse{currency: test.currency, decimals: test.decimals}
		got := purse.read(gjson.Parse(test.number))
		if got.Minor != test.want || !errors.Is(purse.err, test.err) {
			t.Errorf("%s with %d decimals in %s: got %d, %v, want %d, %v", test.number, test.decimals, test.currency, got.Minor, purse.err, test.want, test.err)
		}
	}
}

func TestPurseKeepsMinorUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		minor := rapid.Int64().Draw(t, "minor")
		purse := &purse{currency: "GBP", decimals: 2}
		got := purse.read(gjson.Parse(strconv.FormatInt(minor, 10)))
		if purse.err != nil || got.Minor != minor {
			t.Errorf("%d was read as %d, %v", minor, got.Minor, purse.err)
		}
	})
}

func TestPurseKeepsTheFirstError(t *testing.T) {
	purse := &purse{currency: "GBP", decimals: 2}
	purse.read(gjson.Parse(`"one"`))
	first := purse.err
	purse.read(gjson.Parse("1"))
	purse.sum(money.Amount{Minor: 1, Currency: "EUR"}, money.Amount{Minor: 1, Currency: "GBP"})
	if purse.err != first || purse.failed("reading") == nil {
		t.Errorf("the error became %v", purse.err)
	}
}
