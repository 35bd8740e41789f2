// Package outbox delivers events to the webhooks of others.
//
// [Outbox.Send] puts an event into a durable queue, one for each receiver, and
// [Outbox.Run] delivers what is in the queues: at least once, with the same id
// and body on every try, and a signature that is made anew for each. Whoever
// dies in between, the event stays until its delivery is written down.
//
// # Order
//
// Events of one key (an order) are delivered to a receiver in the order they were
// sent, the next one not before the one in front of it was delivered or given
// up. Events of other keys do not wait for it. A receiver that fails is asked
// for one event at a time until one succeeds.
//
// # Tries
//
// A 2xx answer ends the delivery, and so does 410, which says that the receiver
// wants it no more. Anything else is tried again, ten times in about a day, with
// pauses from half a minute to eight hours that differ by up to a tenth at
// random. Redirects are failures. The caller's Resolve is asked before every
// try, so that a receiver that is gone ([ErrRevoked]) gets nothing more, and one
// that has moved is found.
//
// # Bounds
//
// Memory holds the events that are being delivered and nothing else. A queue
// takes a number of events and then refuses more; bodies are limited by
// [MaxBody], answers by the client.
package outbox
