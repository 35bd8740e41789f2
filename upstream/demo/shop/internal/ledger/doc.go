// Package ledger keeps what the demo shop must not forget: baskets, orders, and
// what is left of the stock.
//
// It is a bbolt file in a directory, or memory when there is no directory. A call
// that changes something returns after the change is on disk, so an order that was
// answered for survives the death of the process.
//
// # One basket, one order
//
// [Ledger.Place] turns a basket into an order in one transaction: it sees the
// basket, writes the order, and marks the basket, or does nothing. Transactions run
// one after the other, so of any number of calls for a basket one succeeds. The
// others get [*OrderedError].
package ledger
