package redis

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
)

// A node starts while its Redis is away, refuses to work, and works when it is
// back.
func TestRedisAwayAtStart(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		store := server.newStore(t, "")
		server.cut(store)
		for range 50 { // more than there are connections
			_, err := store.Put(t.Context(), "k", nil, 0)
			if !errors.Is(err, state.ErrUnavailable) {
				t.Fatalf("got %v, want ErrUnavailable", err)
			}
		}
		if err := store.Ping(t.Context()); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("Ping says %v", err)
		}
		if _, err := store.TryAcquire(t.Context(), "k", time.Minute); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("TryAcquire says %v", err)
		}
		if _, err := store.Acquire(t.Context(), "k", time.Minute); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("Acquire says %v", err)
		}
		server.mend(store)
		back := time.Now()
		for store.Ping(t.Context()) != nil {
			time.Sleep(10 * time.Millisecond)
		}
		if took := time.Since(back); took > 2*time.Second {
			t.Errorf("it took %v to come back", took)
		}
		if _, err := store.Put(t.Context(), "k", nil, 0); err != nil {
			t.Error(err)
		}
		lease, err := store.TryAcquire(t.Context(), "k", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if err := lease.Release(); err != nil {
			t.Error(err)
		}
	})
}

// silent is a server that never answers or, if it is to hang up on a command,
// only knows that one.
type silent struct {
	hangUpOn string
	seen     atomic.Int32
}

func (s *silent) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	go func() {
		defer server.Close()
		lines := bufio.NewScanner(server)
		for lines.Scan() {
			switch {
			case s.hangUpOn == "":
			case lines.Text() == s.hangUpOn:
				s.seen.Add(1)
				return
			case lines.Text() == "hello":
				if _, err := io.WriteString(server, "-ERR unknown command\r\n"); err != nil {
					return
				}
			}
		}
	}()
	return client, nil
}

func TestSilentRedis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newStore(&goredis.Options{Dialer: new(silent).dial}, "", nil)
		defer store.Close()
		for name, call := range map[string]func(context.Context) error{
			"Get":     func(ctx context.Context) error { _, err := store.Get(ctx, "k"); return err },
			"Add":     func(ctx context.Context) error { _, err := store.Add(ctx, "k", 1, 0); return err },
			"Ping":    store.Ping,
			"Acquire": func(ctx context.Context) error { _, err := store.Acquire(ctx, "k", time.Minute); return err },
			"Backup":  func(ctx context.Context) error { return store.Backup(ctx, io.Discard) },
		} {
			start := time.Now()
			if err := call(t.Context()); !errors.Is(err, state.ErrUnavailable) {
				t.Errorf("%s: got %v, want ErrUnavailable", name, err)
			}
			if took := time.Since(start); took > callTime {
				t.Errorf("%s took %v", name, took)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			start = time.Now()
			if err := call(ctx); !errors.Is(err, state.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s with a deadline: got %v", name, err)
			}
			if took := time.Since(start); took > 600*time.Millisecond {
				t.Errorf("%s took %v with a deadline of 500ms", name, took)
			}
			cancel()
		}
	})
}

// A command whose reply is lost may have been carried out, so it must not be
// sent again.
func TestNothingIsSentTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, command := range []string{"get", "evalsha"} {
			server := &silent{hangUpOn: command}
			store := newStore(&goredis.Options{Dialer: server.dial}, "", nil)
			store.prepared.Store(true)
			_, getErr := store.Get(t.Context(), "k")
			_, putErr := store.Put(t.Context(), "k", nil, 0)
			if !errors.Is(getErr, state.ErrUnavailable) || !errors.Is(putErr, state.ErrUnavailable) {
				t.Errorf("got %v and %v, want ErrUnavailable", getErr, putErr)
			}
			if seen := server.seen.Load(); seen != 1 {
				t.Errorf("%s was sent %d times, want once", command, seen)
			}
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestURL(t *testing.T) {
	for _, url := range []string{
		"redis://localhost", "redis://user:password@127.0.0.1:6380/3", "rediss://[::1]:6379", "unix:///run/redis.sock",
	} {
		store, err := New(secret.New(url), DefaultPrefix)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, url := range []string{
		"", "localhost:6379", "http://:hunter2@localhost", "redis://:hunter2@localhost:port", "redis://:pa/hunter2@localhost",
		"redis://:%zzhunter2@localhost", "redis://user:hunter2@localhost/db", "redis://localhost?hunter2=1", "unix://:hunter2@",
	} {
		store, err := New(secret.New(url), DefaultPrefix)
		if err == nil {
			t.Errorf("%q was taken for a URL", url)
			_ = store.Close()
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error for %q holds the password: %v", url, err)
		}
	}
}
