package crawl

import "time"

// Progress is how a crawl stands.
type Progress struct {
	// Documents is how many products are known.
	Documents int
	// LeftOut is how many products of this walk were not kept: more than the most,
	// without an id, or far too large.
	LeftOut int
	// Leading: this node walks. Another one may when it does not.
	Leading bool
	// Walking: a walk is under way, which is to read more pages. Pages is how many it,
	// or else the last one, has read, and Began when it began; zero before the first.
	Walking bool
	Pages   int
	Began   time.Time
	// At is when the last page was read, and Whole when the last walk over everything
	// ended; zero before.
	At    time.Time
	Whole time.Time
	// Doubted: the last walk over everything missed more than half of what is known,
	// which therefore stays until the next one.
	Doubted bool
	// Err is why the last attempt failed, nil after one that did not, and Failed when
	// the first of the failures in a row was.
	Err    error
	Failed time.Time
}

// Progress returns how the crawl stands.
func (c *Crawl) Progress() Progress {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.progress
}

// told brings the progress up to date after an attempt.
func (c *Crawl) told(err error) {
	at := c.records.at
	now := c.now()
	c.update(func(p *Progress) {
		p.Documents, p.LeftOut = len(c.records.products), c.leftOut
		p.Walking, p.Pages, p.Began, p.At, p.Whole, p.Doubted = at.More, at.Pages, at.Began, at.At, at.Whole, at.Doubted
		if err != nil && p.Err == nil {
			p.Failed = now
		}
		if p.Err = err; err == nil {
			p.Failed = time.Time{}
		}
	})
}

func (c *Crawl) setLeading(leading bool) { c.update(func(p *Progress) { p.Leading = leading }) }

func (c *Crawl) update(change func(*Progress)) {
	c.mu.Lock()
	change(&c.progress)
	now := c.progress
	c.mu.Unlock()
	if c.changed != nil {
		c.changed(now)
	}
}
