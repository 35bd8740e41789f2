package statetest

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/state"
)

func testQueues(t *testing.T, s Subject) {
	store := s.New(t)
	infos := func(prefix string) (names []string, all []state.QueueInfo) {
		t.Helper()
		for info, err := range store.Queues(t.Context(), prefix) {
			if err != nil {
				t.Fatal(err)
			}
			names, all = append(names, info.Name), append(all, info)
		}
		return names, all
	}
	var want []string
	for i := range 300 {
		name := fmt.Sprintf("queue/%03d", i)
		enqueue(t, store.Queue(name), "a", "1", time.Hour)
		want = append(want, name)
	}
	enqueue(t, store.Queue("other"), "a", "1", 0)
	enqueue(t, store.Queue("other"), "b", "1", time.Hour)
	names, _ := infos("queue/")
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	wantInfo := func(n int, wait time.Duration) {
		t.Helper()
		_, all := infos("other")
		if len(all) != 1 || all[0].Len != n || all[0].Wait > wait || all[0].Wait < wait-5*time.Second {
			t.Errorf("got %v, want %d messages in %v", all, n, wait)
		}
	}
	wantInfo(2, 0)
	tasks := wantTaken(t, store.Queue("other"), "a")
	wantInfo(2, ttl)
	done(t, store.Queue("other"), tasks...)
	wantInfo(1, time.Hour)
	if err := store.Queue("other").Remove(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if names, _ := infos("o"); names != nil {
		t.Errorf("an empty queue is listed: %q", names)
	}
}

func testQueueLists(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	want := make(map[string][]string)
	for i := range 600 {
		group, id := "group "+strconv.Itoa(i*i%7), fmt.Sprint("id", i)
		enqueue(t, queue, id, group, time.Duration(i%2)*time.Hour)
		want[group] = append(want[group], id)
	}
	got := make(map[string][]string)
	for queued, err := range queue.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got[queued.Group] = append(got[queued.Group], queued.ID)
		if string(queued.Value) != "value of "+queued.ID || queued.Leased || queued.Tries != 0 || queued.Due.Location() != time.UTC {
			t.Fatalf("got %+v", queued)
		}
		// The loop may write.
		if queued.Group == "group 0" {
			if err := queue.Remove(t.Context(), queued.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, err := range queue.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if left := len(list(t, queue)); left != 600-len(want["group 0"]) {
		t.Errorf("%d are left", left)
	}
}

func testQueueLarge(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	const n = 12
	for i := range n {
		m := state.Message{ID: strconv.Itoa(i), Group: strconv.Itoa(i), Value: []byte(strings.Repeat("v", 400<<10))}
		if err := queue.Put(t.Context(), m, 0, plenty); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(list(t, queue)); got != n {
		t.Errorf("%d are listed", got)
	}
	taken := 0
	for tasks := take(t, queue, n); len(tasks) > 0; tasks = take(t, queue, n) {
		if len(tasks) > n/2 {
			t.Errorf("%d large messages come at once", len(tasks))
		}
		taken += len(tasks)
	}
	if taken != n {
		t.Errorf("%d were taken", taken)
	}
}

func testQueueNames(t *testing.T, s Subject) {
	store := s.New(t)
	longest := strings.Repeat("n", state.MaxKey)
	names := []string{"\x00", "1", "1:1", "a:", "a:a", "\xff", "ä", longest}
	for _, queue := range names {
		for _, group := range names {
			for i := range 2 {
				id := fmt.Sprint(i, ":", group)
				enqueue(t, store.Queue(queue), id[:min(len(id), state.MaxKey)], group, 0)
			}
		}
	}
	for _, queue := range names {
		for range 2 {
			tasks := take(t, store.Queue(queue), plenty)
			if len(tasks) != len(names) {
				t.Fatalf("%.10q gives out %d, want one of each group", queue, len(tasks))
			}
			done(t, store.Queue(queue), tasks...)
		}
		wantQueue(t, store.Queue(queue))
	}
}

func testQueueInvalid(t *testing.T, s Subject) {
	store := s.New(t)
	queue := store.Queue("q")
	long := strings.Repeat("k", state.MaxKey+1)
	ok := state.Message{ID: "a", Group: "g"}
	put := func(queue state.Queue, m state.Message, after time.Duration) error {
		return queue.Put(t.Context(), m, after, plenty)
	}
	take := func(queue state.Queue, n int, lease time.Duration) error {
		_, err := queue.Take(t.Context(), n, lease)
		return err
	}
	large := make([]byte, state.MaxValue+1)
	for doing, err := range map[string]error{
		"put without an id":           put(queue, state.Message{Group: "g"}, 0),
		"put a long id":               put(queue, state.Message{ID: long, Group: "g"}, 0),
		"put without a group":         put(queue, state.Message{ID: "a"}, 0),
		"put a long group":            put(queue, state.Message{ID: "a", Group: long}, 0),
		"put a large value":           put(queue, state.Message{ID: "a", Group: "g", Value: large}, 0),
		"put in the past":             put(queue, ok, -1),
		"put without a queue":         put(store.Queue(""), ok, 0),
		"take nothing":                take(queue, 0, ttl),
		"take for a moment":           take(queue, 1, state.MinLease-1),
		"take without a queue":        take(store.Queue(""), 1, ttl),
		"finish without an id":        queue.Done(t.Context(), state.Task{}),
		"finish without a queue":      store.Queue("").Done(t.Context(), state.Task{Message: ok}),
		"put back in the past":        queue.Retry(t.Context(), state.Task{Message: ok}, -1),
		"put back what is large":      queue.Retry(t.Context(), state.Task{Message: state.Message{ID: "a", Group: "g", Value: large}}, 0),
		"reschedule without an id":    queue.Reschedule(t.Context(), "", 0),
		"reschedule into the past":    queue.Reschedule(t.Context(), "a", -1),
		"reschedule without a queue":  store.Queue("").Reschedule(t.Context(), "a", 0),
		"remove without an id":        queue.Remove(t.Context(), ""),
		"remove from without a queue": store.Queue("").Remove(t.Context(), "a"),
	} {
		wantError(t, doing, err, state.ErrInvalid)
	}
	for _, err := range store.Queue("").List(t.Context()) {
		wantError(t, "list without a queue", err, state.ErrInvalid)
	}
}

func testQueueConcurrent(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	const groups, each = 8, 10
	var mu sync.Mutex
	got := make(map[string][]string)
	var wg sync.WaitGroup
	for g := range groups {
		group := strconv.Itoa(g)
		for i := range each {
			enqueue(t, queue, fmt.Sprint(group, "/", i), group, 0)
		}
	}
	for range 6 {
		wg.Go(func() {
			for {
				tasks, err := queue.Take(t.Context(), 3, ttl)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				total := 0
				for _, task := range tasks {
					got[task.Group] = append(got[task.Group], task.ID)
				}
				for _, ids := range got {
					total += len(ids)
				}
				mu.Unlock()
				if total >= groups*each && len(tasks) == 0 {
					return
				}
				for _, task := range tasks {
					if err := queue.Done(t.Context(), task); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	for group, ids := range got {
		for i, id := range ids {
			if id != fmt.Sprint(group, "/", i) {
				t.Errorf("group %s was given out as %q", group, ids)
				break
			}
		}
		if len(ids) != each {
			t.Errorf("group %s: %d were given out", group, len(ids))
		}
	}
	wantQueue(t, queue)
}

// fillQueue puts some of everything that a queue can hold into a store, and
// returns a function that checks whether it is in another, without changing it.
func fillQueue(t *testing.T, store state.Store) (check func(t *testing.T, restored state.Store)) {
	t.Helper()
	for i := range 3 {
		queue := store.Queue("queue/" + strconv.Itoa(i))
		for j := range 5 {
			enqueue(t, queue, fmt.Sprint("id/", 9-j), "group/"+strconv.Itoa(j%2), 0)
		}
		for _, task := range take(t, queue, 1) {
			if err := queue.Retry(t.Context(), task, 240*time.Hour); err != nil {
				t.Fatal(err)
			}
		}
	}
	return func(t *testing.T, restored state.Store) {
		t.Helper()
		names := 0
		for info, err := range restored.Queues(t.Context(), "") {
			if err != nil || info.Len != 5 {
				t.Errorf("got %v, %v", info, err)
			}
			names++
		}
		if names != 3 {
			t.Errorf("%d queues, want 3", names)
		}
		for i := range 3 {
			want, got := list(t, store.Queue("queue/"+strconv.Itoa(i))), list(t, restored.Queue("queue/"+strconv.Itoa(i)))
			// How long a lease goes on is not told, and clocks may differ a little.
			about := cmp.Comparer(func(a, b time.Time) bool { return a.Sub(b).Abs() < time.Minute })
			if diff := cmp.Diff(want, got, about); diff != "" {
				t.Error(diff)
			}
		}
	}
}
