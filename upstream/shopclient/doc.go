// Package shopclient is the HTTP client under every adapter of a shop.
//
// A [Client] sends a request on behalf of a visit and returns an answer that can
// be relied on: complete, within its size, and JSON where JSON was wanted. All
// else is an [*upstream.Error] with a code: an HTML error page, half an answer, a
// redirect, a time-out, a shop that asks to be left alone. Nothing that the shop
// wrote gets into the text of an error.
//
// # What is repeated
//
// A request marked [Request.Safe] is sent a second time after a short random
// pause when the connection failed or the shop answered 5xx or something that is
// no answer. It is not repeated after a time-out, since a shop that slow is not
// helped by more, nor when the shop said how long to leave it alone. Any other
// request is sent once.
//
// # What nobody knows
//
// An error that wraps [ErrLost] says that the request may have reached the shop
// and that no clear answer came back. For a request marked [Request.Order] its
// code is then [upstream.CodeUnknownOutcome]; where no connection could be made
// the code stays [upstream.CodeUnavailable], and certainly nothing was ordered.
package shopclient
