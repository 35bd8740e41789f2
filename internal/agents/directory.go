package agents

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
)

// DefaultCacheFor is for how long a look-up is remembered unless Options say
// otherwise. So long at most may a key work elsewhere after it was revoked here.
const DefaultCacheFor = 5 * time.Second

// Options are what a Directory is made of beside its store. The zero value of all
// but Now is fine.
type Options struct {
	// Declared are the agents in the configuration.
	Declared []Declaration

	// CacheFor is for how long a look-up is remembered. Zero means
	// DefaultCacheFor.
	CacheFor time.Duration

	// Now is the clock.
	Now func() time.Time
}

// Declaration is an agent in the configuration.
type Declaration struct {
	Registration

	// Hash is that of the agent's key. With another hash the agent gets another
	// key and stays the same agent.
	Hash Hash
}

// Directory holds the agents of all shops. It is safe for concurrent use. A
// process needs no more than one, or a revocation would be known at once to the
// one that was asked alone.
type Directory struct {
	store    state.Store
	now      func() time.Time
	declared map[place]Agent
	cache    cache
}

// place is where an agent is found: a shop and the hash of a key.
type place struct {
	shop string
	hash Hash
}

// record is an agent as the store keeps it, in JSON.
type record struct {
	Agent
	Hash Hash `json:"key_hash"`
}

// NewDirectory returns the directory of the agents in store and in the options.
// The store is not called yet. The error says which declared agent cannot be, and
// wraps ErrInvalid or ErrNameTaken.
func NewDirectory(store state.Store, o Options) (*Directory, error) {
	if o.CacheFor == 0 {
		o.CacheFor = DefaultCacheFor
	}
	d := &Directory{
		store:    store,
		now:      o.Now,
		declared: make(map[place]Agent),
		cache:    newCache(o.CacheFor),
	}
	for _, declaration := range o.Declared {
		if err := d.declare(declaration); err != nil {
			return nil, fmt.Errorf("declaring agent %q of shop %q: %w", declaration.Name, declaration.Shop, err)
		}
	}
	return d, nil
}

func (d *Directory) declare(declaration Declaration) error {
	registration, err := declaration.normal()
	if err != nil {
		return err
	}
	if declaration.Hash == (Hash{}) {
		return fmt.Errorf("key hash is missing: %w", ErrInvalid)
	}
	if d.declaredName(registration.Shop, registration.Name) {
		return ErrNameTaken
	}
	at := place{registration.Shop, declaration.Hash}
	if other, ok := d.declared[at]; ok {
		return fmt.Errorf("key is that of agent %q: %w", other.Name, ErrInvalid)
	}
	d.declared[at] = Agent{
		ID:           newID("declared", registration.Shop, registration.Name),
		Registration: registration,
		Declared:     true,
	}
	return nil
}

// declaredName reports whether an agent of this name stands in the configuration.
func (d *Directory) declaredName(shop, name string) bool {
	for at, agent := range d.declared {
		if at.shop == shop && agent.Name == name {
			return true
		}
	}
	return false
}

// Lookup returns the agent of the shop that key belongs to. Most calls do not
// read the store. The error wraps ErrUnknownKey, ErrRevoked, or, when the store
// cannot be read, state.ErrUnavailable.
func (d *Directory) Lookup(ctx context.Context, shop string, key secret.String) (Agent, error) {
	if !isKey(key.Reveal()) {
		return Agent{}, ErrUnknownKey
	}
	at := place{shop, HashKey(key)}
	if agent, ok := d.declared[at]; ok {
		return agent, nil
	}
	now := d.now()
	found, ok := d.cache.get(at, now)
	if ok {
		return found.agent, found.err
	}
	revocations := d.cache.revocations()
	agent, err := d.read(ctx, at)
	if err != nil && !errors.Is(err, ErrUnknownKey) && !errors.Is(err, ErrRevoked) {
		return Agent{}, err
	}
	d.cache.put(at, answer{agent: agent, err: err, until: now.Add(d.cache.keep)}, revocations)
	return agent, err
}

// read looks an agent up in the store.
func (d *Directory) read(ctx context.Context, at place) (Agent, error) {
	entry, err := d.store.Get(ctx, storeKey(at.shop, keyID(at)))
	if errors.Is(err, state.ErrNotFound) {
		return Agent{}, ErrUnknownKey
	}
	if err != nil {
		return Agent{}, fmt.Errorf("looking up an agent key: %w", err)
	}
	kept, err := decode(entry)
	if err != nil {
		return Agent{}, err
	}
	switch {
	case subtle.ConstantTimeCompare(kept.Hash[:], at.hash[:]) != 1:
		return Agent{}, ErrUnknownKey
	case !kept.Revoked.IsZero():
		return Agent{}, ErrRevoked
	}
	return kept.Agent, nil
}

func decode(entry state.Entry) (record, error) {
	var kept record
	if err := json.Unmarshal(entry.Value, &kept); err != nil {
		return record{}, fmt.Errorf("decoding an agent: %w", err)
	}
	return kept, nil
}

// keyID returns the id of the agent that was added with a key. It follows from
// the key's hash, so that one entry is the agent and the way to find it.
func keyID(at place) string { return newID("key", at.shop, at.hash.String()) }

// newID derives an id from what makes an agent the one it is. The parts hold no
// NUL.
func newID(kind string, parts ...string) string {
	sum := sha256.Sum256([]byte("storeware agent\x00" + kind + "\x00" + strings.Join(parts, "\x00")))
	return "agt_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:16]))
}

// storePrefix begins the keys of all agents of a shop in the store.
func storePrefix(shop string) string { return "agent/" + url.PathEscape(shop) + "/" }

func storeKey(shop, id string) string { return storePrefix(shop) + id }
