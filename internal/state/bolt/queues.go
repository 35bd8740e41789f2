package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// Queues implements state.Store.
func (s *Store) Queues(ctx context.Context, prefix string) iter.Seq2[state.QueueInfo, error] {
	return func(yield func(state.QueueInfo, error) bool) {
		decode := func(t *txn, key, n []byte) (state.QueueInfo, int64, error) {
			info := state.QueueInfo{Name: string(key), Len: int(t.length(string(key)))}
			wait, err := t.wait(info.Name)
			info.Wait = wait
			return info, 0, err
		}
		for info, err := range scan(ctx, s, queues, prefix, "", decode) {
			if err != nil {
				yield(state.QueueInfo{}, fmt.Errorf("listing queues: %w", err))
				return
			}
			if !yield(info, nil) {
				return
			}
		}
	}
}

// wait returns how long it is until a message of a queue is due.
func (t *txn) wait(queue string) (time.Duration, error) {
	prefix := queuePrefix(queue)
	key, _ := t.bucket(ready).Cursor().Seek(prefix)
	if !bytes.HasPrefix(key, prefix) || len(key) < len(prefix)+8 {
		return 0, unavailable(fmt.Errorf("queue %q is damaged", queue))
	}
	return time.Duration(int64(binary.BigEndian.Uint64(key[len(prefix):]))-t.now) * time.Millisecond, nil
}

// List implements state.Queue.
func (q *queue) List(ctx context.Context) iter.Seq2[state.Queued, error] {
	return func(yield func(state.Queued, error) bool) {
		if err := state.CheckKey(q.name); err != nil {
			yield(state.Queued{}, err)
			return
		}
		prefix := string(queuePrefix(q.name))
		decode := func(t *txn, key, record []byte) (state.Queued, int64, error) {
			m, err := decodeMessage(key, record)
			return state.Queued{
				Message: state.Message{ID: m.id, Group: m.group, Value: bytes.Clone(m.value)},
				Tries:   int(m.tries),
				Due:     time.UnixMilli(m.due).UTC(),
				Leased:  m.leased(t.now),
			}, 0, err
		}
		for queued, err := range scan(ctx, q.store, messages, prefix, "", decode) {
			if err != nil {
				yield(state.Queued{}, fmt.Errorf("listing a queue: %w", err))
				return
			}
			if !yield(queued, nil) {
				return
			}
		}
	}
}
