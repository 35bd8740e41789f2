package outbox_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/outbox"
	"github.com/storeware/caddy-storeware/internal/safehttp"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
)

// What a child process of the test is told: its file, where to deliver, and how
// many minutes its clock is ahead, so that leases of its predecessor are over.
const (
	childFile   = "STOREWARE_TEST_OUTBOX_FILE"
	childURL    = "STOREWARE_TEST_OUTBOX_URL"
	childAhead  = "STOREWARE_TEST_OUTBOX_AHEAD"
	childEvents = 60
)

// local completes the options of an outbox whose receivers are all at one URL of
// this machine.
func local(o outbox.Options, url string) outbox.Options {
	o.Prefix = "webhook/"
	o.Client = safehttp.NewClient(safehttp.Options{AllowLoopback: true, KeepAlive: time.Minute})
	o.Resolve = func(context.Context, string) (outbox.Receiver, error) {
		return outbox.Receiver{URL: url, Sign: func(r *http.Request, e outbox.Event, at time.Time) error {
			r.Header.Set("Webhook-Id", e.ID)
			return outbox.SignACP(secret.New(signingKey))(r, e, at)
		}}, nil
	}
	return o
}

// deliverUntilKilled is the child. The first of them finds the file empty.
func deliverUntilKilled(path string) {
	ahead, err := strconv.Atoi(os.Getenv(childAhead))
	if err != nil {
		fmt.Println("reading how far the clock is ahead:", err)
		return
	}
	now := func() time.Time { return time.Now().Add(time.Duration(ahead) * time.Minute) }
	store, err := bolt.Open(path, now)
	if err != nil {
		fmt.Println("opening:", err)
		return
	}
	o := outbox.New(local(outbox.Options{Store: store, Now: now, Report: func(outbox.Report) {}}, os.Getenv(childURL)))
	for i := range childEvents {
		if ahead > 0 {
			break
		}
		id := fmt.Sprint("id", i)
		e := outbox.Event{ID: id, Receiver: "a", Key: fmt.Sprint(i % 20), Body: []byte("body of " + id)}
		if err := o.Send(context.Background(), e); err != nil {
			fmt.Println("sending:", err)
			return
		}
	}
	o.Run(context.Background())
}

// A process that is killed while it delivers loses nothing, and what its
// successor sends again has the same id and the same body.
func TestKill(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	seen := make(map[string]int)
	calls, killAt := 0, 0
	var child *exec.Cmd
	last := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		id := r.Header.Get("Webhook-Id")
		if err != nil {
			return // it was cut off by the kill
		}
		mu.Lock()
		defer mu.Unlock()
		if string(body) != "body of "+id {
			t.Errorf("event %q has the body %q", id, body)
		}
		seen[id]++
		if calls++; calls == killAt {
			// It has been told, and will not be told that it was heard.
			if err := child.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
		if len(seen) == childEvents && killAt == 0 && last != nil {
			close(last)
			last = nil
		}
	}))
	defer server.Close()
	path := filepath.Join(t.TempDir(), "state.db")
	start := func(ahead, kill int) *exec.Cmd {
		mu.Lock()
		defer mu.Unlock()
		calls, killAt = 0, kill
		child = exec.CommandContext(t.Context(), self)
		child.Env = append(os.Environ(), childFile+"="+path, childURL+"="+server.URL, childAhead+"="+strconv.Itoa(ahead))
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		return child
	}
	for i := range 2 {
		_ = start(10*i, 15).Wait() // it is killed, and says so
	}
	all := last
	final := start(20, 0)
	select {
	case <-all:
	case <-t.Context().Done():
	case <-time.After(time.Minute):
		t.Error("not all events were delivered")
	}
	if err := final.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = final.Wait()
	mu.Lock()
	defer mu.Unlock()
	for i := range childEvents {
		if seen[fmt.Sprint("id", i)] == 0 {
			t.Errorf("event %d was lost", i)
		}
	}
	if len(seen) != childEvents {
		t.Errorf("%d ids for %d events", len(seen), childEvents)
	}
}
