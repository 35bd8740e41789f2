package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// The tables.
const (
	tableBaskets = "baskets"
	tablePlaced  = "placed" // basket's token → order's number, for ever
	tableOrders  = "orders"
	tableLevels  = "levels"
	tableCounts  = "counts"
)

var tables = []string{tableBaskets, tablePlaced, tableOrders, tableLevels, tableCounts}

// store runs transactions. Those that write run one after the other, and a
// transaction whose function fails changes nothing.
type store interface {
	view(func(tx) error) error
	update(func(tx) error) error
	close() error
}

// tx is a transaction. What get and each hand out is valid until it ends.
type tx interface {
	get(table, key string) []byte
	put(table, key string, value []byte) error
	delete(table, key string) error
	each(table string, f func(key string, value []byte) error) error
}

// load reads a record. It reports false when there is none.
func load[T any](t tx, table, key string) (value T, ok bool, err error) {
	raw := t.get(table, key)
	if raw == nil {
		return value, false, nil
	}
	value, err = decode[T](table, raw)
	return value, err == nil, err
}

func decode[T any](table string, raw []byte) (value T, err error) {
	if err := json.Unmarshal(raw, &value); err != nil {
		return value, fmt.Errorf("reading %s: %w", table, err)
	}
	return value, nil
}

// save writes a record.
func save(t tx, table, key string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("writing %s: %w", table, err)
	}
	return t.put(table, key, raw)
}

// file is a store on disk.
type file struct{ db *bbolt.DB }

// openTimeout is how long to wait for another process to let go of the file.
const openTimeout = 2 * time.Second

func openFile(dir string) (*file, error) {
	path := filepath.Join(dir, "shop.db")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: openTimeout})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("%s is in use by another process", path)
	}
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	err = db.Update(func(t *bbolt.Tx) error {
		for _, name := range tables {
			if _, err := t.CreateBucketIfNotExists([]byte(name)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("preparing %s: %w", path, err), db.Close())
	}
	return &file{db}, nil
}

func (f *file) view(do func(tx) error) error {
	return f.db.View(func(t *bbolt.Tx) error { return do(fileTx{t}) })
}

func (f *file) update(do func(tx) error) error {
	return f.db.Update(func(t *bbolt.Tx) error { return do(fileTx{t}) })
}

func (f *file) close() error { return f.db.Close() }

type fileTx struct{ t *bbolt.Tx }

func (t fileTx) get(table, key string) []byte { return t.t.Bucket([]byte(table)).Get([]byte(key)) }

func (t fileTx) put(table, key string, value []byte) error {
	return t.t.Bucket([]byte(table)).Put([]byte(key), value)
}

func (t fileTx) delete(table, key string) error {
	return t.t.Bucket([]byte(table)).Delete([]byte(key))
}

func (t fileTx) each(table string, f func(key string, value []byte) error) error {
	return t.t.Bucket([]byte(table)).ForEach(func(k, v []byte) error { return f(string(k), v) })
}

// memory is a store that ends with its process.
type memory struct {
	mu     sync.RWMutex
	tables map[string]map[string][]byte
}

func newMemory() *memory {
	m := &memory{tables: map[string]map[string][]byte{}}
	for _, name := range tables {
		m.tables[name] = map[string][]byte{}
	}
	return m
}

func (m *memory) view(do func(tx) error) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return do(&memoryTx{m: m})
}

func (m *memory) update(do func(tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &memoryTx{m: m, changes: map[[2]string][]byte{}}
	if err := do(t); err != nil {
		return err
	}
	for at, value := range t.changes {
		if value == nil {
			delete(m.tables[at[0]], at[1])
		} else {
			m.tables[at[0]][at[1]] = value
		}
	}
	return nil
}

func (m *memory) close() error { return nil }

// memoryTx holds changes back until the transaction ends well. A nil value is a
// deletion.
type memoryTx struct {
	m       *memory
	changes map[[2]string][]byte
}

func (t *memoryTx) get(table, key string) []byte {
	if value, ok := t.changes[[2]string{table, key}]; ok {
		return value
	}
	return t.m.tables[table][key]
}

func (t *memoryTx) put(table, key string, value []byte) error {
	t.changes[[2]string{table, key}] = value
	return nil
}

func (t *memoryTx) delete(table, key string) error {
	t.changes[[2]string{table, key}] = nil
	return nil
}

func (t *memoryTx) each(table string, f func(key string, value []byte) error) error {
	all := maps.Clone(t.m.tables[table])
	for at, value := range t.changes {
		if at[0] == table {
			all[at[1]] = value
		}
	}
	for key, value := range all {
		if value == nil {
			continue
		}
		if err := f(key, value); err != nil {
			return err
		}
	}
	return nil
}
