package keyring

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"sync"
)

// memory is a Storage for tests that keeps to the contract strictly: it copies,
// honours contexts, and fails whoever unlocks what is not locked.
type memory struct {
	mu     sync.Mutex
	files  map[string][]byte
	locks  map[string]chan struct{}
	fail   map[string]error // by method
	stores int
}

func newMemory() *memory {
	return &memory{files: map[string][]byte{}, locks: map[string]chan struct{}{}, fail: map[string]error{}}
}

func (m *memory) Load(ctx context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := cmpErr(m.fail["Load"], ctx.Err()); err != nil {
		return nil, err
	}
	data, ok := m.files[key]
	if !ok {
		return nil, &fs.PathError{Op: "load", Path: key, Err: fs.ErrNotExist}
	}
	return bytes.Clone(data), nil
}

func (m *memory) Store(ctx context.Context, key string, value []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := cmpErr(m.fail["Store"], ctx.Err()); err != nil {
		return err
	}
	m.files[key] = bytes.Clone(value)
	m.stores++
	return nil
}

func (m *memory) Lock(ctx context.Context, name string) error {
	m.mu.Lock()
	err := m.fail["Lock"]
	lock, ok := m.locks[name]
	if !ok {
		lock = make(chan struct{}, 1)
		m.locks[name] = lock
	}
	m.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *memory) Unlock(ctx context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := cmpErr(m.fail["Unlock"], ctx.Err()); err != nil {
		return err
	}
	select {
	case <-m.locks[name]:
		return nil
	default:
		return fmt.Errorf("%s is not locked", name)
	}
}

// locked says whether any lock is held.
func (m *memory) locked() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, lock := range m.locks {
		if len(lock) > 0 {
			return true
		}
	}
	return false
}

func cmpErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
