package redis

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/storeware/caddy-storeware/internal/state"
)

// queue is a state.Queue in Redis.
type queue struct {
	store *Store
	name  string
}

// Queue implements state.Store.
func (s *Store) Queue(name string) state.Queue { return &queue{store: s, name: name} }

// run runs a script on this queue.
func (q *queue) run(ctx context.Context, script *goredis.Script, args ...any) (any, error) {
	if err := state.CheckKey(q.name); err != nil {
		return nil, err
	}
	keys := []string{orderPrefix + q.name, readyPrefix + q.name, queuesKey, sequenceKey}
	messages := q.store.prefix + messagePrefix + strconv.Itoa(len(q.name)) + ":" + q.name + ":"
	return q.store.run(ctx, script, keys, append([]any{messages, q.name}, args...)...)
}

// change runs a script that replies with one word.
func (q *queue) change(ctx context.Context, doing string, script *goredis.Script, args ...any) error {
	reply, err := q.run(ctx, script, args...)
	if err == nil {
		switch reply {
		case "exists":
			err = state.ErrExists
		case "full":
			err = state.ErrFull
		case "missing":
			err = state.ErrNotFound
		case "lost":
			err = state.ErrLeaseLost
		case "leased":
			err = state.ErrLocked
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// Put implements state.Queue.
func (q *queue) Put(ctx context.Context, m state.Message, after time.Duration, limit int) error {
	if err := state.CheckMessage(q.name, m, after); err != nil {
		return err
	}
	return q.change(ctx, "putting into a queue", q.store.scripts.putMessage,
		m.ID, m.Group, m.Value, milliseconds(after), limit, "", 0)
}

// Take implements state.Queue.
func (q *queue) Take(ctx context.Context, n int, lease time.Duration) ([]state.Task, error) {
	if err := state.CheckTake(q.name, n, lease); err != nil {
		return nil, err
	}
	token := uint64(newVersion())
	reply, err := q.run(ctx, q.store.scripts.takeMessages, n, milliseconds(lease), token, pageBytes)
	if err != nil {
		return nil, fmt.Errorf("taking from a queue: %w", err)
	}
	rows, _ := reply.([]any)
	tasks := make([]state.Task, 0, len(rows))
	for _, row := range rows {
		text := texts(row)
		if len(text) != 4 {
			return nil, fmt.Errorf("taking from a queue: %w", damagedMessage())
		}
		tries, err := strconv.Atoi(text[2])
		if err != nil {
			return nil, fmt.Errorf("taking from a queue: %w", damagedMessage())
		}
		tasks = append(tasks, state.Task{
			Message: state.Message{ID: text[0], Group: text[1], Value: []byte(text[3])},
			Tries:   tries,
			Token:   token,
		})
	}
	return tasks, nil
}

// Done implements state.Queue.
func (q *queue) Done(ctx context.Context, task state.Task) error {
	err := q.remove(ctx, "finishing a message", task.ID, strconv.FormatUint(task.Token, 10))
	if errors.Is(err, state.ErrNotFound) {
		return fmt.Errorf("finishing a message: %w", state.ErrLeaseLost)
	}
	return err
}

// Retry implements state.Queue.
func (q *queue) Retry(ctx context.Context, task state.Task, after time.Duration) error {
	if err := state.CheckMessage(q.name, task.Message, after); err != nil {
		return err
	}
	return q.change(ctx, "putting back a message", q.store.scripts.retryMessage,
		task.ID, task.Token, task.Value, milliseconds(after))
}

// Reschedule implements state.Queue.
func (q *queue) Reschedule(ctx context.Context, id string, after time.Duration) error {
	if err := state.CheckEntry(id, nil, after); err != nil {
		return err
	}
	return q.change(ctx, "rescheduling a message", q.store.scripts.reschedule, id, milliseconds(after))
}

// Remove implements state.Queue.
func (q *queue) Remove(ctx context.Context, id string) error {
	return q.remove(ctx, "removing a message", id, "")
}

func (q *queue) remove(ctx context.Context, doing, id, token string) error {
	if err := state.CheckKey(id); err != nil {
		return err
	}
	return q.change(ctx, doing, q.store.scripts.removeMessage, id, token)
}

// texts returns the columns of a row, where what is no text is "".
func texts(row any) []string {
	columns, _ := row.([]any)
	out := make([]string, len(columns))
	for i, column := range columns {
		out[i], _ = column.(string)
	}
	return out
}

func damagedMessage() error { return unavailable(errors.New("a message is damaged")) }
