package outbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

const (
	tryTime    = 30 * time.Second // for one try
	settleTime = 10 * time.Second // to write down what became of it

	// leaseTime is how long others wait for a process that died while it was
	// delivering: a little more than a delivery takes.
	leaseTime = time.Minute
)

// deliver makes one try to deliver an event, writes down what became of it, and
// reports whether it failed.
func (o *Outbox) deliver(ctx context.Context, receiver string, task state.Task) (failed bool) {
	began := o.o.Now()
	r := Report{Receiver: receiver, ID: task.ID, Key: task.Group, Tries: task.Tries + 1}
	event, kept, err := decode(receiver, task.Message)
	if err == nil {
		r.Status, err = o.try(ctx, event)
		kept.Last = reason(r.Status, err)
		task.Value = kept.encode()
	}
	r.Err, r.Took = err, o.o.Now().Sub(began)
	r.Outcome, r.Next = outcome(r.Status, err, task.Tries)

	settle, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	if r.Outcome == Failed {
		err = o.queue(receiver).Retry(settle, task, r.Next)
	} else {
		err = o.queue(receiver).Done(settle, task)
	}
	o.o.Report(r)
	if err != nil {
		o.o.Report(Report{Outcome: Broken, Receiver: receiver, ID: task.ID, Key: task.Group, Err: err})
	}
	return r.Outcome == Failed || r.Outcome == GivenUp
}

// outcome says what becomes of an event after a try with this result, when so
// many had failed before, and how long to wait for the next one.
func outcome(status int, err error, failed int) (Outcome, time.Duration) {
	switch {
	case errors.Is(err, ErrRevoked):
		return Revoked, 0
	case err == nil && status >= 200 && status < 300:
		return Delivered, 0
	case err == nil && status == http.StatusGone:
		return Gone, 0
	}
	if next, again := pause(failed); again {
		return Failed, next
	}
	return GivenUp, 0
}

// reason says in a few words why a try failed.
func reason(status int, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("status %d", status)
}

// try sends an event and returns the status of the answer.
func (o *Outbox) try(ctx context.Context, e Event) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	to, err := o.o.Resolve(ctx, e.Receiver)
	if err != nil {
		return 0, fmt.Errorf("finding the receiver: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.URL, bytes.NewReader(e.Body))
	if err != nil {
		// The parser's error would repeat the URL, which may hold a secret.
		return 0, errors.New("finding the receiver: its URL is malformed")
	}
	if e.Type != "" {
		r.Header.Set("Content-Type", e.Type)
	}
	if err := to.Sign(r, e, o.o.Now()); err != nil {
		return 0, fmt.Errorf("signing: %w", err)
	}
	answer, err := o.o.Client.Do(r)
	if err != nil {
		return 0, err
	}
	return answer.Status, nil
}
