package state

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"time"
)

// Queue implements Store.
func (s *sealed) Queue(name string) Queue {
	return &sealedQueue{Queue: s.Store.Queue(name), store: s, name: name}
}

// sealedQueue encrypts the values of the Queue it wraps.
type sealedQueue struct {
	Queue
	store *sealed
	name  string
}

// place is what the value of a message is bound to. By convention no key of an
// entry begins like it.
func (q *sealedQueue) place(id string) string {
	place := binary.BigEndian.AppendUint16([]byte("\x00queue\x00"), uint16(len(q.name)))
	return string(append(append(place, q.name...), id...))
}

func (q *sealedQueue) Put(ctx context.Context, m Message, after time.Duration, limit int) error {
	if err := CheckMessage(q.name, m, after); err != nil {
		return err
	}
	if err := q.store.checkSize(m.Value); err != nil {
		return err
	}
	m.Value = q.store.seal(q.place(m.ID), m.Value)
	return q.Queue.Put(ctx, m, after, limit)
}

func (q *sealedQueue) Take(ctx context.Context, n int, lease time.Duration) ([]Task, error) {
	tasks, err := q.Queue.Take(ctx, n, lease)
	if err != nil {
		return nil, err
	}
	for i := range tasks {
		if tasks[i].Value, err = q.store.unseal(q.place(tasks[i].ID), tasks[i].Value); err != nil {
			return nil, fmt.Errorf("taking from a queue: %w", err)
		}
	}
	return tasks, nil
}

func (q *sealedQueue) Retry(ctx context.Context, t Task, after time.Duration) error {
	if err := q.store.checkSize(t.Value); err != nil {
		return err
	}
	t.Value = q.store.seal(q.place(t.ID), t.Value)
	return q.Queue.Retry(ctx, t, after)
}

func (q *sealedQueue) List(ctx context.Context) iter.Seq2[Queued, error] {
	return func(yield func(Queued, error) bool) {
		for queued, err := range q.Queue.List(ctx) {
			if err == nil {
				queued.Value, err = q.store.unseal(q.place(queued.ID), queued.Value)
			}
			if err != nil {
				yield(Queued{}, err)
				return
			}
			if !yield(queued, nil) {
				return
			}
		}
	}
}
