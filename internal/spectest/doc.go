// Package spectest checks UCP JSON against the published schemas and against
// the rules of the prose that a schema cannot say. It is for tests: nothing
// that ships imports it.
//
// A [Spec] is one UCP release read from ../shared/specs/ucp/<release>. The
// schemas refer to each other under https://ucp.dev/, where a path is the
// file's path inside the release. An operation's payloads are looked up in
// rest.openapi.json by operationId, extended by the schemas of the active
// extensions ($defs keyed by the capability they extend), and seen through the
// ucp_request and ucp_response annotations, which hide, demand or release a
// field by direction and operation (overview/index.md, "Schema Composition").
//
// The published resolver drops a field marked "omit" from the schema, so that
// an open object tolerates it. Here such a field is refused: the code under
// test is to tell its caller.
//
// [Spec.Response], [Spec.Request], [Spec.Profile] and [Totals] return
// [Problems], each with a JSON Pointer. [Transport] wraps an HTTP client and
// reports every answer of a UCP endpoint that is not as it should be.
package spectest
