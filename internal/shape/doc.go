// Package shape checks JSON that strangers sent against tables that say what it
// must look like.
//
// A [Shape] is a small part of JSON Schema, as much as the requests of our protocols
// need, with what UCP adds to it: a field may be required, optional or forbidden
// depending on what is being done ([Verb]), and may belong to an extension that
// was negotiated or not. Before that, [Strict] makes sure that a text means the
// same to every reader.
//
// What is wrong is an [*Invalid], with a JSONPath (RFC 9535) for each place.
package shape
