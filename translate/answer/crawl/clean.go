package crawl

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// manyPer is how few products there may be for a chunk before chunks are written
// together.
const manyPer = 50

// clean takes out the chunks that say nothing any more, and writes small ones
// together when there are many. The last chunk stays, for the place it has.
func (c *Crawl) clean(ctx context.Context) error {
	r := c.records
	numbers := slices.Sorted(maps.Keys(r.chunks))
	oldest := true // no chunk before has stayed
	for _, n := range numbers[:len(numbers)-1] {
		// That a product is gone must be said as long as an earlier chunk may have it.
		if here := r.chunks[n]; here.live > 0 || here.removed && !oldest {
			oldest = false
			continue
		}
		if err := c.drop(ctx, n); err != nil {
			return err
		}
	}
	for len(r.chunks) > 32+len(r.products)/manyPer {
		if merged, err := c.merge(ctx); err != nil || !merged {
			return err
		}
	}
	return nil
}

func (c *Crawl) drop(ctx context.Context, number uint64) error {
	if err := c.log.remove(ctx, number); err != nil {
		return err
	}
	delete(c.records.chunks, number)
	return nil
}

// merge writes the smallest chunks together as a new one. It reports whether there
// were two that fit.
func (c *Crawl) merge(ctx context.Context) (bool, error) {
	r := c.records
	numbers := slices.Sorted(maps.Keys(r.chunks))
	oldest := numbers[0]
	slices.SortStableFunc(numbers, func(a, b uint64) int { return cmp.Compare(r.chunks[a].size, r.chunks[b].size) })
	size, fit := 0, 0
	for _, n := range numbers {
		if size += r.chunks[n].size; size > chunkSize {
			break
		}
		fit++
	}
	if fit < 2 {
		return false, nil
	}
	out := &chunk{position: r.at}
	for _, n := range numbers[:fit] {
		if err := c.salvage(ctx, n, n == oldest, out); err != nil {
			return false, err
		}
	}
	if err := c.append(ctx, out); err != nil {
		return false, err
	}
	for _, n := range numbers[:fit] {
		if err := c.drop(ctx, n); err != nil {
			return false, err
		}
	}
	return true, nil
}

// salvage adds to out what a chunk says that still holds.
func (c *Crawl) salvage(ctx context.Context, number uint64, oldest bool, out *chunk) error {
	entry, err := c.log.store.Get(ctx, c.log.key(number))
	if err != nil {
		return fmt.Errorf("reading documents: %w", err)
	}
	old, err := unpack(entry.Value)
	if err != nil {
		return err
	}
	for _, raw := range old.Documents {
		var d struct {
			ID string `json:"i"`
		}
		if err := json.Unmarshal(raw, &d); err != nil {
			return fmt.Errorf("%w: %w", errStored, err)
		}
		if known, ok := c.records.products[d.ID]; ok && known.chunk == number && known.sum == c.records.sum(raw) {
			out.Documents = append(out.Documents, raw)
		}
	}
	for _, id := range old.Removed {
		if _, known := c.records.products[id]; !known && !oldest {
			out.Removed = append(out.Removed, id)
		}
	}
	return nil
}
