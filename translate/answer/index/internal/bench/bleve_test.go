package bench

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"

	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/translate/answer/index/indextest"
	"github.com/storeware/caddy-storeware/upstream"
)

// TestBesideBleve builds both with the same products and asks both the same. Our
// own must be the quicker one in each; by how much is told.
func TestBesideBleve(t *testing.T) {
	if os.Getenv("STOREWARE_BENCH") == "" {
		t.Skip("SKIPPED: the comparison is a benchmark (STOREWARE_BENCH=1)")
	}
	sizes := []int{1_000, 10_000, 100_000}
	if text := os.Getenv("STOREWARE_BENCH_PRODUCTS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("STOREWARE_BENCH_PRODUCTS: %v", err)
		}
		sizes = []int{n}
	}
	base := indextest.Products(t)
	for _, n := range sizes {
		products := indextest.Grown(base, n)
		queries := indextest.Queries(products, 300)
		ours := measure(t, "index", products, queries, func(t *testing.T) engine {
			return &own{index.New(index.Options{Language: "en"})}
		})
		theirs := measure(t, "bleve", products, queries, newBleve)
		if ours.built > theirs.built || ours.at(99) > theirs.at(99) {
			t.Errorf("%d products: our own index is not the quicker one", n)
		}
	}
}

// engine is one of the two.
type engine interface {
	add(products []upstream.Product) error
	ask(q index.Query) (int, error)
}

// figures are what was measured of one.
type figures struct {
	built time.Duration
	took  []time.Duration // sorted
}

func (f figures) at(percent int) time.Duration { return f.took[len(f.took)*percent/100] }

func measure(t *testing.T, name string, products []upstream.Product, queries []index.Query, open func(*testing.T) engine) figures {
	t.Helper()
	before := inUse()
	e := open(t)
	began := time.Now()
	if err := e.add(products); err != nil {
		t.Fatal(err)
	}
	f := figures{built: time.Since(began)}
	heap := max(0, inUse()-before)
	found := 0
	for _, q := range queries {
		began := time.Now()
		n, err := e.ask(q)
		if err != nil {
			t.Fatal(err)
		}
		f.took = append(f.took, time.Since(began))
		if n > 0 {
			found++
		}
	}
	slices.Sort(f.took)
	t.Logf("%6d products, %s: built in %v, %d bytes of heap each; queries p50 %v, p99 %v; %d of %d found something",
		len(products), name, f.built.Round(time.Millisecond), heap/len(products), f.at(50).Round(time.Microsecond), f.at(99).Round(time.Microsecond), found, len(queries))
	return f
}

func inUse() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

type own struct{ *index.Index }

func (o *own) add(products []upstream.Product) error {
	for _, p := range products {
		o.Put(p)
	}
	return nil
}

func (o *own) ask(q index.Query) (int, error) { return len(o.Search(q).Hits), nil }

// library is bleve on disk, as it is meant to be used, with the English analyser.
type library struct{ bleve.Index }

// fields is a product as bleve takes it.
type fields struct {
	Title, Description, Brand string
	Categories, Attributes    []string
}

func newBleve(t *testing.T) engine {
	t.Helper()
	m := bleve.NewIndexMapping()
	m.DefaultAnalyzer = "en"
	m.StoreDynamic, m.DocValuesDynamic = false, false
	x, err := bleve.New(filepath.Join(t.TempDir(), "bleve"), m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return &library{x}
}

func (l *library) add(products []upstream.Product) error {
	for part := range slices.Chunk(products, 1000) {
		batch := l.NewBatch()
		for _, p := range part {
			f := fields{Title: p.Title, Description: p.Description, Brand: p.Brand, Categories: p.Categories}
			for _, a := range p.Attributes {
				f.Attributes = append(f.Attributes, strings.Join(a.Values, " "))
			}
			if err := batch.Index(p.ID, f); err != nil {
				return err
			}
		}
		if err := l.Batch(batch); err != nil {
			return err
		}
	}
	return nil
}

// ask looks for any of the words, in titles above all, and forgives an error, as our
// own does.
func (l *library) ask(q index.Query) (int, error) {
	title := bleve.NewMatchQuery(q.Text)
	title.SetField("Title")
	title.SetBoost(3)
	title.SetFuzziness(1)
	all := bleve.NewMatchQuery(q.Text)
	all.SetFuzziness(1)
	request := bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(title, all), index.DefaultLimit, 0, false)
	result, err := l.Search(request)
	if err != nil {
		return 0, err
	}
	return len(result.Hits), nil
}
