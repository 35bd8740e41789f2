package index_test

import (
	"os"
	"runtime"
	"slices"
	"strconv"
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

// TestBars measures building and asking the index. It is for make bench.
func TestBars(t *testing.T) {
	if os.Getenv("STOREWARE_BENCH") == "" {
		t.Skip("SKIPPED: the bars of the benchmark are measured by make bench (STOREWARE_BENCH=1)")
	}
	slack := 1.0
	if text := os.Getenv("STOREWARE_BENCH_SLACK"); text != "" {
		var err error
		if slack, err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatalf("STOREWARE_BENCH_SLACK: %v", err)
		}
	}
	base := indextest.Products(t)
	for _, n := range []int{1_000, 10_000, 100_000} {
		products := indextest.Grown(base, n)
		x, took, heap := build(products)
		rate := float64(n) / took.Seconds()
		quiet := ask(x, indextest.Queries(products, 2_000))
		busy := askBusy(x, products)
		t.Logf("%6d products: %.0f a second, %d bytes each, %v; queries p50 %v, p99 %v; while products change p50 %v, p99 %v",
			n, rate, heap/n, x.Size(), quiet.at(50), quiet.at(99), busy.at(50), busy.at(99))
		if rate < leastProduct/slack {
			t.Errorf("%d products: %.0f a second are added, fewer than %v", n, rate, leastProduct/slack)
		}
		if n > 1000 && heap/n > mostHeap {
			t.Errorf("%d products: each takes %d bytes, more than %d", n, heap/n, mostHeap)
		}
		if p99 := quiet.at(99); p99 > time.Duration(slack*float64(mostLatency)) {
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

// durations are how long queries took, the quickest first.
type durations []time.Duration

func (t durations) at(percent int) time.Duration {
	return t[len(t)*percent/100].Round(time.Microsecond)
}

func ask(x *index.Index, queries []index.Query) durations {
	all := make(durations, 0, len(queries))
	for _, q := range queries {
		began := time.Now()
		x.Search(q)
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	return all
}

// askBusy asks while another goroutine changes products as fast as it can.
func askBusy(x *index.Index, products []upstream.Product) durations {
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
