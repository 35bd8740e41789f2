package agents_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
)

func declaration(shop, name string, key secret.String) agents.Declaration {
	return agents.Declaration{Registration: agents.Registration{Shop: shop, Name: name}, Hash: agents.HashKey(key)}
}

func TestDeclaredAgents(t *testing.T) {
	store, first, second := openStore(t), agents.NewKey(), agents.NewKey()
	n := newNode(t, store, declaration("shop", "b", first), declaration("shop2", "b", first))
	stored, _ := add(t, n, agents.Registration{Shop: "shop", Name: "a"})

	declared, err := n.Lookup(t.Context(), "shop", first)
	want := agents.Agent{ID: declared.ID, Registration: agents.Registration{Shop: "shop", Name: "b"}, Declared: true}
	if diff := cmp.Diff(want, declared); diff != "" || err != nil {
		t.Errorf("declared: %v (-want +got):\n%s", err, diff)
	}
	if n.store.reads.Load() != 0 {
		t.Error("a declared agent was looked for in the store")
	}
	listed, err := n.List(t.Context(), "shop")
	if diff := cmp.Diff([]agents.Agent{stored, declared}, listed); diff != "" || err != nil {
		t.Errorf("list: %v (-want +got):\n%s", err, diff)
	}
	for _, arg := range []string{"b", declared.ID} {
		if _, err := n.Revoke(t.Context(), "shop", arg); !errors.Is(err, agents.ErrDeclared) {
			t.Errorf("revoking %q: got %v, want ErrDeclared", arg, err)
		}
	}
	if other, err := n.Lookup(t.Context(), "shop2", first); err != nil || other.ID == declared.ID {
		t.Errorf("the agent of another shop: %v, %v", other, err)
	}

	// With a new key the agent stays the same one, and the old key is no more.
	n = newNode(t, store, declaration("shop", "b", second))
	if again, err := n.Lookup(t.Context(), "shop", second); err != nil || again.ID != declared.ID {
		t.Errorf("after a change of key: got %v, %v, want id %s", again, err, declared.ID)
	}
	if _, err := n.Lookup(t.Context(), "shop", first); !errors.Is(err, agents.ErrUnknownKey) {
		t.Errorf("the old key: got %v, want ErrUnknownKey", err)
	}

	// One who was added and one who was declared later may share a name.
	n = newNode(t, store, declaration("shop", "a", second))
	if got, err := n.Revoke(t.Context(), "shop", "a"); err != nil || got.ID != stored.ID {
		t.Errorf("revoked %v, %v, want %s", got, err, stored.ID)
	}
}

func TestDeclarationsAreChecked(t *testing.T) {
	key := agents.NewKey()
	for name, test := range map[string]struct {
		declared []agents.Declaration
		want     error
	}{
		"no hash":       {[]agents.Declaration{{Registration: agents.Registration{Shop: "shop", Name: "a"}}}, agents.ErrInvalid},
		"no name":       {[]agents.Declaration{declaration("shop", "", key)}, agents.ErrInvalid},
		"a name twice":  {[]agents.Declaration{declaration("shop", "a", key), declaration("shop", "a", agents.NewKey())}, agents.ErrNameTaken},
		"a key twice":   {[]agents.Declaration{declaration("shop", "a", key), declaration("shop", "b", key)}, agents.ErrInvalid},
		"in two shops":  {[]agents.Declaration{declaration("shop", "a", key), declaration("shop2", "a", key)}, nil},
		"a bad profile": {[]agents.Declaration{{Registration: agents.Registration{Shop: "shop", Name: "a", ProfileURL: "x"}, Hash: agents.HashKey(key)}}, agents.ErrInvalid},
	} {
		if _, err := agents.NewDirectory(nil, agents.Options{Declared: test.declared, Now: time.Now}); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", name, err, test.want)
		}
	}
}
