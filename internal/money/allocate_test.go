package money_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
)

func TestAllocate(t *testing.T) {
	for name, test := range map[string]struct {
		total   int64
		weights []int64
		want    []int64
	}{
		"even":                     {100, []int64{1, 1}, []int64{50, 50}},
		"first takes the odd unit": {100, []int64{1, 1, 1}, []int64{34, 33, 33}},
		"largest remainder":        {10, []int64{3, 3, 14}, []int64{2, 1, 7}},
		"largest remainder last":   {7, []int64{100, 100, 150}, []int64{2, 2, 3}},
		"negative":                 {-100, []int64{1, 1, 1}, []int64{-34, -33, -33}},
		"nothing":                  {0, []int64{5, 7}, []int64{0, 0}},
		"one penny":                {1, []int64{1, 9}, []int64{0, 1}},
		"a free line":              {100, []int64{0, 5}, []int64{0, 100}},
		"all free":                 {5, []int64{0, 0}, []int64{3, 2}},
		"a weight below zero":      {5, []int64{-3, 1}, []int64{0, 5}},
		"one":                      {5, []int64{7}, []int64{5}},
		"none":                     {5, nil, nil},
		"enormous": {
			math.MinInt64,
			[]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64},
			[]int64{-3074457345618258603, -3074457345618258603, -3074457345618258602},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, money.Allocate(test.total, test.weights)); diff != "" {
				t.Errorf("Allocate(%d, %v) (-want +got):\n%s", test.total, test.weights, diff)
			}
		})
	}
}

func TestAllocateIsExactAndFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64().Draw(t, "total")
		weights := rapid.SliceOfN(rapid.Int64Min(0), 1, 20).Draw(t, "weights")
		shares := money.Allocate(total, weights)

		if len(shares) != len(weights) {
			t.Fatalf("%d shares for %d weights", len(shares), len(weights))
		}
		allocated, weight := new(big.Int), new(big.Int)
		for i := range shares {
			allocated.Add(allocated, big.NewInt(shares[i]))
			weight.Add(weight, big.NewInt(weights[i]))
		}
		if allocated.Cmp(big.NewInt(total)) != 0 {
			t.Fatalf("%v add up to %v, not to %d", shares, allocated, total)
		}
		if weight.Sign() == 0 {
			return
		}
		for i, share := range shares {
			// |share − total × weight / sum| < 1, with everything times sum.
			exact := new(big.Int).Mul(big.NewInt(total), big.NewInt(weights[i]))
			distance := new(big.Int).Mul(big.NewInt(share), weight)
			if distance.Sub(distance, exact).CmpAbs(weight) >= 0 {
				t.Fatalf("share %d of %v is a whole unit or more from its proportion", i, shares)
			}
		}
	})
}
