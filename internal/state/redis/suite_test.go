package redis

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/statetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestMiniredis runs in a bubble where no real time passes, so the Redis in it
// cannot be reached by network.
func TestMiniredis(t *testing.T) {
	statetest.Run(t, func(t *testing.T, test func(*testing.T, statetest.Subject)) {
		synctest.Test(t, func(t *testing.T) {
			server := newMiniredis(t)
			test(t, statetest.Subject{
				New:     server.newEmptyStore,
				Advance: time.Sleep,
			})
		})
	})
}

func TestRealRedis(t *testing.T) {
	server := startRedis(t)
	client := server.newClient(t)
	statetest.Run(t, func(t *testing.T, test func(*testing.T, statetest.Subject)) {
		if err := client.FlushAll(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		test(t, statetest.Subject{
			New:       server.newEmptyStore,
			Advance:   func(d time.Duration) { advance(t, client, d) },
			RealClock: true,
		})
	})
}

// server is a Redis, and how to reach it.
type server struct {
	options func(*link) *goredis.Options
	stores  int
	links   map[*Store]*link
}

// newEmptyStore returns a store with a prefix of its own.
func (s *server) newEmptyStore(t *testing.T) state.Store {
	s.stores++
	return s.newStore(t, fmt.Sprintf("%d:", s.stores))
}

func (s *server) newStore(t testing.TB, prefix string, upgrades ...upgrade) *Store {
	t.Helper()
	line := new(link)
	store := newStore(s.options(line), prefix, upgrades)
	if s.links == nil {
		s.links = make(map[*Store]*link)
	}
	s.links[store] = line
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func (s *server) newClient(t testing.TB) *goredis.Client {
	t.Helper()
	client := goredis.NewClient(s.options(new(link)))
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

func newMiniredis(t testing.TB) *server {
	mini := miniredis.NewMiniRedis()
	mini.ClockTTL(true)
	t.Cleanup(mini.Close)
	return &server{options: func(l *link) *goredis.Options {
		return &goredis.Options{
			Dialer: func(context.Context, string, string) (net.Conn, error) { return l.dial(mini.Dial) },
			// Or else a client looks up the name of its Redis.
			MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		}
	}}
}

// startRedis starts a redis-server of its own for the test.
func startRedis(t testing.TB) *server {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("SKIPPED, NOT TESTED: redis-server is not installed (apt-get install redis-server)")
	}
	socket := filepath.Join(t.TempDir(), "redis.sock")
	cmd := exec.Command(path, "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed, and says so
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "ready to accept connections") {
			return &server{options: func(*link) *goredis.Options {
				return &goredis.Options{Network: "unix", Addr: socket}
			}}
		}
	}
	t.Fatalf("redis-server did not start: %v", lines.Err())
	return nil
}

// advance makes everything in Redis expire earlier, since its clock cannot be
// moved.
func advance(t testing.TB, client *goredis.Client, d time.Duration) {
	t.Helper()
	err := client.Eval(t.Context(), `
		for _, key in ipairs(redis.call('KEYS', '*')) do
			local left = redis.call('PTTL', key) - tonumber(ARGV[1])
			if redis.call('PTTL', key) >= 0 then
				redis.call('PEXPIRE', key, math.max(left, 0))
			elseif redis.call('TYPE', key).ok == 'hash' then
				redis.call('HINCRBY', key, 'd', -ARGV[1])
			elseif string.sub(key, -4) == ':due' or string.find(key, ':qr:', 1, true) then
				for _, name in ipairs(redis.call('ZRANGE', key, 0, -1)) do
					redis.call('ZINCRBY', key, -ARGV[1], name)
				end
			end
		end
		return 1`, nil, d.Milliseconds()).Err()
	if err != nil {
		t.Fatal(err)
	}
}
