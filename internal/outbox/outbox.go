package outbox

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/storeware/caddy-storeware/internal/safehttp"
	"github.com/storeware/caddy-storeware/internal/state"
)

// Client makes the calls. That of package safehttp follows no redirects, calls
// public addresses only, and bounds the answer in time and size.
type Client interface {
	Do(r *http.Request) (*safehttp.Response, error)
}

// Options are what an Outbox works with. Store, Client, Resolve, Report and Now
// must be set.
type Options struct {
	Store state.Store

	// Prefix is what the names of the queues begin with, such as "webhook/".
	// The name of the receiver follows.
	Prefix string

	Client Client

	// Resolve says where events for a receiver go. An error that wraps
	// ErrRevoked drops the event; any other is a try that failed.
	Resolve func(ctx context.Context, receiver string) (Receiver, error)

	// Report is told of every try and of what went wrong besides. It is called
	// from several goroutines and must not wait.
	Report func(Report)

	Now func() time.Time

	// Limit is how many events may wait for one receiver. Zero means 100 000.
	Limit int

	// PerReceiver is how many events are delivered to one receiver at once.
	// Zero means 4.
	PerReceiver int

	// Concurrency is how many events are delivered at once in all. Zero means
	// 256.
	Concurrency int
}

// Outbox keeps events and delivers them. It is safe for concurrent use.
type Outbox struct {
	o     Options
	slots chan struct{} // holds one element for each delivery
	wake  chan string   // receivers that got an event just now

	mu    sync.Mutex
	lanes map[string]*lane // of receivers that have workers
}

// New returns an outbox. It delivers nothing until it runs.
func New(o Options) *Outbox {
	if o.Limit == 0 {
		o.Limit = 100_000
	}
	if o.PerReceiver == 0 {
		o.PerReceiver = 4
	}
	if o.Concurrency == 0 {
		o.Concurrency = 256
	}
	return &Outbox{
		o:     o,
		slots: make(chan struct{}, o.Concurrency),
		wake:  make(chan string, o.Concurrency),
		lanes: make(map[string]*lane),
	}
}

// Send keeps an event until it is delivered. Once Send returns without an error
// the event is safe. To send an event again whose fate is unknown does no harm:
// as long as one with its id waits, there is only that one.
//
// The error wraps [state.ErrFull] if too many events wait for the receiver,
// [state.ErrInvalid] if a field is empty or too long, or [state.ErrUnavailable].
func (o *Outbox) Send(ctx context.Context, e Event) error {
	if e.Receiver == "" || len(e.Body) > MaxBody {
		return fmt.Errorf("sending an event: %w: a receiver %q and a body of %d bytes, where %d are the most", state.ErrInvalid, e.Receiver, len(e.Body), MaxBody)
	}
	value := record{Type: e.Type, Body: e.Body}.encode()
	err := o.queue(e.Receiver).Put(ctx, state.Message{ID: e.ID, Group: e.Key, Value: value}, 0, o.o.Limit)
	if err != nil && !errors.Is(err, state.ErrExists) {
		return fmt.Errorf("sending an event: %w", err)
	}
	select {
	case o.wake <- e.Receiver:
	default: // found when Run looks for what is due
	}
	return nil
}

// List yields the events that wait, for the operator: receiver by receiver,
// those of a key in their order.
func (o *Outbox) List(ctx context.Context) iter.Seq2[Pending, error] {
	return func(yield func(Pending, error) bool) {
		for info, err := range o.o.Store.Queues(ctx, o.o.Prefix) {
			if err != nil {
				yield(Pending{}, fmt.Errorf("listing events: %w", err))
				return
			}
			if !o.list(ctx, strings.TrimPrefix(info.Name, o.o.Prefix), yield) {
				return
			}
		}
	}
}

// list yields the events of a receiver, and reports whether to go on.
func (o *Outbox) list(ctx context.Context, receiver string, yield func(Pending, error) bool) bool {
	for queued, err := range o.queue(receiver).List(ctx) {
		var p Pending
		if err == nil {
			var r record
			p.Event, r, err = decode(receiver, queued.Message)
			p.Tries, p.Last, p.Due, p.Busy = queued.Tries, r.Last, queued.Due, queued.Leased
		}
		if err != nil {
			yield(Pending{}, fmt.Errorf("listing events: %w", err))
			return false
		}
		if !yield(p, nil) {
			return false
		}
	}
	return true
}

// Retry makes an event due now. The error wraps [state.ErrNotFound] if it waits
// no more, and [state.ErrLocked] while it is being delivered.
func (o *Outbox) Retry(ctx context.Context, receiver, id string) error {
	if err := o.queue(receiver).Reschedule(ctx, id, 0); err != nil {
		return fmt.Errorf("retrying an event: %w", err)
	}
	select {
	case o.wake <- receiver:
	default: // as in Send
	}
	return nil
}

func (o *Outbox) queue(receiver string) state.Queue { return o.o.Store.Queue(o.o.Prefix + receiver) }
