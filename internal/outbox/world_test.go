package outbox_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/outbox"
	"github.com/storeware/caddy-storeware/internal/safehttp"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		deliverUntilKilled(path)
		return
	}
	goleak.VerifyTestMain(m)
}

const signingKey = "whsec_c2VjcmV0"

// world is an outbox, its store and its receivers, in a bubble where no real
// time passes.
type world struct {
	store   state.Store
	options outbox.Options

	mu      sync.Mutex
	answer  func(r *http.Request) (int, error) // of the receivers
	calls   []call
	busy    map[string]int
	most    map[string]int
	revoked map[string]bool
	reports []outbox.Report
}

// call is what a receiver saw.
type call struct {
	receiver, id, body, kind, signature string
	at                                  time.Time
	status                              int
}

func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	synctest.Test(t, func(t *testing.T) {
		store, err := bolt.Open(filepath.Join(t.TempDir(), "state.db"), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
		test(t, newWorld(store))
	})
}

func newWorld(store state.Store) *world {
	w := &world{store: store, busy: make(map[string]int), most: make(map[string]int), revoked: make(map[string]bool)}
	w.answer = func(*http.Request) (int, error) { return http.StatusOK, nil }
	w.options = outbox.Options{
		Store: store, Prefix: "webhook/", Client: w, Resolve: w.resolve, Now: time.Now,
		Report: func(r outbox.Report) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.reports = append(w.reports, r)
		},
	}
	return w
}

func (w *world) resolve(_ context.Context, receiver string) (outbox.Receiver, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.revoked[receiver] {
		return outbox.Receiver{}, fmt.Errorf("key %s: %w", receiver, outbox.ErrRevoked)
	}
	return outbox.Receiver{
		URL: "https://" + receiver + ".example/hook",
		Sign: func(r *http.Request, e outbox.Event, at time.Time) error {
			r.Header.Set("Webhook-Id", e.ID)
			return outbox.SignACP(secret.New(signingKey))(r, e, at)
		},
	}, nil
}

// Do is what the receivers do, each in a second.
func (w *world) Do(r *http.Request) (*safehttp.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	receiver := r.URL.Hostname()[:len(r.URL.Hostname())-len(".example")]
	w.mu.Lock()
	w.busy[receiver]++
	w.most[receiver] = max(w.most[receiver], w.busy[receiver])
	answer := w.answer
	began := time.Now()
	w.mu.Unlock()
	time.Sleep(time.Second) // in a bubble
	status, err := answer(r)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy[receiver]--
	w.calls = append(w.calls, call{
		receiver: receiver, id: r.Header.Get("Webhook-Id"), body: string(body), kind: r.Header.Get("Content-Type"),
		signature: r.Header.Get("Merchant-Signature"), at: began, status: status,
	})
	if err != nil {
		return nil, err
	}
	return &safehttp.Response{Status: status}, nil
}

func (w *world) answers(answer func(r *http.Request) (int, error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = answer
}

// run runs an outbox for so long.
func (w *world) run(t *testing.T, o *outbox.Outbox, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	o.Run(ctx)
}

func send(t *testing.T, o *outbox.Outbox, receiver, key, id string) {
	t.Helper()
	e := outbox.Event{ID: id, Receiver: receiver, Key: key, Type: "application/json", Body: []byte(`{"event":"` + id + `"}`)}
	if err := o.Send(t.Context(), e); err != nil {
		t.Fatal(err)
	}
}

// delivered returns the ids that were answered with 200, in the order in which
// they were.
func (w *world) delivered() (ids []string) {
	for _, c := range w.calls {
		if c.status == http.StatusOK {
			ids = append(ids, c.id)
		}
	}
	return ids
}

func waiting(t *testing.T, o *outbox.Outbox) (all []outbox.Pending) {
	t.Helper()
	for p, err := range o.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}
