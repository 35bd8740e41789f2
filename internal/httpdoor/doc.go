// Package httpdoor is what the doors of all protocols have in common over HTTP:
// who calls, how a body is read, how an answer is sent, what browsers may do, and
// what an error that is nobody's outcome looks like before it has the form of a
// protocol.
//
// An [Answer] is sent in one piece and with its length, so that whoever wraps a
// door can sign it.
package httpdoor
