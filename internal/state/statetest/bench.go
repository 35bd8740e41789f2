package statetest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// Bench measures a store with values of 2 kB, the size of a basket.
func Bench(b *testing.B, store state.Store) {
	value := make([]byte, 2<<10)
	ctx := b.Context()
	// A new value for one of so many keys.
	var turn atomic.Int64
	next := func() string { return fmt.Sprintf("bench/%d", turn.Add(1)%1000) }
	put := func() error {
		_, err := store.Put(ctx, next(), value, time.Hour)
		return err
	}
	swap := func() error {
		// Two workers a thousand keys apart do not meet.
		key := next()
		entry, err := store.Get(ctx, key)
		if err != nil {
			return err
		}
		_, err = store.CompareAndSwap(ctx, key, entry.Version, value, time.Hour)
		return err
	}
	queue := store.Queue("bench")
	work := func() error {
		id := fmt.Sprint(turn.Add(1))
		if err := queue.Put(ctx, state.Message{ID: id, Group: id, Value: value}, 0, 1000); err != nil {
			return err
		}
		tasks, err := queue.Take(ctx, 1, time.Minute)
		for _, task := range tasks {
			err = errors.Join(err, queue.Done(ctx, task))
		}
		return err
	}
	for range 1000 {
		if err := put(); err != nil {
			b.Fatal(err)
		}
	}
	for _, bench := range []struct {
		name string
		do   func() error
	}{
		{"Get", func() error { _, err := store.Get(ctx, next()); return err }},
		{"Put", put},
		{"GetAndSwap", swap},
		{"Add", func() error { _, err := store.Add(ctx, "bench", 1, time.Hour); return err }},
		{"AcquireRelease", func() error {
			lease, err := store.Acquire(ctx, next(), time.Minute)
			if err != nil {
				return err
			}
			return lease.Release()
		}},
		{"PutTakeDone", work},
	} {
		b.Run(bench.name+"/alone", func(b *testing.B) {
			for b.Loop() {
				if err := bench.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(bench.name+"/64 at once", func(b *testing.B) {
			b.SetParallelism(32)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := bench.do(); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}
