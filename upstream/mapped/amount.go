package mapped

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
)

// hundredthsDigits is how many decimals hundredths are.
const hundredthsDigits = 2

// readAmount reads a number of money as it stands in an answer. What the shop
// computed may have more decimals than can be paid, and is rounded.
func readAmount(number string, scale Scale, currency money.Currency) (money.Amount, error) {
	digits, err := currency.Digits()
	if err != nil {
		return money.Amount{}, err
	}
	switch cmp.Or(scale, ScaleMajor) {
	case ScaleMinor:
		number = shifted(number, -digits)
	case ScaleHundredths:
		number = shifted(number, -hundredthsDigits)
	}
	return money.RoundDecimal(number, currency)
}

// writeAmount writes a number of money as the shop wants it. It is exact in every
// scale.
func writeAmount(amount money.Amount, scale Scale) (string, error) {
	text, err := amount.FormatDecimal()
	if err != nil {
		return "", err
	}
	switch cmp.Or(scale, ScaleMajor) {
	case ScaleMinor:
		return strconv.FormatInt(amount.Minor, 10), nil
	case ScaleHundredths:
		return moved(text, hundredthsDigits), nil
	}
	return text, nil
}

// shifted multiplies a number by a power of ten, without touching its digits.
func shifted(number string, power int) string {
	mantissa, exponent, found := strings.Cut(strings.ToLower(number), "e")
	if found {
		n, err := strconv.Atoi(exponent)
		if err != nil {
			return number // It is none, and whoever reads it says so.
		}
		power += n
	}
	return mantissa + "e" + strconv.Itoa(power)
}

// moved moves the point of a decimal number to the right. No zeros are left in
// front, and none behind the point.
func moved(number string, places int) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, fraction, _ := strings.Cut(number, ".")
	fraction += strings.Repeat("0", max(places-len(fraction), 0))
	whole, fraction = strings.TrimLeft(whole+fraction[:places], "0"), strings.TrimRight(fraction[places:], "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}
