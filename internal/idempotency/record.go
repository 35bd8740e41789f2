package idempotency

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// record is what the store holds under a key: a payload that is being worked on
// or, with a status, that was answered.
type record struct {
	Payload []byte              `json:"payload"`
	Status  int                 `json:"status,omitempty"`
	Header  map[string][][]byte `json:"header,omitempty"` // which need not be UTF-8
	Body    []byte              `json:"body,omitempty"`
	Created time.Time           `json:"created,omitzero"`
}

func running(payload Fingerprint) record { return record{Payload: payload[:]} }

func answered(payload Fingerprint, response Response) record {
	rec := record{
		Payload: payload[:],
		Status:  response.Status,
		Header:  make(map[string][][]byte, len(response.Header)),
		Body:    response.Body,
		Created: response.Created,
	}
	for name, values := range response.Header {
		for _, value := range values {
			rec.Header[name] = append(rec.Header[name], []byte(value))
		}
	}
	return rec
}

// answer returns what the record has to say to a request with the given payload:
// nothing at all if there is no record, or none with an answer.
func (r *record) answer(payload Fingerprint) (*Response, error) {
	if r == nil {
		return nil, nil
	}
	if !bytes.Equal(r.Payload, payload[:]) {
		return nil, ErrPayloadMismatch
	}
	if r.Status == 0 {
		return nil, nil
	}
	response := &Response{
		Status:  r.Status,
		Header:  make(http.Header, len(r.Header)),
		Body:    r.Body,
		Created: r.Created,
	}
	for name, values := range r.Header {
		for _, value := range values {
			response.Header[name] = append(response.Header[name], string(value))
		}
	}
	return response, nil
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

// write replaces the version old of the record at key.
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
