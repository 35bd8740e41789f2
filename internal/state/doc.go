// Package state is everything this product remembers: baskets, first answers,
// agent keys, counters, the leases that keep two workers off one basket, and
// queues of what is still to be done.
//
// A [Store] has two implementations, which pass the same suite (package
// statetest): package bolt keeps one file for one process, package redis serves
// several. Nothing else keeps state, so a process may be killed at any moment.
// [Sealed] encrypts the values of either.
//
// # One winner
//
// Two workers that must not both act on a record take a lease on its name, and
// write through [Store.CompareAndSwap]:
//
//	lease, err := store.Acquire(ctx, "basket/"+id, ttl)
//	...
//	defer lease.Release()
//	entry, err := store.Get(ctx, "basket/"+id)
//	...
//	version, err := store.CompareAndSwap(ctx, "basket/"+id, entry.Version, placing, 0)
//	...                                     // only now touch the outside world
//	_, err = store.CompareAndSwap(ctx, "basket/"+id, version, placed, 0)
//
// The lease saves work; the version is the fence. No lease can be trusted at the
// moment of a write: a process may be suspended between looking at its lease and
// writing, and wake after the lease has passed to another. A version cannot be
// outlived that way, since every write gives the entry a new one that was never
// used before: of two workers that read the same version, one writes and the
// other gets [ErrConflict], whatever either believes about its lease. Therefore
// the intent is written before the deed: a worker that fails to write "placing"
// must not place.
//
// # When the store fails
//
// [ErrUnavailable] covers a store that cannot be reached, is full, broken or
// closed. A write that returns it may or may not have happened: read again, or
// refuse the request (503), but do not go on as if either were known. Nothing
// is retried in here, since a repeated write could not tell its own first
// attempt from somebody else's.
//
// # Kinds
//
// Entries, counters, leases and queues are separate spaces: the same name may
// stand in each. Keys and names are any bytes, 1 to [MaxKey] long, and are
// ordered bytewise; by convention the first part says what it is, as in
// "basket/…". Time is counted in whole milliseconds, and a duration is rounded
// up to one.
package state
