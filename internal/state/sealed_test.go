package state_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
)

func openBolt(t testing.TB, path string) state.Store {
	t.Helper()
	store, err := bolt.Open(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func seal(t testing.TB, store state.Store, key byte) state.Store {
	t.Helper()
	sealed, err := state.Sealed(store, [32]byte{key})
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

func TestSealedHides(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	plain := openBolt(t, path)
	sealed := seal(t, plain, 1)
	value := []byte("the buyer's address")
	for _, key := range []string{"a", "b"} {
		if _, err := sealed.Put(t.Context(), key, value, 0); err != nil {
			t.Fatal(err)
		}
	}
	var backup bytes.Buffer
	if err := sealed.Backup(t.Context(), &backup); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"file": file, "backup": backup.Bytes()} {
		if bytes.Contains(data, value) {
			t.Errorf("the %s holds the value in the clear", name)
		}
	}
	a, errA := plain.Get(t.Context(), "a")
	b, errB := plain.Get(t.Context(), "b")
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if bytes.Equal(a.Value, b.Value) {
		t.Error("a value looks the same when it is sealed again")
	}
}

func TestSealedRefuses(t *testing.T) {
	plain := openBolt(t, filepath.Join(t.TempDir(), "state.db"))
	sealed := seal(t, plain, 1)
	put := func(store state.Store, key string, value []byte) {
		t.Helper()
		if _, err := store.Put(t.Context(), key, value, 0); err != nil {
			t.Fatal(err)
		}
	}
	put(sealed, "k", []byte("value"))
	good, err := plain.Get(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	change := func(i int) []byte {
		out := bytes.Clone(good.Value)
		out[i] ^= 1
		return out
	}
	put(plain, "not sealed", []byte("a value that was never sealed by anybody"))
	put(plain, "short", []byte("short"))
	put(plain, "empty", nil)
	put(plain, "of another key", good.Value)
	put(plain, "key id", change(0))
	put(plain, "nonce", change(1))
	put(plain, "text", change(13))
	put(plain, "tag", change(len(good.Value)-1))
	put(seal(t, plain, 2), "another node", []byte("value"))
	for item, err := range plain.Scan(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		if item.Key == "k" {
			continue
		}
		if got, err := sealed.Get(t.Context(), item.Key); !errors.Is(err, state.ErrSealed) {
			t.Errorf("%s: got %q, %v, want ErrSealed", item.Key, got.Value, err)
		}
		for got, err := range sealed.Scan(t.Context(), item.Key, "") {
			if !errors.Is(err, state.ErrSealed) {
				t.Errorf("scanning %s: got %q, %v, want ErrSealed", item.Key, got.Value, err)
			}
		}
	}
	if got, err := sealed.Get(t.Context(), "k"); err != nil || string(got.Value) != "value" {
		t.Errorf("got %q, %v", got.Value, err)
	}
}

func TestSealedQueue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	plain := openBolt(t, path)
	sealed := seal(t, plain, 1)
	value := []byte("the buyer's address")
	put := func(store state.Store, queue, id string, value []byte) {
		t.Helper()
		if err := store.Queue(queue).Put(t.Context(), state.Message{ID: id, Group: id, Value: value}, 0, 100); err != nil {
			t.Fatal(err)
		}
	}
	put(sealed, "q", "a", value)
	for queued, err := range plain.Queue("q").List(t.Context()) {
		if err != nil || bytes.Contains(queued.Value, value) {
			t.Errorf("the store holds %q, %v", queued.Value, err)
		}
		// Neither under another id, nor in another queue, nor as an entry.
		put(plain, "other id", "b", queued.Value)
		put(plain, "other queue", "a", queued.Value)
		if _, err := plain.Put(t.Context(), "a", queued.Value, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"other id", "other queue"} {
		if got, err := sealed.Queue(name).Take(t.Context(), 1, time.Minute); !errors.Is(err, state.ErrSealed) {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
		for got, err := range sealed.Queue(name).List(t.Context()) {
			if !errors.Is(err, state.ErrSealed) {
				t.Errorf("listing %s: got %v, %v", name, got, err)
			}
		}
	}
	if _, err := sealed.Get(t.Context(), "a"); !errors.Is(err, state.ErrSealed) {
		t.Errorf("as an entry: %v", err)
	}
	tasks, err := sealed.Queue("q").Take(t.Context(), 1, time.Minute)
	if err != nil || len(tasks) != 1 || !bytes.Equal(tasks[0].Value, value) {
		t.Fatalf("got %v, %v", tasks, err)
	}
	tasks[0].Value = []byte("another address")
	if err := sealed.Queue("q").Retry(t.Context(), tasks[0], 0); err != nil {
		t.Fatal(err)
	}
	for queued, err := range plain.Queue("q").List(t.Context()) {
		if err != nil || bytes.Contains(queued.Value, tasks[0].Value) {
			t.Errorf("the store holds %q, %v", queued.Value, err)
		}
	}
}

func TestSealedBounds(t *testing.T) {
	sealed := seal(t, openBolt(t, filepath.Join(t.TempDir(), "state.db")), 1)
	const overhead = 1 + 12 + 16
	largest := make([]byte, state.MaxValue-overhead)
	if _, err := sealed.Put(t.Context(), "k", largest, 0); err != nil {
		t.Errorf("the largest value: %v", err)
	}
	if _, err := sealed.Put(t.Context(), "k", append(largest, 0), 0); !errors.Is(err, state.ErrInvalid) {
		t.Errorf("a byte more: got %v, want ErrInvalid", err)
	}
	message := state.Message{ID: "k", Group: "g", Value: append(largest, 0)}
	if err := sealed.Queue("q").Put(t.Context(), message, 0, 1); !errors.Is(err, state.ErrInvalid) {
		t.Errorf("a message of a byte more: got %v, want ErrInvalid", err)
	}
	if err := sealed.Queue("q").Retry(t.Context(), state.Task{Message: message}, 0); !errors.Is(err, state.ErrInvalid) {
		t.Errorf("putting back a byte more: got %v, want ErrInvalid", err)
	}
}
