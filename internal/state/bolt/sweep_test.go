package bolt

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"
)

// stored counts the records in the file, expired or not.
func stored(t *testing.T, store *Store) map[string]int {
	t.Helper()
	counts := make(map[string]int)
	err := store.view(t.Context(), func(txn *txn) error {
		for _, name := range []string{entries, counters, expiry} {
			counts[name] = txn.bucket(name).Stats().KeyN
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

func TestSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := openFile(t, newPath(t))
		// More than one commit's worth, in few commits of ours.
		const dead = 2*sweepRecords + 10
		err := store.update(t.Context(), func(txn *txn) error {
			for i := range dead {
				key := fmt.Appendf(nil, "dead/%d", i)
				expires := deadline(time.Now(), time.Second)
				txn.put(entries, key, entry{version: 1, expires: expires}.encode())
				txn.index(kindEntry, key, 0, expires)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Add(t.Context(), "dead", 1, time.Second); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Add(t.Context(), "alive", 1, time.Hour); err != nil {
			t.Fatal(err)
		}
		for _, ttl := range []time.Duration{0, time.Hour} {
			if _, err := store.Put(t.Context(), fmt.Sprint("alive/", ttl), nil, ttl); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(sweepEvery - time.Second)
		synctest.Wait()
		if got := stored(t, store); got[entries] != dead+2 {
			t.Fatalf("before the sweep: %v", got)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := stored(t, store); got[entries] != 2 || got[counters] != 1 || got[expiry] != 2 {
			t.Errorf("after the sweep: %v", got)
		}
	})
}

func TestPingTellsOfFailedSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := openFile(t, newPath(t))
		// What bbolt cannot delete: a bucket where a record should be.
		err := store.db.Update(func(tx *bbolt.Tx) error {
			key := expiryKey(1, kindEntry, []byte("k"))
			_, err := tx.Bucket([]byte(entries)).CreateBucket([]byte("k"))
			return errors.Join(err, tx.Bucket([]byte(expiry)).Put(key, nil))
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(sweepEvery + time.Second)
		synctest.Wait()
		if err := store.Ping(t.Context()); err == nil {
			t.Error("a store that cannot sweep says it is well")
		}
		if err := store.db.Update(func(tx *bbolt.Tx) error {
			return tx.Bucket([]byte(entries)).DeleteBucket([]byte("k"))
		}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(sweepEvery)
		synctest.Wait()
		if err := store.Ping(t.Context()); err != nil {
			t.Errorf("a store that can sweep again says %v", err)
		}
	})
}
