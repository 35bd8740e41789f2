// Package idempotency remembers the first answer to a request that carries an
// idempotency key, and gives it again to every retry. It knows no protocol: a
// caller maps the outcomes of [Records.Begin] to the codes of its own.
//
//	ticket, replay, err := records.Begin(ctx, scope, idempotency.Sum(canonical))
//	switch {
//	case err != nil:    // ErrPayloadMismatch, *InFlightError, ErrKey, state.ErrUnavailable
//	case replay != nil: // send it again, byte for byte
//	}
//	defer ticket.Abandon(ctx) // does nothing after Finish
//	…                         // run the operation
//	err = ticket.Finish(ctx, response)
//
// # What a crash leaves behind
//
// Begin writes a record with the fingerprint of the payload before the
// operation runs, and holds a lease while it runs. When the process is killed
// the record stays and the lease ends within [LeaseTTL]; until then a retry is
// told to come back, and afterwards it takes the record over and runs the
// operation again. A retry with another payload is refused all along.
//
// So an operation may run twice, here as with any such record, and must bear it:
// the basket makes sure that at most one order comes of it. What is promised is
// that two runs never overlap while their leases hold, and that of two runs only
// one can store an answer.
package idempotency
