package idempotency

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// Response is an answer that can be given again.
type Response struct {
	Status  int         // HTTP status
	Header  http.Header // the headers that belong to the answer, not to its delivery
	Body    []byte      // exactly as sent
	Created time.Time   // when it was first given, UTC; set by Finish
}

// Final reports whether the answer settles the request. A 429 and a 5xx ask for
// another attempt, which must then be able to run.
func (r Response) Final() bool {
	return r.Status != http.StatusTooManyRequests && r.Status < http.StatusInternalServerError
}

// record is what the store holds under a key: a payload that is being worked on
// or, with a Response, an answer.
type record struct {
	Payload  Fingerprint `json:"payload"`
	Response *Response   `json:"response,omitempty"`
}

// answer returns what the record has to say to a request with the given payload:
// nothing at all if there is no record, or none with an answer.
func (r *record) answer(payload Fingerprint) (*Response, error) {
	if r == nil {
		return nil, nil
	}
	if r.Payload != payload {
		return nil, ErrPayloadMismatch
	}
	return r.Response, nil
}

// read returns the record at key, or nil and [state.Absent] if there is none.
func (r *Records) read(ctx context.Context, key string) (*record, state.Version, error) {
	entry, err := r.store.Get(ctx, key)
	if errors.Is(err, state.ErrNotFound) {
		return nil, state.Absent, nil
	}
	if err != nil {
		return nil, state.Absent, fmt.Errorf("reading an idempotency record: %w", err)
	}
	var rec record
	if err := json.Unmarshal(entry.Value, &rec); err != nil {
		return nil, state.Absent, fmt.Errorf("reading an idempotency record: %w", err)
	}
	return &rec, entry.Version, nil
}

func (r *Records) write(ctx context.Context, key string, old state.Version, rec record) (state.Version, error) {
	value, err := json.Marshal(rec)
	if err != nil {
		return state.Absent, fmt.Errorf("writing an idempotency record: %w", err)
	}
	version, err := r.store.CompareAndSwap(ctx, key, old, value, Keep)
	if err != nil {
		return state.Absent, fmt.Errorf("writing an idempotency record: %w", err)
	}
	return version, nil
}
