package statetest

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/state"
)

func queueTests() []test {
	return []test{
		{"give out", testQueueGivesOut},
		{"keep the order of a group", testQueueOrder},
		{"wait", testQueueWaits},
		{"lease", testQueueLeases},
		{"try again", testQueueRetries},
		{"are bounded", testQueueBounds},
		{"know an id", testQueueExists},
		{"are rescheduled", testQueueReschedules},
		{"lose what is removed", testQueueRemoves},
		{"are listed", testQueues},
		{"list their messages", testQueueLists},
		{"give out large messages", testQueueLarge},
		{"have odd names", testQueueNames},
		{"refuse", testQueueInvalid},
		{"give out once", testQueueConcurrent},
	}
}

// plenty is more than any test puts into a queue.
const plenty = 10_000

func enqueue(t *testing.T, queue state.Queue, id, group string, after time.Duration) {
	t.Helper()
	m := state.Message{ID: id, Group: group, Value: []byte("value of " + id)}
	if err := queue.Put(t.Context(), m, after, plenty); err != nil {
		t.Fatalf("putting %q: %v", id, err)
	}
}

func take(t *testing.T, queue state.Queue, n int) []state.Task {
	t.Helper()
	tasks, err := queue.Take(t.Context(), n, ttl)
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// wantTaken takes all that is due, which must be these ids in any order.
func wantTaken(t *testing.T, queue state.Queue, want ...string) []state.Task {
	t.Helper()
	tasks := take(t, queue, plenty)
	var got []string
	for _, task := range tasks {
		got = append(got, task.ID)
		if string(task.Value) != "value of "+task.ID {
			t.Errorf("%q has the value %q", task.ID, task.Value)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("taken are %s", diff)
	}
	return tasks
}

func done(t *testing.T, queue state.Queue, tasks ...state.Task) {
	t.Helper()
	for _, task := range tasks {
		if err := queue.Done(t.Context(), task); err != nil {
			t.Fatalf("finishing %q: %v", task.ID, err)
		}
	}
}

func list(t *testing.T, queue state.Queue) []state.Queued {
	t.Helper()
	var out []state.Queued
	for queued, err := range queue.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, queued)
	}
	return out
}

// wantQueue checks which messages are in a queue.
func wantQueue(t *testing.T, queue state.Queue, want ...string) {
	t.Helper()
	var got []string
	for _, queued := range list(t, queue) {
		got = append(got, queued.ID)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the queue holds %s", diff)
	}
}

func testQueueGivesOut(t *testing.T, s Subject) {
	store := s.New(t)
	queue := store.Queue("q")
	wantTaken(t, queue)
	enqueue(t, queue, "a", "1", 0)
	enqueue(t, queue, "b", "2", 0)
	enqueue(t, store.Queue("other"), "c", "1", 0)
	tasks := wantTaken(t, queue, "a", "b")
	wantTaken(t, queue)
	if tasks[0].Tries != 0 || tasks[0].Group == tasks[1].Group {
		t.Errorf("got %+v", tasks)
	}
	done(t, queue, tasks...)
	wantQueue(t, queue)
	s.Advance(2 * ttl)
	wantTaken(t, queue)
	wantError(t, "finishing again", queue.Done(t.Context(), tasks[0]), state.ErrLeaseLost)
	wantTaken(t, store.Queue("other"), "c")
}

func testQueueOrder(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	for i := range 30 {
		enqueue(t, queue, fmt.Sprint("id", i), "group "+strconv.Itoa(i%3), 0)
	}
	// What is not due keeps what is behind it.
	enqueue(t, queue, "late", "late", time.Hour)
	enqueue(t, queue, "behind", "late", 0)
	for i := range 10 {
		tasks := wantTaken(t, queue, fmt.Sprint("id", 3*i), fmt.Sprint("id", 3*i+1), fmt.Sprint("id", 3*i+2))
		if i == 5 {
			if err := queue.Retry(t.Context(), tasks[0], 0); err != nil {
				t.Fatal(err)
			}
			tasks = append(tasks[1:], wantTaken(t, queue, tasks[0].ID)...)
		}
		done(t, queue, tasks...)
	}
	wantTaken(t, queue)
	s.Advance(2 * time.Hour)
	done(t, queue, wantTaken(t, queue, "late")...)
	wantTaken(t, queue, "behind")
}

func testQueueWaits(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	enqueue(t, queue, "hour", "1", time.Hour)
	enqueue(t, queue, "minute", "2", time.Minute)
	wantTaken(t, queue)
	s.Advance(time.Minute - time.Second)
	wantTaken(t, queue)
	s.Advance(2 * time.Second)
	done(t, queue, wantTaken(t, queue, "minute")...)
	enqueue(t, queue, "now", "3", 0)
	s.Advance(time.Hour)
	// The longest due comes first.
	if tasks := take(t, queue, 1); len(tasks) != 1 || tasks[0].ID != "now" {
		t.Errorf("got %+v", tasks)
	}
	wantTaken(t, queue, "hour")
}

func testQueueLeases(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	enqueue(t, queue, "a", "1", 0)
	enqueue(t, queue, "b", "1", 0)
	first := wantTaken(t, queue, "a")[0]
	s.Advance(ttl - time.Second)
	wantTaken(t, queue)
	s.Advance(2 * time.Second)
	// The worker died, or so it seems.
	second := wantTaken(t, queue, "a")[0]
	if first.Token == second.Token {
		t.Error("two leases have one token")
	}
	wantError(t, "finishing after another took it", queue.Done(t.Context(), first), state.ErrLeaseLost)
	wantError(t, "putting back after another took it", queue.Retry(t.Context(), first, 0), state.ErrLeaseLost)
	if got := list(t, queue); len(got) != 2 || !got[0].Leased || got[1].Leased || got[0].Tries != 0 {
		t.Errorf("the queue is %+v", got)
	}
	s.Advance(2 * ttl)
	if got := list(t, queue); len(got) != 2 || got[0].Leased {
		t.Errorf("the queue is %+v", got)
	}
	// It was late, but nobody else has taken it.
	done(t, queue, second)
	wantTaken(t, queue, "b")
}

func testQueueRetries(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	enqueue(t, queue, "a", "1", 0)
	task := wantTaken(t, queue, "a")[0]
	for tries := 1; tries < 4; tries++ {
		before := task
		task.Value = fmt.Append(nil, "try ", tries)
		if err := queue.Retry(t.Context(), task, time.Minute); err != nil {
			t.Fatal(err)
		}
		wantError(t, "putting back twice", queue.Retry(t.Context(), before, 0), state.ErrLeaseLost)
		wantError(t, "finishing what was put back", queue.Done(t.Context(), before), state.ErrLeaseLost)
		s.Advance(time.Minute - time.Second)
		wantTaken(t, queue)
		s.Advance(2 * time.Second)
		tasks := take(t, queue, 1)
		if len(tasks) != 1 || tasks[0].Tries != tries || string(tasks[0].Value) != fmt.Sprint("try ", tries) || tasks[0].Group != "1" {
			t.Fatalf("got %+v", tasks)
		}
		task = tasks[0]
	}
	done(t, queue, task)
	wantQueue(t, queue)
}

func testQueueBounds(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	put := func(id string, limit int) error {
		return queue.Put(t.Context(), state.Message{ID: id, Group: "g"}, 0, limit)
	}
	wantError(t, "a limit of 0", put("a", 0), state.ErrFull)
	wantError(t, "a limit below 0", put("a", -1), state.ErrFull)
	for _, id := range []string{"a", "b"} {
		if err := put(id, 2); err != nil {
			t.Fatal(err)
		}
	}
	wantError(t, "one too many", put("c", 2), state.ErrFull)
	wantError(t, "one that is there", put("b", 2), state.ErrExists)
	done(t, queue, take(t, queue, 1)...)
	if err := put("c", 2); err != nil {
		t.Error(err)
	}
	wantQueue(t, queue, "b", "c")
}

func testQueueExists(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	enqueue(t, queue, "a", "1", 0)
	again := func() error {
		return queue.Put(t.Context(), state.Message{ID: "a", Group: "2", Value: []byte("other")}, 0, plenty)
	}
	wantError(t, "putting again", again(), state.ErrExists)
	tasks := wantTaken(t, queue, "a")
	wantError(t, "putting what is worked on", again(), state.ErrExists)
	done(t, queue, tasks...)
	if err := again(); err != nil {
		t.Errorf("putting what is done: %v", err)
	}
}

func testQueueReschedules(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	wantError(t, "what is not there", queue.Reschedule(t.Context(), "a", 0), state.ErrNotFound)
	enqueue(t, queue, "a", "1", time.Hour)
	enqueue(t, queue, "b", "1", time.Hour)
	for _, id := range []string{"b", "a"} {
		if err := queue.Reschedule(t.Context(), id, 0); err != nil {
			t.Fatal(err)
		}
	}
	tasks := wantTaken(t, queue, "a")
	wantError(t, "what is worked on", queue.Reschedule(t.Context(), "a", 0), state.ErrLocked)
	done(t, queue, tasks...)
	lost := wantTaken(t, queue, "b")[0]
	s.Advance(2 * ttl)
	if err := queue.Reschedule(t.Context(), "b", time.Hour); err != nil {
		t.Errorf("rescheduling what its worker left: %v", err)
	}
	wantError(t, "finishing what was rescheduled", queue.Done(t.Context(), lost), state.ErrLeaseLost)
	wantTaken(t, queue)
	s.Advance(2 * time.Hour)
	if tasks := wantTaken(t, queue, "b"); tasks[0].Tries != 0 {
		t.Errorf("rescheduling counts as a try: %+v", tasks)
	}
}

func testQueueRemoves(t *testing.T, s Subject) {
	queue := s.New(t).Queue("q")
	wantError(t, "what is not there", queue.Remove(t.Context(), "a"), state.ErrNotFound)
	for _, id := range []string{"a", "b", "c", "d"} {
		enqueue(t, queue, id, "1", 0)
	}
	task := wantTaken(t, queue, "a")[0]
	for _, id := range []string{"c", "a"} {
		if err := queue.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	wantError(t, "finishing what was removed", queue.Done(t.Context(), task), state.ErrLeaseLost)
	wantError(t, "putting back what was removed", queue.Retry(t.Context(), task, 0), state.ErrLeaseLost)
	done(t, queue, wantTaken(t, queue, "b")...)
	done(t, queue, wantTaken(t, queue, "d")...)
	wantQueue(t, queue)
}
