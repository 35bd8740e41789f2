package keyring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

const shop = "shop.example"

// clock is a clock that tests turn.
type clock struct{ at time.Time }

func (c *clock) now() time.Time          { return c.at }
func (c *clock) advance(d time.Duration) { c.at = c.at.Add(d) }

func newClock() *clock { return &clock{time.Date(2026, 8, 25, 12, 0, 0, 0, time.UTC)} }

func open(t testing.TB, storage Storage, now func() time.Time) *Ring {
	t.Helper()
	ring, err := Open(t.Context(), storage, shop, Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

// publishedIDs lists the kids in the profile.
func publishedIDs(r *Ring) []string {
	var ids []string
	for _, jwk := range r.Published() {
		ids = append(ids, jwk.KeyID)
	}
	return ids
}

// answer is a response signed by the ring.
func answer(t testing.TB, r *Ring) *httpsig.Response {
	t.Helper()
	resp := &httpsig.Response{
		Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte("{}"),
		Request: &httpsig.Request{Method: "GET", Scheme: "https", Authority: shop, Target: "/api"},
	}
	if err := r.Signer().SignResponse(resp); err != nil {
		t.Fatal(err)
	}
	return resp
}

// verify checks a response against published keys, as a platform does.
func verify(t testing.TB, resp *httpsig.Response, published []httpsig.JWK, now func() time.Time) error {
	t.Helper()
	data, err := json.Marshal(published)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := httpsig.ParseKeys(data)
	if err != nil {
		t.Fatal(err)
	}
	verifier := &httpsig.Verifier{Now: now, Keys: func(context.Context, string, bool) ([]httpsig.Key, error) { return keys, nil }}
	_, err = verifier.VerifyResponse(t.Context(), resp)
	return err
}

func TestOpenMakesOneKey(t *testing.T) {
	storage, clock := newMemory(), newClock()
	ring := open(t, storage, clock.now)
	if err := verify(t, answer(t, ring), ring.Published(), clock.now); err != nil {
		t.Errorf("a first answer does not verify: %v", err)
	}
	again := open(t, storage, clock.now)
	if diff := cmp.Diff(ring.Keys(), again.Keys()); diff != "" {
		t.Errorf("a second start has other keys (-first +second):\n%s", diff)
	}
	if got := ring.Keys(); len(got) != 1 || got[0].ID != ring.Signer().KeyID() || !got[0].Created.Equal(clock.now()) {
		t.Errorf("Keys = %+v", got)
	}
	if storage.stores != 1 || storage.locked() {
		t.Errorf("%d files were stored, want 1; lock still held: %v", storage.stores, storage.locked())
	}
}

// TestNodesAgree starts many nodes on one empty storage at once.
func TestNodesAgree(t *testing.T) {
	const nodes = 16
	storage, clock := newMemory(), newClock()
	var (
		ids     [nodes]string
		sealing [nodes][32]byte
		group   sync.WaitGroup
	)
	for i := range nodes {
		group.Go(func() {
			ring, err := Open(t.Context(), storage, shop, Options{Now: clock.now})
			if err != nil {
				t.Error(err)
				return
			}
			ids[i] = ring.Signer().KeyID()
			if sealing[i], err = SealingKey(t.Context(), storage, clock.now); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i := range nodes {
		if ids[i] != ids[0] || sealing[i] != sealing[0] {
			t.Fatalf("node %d has other keys than node 0", i)
		}
	}
	if storage.stores != 2 {
		t.Errorf("%d files were stored, want 2", storage.stores)
	}
}

func TestShopsHaveTheirOwnKeys(t *testing.T) {
	storage := newMemory()
	seen := map[string]string{}
	for _, name := range []string{"shop", "Shop", "shop.example", "shop.example:8443", "shop_3a", "shop:", "../shop", "..", ".", "a/b", "a..b", "Käse"} {
		ring, err := Open(t.Context(), storage, name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		id := ring.Signer().KeyID()
		if other, taken := seen[id]; taken {
			t.Errorf("%q and %q share a key", name, other)
		}
		seen[id] = name
	}
	for key := range storage.files {
		name, ok := strings.CutPrefix(key, "storeware/keys/shops/")
		if !ok || strings.ContainsAny(name, `/\: `) || strings.HasPrefix(name, ".") || strings.Contains(name, "..") || strings.ToLower(name) != name {
			t.Errorf("the file name %q is not safe on every storage", key)
		}
	}
	for _, name := range []string{"", strings.Repeat("x", 65)} {
		if _, err := Open(t.Context(), storage, name, Options{}); err == nil {
			t.Errorf("the shop name %q was accepted", name)
		}
	}
}

// TestAClockThatIsBehind: a node whose clock lags that of the node which made
// the first key signs all the same.
func TestAClockThatIsBehind(t *testing.T) {
	storage, clock := newMemory(), newClock()
	ahead := open(t, storage, clock.now)
	clock.advance(-time.Minute)
	behind := open(t, storage, clock.now)
	if got, want := behind.Signer().KeyID(), ahead.Signer().KeyID(); got != want {
		t.Errorf("%s signs, want %s", got, want)
	}
}

// TestWatch: a running node takes over a rotation within a minute, without
// being asked, and outlives a storage that fails.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		storage := newMemory()
		ring, other := open(t, storage, time.Now), open(t, storage, time.Now)
		ctx, cancel := context.WithCancel(t.Context())
		var reported []error
		done := make(chan struct{})
		go func() {
			defer close(done)
			other.Watch(ctx, func(err error) { reported = append(reported, err) })
		}()
		made, err := ring.Rotate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(pollInterval + time.Second)
		synctest.Wait()
		if !slices.Contains(publishedIDs(other), made.ID) {
			t.Error("after a minute the other node does not publish the new key")
		}
		broken := errors.New("storage is away")
		storage.mu.Lock()
		storage.fail["Load"] = broken
		storage.mu.Unlock()
		time.Sleep(2 * pollInterval)
		synctest.Wait()
		cancel()
		<-done
		if len(reported) != 2 || !errors.Is(reported[0], broken) {
			t.Errorf("reported %v, want the storage's error twice", reported)
		}
		if got := len(other.Published()); got != 2 {
			t.Errorf("%d keys are published after the failure, want 2", got)
		}
	})
}

// TestRingHidesItsKeys: no printing verb may show key material.
func TestRingHidesItsKeys(t *testing.T) {
	ring := open(t, newMemory(), newClock().now)
	ring.storage = nil // the test's storage holds the file in the clear
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		for _, value := range []any{ring, ring.Keys(), ring.Published(), ring.Signer()} {
			if text := fmt.Sprintf(verb, value); strings.Contains(text, "PRIVATE") {
				t.Errorf("%s of a %T shows a private key: %s", verb, value, text)
			}
		}
	}
}
