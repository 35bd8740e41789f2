package money_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
)

func gbp(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

func jpy(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "JPY"} }

func TestArithmetic(t *testing.T) {
	for name, test := range map[string]struct {
		got  func() (money.Amount, error)
		want money.Amount
		err  error
	}{
		"add":                  {func() (money.Amount, error) { return gbp(150).Add(gbp(-50)) }, gbp(100), nil},
		"add to nothing":       {func() (money.Amount, error) { return money.Amount{}.Add(gbp(5)) }, gbp(5), nil},
		"add nothing":          {func() (money.Amount, error) { return gbp(5).Add(money.Amount{}) }, gbp(5), nil},
		"add nothing in yen":   {func() (money.Amount, error) { return gbp(5).Add(jpy(0)) }, money.Amount{}, money.ErrMismatch},
		"add yen to pounds":    {func() (money.Amount, error) { return gbp(5).Add(jpy(5)) }, money.Amount{}, money.ErrMismatch},
		"add without currency": {func() (money.Amount, error) { return gbp(5).Add(money.Amount{Minor: 5}) }, money.Amount{}, money.ErrMismatch},
		"sub":                  {func() (money.Amount, error) { return gbp(150).Sub(gbp(200)) }, gbp(-50), nil},
		"sub from nothing":     {func() (money.Amount, error) { return money.Amount{}.Sub(gbp(5)) }, gbp(-5), nil},
		"sub yen":              {func() (money.Amount, error) { return gbp(150).Sub(jpy(200)) }, money.Amount{}, money.ErrMismatch},
		"sub the least":        {func() (money.Amount, error) { return gbp(0).Sub(gbp(math.MinInt64)) }, money.Amount{}, money.ErrOverflow},
		"mul":                  {func() (money.Amount, error) { return gbp(-150).Mul(3) }, gbp(-450), nil},
		"mul least by -1":      {func() (money.Amount, error) { return gbp(math.MinInt64).Mul(-1) }, money.Amount{}, money.ErrOverflow},
		"sum":                  {func() (money.Amount, error) { return money.Sum(gbp(1), gbp(2), gbp(-3)) }, gbp(0), nil},
		"sum of none":          {func() (money.Amount, error) { return money.Sum() }, money.Amount{}, nil},
		"sum of two kinds":     {func() (money.Amount, error) { return money.Sum(gbp(1), jpy(2)) }, money.Amount{}, money.ErrMismatch},
		"sum too large":        {func() (money.Amount, error) { return money.Sum(gbp(math.MaxInt64), gbp(1)) }, money.Amount{}, money.ErrOverflow},
		"percent":              {func() (money.Amount, error) { return gbp(12000).Percent(2000) }, gbp(2400), nil},
		"percent, half up":     {func() (money.Amount, error) { return gbp(25).Percent(1000) }, gbp(3), nil},
		"percent, half down":   {func() (money.Amount, error) { return gbp(-25).Percent(1000) }, gbp(-3), nil},
		"percent, below half":  {func() (money.Amount, error) { return gbp(24).Percent(1000) }, gbp(2), nil},
		"percent above whole":  {func() (money.Amount, error) { return gbp(100).Percent(15000) }, gbp(150), nil},
		"percent too large":    {func() (money.Amount, error) { return gbp(math.MaxInt64).Percent(10001) }, money.Amount{}, money.ErrOverflow},
		"included":             {func() (money.Amount, error) { return gbp(12000).IncludedPercent(2000) }, gbp(2000), nil},
		"included at nought":   {func() (money.Amount, error) { return gbp(12000).IncludedPercent(0) }, gbp(0), nil},
		"included below zero":  {func() (money.Amount, error) { return gbp(1).IncludedPercent(-1) }, money.Amount{}, money.ErrOverflow},
		"included, absurd":     {func() (money.Amount, error) { return gbp(1).IncludedPercent(math.MaxInt64) }, money.Amount{}, money.ErrOverflow},
		"ratio by nought":      {func() (money.Amount, error) { return gbp(1).Ratio(1, 0) }, money.Amount{}, money.ErrOverflow},
		"ratio keeps all":      {func() (money.Amount, error) { return gbp(math.MinInt64).Ratio(math.MaxInt64, math.MaxInt64) }, gbp(math.MinInt64), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := test.got()
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("got %v, %v, want %v, %v", got, err, test.want, test.err)
			}
		})
	}
}

// inRange returns n as pounds, or ErrOverflow.
func inRange(n *big.Int) (money.Amount, error) {
	if !n.IsInt64() {
		return money.Amount{}, money.ErrOverflow
	}
	return gbp(n.Int64()), nil
}

// roundedQuotient divides to the nearest whole, half of one away from zero.
func roundedQuotient(n, d *big.Int) *big.Int {
	double := new(big.Int).Lsh(new(big.Int).Abs(n), 1)
	q := double.Add(double, d)
	q.Quo(q, new(big.Int).Lsh(d, 1))
	if n.Sign() < 0 {
		q.Neg(q)
	}
	return q
}

func TestArithmeticAgreesWithBigIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		den := rapid.Int64Range(1, math.MaxInt64).Draw(t, "den")
		bigA, bigB := big.NewInt(a), big.NewInt(b)
		product := new(big.Int).Mul(bigA, bigB)

		check := func(name string, got money.Amount, err error, exact *big.Int) {
			want, wantErr := inRange(exact)
			if got != want || !errors.Is(err, wantErr) {
				t.Errorf("%s: got %v, %v, want %v, %v", name, got, err, want, wantErr)
			}
		}
		got, err := gbp(a).Add(gbp(b))
		check("add", got, err, new(big.Int).Add(bigA, bigB))
		got, err = gbp(a).Sub(gbp(b))
		check("sub", got, err, new(big.Int).Sub(bigA, bigB))
		got, err = gbp(a).Mul(b)
		check("mul", got, err, product)
		got, err = gbp(a).Ratio(b, den)
		check("ratio", got, err, roundedQuotient(product, big.NewInt(den)))
		got, err = gbp(a).Percent(b)
		check("percent", got, err, roundedQuotient(product, big.NewInt(10_000)))
	})
}
