// Package crawl keeps what is recorded of a shop's products at hand: their words,
// attributes and options, never prices or stock. It walks the shop's catalogue in
// the background, keeps the documents in the state store, so that a start needs no
// walk, and gives them to whoever builds something of them ([Sink]): the index, the
// vocabulary.
//
// # The log
//
// The documents stand in the store as a log of chunks. A page of the walk is one
// chunk, with the place where the walk goes on: a page is there with its place or
// not at all, so that a process may be killed at any moment, and the next one goes
// on where the last chunk says. Later chunks replace what earlier ones say of a
// product. Chunks that say nothing new any more are taken out when a walk ends, and
// small ones are written together.
//
// # Several nodes
//
// Of several processes on one store, the one that holds a lease walks; the others
// read what it appends. A chunk is written under the next number only if there is
// none yet, so that of two that both believe to hold the lease one finds out before
// it has done harm. A node that missed chunks that are gone reads the log anew.
//
// # What is gone
//
// A product that a walk over everything did not show is gone. When that would be
// more than half of what is known, it is believed only when the next such walk shows
// the same: shops answer with an empty list while they are being mended.
package crawl
