package outbox

import "time"

// Outcome is what became of a try.
type Outcome string

// The outcomes of tries. After Delivered, GivenUp, Gone and Revoked the event no
// longer waits.
const (
	Delivered Outcome = "delivered" // the receiver answered 2xx
	Failed    Outcome = "failed"    // to be tried again
	GivenUp   Outcome = "given_up"  // the last try failed
	Gone      Outcome = "gone"      // the receiver answered 410
	Revoked   Outcome = "revoked"   // Resolve said so; nothing was sent

	// Broken says that the store failed. What was being done is done again.
	Broken Outcome = "broken"
)

// Report is what the owner of an Outbox is told, for logs and metrics. Its error
// may name addresses, but no secrets.
type Report struct {
	Outcome  Outcome
	Receiver string
	ID       string        // of the event; "" if the store failed before there was one
	Key      string        // of the event
	Tries    int           // including this one
	Status   int           // of the answer, 0 if there was none
	Err      error         // why there was none
	Took     time.Duration // of the try
	Next     time.Duration // until the next try, when Failed
}
