package money_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
)

func TestParseCurrency(t *testing.T) {
	for code, digits := range map[string]int{
		"GBP": 2, "eur": 2, "Usd": 2, "JPY": 0, "KWD": 3, "CLF": 4,
		// Where golang.org/x/text/currency departs from ISO 4217.
		"IQD": 3, "IDR": 2, "COP": 2, "PKR": 2, "RSD": 2, "MRU": 2, "UYW": 4,
	} {
		c, err := money.ParseCurrency(code)
		if err != nil {
			t.Errorf("ParseCurrency(%q): %v", code, err)
			continue
		}
		if got, err := c.Digits(); err != nil || got != digits {
			t.Errorf("%s has %d digits (%v), want %d", c, got, err, digits)
		}
	}
	for _, code := range []string{"", "GB", "GBPX", "XXX", "ZZZ", "£££", "12.", "G P", "ſek", "GBP "} {
		if c, err := money.ParseCurrency(code); !errors.Is(err, money.ErrCurrency) {
			t.Errorf("ParseCurrency(%q) = %q, %v, want ErrCurrency", code, c, err)
		}
	}
}

func TestAmountJSON(t *testing.T) {
	encoded, err := json.Marshal(money.Amount{Minor: -1250, Currency: "GBP"})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"minor":-1250,"currency":"GBP"}`; string(encoded) != want {
		t.Errorf("got %s, want %s", encoded, want)
	}
	for text, want := range map[string]money.Amount{
		`{"minor":-1250,"currency":"GBP"}`: {Minor: -1250, Currency: "GBP"},
		`{"minor":1,"currency":"jpy"}`:     {Minor: 1, Currency: "JPY"},
		`{"minor":0,"currency":""}`:        {},
	} {
		var got money.Amount
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
	var got money.Amount
	if err := json.Unmarshal([]byte(`{"minor":1,"currency":"ZZZ"}`), &got); !errors.Is(err, money.ErrCurrency) {
		t.Errorf("an unknown currency decoded: %v, %v", got, err)
	}
	if err := json.Unmarshal([]byte(`{"minor":1.5,"currency":"GBP"}`), &got); err == nil {
		t.Errorf("half a penny decoded: %v", got)
	}
}
