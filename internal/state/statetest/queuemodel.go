package statetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/state"
)

// queueModel is a queue as simple as can be: its messages as they were put.
type queueModel struct {
	now      time.Duration
	messages []*modelMessage
}

type modelMessage struct {
	id, group, value string
	due              time.Duration
	token            uint64 // 0 if it is not leased
	tries            int
}

func (m *queueModel) find(id string) *modelMessage {
	i := slices.IndexFunc(m.messages, func(message *modelMessage) bool { return message.id == id })
	if i < 0 {
		return nil
	}
	return m.messages[i]
}

func (m *queueModel) remove(gone *modelMessage) {
	m.messages = slices.DeleteFunc(m.messages, func(message *modelMessage) bool { return message == gone })
}

// due returns what may be given out, the longest due first.
func (m *queueModel) due() []*modelMessage {
	var out []*modelMessage
	groups := make(map[string]bool)
	for _, message := range m.messages {
		if !groups[message.group] && message.due <= m.now {
			out = append(out, message)
		}
		groups[message.group] = true
	}
	slices.SortStableFunc(out, func(a, b *modelMessage) int { return int(a.due - b.due) })
	return out
}

// testQueueModel does the same to a queue and to a model of it, at random, and
// compares what they say.
func testQueueModel(t *testing.T, s Subject) {
	store := s.New(t)
	round := 0
	rapid.Check(struct{ rapid.TB }{t}, func(t *rapid.T) {
		round++
		queue := store.Queue(fmt.Sprint("q", round))
		m := new(queueModel)
		var tasks []state.Task // all that were ever given out
		id := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "\xff"})
		value := rapid.StringN(0, 3, -1)
		// Whole seconds pass, so nothing becomes due in the moment of a call.
		after := rapid.SampledFrom([]time.Duration{0, 2500 * time.Millisecond, 80500 * time.Millisecond})
		check := func(t *rapid.T, err, want error) bool {
			if !errors.Is(err, want) || (err == nil) != (want == nil) {
				t.Fatalf("got error %v, want %v", err, want)
			}
			return want == nil
		}
		// settle draws a task that was given out, and what is left of it.
		settle := func(t *rapid.T) (state.Task, *modelMessage, error) {
			if len(tasks) == 0 {
				t.Skip("nothing was given out")
			}
			task := rapid.SampledFrom(tasks).Draw(t, "task")
			message := m.find(task.ID)
			if message == nil || message.token != task.Token {
				return task, nil, state.ErrLeaseLost
			}
			return task, message, nil
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				next := &modelMessage{id: id.Draw(t, "id"), group: rapid.SampledFrom([]string{"1", "2"}).Draw(t, "group"), value: value.Draw(t, "value")}
				wait := after.Draw(t, "after")
				next.due = m.now + wait
				var want error
				switch {
				case m.find(next.id) != nil:
					want = state.ErrExists
				case len(m.messages) >= 4:
					want = state.ErrFull
				}
				err := queue.Put(t.Context(), state.Message{ID: next.id, Group: next.group, Value: []byte(next.value)}, wait, 4)
				if check(t, err, want) {
					m.messages = append(m.messages, next)
				}
			},
			"take": func(t *rapid.T) {
				n := rapid.IntRange(1, 3).Draw(t, "n")
				got, err := queue.Take(t.Context(), n, 3500*time.Millisecond)
				check(t, err, nil)
				due := m.due()
				if len(got) != min(n, len(due)) {
					t.Fatalf("%d were given out, want %d", len(got), min(n, len(due)))
				}
				for i, task := range got {
					message := m.find(task.ID)
					if !slices.Contains(due, message) || message.due > due[i].due+time.Second ||
						task.Group != message.group || string(task.Value) != message.value || task.Tries != message.tries {
						t.Fatalf("given out was %+v, want one like %+v", task, due[i])
					}
				}
				for _, task := range got {
					message := m.find(task.ID)
					message.token, message.due = task.Token, m.now+3500*time.Millisecond
				}
				tasks = append(tasks, got...)
			},
			"done": func(t *rapid.T) {
				task, message, want := settle(t)
				if check(t, queue.Done(t.Context(), task), want) {
					m.remove(message)
				}
			},
			"retry": func(t *rapid.T) {
				task, message, want := settle(t)
				wait := after.Draw(t, "after")
				task.Value = []byte(value.Draw(t, "value"))
				if check(t, queue.Retry(t.Context(), task, wait), want) {
					message.token, message.due = 0, m.now+wait
					message.tries++
					message.value = string(task.Value)
				}
			},
			"reschedule": func(t *rapid.T) {
				id, wait := id.Draw(t, "id"), after.Draw(t, "after")
				message := m.find(id)
				var want error
				switch {
				case message == nil:
					want = state.ErrNotFound
				case message.token != 0 && message.due > m.now:
					want = state.ErrLocked
				}
				if check(t, queue.Reschedule(t.Context(), id, wait), want) {
					message.token, message.due = 0, m.now+wait
				}
			},
			"remove": func(t *rapid.T) {
				message := m.find(id.Draw(t, "id"))
				if message == nil {
					t.Skip("it is not there")
				}
				check(t, queue.Remove(t.Context(), message.id), nil)
				m.remove(message)
			},
			"advance": func(t *rapid.T) {
				d := time.Duration(rapid.IntRange(1, 5).Draw(t, "seconds")) * time.Second
				s.Advance(d)
				m.now += d
			},
			"": func(t *rapid.T) { m.compare(t, queue) },
		})
	})
}

// compare checks that a list finds what the model holds.
func (m *queueModel) compare(t *rapid.T, queue state.Queue) {
	got := make(map[string][]string)
	for queued, err := range queue.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		message := m.find(queued.ID)
		if message == nil || string(queued.Value) != message.value || queued.Tries != message.tries ||
			queued.Leased != (message.token != 0 && message.due > m.now) {
			t.Fatalf("listed is %+v, want %+v", queued, message)
		}
		got[queued.Group] = append(got[queued.Group], queued.ID)
	}
	want := make(map[string][]string)
	for _, message := range m.messages {
		want[message.group] = append(want[message.group], message.id)
	}
	for _, group := range []string{"1", "2"} {
		if !slices.Equal(got[group], want[group]) {
			t.Fatalf("group %s is %q, want %q", group, got[group], want[group])
		}
	}
}
