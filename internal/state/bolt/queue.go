package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// queue is a state.Queue in the file.
type queue struct {
	store *Store
	name  string
}

// Queue implements state.Store.
func (s *Store) Queue(name string) state.Queue { return &queue{store: s, name: name} }

// Put implements state.Queue.
func (q *queue) Put(ctx context.Context, m state.Message, after time.Duration, limit int) error {
	if err := state.CheckMessage(q.name, m, after); err != nil {
		return err
	}
	err := q.store.update(ctx, func(t *txn) error {
		_, found, err := t.message(q.name, m.ID)
		if err != nil {
			return err
		}
		if found {
			return state.ErrExists
		}
		if t.length(q.name) >= uint64(max(limit, 0)) {
			return state.ErrFull
		}
		t.append(message{
			queue: q.name, group: m.Group, seq: t.bucket(messages).Sequence() + 1,
			due: t.now + milliseconds(after), id: m.ID, value: m.Value,
		})
		return nil
	})
	if err != nil {
		return fmt.Errorf("putting into a queue: %w", err)
	}
	return nil
}

// Take implements state.Queue.
func (q *queue) Take(ctx context.Context, n int, lease time.Duration) ([]state.Task, error) {
	if err := state.CheckTake(q.name, n, lease); err != nil {
		return nil, err
	}
	var tasks []state.Task
	token := uint64(newVersion())
	err := q.store.update(ctx, func(t *txn) error {
		due, err := t.due(q.name, n)
		if err != nil {
			return err
		}
		for _, m := range due {
			tasks = append(tasks, state.Task{
				Message: state.Message{ID: m.id, Group: m.group, Value: bytes.Clone(m.value)},
				Tries:   int(m.tries),
				Token:   token,
			})
			leased := m
			leased.token, leased.due = token, t.now+milliseconds(lease)
			t.replace(m, leased)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("taking from a queue: %w", err)
	}
	return tasks, nil
}

// due returns up to n messages that may be given out now, as long as they make
// no more than a page.
func (t *txn) due(queue string, n int) ([]message, error) {
	prefix := queuePrefix(queue)
	var due []message
	size := 0
	cursor := t.bucket(ready).Cursor()
	for at, key := cursor.Seek(prefix); at != nil && bytes.HasPrefix(at, prefix); at, key = cursor.Next() {
		if len(due) == n || size >= pageBytes || int64(binary.BigEndian.Uint64(at[len(prefix):])) > t.now {
			break
		}
		m, err := decodeMessage(key, t.bucket(messages).Get(key))
		if err != nil {
			return nil, err
		}
		due = append(due, m)
		size += len(m.value)
	}
	return due, nil
}

// Done implements state.Queue.
func (q *queue) Done(ctx context.Context, task state.Task) error {
	return q.change(ctx, "finishing a message", task.ID, state.ErrLeaseLost, func(t *txn, m message) error {
		if m.token != task.Token {
			return state.ErrLeaseLost
		}
		return t.remove(m)
	})
}

// Retry implements state.Queue.
func (q *queue) Retry(ctx context.Context, task state.Task, after time.Duration) error {
	if err := state.CheckMessage(q.name, task.Message, after); err != nil {
		return err
	}
	return q.change(ctx, "putting back a message", task.ID, state.ErrLeaseLost, func(t *txn, m message) error {
		if m.token != task.Token {
			return state.ErrLeaseLost
		}
		again := m
		again.token, again.due = 0, t.now+milliseconds(after)
		again.tries, again.value = m.tries+1, task.Value
		t.replace(m, again)
		return nil
	})
}

// Reschedule implements state.Queue.
func (q *queue) Reschedule(ctx context.Context, id string, after time.Duration) error {
	if after < 0 {
		return fmt.Errorf("%w: in %v", state.ErrInvalid, after)
	}
	return q.change(ctx, "rescheduling a message", id, state.ErrNotFound, func(t *txn, m message) error {
		if m.leased(t.now) {
			return state.ErrLocked
		}
		moved := m
		moved.token, moved.due = 0, t.now+milliseconds(after)
		t.replace(m, moved)
		return nil
	})
}

// Remove implements state.Queue.
func (q *queue) Remove(ctx context.Context, id string) error {
	return q.change(ctx, "removing a message", id, state.ErrNotFound, (*txn).remove)
}

// change changes the message with an id; if there is none the error is missing.
func (q *queue) change(ctx context.Context, doing, id string, missing error, do func(*txn, message) error) error {
	if err := state.CheckMessage(q.name, state.Message{ID: id, Group: id}, 0); err != nil {
		return err
	}
	err := q.store.update(ctx, func(t *txn) error {
		m, found, err := t.message(q.name, id)
		if err != nil {
			return err
		}
		if !found {
			return missing
		}
		return do(t, m)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// milliseconds rounds up.
func milliseconds(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}
