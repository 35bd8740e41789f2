package money

import (
	"fmt"
	"strings"

	"github.com/bojanz/currency"
)

// Display returns the amount as an English sentence writes it: "£150.00",
// "-£5.00", "¥15,000", "CHF 12.50". It is for people; programs are given Minor.
// An amount in an unknown currency is shown as the minor units it is.
func (a Amount) Display() string {
	digits, err := a.Currency.Digits()
	if err != nil {
		return fmt.Sprintf("%d minor units of %.12q", a.Minor, string(a.Currency))
	}
	symbol, _ := currency.GetSymbol(string(a.Currency), currency.NewLocale("en"))
	if symbol == string(a.Currency) {
		symbol += " "
	}
	whole, fraction := split(magnitude(a.Minor), digits)
	return sign(a) + symbol + group(whole) + fraction
}

// group puts a comma before every three digits.
func group(digits string) string {
	var b strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}
