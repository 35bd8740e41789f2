// Package archive is the format of a backup, the same for every implementation
// of state.Store, and the course of writing and restoring one.
//
// # Format, version 2
//
// An archive begins with the 16 bytes "storeware state\n" and one byte with the
// version of the format. Blocks follow: one byte that names the kind ('D' data,
// 'E' end), the length of the payload in four bytes, the payload, and a SHA-256
// digest of 32 bytes over the digest of the block before (for the first block:
// that of the 17 bytes at the start), the kind, the length and the payload. The
// end block is the last thing in the archive. Thus a block can be trusted before
// it is used, and none can be missing, doubled or out of order. The digests tell
// damage, not forgery: whoever can write to the archive can make them anew. The
// values are as safe as they are in the store, which is sealed.
//
// The payload of a data block is a row of records, each one byte that names the
// kind ('e' entry, 'c' counter, 'q' message), the key or the id of a message, the
// time of expiry (0 for a message), and
//
//   - for an entry its version in eight bytes and its value,
//   - for a counter its count,
//   - for a message its queue, its group, its number, when it is due, its tries
//     and its value. The messages of a group are in their order.
//
// Version 1 had no messages and is still read.
//
// The payload of the end block is the greatest fencing token that was given out,
// and the number of records.
//
// Keys, names and values are preceded by their length. Lengths, times (Unix
// milliseconds; 0 for never), tokens and numbers are varints as in
// encoding/binary, of which only the count of a counter is signed; integers of
// fixed size are big-endian. Times are absolute, so what expired in the archive
// stays expired.
package archive
