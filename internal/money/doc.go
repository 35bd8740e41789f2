// Package money does arithmetic on amounts of money.
//
// An [Amount] is an int64 count of minor units (pence, yen, fils) and an
// ISO 4217 [Currency], which says how many decimals the minor unit stands for.
// No function here takes, returns or computes with a floating-point number, and
// none wraps around: what does not fit is an [ErrOverflow].
//
// Shops send decimals as text. [ParseDecimal] reads them exactly and refuses
// what the currency cannot hold, [RoundDecimal] rounds what it cannot hold.
package money
