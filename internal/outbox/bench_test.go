package outbox_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/outbox"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
)

// BenchmarkOutbox delivers 100 000 events of 2 kB, about 20 000 orders of 20
// receivers with 16 at once for each, from a sealed file to a server on this
// machine. Run it with
// -benchtime 1x. Besides the rates it tells by how much the heap grew, the
// server's part included.
func BenchmarkOutbox(b *testing.B) {
	const events, receivers, orders = 100_000, 20, 20_000
	var served atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served.Add(1) }))
	defer server.Close()
	for b.Loop() {
		b.StopTimer()
		file, err := bolt.Open(filepath.Join(b.TempDir(), "state.db"), time.Now)
		if err != nil {
			b.Fatal(err)
		}
		store, err := state.Sealed(file, [32]byte{1})
		if err != nil {
			b.Fatal(err)
		}
		before := heap()
		ctx, stop := context.WithCancel(b.Context())
		var delivered atomic.Int64
		var peak uint64
		o := outbox.New(local(outbox.Options{PerReceiver: 16, Store: store, Now: time.Now, Report: func(r outbox.Report) {
			switch n := delivered.Add(1); {
			case r.Outcome != outbox.Delivered:
				b.Error(r)
				stop()
			case n == events:
				stop()
			case n%(events/4) == 0:
				peak = max(peak, heap())
			}
		}}, server.URL))

		began := time.Now()
		var wg sync.WaitGroup
		body := make([]byte, 2<<10)
		var next atomic.Int64
		for range 200 {
			wg.Go(func() {
				for i := next.Add(1); i <= events; i = next.Add(1) {
					e := outbox.Event{
						ID: fmt.Sprint("event/", i), Receiver: fmt.Sprint("receiver/", i%receivers),
						Key: fmt.Sprint("order/", i%orders), Body: body,
					}
					if err := o.Send(ctx, e); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		queued := heap()
		b.ReportMetric(events/time.Since(began).Seconds(), "sent/s")
		b.StartTimer()
		began = time.Now()
		o.Run(ctx)
		b.StopTimer()
		b.ReportMetric(events/time.Since(began).Seconds(), "delivered/s")
		b.ReportMetric(float64(max(queued, peak)-min(before, max(queued, peak)))/(1<<20), "MB-heap")
		stop()
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	if served.Load() < events {
		b.Errorf("the server saw %d events", served.Load())
	}
}

// heap returns how much is in use, garbage left out.
func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
