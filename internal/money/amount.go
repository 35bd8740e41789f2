package money

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

var (
	// ErrOverflow says that a result does not fit in an int64 of minor units.
	ErrOverflow = errors.New("amount too large")

	// ErrMismatch says that two amounts are not in the same currency.
	ErrMismatch = errors.New("amounts in different currencies")
)

// basisPoints is how many basis points make the whole.
const basisPoints = 10_000

// Amount is a sum of money, negative for discounts and refunds. The zero Amount
// is nothing in no currency: it can be added to any other, so that a total may
// start from it.
type Amount struct {
	// Minor counts minor units of Currency: 15000 is £150.00 or ¥15,000.
	Minor int64 `json:"minor"`

	// Currency is the ISO 4217 code.
	Currency Currency `json:"currency"`
}

// Add returns a + b. The error is ErrMismatch or ErrOverflow.
func (a Amount) Add(b Amount) (Amount, error) {
	currency, err := common(a, b)
	if err != nil {
		return Amount{}, err
	}
	sum := a.Minor + b.Minor
	// Two's complement: an overflow flips the sign that both terms share.
	if (a.Minor >= 0) == (b.Minor >= 0) && (sum >= 0) != (a.Minor >= 0) {
		return Amount{}, ErrOverflow
	}
	return Amount{sum, currency}, nil
}

// Sub returns a - b. The error is ErrMismatch or ErrOverflow.
func (a Amount) Sub(b Amount) (Amount, error) {
	currency, err := common(a, b)
	if err != nil {
		return Amount{}, err
	}
	difference := a.Minor - b.Minor
	if (a.Minor >= 0) != (b.Minor >= 0) && (difference >= 0) != (a.Minor >= 0) {
		return Amount{}, ErrOverflow
	}
	return Amount{difference, currency}, nil
}

// Mul returns a × n, such as a unit price times a quantity. The error is
// ErrOverflow.
func (a Amount) Mul(n int64) (Amount, error) {
	return a.Ratio(n, 1)
}

// Percent returns the given share of a, in basis points: 2000 is 20 %. It
// rounds to the nearest minor unit, and half of one away from zero. The error is
// ErrOverflow.
func (a Amount) Percent(basis int64) (Amount, error) {
	return a.Ratio(basis, basisPoints)
}

// IncludedPercent returns the part of a that was added to it before at the given
// rate in basis points: at 2000, £120.00 includes £20.00. This is the tax in a
// price that includes tax. It rounds as Percent does. The rate must not be
// negative.
func (a Amount) IncludedPercent(basis int64) (Amount, error) {
	if basis < 0 || basis > math.MaxInt64-basisPoints {
		return Amount{}, fmt.Errorf("rate of %d basis points: %w", basis, ErrOverflow)
	}
	return a.Ratio(basis, basis+basisPoints)
}

// Ratio returns a × num / den without losing anything on the way, rounded to the
// nearest minor unit, and half of one away from zero. A den that is not positive
// has no result and is an ErrOverflow, like a result that does not fit.
func (a Amount) Ratio(num, den int64) (Amount, error) {
	if den <= 0 {
		return Amount{}, fmt.Errorf("dividing by %d: %w", den, ErrOverflow)
	}
	high, low := bits.Mul64(magnitude(a.Minor), magnitude(num))
	if high >= uint64(den) {
		return Amount{}, ErrOverflow
	}
	quotient, rest := bits.Div64(high, low, uint64(den))
	if rest >= uint64(den)-rest {
		if quotient == math.MaxUint64 {
			return Amount{}, ErrOverflow
		}
		quotient++
	}
	minor, err := signed((a.Minor < 0) != (num < 0), quotient)
	if err != nil {
		return Amount{}, err
	}
	return Amount{minor, a.Currency}, nil
}

// Sum adds up amounts of one currency. The sum of none is the zero Amount. The
// error is ErrMismatch, or ErrOverflow even when a later term would bring the
// sum back into range.
func Sum(amounts ...Amount) (Amount, error) {
	var total Amount
	for _, amount := range amounts {
		var err error
		if total, err = total.Add(amount); err != nil {
			return Amount{}, err
		}
	}
	return total, nil
}

// common returns the currency that a and b share; the zero Amount shares any.
func common(a, b Amount) (Currency, error) {
	switch {
	case a.Currency == b.Currency, b == Amount{}:
		return a.Currency, nil
	case a == Amount{}:
		return b.Currency, nil
	}
	return "", fmt.Errorf("%.12q and %.12q: %w", string(a.Currency), string(b.Currency), ErrMismatch)
}

// magnitude returns |n|, which unlike n always fits.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// signed is the inverse of magnitude.
func signed(negative bool, magnitude uint64) (int64, error) {
	switch {
	case negative && magnitude <= -math.MinInt64:
		return int64(-magnitude), nil
	case !negative && magnitude <= math.MaxInt64:
		return int64(magnitude), nil
	}
	return 0, ErrOverflow
}
