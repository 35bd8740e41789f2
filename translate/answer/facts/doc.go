// Package facts holds what a merchant records about products beside the shop's own
// records, and counts what agents ask for that is recorded nowhere.
//
// A fact is as good as an attribute of the shop's: answers cite it as the
// merchant's recorded knowledge. It belongs to a product by its id, handle or SKU.
package facts
