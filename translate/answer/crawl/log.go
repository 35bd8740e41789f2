package crawl

import (
	"context"
	"fmt"
	"iter"
	"strconv"

	"github.com/storeware/caddy-storeware/internal/state"
)

// log is the chunks of a shop in the store.
type log struct {
	store  state.Store
	prefix string // of the keys
}

func (l log) key(number uint64) string { return fmt.Sprintf("%s%016x", l.prefix, number) }

// append writes a chunk under a number that has none yet. Somebody else who was
// quicker is [state.ErrConflict].
func (l log) append(ctx context.Context, number uint64, c *chunk) error {
	packed, err := c.pack()
	if err != nil {
		return err
	}
	if _, err := l.store.CompareAndSwap(ctx, l.key(number), state.Absent, packed, 0); err != nil {
		return fmt.Errorf("storing documents: %w", err)
	}
	return nil
}

// from yields the chunks with that number and later ones, in order.
func (l log) from(ctx context.Context, number uint64) iter.Seq2[uint64, stored] {
	return func(yield func(uint64, stored) bool) {
		after := ""
		if number > 0 {
			after = l.key(number - 1)
		}
		for item, err := range l.store.Scan(ctx, l.prefix, after) {
			if err != nil {
				yield(0, stored{err: fmt.Errorf("reading documents: %w", err)})
				return
			}
			number, err := strconv.ParseUint(item.Key[len(l.prefix):], 16, 64)
			if err != nil {
				err = fmt.Errorf("%w: a chunk has the key %q", errStored, item.Key)
			}
			s := stored{err: err}
			if err == nil {
				s.chunk, s.err = unpack(item.Value)
			}
			if !yield(number, s) || s.err != nil {
				return
			}
		}
	}
}

// stored is a chunk that was read, or why it was not.
type stored struct {
	chunk *chunk
	err   error
}

// first returns the number of the first chunk, and false if there is none.
func (l log) first(ctx context.Context) (number uint64, any bool, err error) {
	for number, s := range l.from(ctx, 0) {
		return number, s.err == nil, s.err
	}
	return 0, false, nil
}

// remove takes a chunk out.
func (l log) remove(ctx context.Context, number uint64) error {
	if err := l.store.Delete(ctx, l.key(number)); err != nil {
		return fmt.Errorf("removing documents: %w", err)
	}
	return nil
}

// clear takes all chunks out, whatever is in them.
func (l log) clear(ctx context.Context) error {
	for item, err := range l.store.Scan(ctx, l.prefix, "") {
		if err == nil {
			err = l.store.Delete(ctx, item.Key)
		}
		if err != nil {
			return fmt.Errorf("removing documents: %w", err)
		}
	}
	return nil
}
