// Package basket keeps the one basket that stands under every cart and checkout
// of every protocol.
//
// A cart and a checkout session are the same [Basket] with the same id, whoever
// speaks which protocol. The package owns what must be true whatever the shop
// and whatever the protocol:
//
//   - one order: a basket becomes at most one order, however often, concurrently
//     or after whatever crash it is completed (see [Service.Complete]);
//   - the buyer pays what they saw: right before placing, the basket is read
//     again and compared with the last answer that was given out;
//   - all blockers at once: a basket says everything that stands between it and
//     an order, each with the place to mend;
//   - agents are kept apart: a basket answers its [Owner] alone.
//
// # State
//
// A basket is one record in the store. Every change of it runs under the lease
// of that basket and ends with a compare-and-swap on the record's version, so
// that a holder who lost the lease (a paused process, a cut network) can write
// nothing any more. The status is derived from the record and never set.
//
// Next to it stands one entry for each order, which leads from the shop's number to
// the basket. It is written once: the order of a basket is never another's, even if
// the shop's numbers start again.
//
// # Completing, step by step
//
//	step                              crash right after it leaves
//	1  take the lease                 nothing; the lease runs out
//	2  read the shop's basket         nothing
//	3  compare with the last answer   nothing
//	4  record the attempt             an attempt; the next call asks Recover
//	5  Place at the shop              an attempt and perhaps an order; Recover tells
//	6  record the order               the order; the next call answers it
//
// Whoever touches a basket with an open attempt first asks the shop what became
// of it. Only a certain "not placed" lets a new attempt begin; "nobody knows"
// leaves the basket in progress.
package basket
