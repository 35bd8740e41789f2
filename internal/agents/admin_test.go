package agents_test

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
)

func TestShopsAreKeptApart(t *testing.T) {
	n := newNode(t, openStore(t))
	added := make(map[string]agents.Agent)
	for _, shop := range []string{"shop", "shop/", "shop/b", "shop%2Fb", "Shop", "ship", "магазин"} {
		agent, key := add(t, n, agents.Registration{Shop: shop, Name: "a"})
		added[shop] = agent
		if _, err := n.Lookup(t.Context(), shop, key); err != nil {
			t.Errorf("%q: %v", shop, err)
		}
	}
	for shop, agent := range added {
		listed, err := n.List(t.Context(), shop)
		if diff := cmp.Diff([]agents.Agent{agent}, listed); diff != "" || err != nil {
			t.Errorf("list of %q: %v (-want +got):\n%s", shop, err, diff)
		}
	}
}

func TestNoKeyIsStored(t *testing.T) {
	store := openStore(t)
	_, key := add(t, newNode(t, store), agents.Registration{Shop: "shop", Name: "claude"})
	entries := 0
	for item, err := range store.Scan(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		entries++
		if bytes.Contains(item.Value, []byte(key.Reveal()[4:36])) || strings.Contains(item.Key, key.Reveal()[4:36]) {
			t.Errorf("entry %s holds the key", item.Key)
		}
	}
	if entries != 1 {
		t.Errorf("%d entries, want 1", entries)
	}
}

func TestAddRefuses(t *testing.T) {
	n := newNode(t, openStore(t), declaration("shop", "declared", agents.NewKey()))
	add(t, n, agents.Registration{Shop: "shop", Name: "taken"})
	for name, test := range map[string]struct {
		registration agents.Registration
		want         error
	}{
		"a taken name":        {agents.Registration{Shop: "shop", Name: "taken"}, agents.ErrNameTaken},
		"a declared name":     {agents.Registration{Shop: "shop", Name: "declared"}, agents.ErrNameTaken},
		"it in another shop":  {agents.Registration{Shop: "shop2", Name: "taken"}, nil},
		"no shop":             {agents.Registration{Name: "a"}, agents.ErrInvalid},
		"no name":             {agents.Registration{Shop: "shop"}, agents.ErrInvalid},
		"a long name":         {agents.Registration{Shop: "shop", Name: strings.Repeat("a", 65)}, agents.ErrInvalid},
		"a name with a space": {agents.Registration{Shop: "shop", Name: "my agent"}, agents.ErrInvalid},
		"a name like a flag":  {agents.Registration{Shop: "shop", Name: "--sandbox"}, agents.ErrInvalid},
		"a bad profile":       {agents.Registration{Shop: "shop", Name: "a", ProfileURL: "agent.example"}, agents.ErrInvalid},
		"a plain profile":     {agents.Registration{Shop: "shop", Name: "a", ProfileURL: "http://agent.example/"}, agents.ErrInvalid},
		"a bad webhook":       {agents.Registration{Shop: "shop", Name: "a", WebhookURL: "https://u:p@agent.example/"}, agents.ErrInvalid},
		"a plain webhook":     {agents.Registration{Shop: "shop", Name: "a", WebhookURL: "http://10.0.0.1/"}, agents.ErrInvalid},
		"a bad public key":    {agents.Registration{Shop: "shop", Name: "a", PublicKeyPEM: "key"}, agents.ErrInvalid},
		"a loopback profile":  {agents.Registration{Shop: "shop", Name: "loopback", ProfileURL: "http://[::1]:8080/"}, nil},
	} {
		if _, key, err := n.Add(t.Context(), test.registration); !errors.Is(err, test.want) || (err == nil) == key.IsZero() {
			t.Errorf("%s: got %v, want %v", name, err, test.want)
		}
	}
}

func TestOneOfManyGetsTheName(t *testing.T) {
	store := openStore(t)
	nodes := []*node{newNode(t, store), newNode(t, store)}
	var added, taken atomic.Int64
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			_, _, err := nodes[i%2].Add(t.Context(), agents.Registration{Shop: "shop", Name: "claude"})
			switch {
			case err == nil:
				added.Add(1)
			case errors.Is(err, agents.ErrNameTaken):
				taken.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if added.Load() != 1 || taken.Load() != 19 {
		t.Errorf("%d were added and %d refused, want 1 and 19", added.Load(), taken.Load())
	}
}

func TestRevoke(t *testing.T) {
	n := newNode(t, openStore(t))
	byName, nameKey := add(t, n, agents.Registration{Shop: "shop", Name: "a"})
	byID, idKey := add(t, n, agents.Registration{Shop: "shop", Name: "b"})
	_, otherKey := add(t, n, agents.Registration{Shop: "shop2", Name: "a"})
	for _, key := range []secret.String{nameKey, idKey} {
		if _, err := n.Lookup(t.Context(), "shop", key); err != nil {
			t.Fatal(err)
		}
	}
	n.now.Store(1)
	for arg, want := range map[string]agents.Agent{"a": byName, byID.ID: byID} {
		want.Revoked = noon.Add(time.Second)
		got, err := n.Revoke(t.Context(), "shop", arg)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("revoking %s: %v (-want +got):\n%s", arg, err, diff)
		}
	}
	for _, key := range []secret.String{nameKey, idKey} {
		if _, err := n.Lookup(t.Context(), "shop", key); !errors.Is(err, agents.ErrRevoked) {
			t.Errorf("after revocation: got %v, want ErrRevoked", err)
		}
	}
	if _, err := n.Lookup(t.Context(), "shop2", otherKey); err != nil {
		t.Errorf("the agent of another shop: %v", err)
	}
	for _, arg := range []string{"a", byID.ID, "nobody", ""} {
		if _, err := n.Revoke(t.Context(), "shop", arg); !errors.Is(err, agents.ErrNotFound) {
			t.Errorf("revoking %q: got %v, want ErrNotFound", arg, err)
		}
	}

	// The name is free again, for another agent.
	again, _ := add(t, n, agents.Registration{Shop: "shop", Name: "a"})
	if again.ID == byName.ID {
		t.Error("a new agent has the id of a revoked one")
	}
	listed, err := n.List(t.Context(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	byName.Revoked, byID.Revoked = noon.Add(time.Second), noon.Add(time.Second)
	if diff := cmp.Diff([]agents.Agent{again, byName, byID}, listed); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
}

func TestRevocationReachesOtherNodes(t *testing.T) {
	store := openStore(t)
	here, there := newNode(t, store), newNode(t, store)
	_, key := add(t, here, agents.Registration{Shop: "shop", Name: "a"})
	if _, err := there.Lookup(t.Context(), "shop", key); err != nil {
		t.Fatal(err)
	}
	if _, err := here.Revoke(t.Context(), "shop", "a"); err != nil {
		t.Fatal(err)
	}
	there.now.Store(4)
	if _, err := there.Lookup(t.Context(), "shop", key); err != nil {
		t.Errorf("within the time of the cache: %v", err)
	}
	there.now.Store(5)
	if _, err := there.Lookup(t.Context(), "shop", key); !errors.Is(err, agents.ErrRevoked) {
		t.Errorf("after it: got %v, want ErrRevoked", err)
	}
}

// A look-up that read the store before a revocation must not bring the key back.
func TestRevocationWinsAgainstALookUp(t *testing.T) {
	n := newNode(t, openStore(t))
	_, key := add(t, n, agents.Registration{Shop: "shop", Name: "a"})
	n.store.before = func() {
		n.store.before = nil
		if _, err := n.Revoke(t.Context(), "shop", "a"); err != nil {
			t.Error(err)
		}
	}
	if _, err := n.Lookup(t.Context(), "shop", key); err != nil {
		t.Errorf("a look-up before the revocation: %v", err)
	}
	if _, err := n.Lookup(t.Context(), "shop", key); !errors.Is(err, agents.ErrRevoked) {
		t.Errorf("a look-up after it: got %v, want ErrRevoked", err)
	}
}

func TestStoreErrorsAreTold(t *testing.T) {
	store := openStore(t)
	n := newNode(t, store)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, addErr := n.Add(t.Context(), agents.Registration{Shop: "shop", Name: "a"})
	_, listErr := n.List(t.Context(), "shop")
	_, revokeErr := n.Revoke(t.Context(), "shop", "a")
	_, lookupErr := n.Lookup(t.Context(), "shop", agents.NewKey())
	for name, err := range map[string]error{"add": addErr, "list": listErr, "revoke": revokeErr, "lookup": lookupErr} {
		if !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("%s: got %v, want ErrUnavailable", name, err)
		}
	}
}
