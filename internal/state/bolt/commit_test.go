package bolt

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"go.etcd.io/bbolt"

	"github.com/storeware/caddy-storeware/internal/state"
)

// commitID is the number of the latest commit to the file.
func commitID(t *testing.T, store *Store) int {
	t.Helper()
	var id int
	if err := store.db.View(func(tx *bbolt.Tx) error { id = tx.ID(); return nil }); err != nil {
		t.Fatal(err)
	}
	return id
}

// inBubbleWithStore runs a test that can wait until others wait.
func inBubbleWithStore(t *testing.T, test func(t *testing.T, store *Store)) {
	synctest.Test(t, func(t *testing.T) { test(t, openFile(t, newPath(t))) })
}

// gather starts changes that wait for one commit, which begins when the returned
// function is called, and their results.
func gather(t *testing.T, store *Store, ctx context.Context, changes ...func(*txn) error) (commit func() []error) {
	t.Helper()
	store.commits.turn <- struct{}{}
	results := make([]error, len(changes))
	var wg sync.WaitGroup
	for i, change := range changes {
		wg.Go(func() { results[i] = store.update(ctx, change) })
	}
	synctest.Wait()
	return func() []error {
		<-store.commits.turn
		wg.Wait()
		return results
	}
}

func write(key string) func(*txn) error {
	return func(t *txn) error {
		t.put(entries, []byte(key), entry{version: 1}.encode())
		return nil
	}
}

func TestOneCommitForMany(t *testing.T) { inBubbleWithStore(t, testOneCommitForMany) }

func testOneCommitForMany(t *testing.T, store *Store) {
	refusal := errors.New("refused")
	before := commitID(t, store)
	changes := []func(*txn) error{func(*txn) error { return refusal }}
	for i := range 50 {
		changes = append(changes, write(fmt.Sprint(i)))
	}
	results := gather(t, store, t.Context(), changes...)()
	if !errors.Is(results[0], refusal) {
		t.Errorf("what was refused got %v", results[0])
	}
	for i, err := range results[1:] {
		if err != nil {
			t.Errorf("change %d: %v", i, err)
		}
		if _, err := store.Get(t.Context(), fmt.Sprint(i)); err != nil {
			t.Errorf("change %d is not there: %v", i, err)
		}
	}
	if commits := commitID(t, store) - before; commits != 1 {
		t.Errorf("%d commits for changes that came together, want 1", commits)
	}
}

func TestNothingToCommit(t *testing.T) {
	store := openFile(t, newPath(t))
	before := commitID(t, store)
	if _, err := store.CompareAndSwap(t.Context(), "k", 1, nil, 0); !errors.Is(err, state.ErrConflict) {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), "k"); err != nil {
		t.Fatal(err)
	}
	if after := commitID(t, store); after != before {
		t.Error("changes that change nothing were written to disk")
	}
}

func TestCommitFails(t *testing.T) { inBubbleWithStore(t, testCommitFails) }

func testCommitFails(t *testing.T, store *Store) {
	refusal := errors.New("refused")
	results := gather(t, store, t.Context(),
		write("a"),
		func(t *txn) error { t.put(entries, nil, nil); return nil }, // bbolt wants a key
		func(*txn) error { return refusal },
	)()
	for i, err := range results {
		if !errors.Is(err, state.ErrUnavailable) || errors.Is(err, refusal) {
			t.Errorf("change %d of a commit that failed: got %v", i, err)
		}
	}
	if _, err := store.Get(t.Context(), "a"); !errors.Is(err, state.ErrNotFound) {
		t.Errorf("a change of a commit that failed: got %v", err)
	}
	if err := store.update(t.Context(), write("a")); err != nil {
		t.Errorf("the next commit: %v", err)
	}
}

// A panic in one change, which a server may recover from, must not make others
// believe in a commit that never was, nor keep them from making the next.
func TestCommitPanics(t *testing.T) {
	store := openFile(t, newPath(t))
	other := &change{apply: write("a"), done: make(chan struct{})}
	panics := &change{apply: func(*txn) error { panic("oops") }, done: make(chan struct{})}
	store.commits.waiting = []*change{other, panics}
	store.commits.turn <- struct{}{}
	func() {
		defer func() {
			if got := recover(); got != "oops" {
				t.Errorf("the panic became %v", got)
			}
		}()
		store.commits.commit()
	}()
	<-other.done
	if !errors.Is(other.err, state.ErrUnavailable) {
		t.Errorf("the other in the commit got %v", other.err)
	}
	if err := store.update(t.Context(), write("b")); err != nil {
		t.Errorf("the next commit: %v", err)
	}
	if _, err := store.Get(t.Context(), "a"); !errors.Is(err, state.ErrNotFound) {
		t.Errorf("a change of a commit that never was: got %v", err)
	}
}

func TestWithdraw(t *testing.T) { inBubbleWithStore(t, testWithdraw) }

func testWithdraw(t *testing.T, store *Store) {
	ctx, cancel := context.WithCancel(t.Context())
	store.commits.turn <- struct{}{}
	result := make(chan error)
	go func() { result <- store.update(ctx, write("gone")) }()
	synctest.Wait()
	cancel()
	if err := <-result; !errors.Is(err, state.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-store.commits.turn
	if err := store.update(t.Context(), write("next")); err != nil {
		t.Error(err)
	}
	if _, err := store.Get(t.Context(), "gone"); !errors.Is(err, state.ErrNotFound) {
		t.Errorf("a change that was withdrawn was made later: %v", err)
	}
}
