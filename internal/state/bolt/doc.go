// Package bolt keeps the state in one bbolt file, for one process.
//
// The file is locked while it is open, so a second process cannot touch it, and
// leases need nothing in the file: they are locks in memory, which end with the
// process. Every write is on disk (fsync) before the call returns; writes that
// come together share one commit.
//
// # The file
//
// Integers are big-endian, times are Unix milliseconds with 0 for never.
//
//	meta      "schema" → version in 8 bytes; the bucket's sequence counts how
//	          often the file was opened, and makes fencing tokens grow
//	entries   key → version in 8 bytes, expiry in 8 bytes, value
//	counters  key → expiry in 8 bytes, count in 8 bytes
//	expiry    expiry in 8 bytes, 'e' or 'c', key → nothing
//	queues    name → number of messages in 8 bytes
//	messages  queue, group, number in 8 bytes → when it is due in 8 bytes, token
//	          of its lease in 8 bytes, tries in 4 bytes, id, value; the bucket's
//	          sequence is the greatest number
//	ids       queue, id → key in messages
//	ready     queue, when it is due in 8 bytes, number in 8 bytes → key in
//	          messages, for the first message of each group
//
// The names of queues and groups, and an id in front of a value, are preceded by
// their length in 2 bytes.
package bolt
