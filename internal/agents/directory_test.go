package agents_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
)

func TestAddAndLookup(t *testing.T) {
	n := newNode(t, openStore(t))
	n.now.Store(90)
	registration := agents.Registration{
		Shop: "shop", Name: "claude", ProfileURL: "HTTPS://Agent.example:443", WebhookURL: "http://localhost:9000/hook", Sandbox: true,
	}
	agent, key := add(t, n, registration)
	want := agents.Agent{ID: agent.ID, Registration: registration, Created: noon.Add(90 * time.Second)}
	want.ProfileURL = "https://agent.example/"
	if diff := cmp.Diff(want, agent); diff != "" || agent.ID == "" {
		t.Errorf("added (-want +got):\n%s", diff)
	}
	got, err := n.Lookup(t.Context(), "shop", key)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("looked up: %v (-want +got):\n%s", err, diff)
	}

	plain := key.Reveal()
	flipped := plain[:10] + string(plain[10]^1) + plain[11:]
	for name, wrong := range map[string]struct{ shop, key string }{
		"another shop":       {"shop2", plain},
		"a slash in between": {"shop/" + agent.ID, plain},
		"another key":        {"shop", agents.NewKey().Reveal()},
		"one digit off":      {"shop", flipped},
		"cut short":          {"shop", plain[:len(plain)-1]},
		"no prefix":          {"shop", plain[4:]},
		"no key":             {"shop", ""},
		"the hash":           {"shop", agents.HashKey(key).String()},
		"the id":             {"shop", agent.ID},
	} {
		_, err := n.Lookup(t.Context(), wrong.shop, secret.New(wrong.key))
		if !errors.Is(err, agents.ErrUnknownKey) {
			t.Errorf("%s: got %v, want ErrUnknownKey", name, err)
		}
	}
}

func TestTyposNeedNoLookUp(t *testing.T) {
	n := newNode(t, openStore(t))
	plain := agents.NewKey().Reveal()
	for i := len("swa_"); i < len(plain); i++ {
		for _, digit := range []byte("0Az") {
			typo := plain[:i] + string(digit) + plain[i+1:]
			if typo == plain {
				continue
			}
			if _, err := n.Lookup(t.Context(), "shop", secret.New(typo)); !errors.Is(err, agents.ErrUnknownKey) {
				t.Errorf("got %v, want ErrUnknownKey", err)
			}
		}
	}
	if reads := n.store.reads.Load(); reads != 0 {
		t.Errorf("the store was read %d times, want never", reads)
	}
}

// The whole hash decides, not only the id that follows from it.
func TestTheHashIsCompared(t *testing.T) {
	store := openStore(t)
	n := newNode(t, store)
	a, key := add(t, n, agents.Registration{Shop: "shop", Name: "a"})
	b, _ := add(t, n, agents.Registration{Shop: "shop", Name: "b"})
	entry, err := store.Get(t.Context(), "agent/shop/"+b.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Put(t.Context(), "agent/shop/"+a.ID, entry.Value, 0); err != nil {
		t.Fatal(err)
	}
	if got, err := n.Lookup(t.Context(), "shop", key); !errors.Is(err, agents.ErrUnknownKey) {
		t.Errorf("got %v, %v, want ErrUnknownKey", got, err)
	}
}

func TestTheHotPathReadsNoStore(t *testing.T) {
	n := newNode(t, openStore(t))
	_, good := add(t, n, agents.Registration{Shop: "shop", Name: "a"})
	bad := agents.NewKey()
	look := func(seconds, reads int64, badWant error) {
		t.Helper()
		n.now.Store(seconds)
		if _, err := n.Lookup(t.Context(), "shop", good); err != nil {
			t.Error(err)
		}
		if _, err := n.Lookup(t.Context(), "shop", bad); !errors.Is(err, badWant) {
			t.Errorf("got %v, want %v", err, badWant)
		}
		if got := n.store.reads.Load(); got != reads {
			t.Errorf("after %d s: %d reads, want %d", seconds, got, reads)
		}
	}
	look(0, 2, agents.ErrUnknownKey)
	look(4, 2, agents.ErrUnknownKey)
	look(5, 4, agents.ErrUnknownKey)

	// What is known works on without the store; what is not, fails closed.
	n.store.broken.Store(true)
	look(9, 4, agents.ErrUnknownKey)
	n.now.Store(10)
	for range 2 {
		if _, err := n.Lookup(t.Context(), "shop", good); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("got %v, want ErrUnavailable", err)
		}
	}
	n.store.broken.Store(false)
	look(10, 8, agents.ErrUnknownKey)
}

func TestBadKeysDriveNoGoodOneOut(t *testing.T) {
	n := newNode(t, openStore(t))
	_, good := add(t, n, agents.Registration{Shop: "shop", Name: "a"})
	const tries = 10_000
	for i := range tries {
		if _, err := n.Lookup(t.Context(), "shop", agents.NewKey()); !errors.Is(err, agents.ErrUnknownKey) {
			t.Fatal(err)
		}
		if i%1000 == 0 {
			if _, err := n.Lookup(t.Context(), "shop", good); err != nil {
				t.Fatal(err)
			}
		}
	}
	if reads := n.store.reads.Load(); reads != tries+1 {
		t.Errorf("%d reads, want %d", reads, tries+1)
	}
}

func BenchmarkLookup(b *testing.B) {
	store, err := bolt.Open(filepath.Join(b.TempDir(), "state.db"), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	directory, err := agents.NewDirectory(store, agents.Options{Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	_, key, err := directory.Add(b.Context(), agents.Registration{Shop: "shop", Name: "a"})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := directory.Lookup(b.Context(), "shop", key); err != nil {
			b.Fatal(err)
		}
	}
}
