package basket_test

import (
	"context"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// arm lets so many writes through; a negative number none at all.
func (m *mortal) arm(left int, after bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left, m.after = left, after
}

// write reports whether a write is carried out and whether its caller lives to
// hear of it.
func (m *mortal) write() (done, alive bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left--
	switch {
	case m.left >= 0:
		return true, true
	case m.left == -1:
		return m.after, false
	}
	return false, false
}

func (m *mortal) CompareAndSwap(ctx context.Context, key string, old state.Version, value []byte, ttl time.Duration) (state.Version, error) {
	done, alive := m.write()
	var v state.Version
	var err error
	if done {
		v, err = m.Store.CompareAndSwap(ctx, key, old, value, ttl)
	}
	if !alive {
		return 0, errKilled
	}
	return v, err
}

func (m *mortal) Put(ctx context.Context, key string, value []byte, ttl time.Duration) (state.Version, error) {
	done, alive := m.write()
	var v state.Version
	var err error
	if done {
		v, err = m.Store.Put(ctx, key, value, ttl)
	}
	if !alive {
		return 0, errKilled
	}
	return v, err
}
