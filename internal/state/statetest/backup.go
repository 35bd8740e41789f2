package statetest

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/archive"
)

func backupTests() []test {
	return []test{
		{"comes back", testBackupComesBack},
		{"nothing", testBackupOfNothing},
		{"refuses to mix", testRestoreRefuses},
		{"replaces", testRestoreReplaces},
		{"damaged", testRestoreDamaged},
		{"cut off", testRestoreCutOff},
		{"expires", testBackupExpires},
		{"writer fails", testBackupWriterFails},
	}
}

// Fill puts something of everything into a store, and returns a function that
// checks whether it is in another.
func Fill(t *testing.T, store state.Store) (check func(t *testing.T, restored state.Store)) {
	t.Helper()
	values := make(map[string]string)
	for i := range 600 {
		values["entry/"+strconv.Itoa(i)] = strings.Repeat(strconv.Itoa(i), i)
	}
	versions := putAll(t, store, values, func(key string) time.Duration {
		return time.Duration(len(key)%2) * 24 * time.Hour
	})
	add(t, store, "count/min", math.MinInt64, 0, math.MinInt64)
	add(t, store, "count/max", math.MaxInt64, 24*time.Hour, math.MaxInt64)
	checkQueue := fillQueue(t, store)
	lease := tryAcquire(t, store, "lease")
	release(t, lease)
	return func(t *testing.T, restored state.Store) {
		t.Helper()
		for key, value := range values {
			wantEntry(t, restored, key, value, versions[key])
		}
		if got := len(keys(t, restored, "", "")); got != len(values) {
			t.Errorf("%d entries, want %d", got, len(values))
		}
		add(t, restored, "count/min", 0, 0, math.MinInt64)
		add(t, restored, "count/max", 0, 0, math.MaxInt64)
		checkQueue(t, restored)
		next := tryAcquire(t, restored, "lease")
		if next.Token() <= lease.Token() {
			t.Errorf("token %d follows %d", next.Token(), lease.Token())
		}
		release(t, next)
	}
}

func backup(t *testing.T, store state.Store) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := store.Backup(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func testBackupComesBack(t *testing.T, s Subject) {
	store, restored := s.New(t), s.New(t)
	check := Fill(t, store)
	saved := backup(t, store)
	check(t, store)
	// A reader that hands out one byte at a time is as good as any.
	if err := restored.Restore(t.Context(), iotest.OneByteReader(bytes.NewReader(saved)), state.IntoEmpty); err != nil {
		t.Fatal(err)
	}
	check(t, restored)
}

func testBackupOfNothing(t *testing.T, s Subject) {
	store := s.New(t)
	if err := store.Restore(t.Context(), bytes.NewReader(backup(t, store)), state.IntoEmpty); err != nil {
		t.Fatal(err)
	}
	if got := keys(t, store, "", ""); got != nil {
		t.Errorf("got %q", got)
	}
}

func testRestoreRefuses(t *testing.T, s Subject) {
	saved := backup(t, s.New(t))
	withEntry, withCounter, withMessage := s.New(t), s.New(t), s.New(t)
	version := put(t, withEntry, "k", "v", 0)
	wantError(t, "a store with an entry", withEntry.Restore(t.Context(), bytes.NewReader(saved), state.IntoEmpty), state.ErrNotEmpty)
	wantEntry(t, withEntry, "k", "v", version)
	add(t, withCounter, "n", 1, 0, 1)
	wantError(t, "a store with a counter", withCounter.Restore(t.Context(), bytes.NewReader(saved), state.IntoEmpty), state.ErrNotEmpty)
	add(t, withCounter, "n", 1, 0, 2)
	enqueue(t, withMessage.Queue("q"), "shop/id", "g", 0)
	wantError(t, "a store with a message", withMessage.Restore(t.Context(), bytes.NewReader(saved), state.IntoEmpty), state.ErrNotEmpty)
	wantQueue(t, withMessage.Queue("q"), "shop/id")
}

func testRestoreReplaces(t *testing.T, s Subject) {
	store, other := s.New(t), s.New(t)
	check := Fill(t, store)
	put(t, other, "old", "v", 0)
	put(t, other, "entry/1", "old", time.Minute)
	add(t, other, "count/min", 7, 0, 7)
	enqueue(t, other.Queue("old"), "old", "old", 0)
	enqueue(t, other.Queue("queue/0"), "new/0", "group/0", 0)
	if err := other.Restore(t.Context(), bytes.NewReader(backup(t, store)), state.Replace); err != nil {
		t.Fatal(err)
	}
	check(t, other)
	// What was replaced must not come for its successor when its time is over.
	s.Advance(10 * time.Minute)
	check(t, other)
}

func testRestoreDamaged(t *testing.T, s Subject) {
	store, other := s.New(t), s.New(t)
	Fill(t, store)
	saved := backup(t, store)
	kept := put(t, other, "kept", "v", 0)
	for name, damage := range map[string]func() []byte{
		"nothing":       func() []byte { return nil },
		"something":     func() []byte { return []byte("something else altogether") },
		"a short start": func() []byte { return saved[:10] },
		"a flipped bit": func() []byte { out := bytes.Clone(saved); out[100] ^= 1; return out },
		"a huge block":  func() []byte { out := bytes.Clone(saved); out[18] = 0xff; return out },
	} {
		err := other.Restore(t.Context(), bytes.NewReader(damage()), state.Replace)
		wantError(t, name, err, archive.ErrDamaged)
		wantEntry(t, other, "kept", "v", kept)
	}
	newer := bytes.Clone(saved)
	newer[16]++
	wantError(t, "a newer format", other.Restore(t.Context(), bytes.NewReader(newer), state.Replace), state.ErrSchema)
	wantEntry(t, other, "kept", "v", kept)
}

func testRestoreCutOff(t *testing.T, s Subject) {
	store := s.New(t)
	for i := range 3 {
		put(t, store, strconv.Itoa(i), strings.Repeat("v", 300<<10), 0)
	}
	saved := backup(t, store)
	broken := errors.New("broken pipe")
	for name, test := range map[string]struct {
		r    io.Reader
		want error
	}{
		"in a block":      {bytes.NewReader(saved[:len(saved)/2]), archive.ErrDamaged},
		"before the end":  {bytes.NewReader(saved[:len(saved)-40]), archive.ErrDamaged},
		"a byte too much": {bytes.NewReader(append(bytes.Clone(saved), 0)), archive.ErrDamaged},
		"broken pipe":     {io.MultiReader(bytes.NewReader(saved[:len(saved)/2]), iotest.ErrReader(broken)), broken},
	} {
		wantError(t, name, store.Restore(t.Context(), test.r, state.Replace), test.want)
		if got := keys(t, store, "", ""); got != nil {
			t.Errorf("%s: half a backup was left: %q", name, got)
		}
	}
}

func testBackupExpires(t *testing.T, s Subject) {
	if s.RealClock {
		return // a backup cannot get old where the clock cannot be moved
	}
	store, restored := s.New(t), s.New(t)
	put(t, store, "gone", "v", time.Minute)
	put(t, store, "soon", "v", time.Hour)
	put(t, store, "for ever", "v", 0)
	add(t, store, "gone", 1, time.Minute, 1)
	add(t, store, "soon", 1, time.Hour, 1)
	saved := backup(t, store)
	s.Advance(30 * time.Minute)
	// Leftovers of the past must not come for what is restored now.
	put(t, restored, "soon", "v", time.Millisecond)
	s.Advance(time.Second)
	if err := restored.Restore(t.Context(), bytes.NewReader(saved), state.IntoEmpty); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"for ever", "soon"}, keys(t, restored, "", "")); diff != "" {
		t.Error(diff)
	}
	add(t, restored, "gone", 1, 0, 1)
	s.Advance(20 * time.Minute)
	if diff := cmp.Diff([]string{"for ever", "soon"}, keys(t, restored, "", "")); diff != "" {
		t.Error(diff)
	}
	add(t, restored, "soon", 1, 0, 2)
	s.Advance(20 * time.Minute)
	if diff := cmp.Diff([]string{"for ever"}, keys(t, restored, "", "")); diff != "" {
		t.Error(diff)
	}
	add(t, restored, "soon", 1, 0, 1)
}

func testBackupWriterFails(t *testing.T, s Subject) {
	store := s.New(t)
	Fill(t, store)
	full := errors.New("disk is full")
	wantError(t, "a writer that fails", store.Backup(t.Context(), failingWriter{full}), full)
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
