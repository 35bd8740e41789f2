package bolt

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/storeware/caddy-storeware/internal/state"
)

// prefixKeys is an upgrade that gives all entries another key.
func prefixKeys(prefix string) upgrade {
	return func(tx *bbolt.Tx) error {
		bucket := tx.Bucket([]byte(entries))
		moved := make(map[string][]byte)
		err := bucket.ForEach(func(key, record []byte) error {
			moved[string(key)] = append([]byte(nil), record...)
			return nil
		})
		for key, record := range moved {
			err = errors.Join(err, bucket.Delete([]byte(key)), bucket.Put([]byte(prefix+key), record))
		}
		return err
	}
}

func openWith(t *testing.T, path string, upgrades ...upgrade) (*Store, error) {
	t.Helper()
	store, err := open(path, time.Now, upgrades)
	if err == nil {
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return store, err
}

// fileWith returns a file of the release with these upgrades that holds "k".
func fileWith(t *testing.T, upgrades ...upgrade) string {
	t.Helper()
	path := newPath(t)
	store, err := open(path, time.Now, upgrades)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Put(t.Context(), "k", []byte("v"), 0); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func wantKey(t *testing.T, store *Store, key string) {
	t.Helper()
	if entry, err := store.Get(t.Context(), key); err != nil || string(entry.Value) != "v" {
		t.Errorf("%q: got %q, %v", key, entry.Value, err)
	}
}

func TestUpgrade(t *testing.T) {
	to2, to3, to4 := prefixKeys("2/"), prefixKeys("3/"), prefixKeys("4/")
	path := fileWith(t, to2) // of version 2
	store, err := openWith(t, path, to2, to3, to4)
	if err != nil {
		t.Fatal(err)
	}
	wantKey(t, store, "4/3/k")
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	store, err = openWith(t, path, to2, to3, to4)
	if err != nil {
		t.Fatal(err)
	}
	wantKey(t, store, "4/3/k")
}

// A file of the first release, which knew no queues.
func TestUpgradeBringsQueues(t *testing.T) {
	path := fileWith(t)
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		var errs []error
		for _, name := range []string{queues, messages, ids, ready} {
			errs = append(errs, tx.DeleteBucket([]byte(name)))
		}
		return errors.Join(errs...)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	store := openFile(t, path)
	wantKey(t, store, "k")
	if err := store.Queue("q").Put(t.Context(), state.Message{ID: "a", Group: "g"}, 0, 1); err != nil {
		t.Error(err)
	}
}

func TestUpgradeFails(t *testing.T) {
	to2, broken := prefixKeys("2/"), errors.New("broken")
	path := fileWith(t)
	_, err := openWith(t, path, to2, func(*bbolt.Tx) error { return broken })
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	store, err := openWith(t, path)
	if err != nil {
		t.Fatalf("half an upgrade was left behind: %v", err)
	}
	wantKey(t, store, "k")
}

func TestNewerSchema(t *testing.T) {
	path := fileWith(t, prefixKeys("2/"))
	_, err := openWith(t, path)
	if !errors.Is(err, state.ErrSchema) {
		t.Fatalf("got %v, want ErrSchema", err)
	}
	for _, part := range []string{path, "schema 2", "up to 1"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

func TestForeignFiles(t *testing.T) {
	for name, write := range map[string]func(path string) error{
		"no bbolt file": func(path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("not a database ", 1000)), 0o600)
		},
		"of something else": func(path string) error {
			db, err := bbolt.Open(path, 0o600, nil)
			if err != nil {
				return err
			}
			return errors.Join(db.Update(func(tx *bbolt.Tx) error {
				_, err := tx.CreateBucket([]byte("theirs"))
				return err
			}), db.Close())
		},
		"without a version": func(path string) error {
			db, err := bbolt.Open(path, 0o600, nil)
			if err != nil {
				return err
			}
			return errors.Join(db.Update(func(tx *bbolt.Tx) error {
				_, err := tx.CreateBucket([]byte(meta))
				return err
			}), db.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			if err := write(path); err != nil {
				t.Fatal(err)
			}
			if _, err := openWith(t, path); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want an error with the name of the file", err)
			}
		})
	}
}
