package redis

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/archive"
	"github.com/storeware/caddy-storeware/internal/state/internal/turns"
)

// DefaultPrefix is what keys begin with unless the operator says otherwise.
const DefaultPrefix = "storeware:"

const (
	dialTime = 2 * time.Second // to connect
	wireTime = 2 * time.Second // to send a command, and again to read its reply
	poolTime = time.Second     // to get one of the connections, if all are busy
	callTime = 5 * time.Second // for all of that together
)

// Store is a state.Store in a Redis.
type Store struct {
	client  *goredis.Client
	prefix  string
	process string // tells the processes that wait for a lease apart
	scripts scripts
	turns   turns.Turns

	upgrades []upgrade
	prepared atomic.Bool

	open  context.Context // until Close
	shut  context.CancelFunc
	close func() error

	mu         sync.Mutex // guards adding to background against Close
	background sync.WaitGroup
}

var _ state.Store = (*Store)(nil)

// New returns a Store in the Redis at a URL such as redis://user:password@host:6379/0,
// rediss://… for TLS or unix:///path/to/socket. Its keys begin with prefix,
// which may be empty if nobody else uses the database.
//
// It does not connect: a Redis that is away does not keep a node from starting.
// Until it is back every call returns [state.ErrUnavailable]. A caller that wants
// to know calls Ping, which also finds out whether the data can be read
// ([state.ErrSchema]).
func New(url secret.String, prefix string) (*Store, error) {
	options, err := goredis.ParseURL(url.Reveal())
	if err != nil {
		// The error of ParseURL quotes the URL, and the password with it.
		return nil, errors.New("redis: the URL is not of the form redis://[user:password@]host[:port][/database], with special characters percent-encoded")
	}
	return newStore(options, prefix, upgrades()), nil
}

func newStore(options *goredis.Options, prefix string, upgrades []upgrade) *Store {
	options.DialTimeout = dialTime
	options.ReadTimeout = wireTime
	options.WriteTimeout = wireTime
	options.PoolTimeout = poolTime
	options.ContextTimeoutEnabled = true
	// A command that is sent twice could mistake what it did the first time
	// for somebody else's doing, so nothing is.
	options.MaxRetries = -1
	options.DialerRetries = 1
	// Redis below version 8 and Valkey answer these with errors.
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	options.DisableIdentity = true

	// The client writes to standard error what also comes back as errors, which are
	// told to whoever called. Its logger is the process's.
	logging.Disable()
	s := &Store{
		client:   goredis.NewClient(options),
		prefix:   prefix,
		process:  rand.Text(),
		scripts:  newScripts(),
		upgrades: upgrades,
	}
	s.open, s.shut = context.WithCancel(context.Background())
	s.close = sync.OnceValue(func() error {
		s.mu.Lock()
		s.shut()
		s.mu.Unlock()
		s.background.Wait()
		return s.client.Close()
	})
	s.inBackground(s.sweepUntilClosed)
	return s
}

// Ping reports whether the Redis answers and holds data that this release can
// read.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	call, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	if err := s.client.Ping(call).Err(); err != nil {
		return failed(ctx, err)
	}
	return nil
}

// Close implements state.Store. A lease that is still held is not given back: its
// holder may be in the middle of something, so it ends with its ttl.
func (s *Store) Close() error { return s.close() }

// Backup implements state.Store.
func (s *Store) Backup(ctx context.Context, w io.Writer) error {
	return archive.Backup(ctx, archived{s}, w)
}

// Restore implements state.Store.
func (s *Store) Restore(ctx context.Context, r io.Reader, mode state.RestoreMode) error {
	return archive.Restore(ctx, archived{s}, r, mode)
}

// inBackground runs do in a goroutine that Close waits for, and reports whether
// the store was open.
func (s *Store) inBackground(do func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open.Err() != nil {
		return false
	}
	s.background.Go(do)
	return true
}

// run runs a script on keys, which it prefixes, and returns nil for a nil reply.
func (s *Store) run(ctx context.Context, script *goredis.Script, keys []string, args ...any) (any, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	return s.eval(ctx, script, keys, args...)
}

// eval is run for a store that may not be ready.
func (s *Store) eval(ctx context.Context, script *goredis.Script, keys []string, args ...any) (any, error) {
	call, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	prefixed := make([]string, len(keys))
	for i, key := range keys {
		prefixed[i] = s.prefix + key
	}
	reply, err := script.Run(call, s.client, prefixed, args...).Result()
	if errors.Is(err, goredis.Nil) {
		return nil, nil
	}
	if err != nil {
		return nil, failed(ctx, err)
	}
	return reply, nil
}

// failed is the error of a call to Redis that failed, which is that of the
// caller's ctx if it ended first.
func failed(ctx context.Context, err error) error {
	if over := over(ctx); over != nil {
		err = over
	}
	return unavailable(err)
}

// over is why ctx is over, if it is. A connection with the deadline of ctx may
// notice a moment before ctx does.
func over(ctx context.Context) error {
	if deadline, ok := ctx.Deadline(); ok && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

func unavailable(err error) error { return fmt.Errorf("%w: %w", state.ErrUnavailable, err) }
