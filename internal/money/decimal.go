package money

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

var (
	// ErrSyntax says that a text is not a decimal number.
	ErrSyntax = errors.New("not a decimal number")

	// ErrPrecision says that a number has more decimals than its currency.
	ErrPrecision = errors.New("more decimals than the currency has")
)

// maxDecimal bounds the length in bytes of a number that is read.
const maxDecimal = 64

// ParseDecimal reads a decimal number of major units exactly: "12.5" GBP is 1250
// minor units. Decimals that the currency does not have must be zeros.
//
// The number is what JSON calls one (RFC 8259, section 6), so that a shop's raw
// JSON number can be given as it stands, "1.0e-5" too. Beyond that a plus sign,
// leading zeros and a point without digits on one side are read (".99"), since
// shops keep prices as typed. There are no spaces and no thousands separators,
// and at most 64 bytes.
//
// The error wraps ErrSyntax, ErrPrecision, ErrOverflow or ErrCurrency.
func ParseDecimal(s string, c Currency) (Amount, error) {
	return readDecimal(s, c, false)
}

// RoundDecimal reads like ParseDecimal and rounds to the nearest minor unit,
// half of one away from zero, as PHP and most shops do. It is for shops that
// compute in fractions: "829.1666", or "1.4e-14" where they mean nothing.
func RoundDecimal(s string, c Currency) (Amount, error) {
	return readDecimal(s, c, true)
}

// FormatDecimal returns the amount in major units with all decimals of its
// currency and nothing else: "150.00", "-0.05", "15000". ParseDecimal reads it
// back. The error wraps ErrCurrency.
func (a Amount) FormatDecimal() (string, error) {
	digits, err := a.Currency.Digits()
	if err != nil {
		return "", err
	}
	whole, fraction := split(magnitude(a.Minor), digits)
	return sign(a) + whole + fraction, nil
}

func readDecimal(s string, c Currency, round bool) (Amount, error) {
	digits, err := c.Digits()
	if err != nil {
		return Amount{}, err
	}
	number, err := scan(s)
	if err != nil {
		return Amount{}, err
	}
	minor, err := number.minor(digits, round)
	if err != nil {
		return Amount{}, fmt.Errorf("%q in %s: %w", s, c, err)
	}
	return Amount{minor, c}, nil
}

// decimal is ±coefficient × 10^exponent. The coefficient is a string of digits
// without leading zeros, empty for zero.
type decimal struct {
	negative    bool
	coefficient string
	exponent    int
}

// scan splits a number into its parts. The error is ErrSyntax.
func scan(s string) (decimal, error) {
	if len(s) > maxDecimal {
		return decimal{}, fmt.Errorf("%d bytes: %w", len(s), ErrSyntax)
	}
	var d decimal
	rest := s
	d.negative, rest = scanSign(rest)
	whole, rest := scanDigits(rest)
	fraction, hasPoint := "", false
	if rest, hasPoint = strings.CutPrefix(rest, "."); hasPoint {
		fraction, rest = scanDigits(rest)
	}
	if whole == "" && fraction == "" {
		return decimal{}, fmt.Errorf("%q: %w", s, ErrSyntax)
	}
	exponent := 0
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		negative, digits := scanSign(rest[1:])
		if digits, rest = scanDigits(digits); len(digits) == 0 || len(digits) > 4 {
			return decimal{}, fmt.Errorf("%q: %w", s, ErrSyntax)
		}
		for _, digit := range []byte(digits) {
			exponent = exponent*10 + int(digit-'0')
		}
		if negative {
			exponent = -exponent
		}
	}
	if rest != "" {
		return decimal{}, fmt.Errorf("%q: %w", s, ErrSyntax)
	}
	d.coefficient = strings.TrimLeft(whole+fraction, "0")
	d.exponent = exponent - len(fraction)
	return d, nil
}

func scanSign(s string) (negative bool, rest string) {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return true, rest
	}
	return false, strings.TrimPrefix(s, "+")
}

func scanDigits(s string) (digits, rest string) {
	rest = strings.TrimLeft(s, "0123456789")
	return s[:len(s)-len(rest)], rest
}

// minor returns the number times 10^digits. Without round, a remainder is an
// ErrPrecision.
func (d decimal) minor(digits int, round bool) (int64, error) {
	if d.coefficient == "" {
		return 0, nil
	}
	kept, roundUp := d.coefficient, false
	if shift := digits + d.exponent; shift >= 0 {
		if len(kept)+shift > len(strconv.FormatUint(math.MaxUint64, 10)) {
			return 0, ErrOverflow
		}
		kept += strings.Repeat("0", shift)
	} else {
		cut := len(kept) + shift // Where the digits begin that are dropped.
		var dropped string
		if cut >= 0 {
			kept, dropped = kept[:cut], kept[cut:]
			roundUp = dropped[0] >= '5'
		} else {
			kept, dropped = "", kept
		}
		if !round && strings.Trim(dropped, "0") != "" {
			return 0, ErrPrecision
		}
	}
	var value uint64
	if kept != "" {
		var err error
		if value, err = strconv.ParseUint(kept, 10, 64); err != nil {
			return 0, ErrOverflow
		}
	}
	if roundUp && round {
		if value == math.MaxUint64 {
			return 0, ErrOverflow
		}
		value++
	}
	return signed(d.negative, value)
}

// split renders minor units as the digits before the point, and the point with
// the digits after it, if there are any.
func split(minor uint64, digits int) (whole, fraction string) {
	s := strconv.FormatUint(minor, 10)
	if digits == 0 {
		return s, ""
	}
	if missing := digits + 1 - len(s); missing > 0 {
		s = strings.Repeat("0", missing) + s
	}
	point := len(s) - digits
	return s[:point], "." + s[point:]
}

func sign(a Amount) string {
	if a.Minor < 0 {
		return "-"
	}
	return ""
}
