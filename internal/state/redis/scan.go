package redis

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// A page ends once it has this many names or bytes: Redis serves nobody else
// while it puts one together.
const (
	pageNames = 256
	pageBytes = 1 << 20
)

// record is what a page says about an entry or a counter.
type record struct {
	name   string
	stored string
	left   time.Duration // negative for ever
}

// Scan implements state.Store.
func (s *Store) Scan(ctx context.Context, prefix, after string) iter.Seq2[state.Item, error] {
	return func(yield func(state.Item, error) bool) {
		for r, err := range s.records(ctx, entryPrefix+prefix, entryPrefix+after) {
			var item state.Item
			if err == nil {
				item.Key = r.name[len(entryPrefix):]
				item.Entry, err = decodeEntry([]byte(r.stored))
			}
			if err != nil {
				yield(state.Item{}, fmt.Errorf("scanning: %w", err))
				return
			}
			if !yield(item, nil) {
				return
			}
		}
	}
}

// records yields the records whose name starts with prefix and comes after the
// name after, page by page.
func (s *Store) records(ctx context.Context, prefix, after string) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		first, last := "["+prefix, endOf(prefix)
		if after >= prefix {
			first = "(" + after
		}
		for first != "" {
			page, next, err := s.page(ctx, first, last)
			if err != nil {
				yield(record{}, err)
				return
			}
			for _, r := range page {
				if !yield(r, nil) {
					return
				}
			}
			first = next
		}
	}
}

// endOf returns the end of the range of names that start with prefix, as
// ZRANGEBYLEX wants it: the least name that is greater than all of them.
func endOf(prefix string) string {
	for end := len(prefix) - 1; end >= 0; end-- {
		if prefix[end] < 0xff {
			return "(" + prefix[:end] + string([]byte{prefix[end] + 1})
		}
	}
	return "+"
}

// page returns the records of a range, and where the next page begins, "" if
// this is the last one.
func (s *Store) page(ctx context.Context, first, last string) (page []record, next string, err error) {
	reply, err := s.run(ctx, s.scripts.page, []string{namesKey}, s.prefix, first, last, pageNames, pageBytes)
	if err != nil {
		return nil, "", err
	}
	fields, _ := reply.([]any)
	if len(fields)%3 != 1 {
		return nil, "", unavailable(errors.New("a page is malformed"))
	}
	if name, _ := fields[0].(string); name != "" {
		next = "(" + name
	}
	for fields = fields[1:]; len(fields) > 0; fields = fields[3:] {
		name, _ := fields[0].(string)
		stored, _ := fields[1].(string)
		left, ok := fields[2].(int64)
		if name == "" || !ok {
			return nil, "", unavailable(errors.New("a page is malformed"))
		}
		page = append(page, record{name: name, stored: stored, left: time.Duration(left) * time.Millisecond})
	}
	return page, next, nil
}
