package crawl_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/translate/answer/crawl"
	"github.com/storeware/caddy-storeware/upstream"
)

const twoIntervals = 2*crawl.DefaultInterval + time.Minute

func same(t *testing.T, s *shop, k *kept) {
	t.Helper()
	if diff := cmp.Diff(s.recorded(), k.all()); diff != "" {
		t.Fatalf("the sink has something else than the shop (-shop +sink):\n%s", diff)
	}
}

func TestWalksAndFollowsChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, k := newShop(95, 10), newKept()
		c := newCrawl(openStore(t), s, k)
		c.Start()
		defer c.Close()
		time.Sleep(time.Second)
		same(t, s, k)
		p := c.Progress()
		if p.Documents != 95 || p.Pages != 10 || p.Walking || !p.Leading || p.Err != nil || p.Whole.IsZero() {
			t.Errorf("progress %+v", p)
		}
		puts := k.puts
		s.set(3, "changed")
		s.set(200, "new")
		s.drop(50)
		time.Sleep(twoIntervals)
		same(t, s, k)
		if k.puts != puts+2 {
			t.Errorf("%d products were put for two that changed", k.puts-puts)
		}
	})
}

func TestStartNeedsNoWalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, s := openStore(t), newShop(30, 10)
		first := newCrawl(store, s, newKept())
		first.Start()
		time.Sleep(time.Second)
		first.Close()
		asked := s.count()
		k := newKept()
		second := newCrawl(store, s, k)
		second.Start()
		defer second.Close()
		time.Sleep(time.Second)
		same(t, s, k)
		if s.count() != asked {
			t.Errorf("the shop was asked for %d pages by a start", s.count()-asked)
		}
	})
}

func TestShopThatIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, k := newShop(30, 10), newKept()
		s.failures = 4
		var told []crawl.Progress
		c := crawl.New(crawl.Options{
			Shop: "shop", Walker: s, Store: openStore(t), Sinks: []crawl.Sink{k},
			Changed: func(p crawl.Progress) { told = append(told, p) },
		})
		c.Start()
		time.Sleep(time.Second)
		if p := c.Progress(); p.Err == nil || p.Failed.IsZero() {
			t.Errorf("progress of a shop that is away: %+v", p)
		}
		if s.count() != 1 {
			t.Errorf("asked %d times in the first second", s.count())
		}
		time.Sleep(2 * time.Minute)
		c.Close()
		same(t, s, k)
		if p := told[len(told)-1]; p.Err != nil || p.Documents != 30 || p.Leading {
			t.Errorf("told last: %+v", p)
		}
	})
}

func TestPlaceThatIsNotTheShops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, s, k := openStore(t), newShop(30, 10), newKept()
		before := crawl.New(crawl.Options{Shop: "shop", Walker: elsewhere{}, Store: store})
		before.Start()
		time.Sleep(time.Second)
		before.Close()
		c := newCrawl(store, s, k)
		c.Start()
		defer c.Close()
		time.Sleep(twoIntervals)
		same(t, s, k)
	})
}

// A shop that shows much less than it has is believed the second time.
func TestMuchThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, k := newShop(100, 30), newKept()
		c := newCrawl(openStore(t), s, k)
		c.Start()
		defer c.Close()
		time.Sleep(time.Second)
		for i := range 90 {
			s.drop(i)
		}
		time.Sleep(crawl.DefaultInterval + time.Minute)
		if len(k.all()) != 100 || !c.Progress().Doubted {
			t.Errorf("%d products are left after one walk, %+v", len(k.all()), c.Progress())
		}
		time.Sleep(crawl.DefaultInterval + time.Minute)
		same(t, s, k)
	})
}

func TestBoundedProducts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, k := newShop(30, 5), newKept()
		c := crawl.New(crawl.Options{Shop: "shop", Walker: s, Store: openStore(t), Sinks: []crawl.Sink{k}, Products: 10})
		c.Start()
		defer c.Close()
		time.Sleep(time.Second)
		if p := c.Progress(); len(k.all()) != 10 || p.LeftOut != 20 {
			t.Errorf("%d products, progress %+v", len(k.all()), p)
		}
	})
}

func TestOneOfSeveralNodesWalks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, s := openStore(t), newShop(95, 10)
		var nodes [3]*crawl.Crawl
		var sinks [3]*kept
		for i := range nodes {
			sinks[i] = newKept()
			nodes[i] = newCrawl(store, s, sinks[i])
			nodes[i].Start()
		}
		time.Sleep(time.Minute)
		leading := 0
		for i := range nodes {
			same(t, s, sinks[i])
			if nodes[i].Progress().Leading {
				leading++
			}
		}
		if leading != 1 || s.count() != 10 {
			t.Errorf("%d nodes lead, and asked for %d pages", leading, s.count())
		}
		// The one that leads goes, and another takes over.
		for i := range nodes {
			if nodes[i].Progress().Leading {
				nodes[i].Close()
				break
			}
		}
		s.set(1, "changed")
		s.drop(2)
		time.Sleep(twoIntervals)
		right := 0
		for i := range nodes {
			if cmp.Equal(s.recorded(), sinks[i].all()) {
				right++
			}
			nodes[i].Close()
		}
		if right != 2 {
			t.Errorf("%d of the two nodes that are left know of the change", right)
		}
	})
}

// The log does not grow with the walks, and is not in more chunks than it needs.
func TestLogStaysSmall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, s, k := openStore(t), newShop(400, 5), newKept()
		c := newCrawl(store, s, k)
		c.Start()
		for i := range 60 {
			time.Sleep(crawl.DefaultInterval)
			s.set(i%400, "changed")
			s.drop(100 + i)
		}
		time.Sleep(twoIntervals)
		c.Close()
		same(t, s, k)
		if n := chunks(t, store); n > 45 {
			t.Errorf("the log has %d chunks", n)
		}
		again := newKept()
		c = newCrawl(store, s, again)
		c.Start()
		defer c.Close()
		time.Sleep(time.Second)
		same(t, s, again)
	})
}

// What cannot be read is walked anew.
func TestStoredByAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, s, k := openStore(t), newShop(30, 10), newKept()
		for _, key := range []string{"crawl/shop/0000000000000001", "crawl/shop/x"} {
			if _, err := store.Put(t.Context(), key, []byte("\x09what is this"), 0); err != nil {
				t.Fatal(err)
			}
		}
		c := newCrawl(store, s, k)
		c.Start()
		defer c.Close()
		time.Sleep(time.Minute)
		same(t, s, k)
	})
}

// Whenever a process is killed, those that come after it end up with what the shop
// has, as one that never was would.
func TestKilledAnywhere(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		products, pageSize := rapid.IntRange(0, 60).Draw(r, "products"), rapid.IntRange(1, 12).Draw(r, "page size")
		lives := rapid.IntRange(1, 4).Draw(r, "lives")
		synctest.Test(t, func(t *testing.T) {
			store, s := openStore(t), newShop(products, pageSize)
			for range lives {
				d := &dying{Store: store, writes: rapid.IntRange(1, 30).Draw(r, "writes"), done: rapid.Bool().Draw(r, "done"), died: make(chan struct{})}
				c := newCrawl(d, s, newKept())
				c.Start()
				select {
				case <-d.died:
				case <-time.After(time.Duration(rapid.IntRange(0, 3).Draw(r, "intervals")) * crawl.DefaultInterval):
				}
				c.Close()
				for range rapid.IntRange(0, 5).Draw(r, "changes") {
					i := rapid.IntRange(0, 70).Draw(r, "which")
					if rapid.Bool().Draw(r, "drop") {
						s.drop(i)
					} else {
						s.set(i, rapid.SampledFrom([]string{"first", "second", "third"}).Draw(r, "words"))
					}
				}
			}
			k := newKept()
			c := newCrawl(store, s, k)
			c.Start()
			defer c.Close()
			time.Sleep(3*crawl.DefaultInterval + time.Minute)
			same(t, s, k)
		})
	})
}

// elsewhere is a walk of another adapter.
type elsewhere struct{}

func (elsewhere) Walk(context.Context, upstream.Visit, upstream.Place) (upstream.Walked, error) {
	return upstream.Walked{Next: "of another adapter"}, nil
}

var _ state.Store = (*dying)(nil)
