package money

import (
	"math/big"
	"slices"
)

// Allocate splits total into one share per weight, so that the shares add up to
// total exactly: a discount over the lines of an order, by their prices. Every
// share is its exact proportion, rounded to one of the two whole numbers beside
// it. The units that are left over go to the largest remainders, and among equal
// ones to the first.
//
// A negative total is split as its positive counterpart. A weight below zero
// counts as zero. When no weight counts, all count alike. Only without any weight
// is nothing allocated.
func Allocate(total int64, weights []int64) []int64 {
	if len(weights) == 0 {
		return nil
	}
	// Neither the product of a total and a weight nor the sum of all weights need
	// fit in 64 bits.
	parts, sum := proportions(weights)
	amount := new(big.Int).SetUint64(magnitude(total))
	left := new(big.Int).Set(amount)

	shares := make([]*big.Int, len(parts))
	remainders := make([]*big.Int, len(parts))
	for i, part := range parts {
		shares[i], remainders[i] = new(big.Int), new(big.Int)
		shares[i].QuoRem(part.Mul(part, amount), sum, remainders[i])
		left.Sub(left, shares[i])
	}

	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return remainders[j].Cmp(remainders[i]) })
	// Fewer units are left than there are shares with a remainder.
	for _, i := range order[:left.Int64()] {
		shares[i].Add(shares[i], big.NewInt(1))
	}

	allocated := make([]int64, len(shares))
	for i, share := range shares {
		if total < 0 {
			share.Neg(share)
		}
		allocated[i] = share.Int64()
	}
	return allocated
}

// proportions returns the weights that count, and their sum, which is positive.
func proportions(weights []int64) (parts []*big.Int, sum *big.Int) {
	parts, sum = make([]*big.Int, len(weights)), new(big.Int)
	for i, weight := range weights {
		parts[i] = big.NewInt(max(weight, 0))
		sum.Add(sum, parts[i])
	}
	if sum.Sign() > 0 {
		return parts, sum
	}
	for _, part := range parts {
		part.SetInt64(1)
	}
	return parts, sum.SetInt64(int64(len(parts)))
}
