package index_test

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/translate/answer/index/indextest"
	"github.com/storeware/caddy-storeware/upstream"
)

// The bars of the index at 100,000 products. On a machine that others use too,
// STOREWARE_BENCH_SLACK widens those of time by that factor.
const (
	mostLatency  = 5 * time.Millisecond // 99 of 100 queries
	leastProduct = 20_000               // products a second, on one core
	mostHeap     = 1000                 // bytes a product
)

// TestBars measures building and asking the index. It is for make bench-index.
func TestBars(t *testing.T) {
	slack := indextest.Slack(t)
	base := indextest.Products(t)
	for _, n := range []int{1_000, 10_000, 100_000} {
		products := indextest.Grown(base, n)
		x, took, heap := build(products)
		rate := float64(n) / took.Seconds()
		quiet := ask(x, indextest.Queries(products, 2_000))
		busy := askBusy(x, products)
		t.Logf("%6d products: %.0f a second, %d bytes each, %v; queries p50 %v, p99 %v; while products change p50 %v, p99 %v",
			n, rate, heap/n, x.Size(), quiet.At(50), quiet.At(99), busy.At(50), busy.At(99))
		if rate < leastProduct/slack {
			t.Errorf("%d products: %.0f a second are added, fewer than %v", n, rate, leastProduct/slack)
		}
		if heap/n > mostHeap {
			t.Errorf("%d products: each takes %d bytes, more than %d", n, heap/n, mostHeap)
		}
		if p99 := quiet.At(99); p99 > time.Duration(slack*float64(mostLatency)) {
			t.Errorf("%d products: the slowest of a hundred queries takes %v, more than %v", n, p99, mostLatency)
		}
	}
}

// build returns an index, how long it took, and what it holds.
func build(products []upstream.Product) (x *index.Index, took time.Duration, heap int) {
	before := inUse()
	began := time.Now()
	x = index.New(index.Options{Language: "en"})
	for _, p := range products {
		x.Put(p)
	}
	took = time.Since(began)
	return x, took, max(0, int(inUse())-int(before))
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func ask(x *index.Index, queries []index.Query) indextest.Durations {
	return indextest.Timed(len(queries), func(n int) { x.Search(queries[n]) })
}

// askBusy asks while another goroutine changes products as fast as it can.
func askBusy(x *index.Index, products []upstream.Product) indextest.Durations {
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; !over.Load(); i++ {
			p := products[i%len(products)]
			p.Title += " renewed"
			x.Put(p)
		}
	}()
	all := ask(x, indextest.Queries(products, 1_000))
	over.Store(true)
	<-done
	return all
}

func BenchmarkPut(b *testing.B) {
	products := indextest.Grown(indextest.Products(b), 20_000)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		x := index.New(index.Options{Language: "en"})
		for _, p := range products {
			x.Put(p)
		}
	}
	b.ReportMetric(float64(b.N*len(products))/b.Elapsed().Seconds(), "products/s")
}

func BenchmarkSearch(b *testing.B) {
	x, _, _ := build(indextest.Grown(indextest.Products(b), 100_000))
	for _, q := range []string{"printer", "black wireless keyboard", "usb cable for black hp notebook with 16 gb memory", "blutooth speeker", "notebok sleeve 15"} {
		b.Run(strings.ReplaceAll(q, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Search(index.Query{Text: q})
			}
		})
	}
}
