package httpdoor

import "time"

// Event is one request that was answered, for logs and metrics. It holds nothing
// secret, and its texts but Agent and Err come from sets that do not grow.
type Event struct {
	// Agent is the agent's name, empty for a request without a good key.
	Agent string
	// Operation is empty for a request that is none.
	Operation string
	// Outcome is "ok", "replayed", or the code of what went wrong.
	Outcome string
	// Status is the HTTP status.
	Status   int
	Duration time.Duration
	// Replayed: the answer was given before, to the same idempotency key.
	Replayed bool
	// Signature is "none", "valid" or the code of the refusal, and empty when it
	// did not come to be looked at.
	Signature string
	// RequestID is the caller's, if it sent one.
	RequestID string
	// Err is the cause of a failure, for the log alone. It may come with an
	// answer that is fine, when only its record could not be kept.
	Err error
}
