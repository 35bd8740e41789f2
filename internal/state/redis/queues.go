package redis

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/archive"
)

// Queues implements state.Store.
func (s *Store) Queues(ctx context.Context, prefix string) iter.Seq2[state.QueueInfo, error] {
	return func(yield func(state.QueueInfo, error) bool) {
		first, last := "["+prefix, endOf(prefix)
		for first != "" {
			reply, err := s.run(ctx, s.scripts.listQueues, []string{queuesKey}, s.prefix, first, last, pageNames)
			page, next, ok := pageOf(reply, 3)
			if err == nil && !ok {
				err = unavailable(errors.New("a page is malformed"))
			}
			if err != nil {
				yield(state.QueueInfo{}, fmt.Errorf("listing queues: %w", err))
				return
			}
			for _, row := range page {
				name, _ := row[0].(string)
				length, _ := row[1].(int64)
				wait, _ := row[2].(int64)
				if !yield(state.QueueInfo{Name: name, Len: int(length), Wait: time.Duration(wait) * time.Millisecond}, nil) {
					return
				}
			}
			first = next
		}
	}
}

// List implements state.Queue.
func (q *queue) List(ctx context.Context) iter.Seq2[state.Queued, error] {
	return func(yield func(state.Queued, error) bool) {
		for m, err := range q.messages(ctx) {
			if err != nil {
				yield(state.Queued{}, fmt.Errorf("listing a queue: %w", err))
				return
			}
			if !yield(state.Queued{
				Message: state.Message{ID: m.Key, Group: m.Group, Value: m.Value},
				Tries:   int(m.Tries),
				Due:     time.UnixMilli(m.Due).UTC(),
				Leased:  m.leased,
			}, nil) {
				return
			}
		}
	}
}

// message is all there is to a message.
type message struct {
	archive.Record
	leased bool
}

// messages yields the messages of the queue, page by page.
func (q *queue) messages(ctx context.Context) iter.Seq2[message, error] {
	return func(yield func(message, error) bool) {
		for first := "-"; first != ""; {
			reply, err := q.run(ctx, q.store.scripts.listMessages, first, pageNames, pageBytes)
			page, next, ok := pageOf(reply, 7)
			if err == nil && !ok {
				err = unavailable(errors.New("a page is malformed"))
			}
			if err != nil {
				yield(message{}, err)
				return
			}
			for _, row := range page {
				m, err := q.message(row)
				if !yield(m, err) || err != nil {
					return
				}
			}
			first = next
		}
	}
}

// message returns a message as a page has it.
func (q *queue) message(row []any) (message, error) {
	text := texts(row)
	seq, errSeq := strconv.ParseUint(text[2], 10, 64)
	tries, errTries := strconv.ParseUint(text[3], 10, 32)
	due, errDue := strconv.ParseInt(text[4], 10, 64)
	if err := errors.Join(errSeq, errTries, errDue); err != nil {
		return message{}, damagedMessage()
	}
	return message{leased: row[5] == int64(1), Record: archive.Record{
		Kind:  archive.Message,
		Key:   text[0],
		Value: []byte(text[6]),
		Queue: q.name,
		Group: text[1],
		Seq:   seq,
		Due:   due,
		Tries: uint32(tries),
	}}, nil
}

// pageOf returns the rows of a page, of so many columns each, and where the next
// page begins, "" if this is the last one.
func pageOf(reply any, columns int) (page [][]any, next string, ok bool) {
	fields, _ := reply.([]any)
	if len(fields) == 0 {
		return nil, "", false
	}
	if last, _ := fields[0].(string); last != "" {
		next = "(" + last
	}
	for _, field := range fields[1:] {
		row, _ := field.([]any)
		if len(row) != columns {
			return nil, "", false
		}
		page = append(page, row)
	}
	return page, next, true
}
