// Package keyring keeps the keys that all nodes of an installation share: each
// shop's signing keys and the one key that seals stored data. They live in a
// [Storage], which Caddy's certmagic.Storage satisfies as it is.
//
// # Signing keys
//
// A [Ring] holds one shop's ES256 keys. [Open] makes the first key under the
// storage's lock, so that nodes which start at once agree on it. The file says
// from when each key signs and until when it is published; everything else
// follows from the clock, so nodes need not talk to each other.
//
// [Ring.Rotate] brings in a new key without a moment in which somebody sees a
// signature by a key that they cannot find:
//
//   - The new key is published at once and signs only after Lead. By then every
//     other node has read the file ([Ring.Watch] does so once a minute), and
//     every cached copy of the shop's profile without the key has run out.
//     Lead must therefore exceed the profile's max-age by a minute; with the
//     default of an hour, a max-age of up to 59 minutes is safe. Verifiers that
//     cache for longer find the key by the one refresh on an unknown kid that
//     UCP recommends.
//   - The old key signs until then and stays published for Grace longer, by
//     default the 7 days that UCP asks for at least, so that answers and
//     webhooks which somebody kept can still be verified.
//
// [Ring.Revoke] is for a key that has leaked: it is gone at once, and a new one
// signs at once.
//
// # When something is wrong
//
// A file that cannot be understood is a [*CorruptError] and is never written
// over. A Ring that cannot be refreshed goes on with the keys it has.
package keyring
