package bolt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/archive"
	"github.com/storeware/caddy-storeware/internal/state/internal/turns"
)

// ErrInUse means that another process has the file open.
var ErrInUse = errors.New("bolt: another process has the state file open")

// lockWait is how long Open waits for another process to close the file: a
// restart may overlap a little.
const lockWait = time.Second

// Store is a state.Store in a file.
type Store struct {
	db      *bbolt.DB
	now     func() time.Time
	commits commits
	turns   turns.Turns
	token   atomic.Uint64 // of the latest lease

	open       context.Context // until Close
	shut       context.CancelFunc
	background sync.WaitGroup
	sweeping   atomic.Pointer[error] // why the latest sweep failed, if it did
	close      func() error
}

var _ state.Store = (*Store)(nil)

// Open opens the state file at path, which it creates with mode 0600 if there is
// none; its folder must exist. The clock now decides what has expired.
//
// The error is [ErrInUse] when another process has the file open, and
// [state.ErrSchema] when the file was written by a newer release.
func Open(path string, now func() time.Time) (*Store, error) {
	return open(path, now, upgrades())
}

func open(path string, now func() time.Time, upgrades []upgrade) (*Store, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType})
	if errors.Is(err, berrors.ErrTimeout) {
		return nil, fmt.Errorf("%w: %s", ErrInUse, path)
	}
	if err != nil {
		return nil, fmt.Errorf("opening state file %s: %w", path, err)
	}
	opening, err := prepare(db, upgrades)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening state file %s: %w", path, err), db.Close())
	}
	s := &Store{db: db, now: now, commits: commits{db: db, turn: make(chan struct{}, 1)}}
	s.token.Store(firstToken(opening))
	s.open, s.shut = context.WithCancel(context.Background())
	s.close = sync.OnceValue(func() error {
		s.shut()
		s.background.Wait()
		return s.db.Close()
	})
	s.background.Go(s.sweepUntilClosed)
	return s, nil
}

// Ping reports whether the file is open and can be written, as far as the latest
// sweep knows.
func (s *Store) Ping(ctx context.Context) error {
	if failed := s.sweeping.Load(); failed != nil {
		return *failed
	}
	return s.view(ctx, func(*txn) error { return nil })
}

// Close implements state.Store.
func (s *Store) Close() error { return s.close() }

// Backup implements state.Store.
func (s *Store) Backup(ctx context.Context, w io.Writer) error {
	return archive.Backup(ctx, archived{s}, w)
}

// Restore implements state.Store.
func (s *Store) Restore(ctx context.Context, r io.Reader, mode state.RestoreMode) error {
	return archive.Restore(ctx, archived{s}, r, mode)
}

// view reads from a snapshot of the file. What read gets from it is only valid
// until it returns.
func (s *Store) view(ctx context.Context, read func(*txn) error) error {
	if err := ctx.Err(); err != nil {
		return unavailable(err)
	}
	var result error
	err := s.db.View(func(tx *bbolt.Tx) error {
		result = read(&txn{tx: tx, now: s.now().UnixMilli()})
		return nil
	})
	if err != nil {
		return unavailable(err)
	}
	return result
}

// update writes to the file, in one commit with whatever else is waiting. The
// function write may run more than once, and must not return an error once it
// has changed something.
func (s *Store) update(ctx context.Context, write func(*txn) error) error {
	return s.commits.do(ctx, func(tx *txn) error {
		tx.now = s.now().UnixMilli()
		return write(tx)
	})
}

func unavailable(err error) error { return fmt.Errorf("%w: %w", state.ErrUnavailable, err) }
