package safehttp

import "container/list"

// lru maps keys to values and forgets those that were used longest ago, once
// there are more than maxEntries or their sizes add up to more than maxSize. It
// is not safe for concurrent use.
type lru[K comparable, V any] struct {
	maxEntries int
	maxSize    int64
	size       int64
	order      *list.List // of *lruEntry[K, V], the last used first
	entries    map[K]*list.Element
}

type lruEntry[K comparable, V any] struct {
	key   K
	value V
	size  int64
}

func newLRU[K comparable, V any](maxEntries int, maxSize int64) *lru[K, V] {
	return &lru[K, V]{
		maxEntries: maxEntries,
		maxSize:    maxSize,
		order:      list.New(),
		entries:    make(map[K]*list.Element),
	}
}

// get returns the value of key, which counts as a use of it.
func (c *lru[K, V]) get(key K) (value V, ok bool) {
	element, ok := c.entries[key]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(element)
	return element.Value.(*lruEntry[K, V]).value, true
}

// put sets the value of key. A value larger than maxSize is not kept.
func (c *lru[K, V]) put(key K, value V, size int64) {
	if element, ok := c.entries[key]; ok {
		c.remove(element)
	}
	c.entries[key] = c.order.PushFront(&lruEntry[K, V]{key, value, size})
	c.size += size
	for len(c.entries) > c.maxEntries || c.size > c.maxSize {
		c.remove(c.order.Back())
	}
}

func (c *lru[K, V]) remove(element *list.Element) {
	entry := c.order.Remove(element).(*lruEntry[K, V])
	delete(c.entries, entry.key)
	c.size -= entry.size
}
