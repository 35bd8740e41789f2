package money

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bojanz/currency"
)

// ErrCurrency says that a code is not an ISO 4217 currency in use.
var ErrCurrency = errors.New("not an ISO 4217 currency code")

// Currency is an ISO 4217 currency as its three capital letters, such as "GBP".
// The zero value stands for no currency.
//
// ParseCurrency and UnmarshalText let only known codes pass. A Currency that was
// converted from any other string is found out where its digits are needed.
type Currency string

// ParseCurrency reads a code in capital or small letters, since some protocols
// and shops write "gbp". The error wraps ErrCurrency.
func ParseCurrency(code string) (Currency, error) {
	if len(code) != 3 {
		return "", ErrCurrency
	}
	c := Currency(strings.ToUpper(code))
	if _, err := c.Digits(); err != nil {
		return "", err
	}
	return c, nil
}

// Digits returns the number of decimals of the currency: 2 for GBP, 0 for JPY,
// 3 for KWD. The error wraps ErrCurrency.
func (c Currency) Digits() (int, error) {
	digits, ok := currency.GetDigits(string(c))
	if !ok {
		return 0, fmt.Errorf("%.12q: %w", string(c), ErrCurrency)
	}
	return int(digits), nil
}

// UnmarshalText implements encoding.TextUnmarshaler, for JSON too. The empty
// text is the zero Currency.
func (c *Currency) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*c = ""
		return nil
	}
	parsed, err := ParseCurrency(string(text))
	if err != nil {
		return err
	}
	*c = parsed
	return nil
}
