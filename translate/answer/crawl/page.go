package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/upstream"
)

const (
	// pageTime is how long a shop may take for a page.
	pageTime = 2 * time.Minute
	// chunkSize is how large a chunk may get before the next one is begun, in bytes
	// of documents.
	chunkSize = 1 << 20
	// fewProducts are believed to be gone at once.
	fewProducts = 10
)

// page reads the next page of the shop and appends it to the log.
func (c *Crawl) page(ctx context.Context) error {
	at := c.records.at
	if !at.More {
		at.Walk++
		at.Pages, at.Began, at.More = 0, c.now(), true
		c.leftOut = 0
	}
	asked, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	walked, err := c.walker.Walk(asked, c.visit, at.Place)
	var refusal *upstream.Error
	switch {
	case errors.As(err, &refusal) && refusal.Code == upstream.CodeInvalid && at.Place != "":
		// The place is one of another adapter, or of an earlier release.
		at.Place, at.Walk, at.Pages = "", at.Walk+1, 0
		return c.append(ctx, &chunk{position: at})
	case err != nil:
		return fmt.Errorf("walking the catalogue: %w", err)
	case walked.More && walked.Next == at.Place:
		return errors.New("walking the catalogue: the shop does not get beyond a page")
	}
	return c.take(ctx, at, &walked)
}

// take appends what a page says. All chunks but its last one lead to the same page
// again.
func (c *Crawl) take(ctx context.Context, at position, walked *upstream.Walked) error {
	at.At = c.now()
	out := &chunk{position: at}
	size := 0
	shown := make(map[string]bool, len(walked.Products))
	for i := range walked.Products {
		p := &walked.Products[i]
		raw, fresh := c.document(p)
		if p.ID != "" {
			shown[p.ID] = true
		}
		switch {
		case raw == nil:
			continue
		case !fresh:
			out.Seen = append(out.Seen, p.ID)
			continue
		}
		if size += len(raw); size > chunkSize && len(out.Documents) > 0 {
			if err := c.append(ctx, out); err != nil {
				return err
			}
			out, size = &chunk{position: at}, len(raw)
		}
		out.Documents = append(out.Documents, raw)
	}
	out.Place, out.More = walked.Next, walked.More
	out.Pages++
	for _, id := range walked.Removed {
		if _, known := c.records.products[id]; known && !shown[id] {
			out.Removed = append(out.Removed, id)
		}
	}
	if walked.Whole {
		c.missing(out, shown)
	}
	if err := c.append(ctx, out); err != nil {
		return err
	}
	if out.More {
		return nil
	}
	return c.clean(ctx)
}

// document returns a product as it is kept, and whether that differs from what is
// known. It is nil for one that is left out.
func (c *Crawl) document(p *upstream.Product) (raw json.RawMessage, fresh bool) {
	known, ok := c.records.products[p.ID]
	if !usable(p.ID) || !ok && len(c.records.products) >= c.most {
		c.leftOut++
		return nil, false
	}
	raw, err := encode(p)
	if err != nil {
		c.leftOut++
		return nil, false
	}
	return raw, !ok || known.sum != c.records.sum(raw)
}

// usable reports whether an id can be kept as it is.
func usable(id string) bool { return id != "" && len(id) <= maxName && utf8.ValidString(id) }

// missing adds the products that a walk over everything has not shown.
func (c *Crawl) missing(out *chunk, shown map[string]bool) {
	already := make(map[string]bool, len(out.Removed))
	for _, id := range out.Removed {
		already[id] = true
	}
	var gone []string
	for id, known := range c.records.products {
		if known.walk != out.Walk && !shown[id] && !already[id] {
			gone = append(gone, id)
		}
	}
	out.Whole = out.At
	if len(gone) > fewProducts && 2*len(gone) > len(c.records.products) && !out.Doubted {
		out.Doubted = true
		return
	}
	out.Doubted = false
	out.Removed = append(out.Removed, gone...)
}

// append writes a chunk, and then takes it in.
func (c *Crawl) append(ctx context.Context, out *chunk) error {
	number := c.records.last + 1
	if err := c.log.append(ctx, number, out); err != nil {
		return err
	}
	return c.records.apply(number, out, c.sinks)
}
