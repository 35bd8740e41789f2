package idempotency

import (
	"net/http"
	"time"
)

// Response is an answer that can be given again.
type Response struct {
	Status  int         // HTTP status
	Header  http.Header // what belongs to the answer, not to its delivery
	Body    []byte      // exactly as sent
	Created time.Time   // when it was first given, UTC; set by Finish
}

// Final reports whether the answer settles the request. A 429 and a 5xx ask for
// another attempt, which must then be able to run.
func (r Response) Final() bool {
	return r.Status >= http.StatusOK && r.Status < http.StatusInternalServerError && r.Status != http.StatusTooManyRequests
}
