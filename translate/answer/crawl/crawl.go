package crawl

import (
	"context"
	"sync"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/upstream"
)

// The pace of a crawl, where it is not told otherwise.
const (
	// DefaultInterval is how long after a walk changes are asked for.
	DefaultInterval = 5 * time.Minute
	// DefaultProducts is the most products that are kept.
	DefaultProducts = 500_000
	// followEvery is how often a node that does not walk looks for what another found.
	followEvery = 15 * time.Second
	// leaseTime is how long others wait for a node that died while it walked.
	leaseTime = 30 * time.Second
	// leastPause is the first pause after a failure; it doubles up to the interval.
	leastPause = 2 * time.Second
)

// Options make a crawl.
type Options struct {
	// Shop names the shop in the store; nodes that serve the same shop use the same.
	Shop   string
	Walker upstream.Walker
	// Visit is what the shop is told of the caller: the market whose words are wanted.
	Visit upstream.Visit
	Store state.Store
	Sinks []Sink
	// Interval is how long after a walk changes are asked for, a tenth more or less,
	// 0 for [DefaultInterval].
	Interval time.Duration
	// Products is the most that are kept, 0 for [DefaultProducts].
	Products int
	// Now is the clock, nil for time.Now.
	Now func() time.Time
	// Changed, if not nil, is told how things stand whenever that has changed. It is
	// called by the crawl's goroutine and must not wait for the crawl.
	Changed func(Progress)
}

// Crawl keeps the products of one shop at hand. It is made by [New].
type Crawl struct {
	walker   upstream.Walker
	visit    upstream.Visit
	log      log
	lease    string
	sinks    []Sink
	interval time.Duration
	most     int
	now      func() time.Time
	changed  func(Progress)

	// What follows belongs to the goroutine.
	records *records
	leftOut int

	mu       sync.Mutex
	progress Progress
	stop     context.CancelFunc // nil before Start
	done     chan struct{}
}

// New returns a crawl, which does nothing before [Crawl.Start].
func New(o Options) *Crawl {
	c := &Crawl{
		walker: o.Walker, visit: o.Visit, log: log{store: o.Store, prefix: "crawl/" + o.Shop + "/"}, lease: "crawl/" + o.Shop,
		sinks: o.Sinks, interval: o.Interval, most: o.Products, now: o.Now, changed: o.Changed,
		records: newRecords(), done: make(chan struct{}),
	}
	if c.interval <= 0 {
		c.interval = DefaultInterval
	}
	if c.most <= 0 {
		c.most = DefaultProducts
	}
	if c.now == nil {
		c.now = time.Now
	}
	return c
}

// Start begins to load what is stored and to walk, in the background, until
// [Crawl.Close]. Starting again does nothing.
func (c *Crawl) Start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.stop = cancel
	go func() {
		defer close(c.done)
		c.run(ctx)
	}()
}

// Close ends the walk and waits for that. What was read is stored; a later crawl
// goes on from there.
func (c *Crawl) Close() {
	c.mu.Lock()
	stop := c.stop
	c.mu.Unlock()
	if stop == nil {
		return
	}
	stop()
	<-c.done
}
