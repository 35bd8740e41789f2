package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/archive"
	"github.com/storeware/caddy-storeware/internal/state/statetest"
)

func TestFile(t *testing.T) {
	path := newPath(t)
	openFile(t, path)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 {
		t.Errorf("the file has mode %o, want 600", mode)
	}
	if _, err := Open(path, time.Now); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), path) {
		t.Errorf("opening a file that is open: got %v, want ErrInUse with its name", err)
	}
	missing := filepath.Join(t.TempDir(), "no such folder", "state.db")
	if _, err := Open(missing, time.Now); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Errorf("opening in a folder that is not there: got %v", err)
	}
}

// A process that is killed leaves the file as it is at that moment, so what it
// has been told is written must be in a copy.
func TestWritesSurviveKill(t *testing.T) {
	path := newPath(t)
	store := openFile(t, path)
	version, err := store.Put(t.Context(), "k", []byte("v"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Add(t.Context(), "n", 7, 0); err != nil {
		t.Fatal(err)
	}
	lease, err := store.TryAcquire(t.Context(), "k", time.Minute)
	if err != nil {
		t.Fatal(err)
	}

	left, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := newPath(t)
	if err := os.WriteFile(copied, left, 0o600); err != nil {
		t.Fatal(err)
	}
	again := openFile(t, copied)
	if entry, err := again.Get(t.Context(), "k"); err != nil || entry.Version != version || string(entry.Value) != "v" {
		t.Errorf("the entry: got %v, %v", entry, err)
	}
	if n, err := again.Add(t.Context(), "n", 0, 0); err != nil || n != 7 {
		t.Errorf("the counter: got %d, %v", n, err)
	}
	next, err := again.TryAcquire(t.Context(), "k", time.Minute)
	if err != nil {
		t.Fatalf("the lease did not end with its process: %v", err)
	}
	if next.Token() <= lease.Token() {
		t.Errorf("token %d follows %d", next.Token(), lease.Token())
	}
}

// A token that another store gave out stays behind those of this one.
func TestRaiseFence(t *testing.T) {
	path := newPath(t)
	store := openFile(t, path)
	token := func(store *Store) uint64 {
		t.Helper()
		lease, err := store.TryAcquire(t.Context(), "k", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if err := lease.Release(); err != nil {
			t.Fatal(err)
		}
		return lease.Token()
	}
	last := token(store)
	for _, fence := range []uint64{0, last, 7*tokensPerOpening + 5} {
		if err := (archived{store}).RaiseFence(t.Context(), fence); err != nil {
			t.Fatal(err)
		}
		next := token(store)
		if next <= last || next <= fence {
			t.Errorf("token %d follows %d and the fence %d", next, last, fence)
		}
		last = next
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if next := token(openFile(t, path)); next <= last {
		t.Errorf("token %d follows %d in the next opening", next, last)
	}
}

func TestDeadline(t *testing.T) {
	now := time.UnixMilli(1000)
	for _, test := range []struct {
		after, ttl time.Duration
		want       int64
	}{
		{0, 0, 0},
		{0, time.Millisecond, 1001},
		{0, 1, 1001},
		{1, time.Millisecond, 1002},
		{time.Millisecond - 1, 1, 1001},
	} {
		if got := deadline(now.Add(test.after), test.ttl); got != test.want {
			t.Errorf("%v from now, %v: got %d, want %d", test.after, test.ttl, got, test.want)
		}
	}
}

// A reader must not keep the file from growing for long, nor hold much of it.
func TestPagesAreBounded(t *testing.T) {
	store := openFile(t, newPath(t))
	err := store.update(t.Context(), func(txn *txn) error {
		for i := range 4 {
			txn.put(entries, fmt.Append(nil, "large/", i), entry{version: 1, value: make([]byte, pageBytes/2)}.encode())
		}
		for i := range pageRecords + 1 {
			txn.put(entries, fmt.Append(nil, "many/", i), entry{version: 1}.encode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for prefix, want := range map[string]int{"large/": 2, "many/": pageRecords} {
		var page []archive.Record
		var next []byte
		err := store.view(t.Context(), func(txn *txn) (err error) {
			page, next, err = readPage(txn, entries, []byte(prefix), []byte(prefix), archivedEntry)
			return err
		})
		if err != nil || len(page) != want || next == nil {
			t.Errorf("%s: a page of %d records, then %q, %v, want %d", prefix, len(page), next, err, want)
		}
	}
}

func TestDamagedRecords(t *testing.T) {
	store := openFile(t, newPath(t))
	err := store.db.Update(func(tx *bbolt.Tx) error {
		return errors.Join(
			tx.Bucket([]byte(entries)).Put([]byte("k"), []byte("short")),
			tx.Bucket([]byte(counters)).Put([]byte("k"), []byte("short")),
			tx.Bucket([]byte(queues)).Put([]byte("q"), []byte("short")),
			tx.Bucket([]byte(ids)).Put(idKey("q", "k"), message{queue: "q", group: "g", seq: 1}.key()),
			tx.Bucket([]byte(messages)).Put(message{queue: "q", group: "g", seq: 1}.key(), []byte("short")),
			tx.Bucket([]byte(ready)).Put(message{queue: "q", seq: 1}.readyKey(), message{queue: "q", group: "g", seq: 1}.key()))
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Get(t.Context(), "k"); !errors.Is(err, state.ErrUnavailable) {
		t.Errorf("Get: got %v", err)
	}
	if _, err := store.CompareAndSwap(t.Context(), "k", state.Absent, nil, 0); !errors.Is(err, state.ErrUnavailable) {
		t.Errorf("CompareAndSwap: got %v", err)
	}
	if _, err := store.Add(t.Context(), "k", 1, 0); !errors.Is(err, state.ErrUnavailable) {
		t.Errorf("Add: got %v", err)
	}
	queue := store.Queue("q")
	if _, err := queue.Take(t.Context(), 1, time.Minute); !errors.Is(err, state.ErrUnavailable) {
		t.Errorf("Take: got %v", err)
	}
	if err := queue.Remove(t.Context(), "k"); !errors.Is(err, state.ErrUnavailable) {
		t.Errorf("Remove: got %v", err)
	}
	for _, err := range queue.List(t.Context()) {
		if !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("List: got %v", err)
		}
	}
}

// Whatever cuts a message short, it is not taken for another.
func FuzzMessage(f *testing.F) {
	whole := message{queue: "q", group: "g", seq: 1, due: 2, token: 3, tries: 4, id: "id", value: []byte("value")}
	f.Add(whole.key(), whole.encode())
	f.Add([]byte("short"), []byte("short"))
	f.Fuzz(func(t *testing.T, key, record []byte) {
		found, err := decodeMessage(key, record)
		if err != nil {
			if !errors.Is(err, state.ErrUnavailable) {
				t.Errorf("got %v", err)
			}
			return
		}
		if !bytes.Equal(found.key(), key) || !bytes.Equal(found.encode(), record) {
			t.Errorf("%q, %q was read as %+v", key, record, found)
		}
	})
}

func Benchmark(b *testing.B) { statetest.Bench(b, openFile(b, newPath(b))) }
