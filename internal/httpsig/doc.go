// Package httpsig signs and verifies HTTP messages: RFC 9421 (HTTP Message
// Signatures) over RFC 9530 (Content-Digest), with the rules that UCP adds in
// its "Message Signatures" specification (2026-08-25) and in the Identity
// Resolution Algorithm of its overview.
//
// A [Signer] holds one private key and signs responses and requests. A
// [Verifier] finds the signer's public keys through a callback and checks
// requests and responses. Both work on [Request] and [Response], plain views
// of a message with its whole body, so that any HTTP stack can use them.
//
// # What is signed
//
// A response gets two signatures over the same bytes. "sig1" covers
//
//	("@status" "@authority" "@path" "content-digest" "content-type")
//
// as Storeware's public documentation promises. RFC 9421 does not let a
// response cover "@authority" or "@path" without saying that they are the
// request's, so strict verifiers refuse sig1. "sig2" covers the same values as
// "@authority";req and "@path";req, and every verifier accepts it. An answer
// without a body leaves content-digest and content-type out.
//
// A request is signed as UCP demands: [RequiredComponents] lists what.
//
// # Algorithms
//
// ES256 (ECDSA on P-256, RFC 9421 section 3.3.4, raw r||s of 64 bytes, made
// deterministic by RFC 6979) and Ed25519 (section 3.3.6). The key decides which
// one is used; an "alg" parameter is never sent, as UCP wants it.
//
// # Refusals
//
// A message without any signature is [ErrUnsigned], which a caller may well
// accept. Anything else that does not verify is an [*Error] with one of UCP's
// five codes. Errors of the key source are passed on, wrapped.
package httpsig
