package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
)

// leaseTTL is how long others wait for one who died while adding an agent.
const leaseTTL = 5 * time.Second

// Add registers an agent and returns it with its key, which is not kept and
// cannot be had again. The error wraps ErrInvalid, ErrNameTaken or an error of
// the store. A name is free again once its agent is revoked.
func (d *Directory) Add(ctx context.Context, r Registration) (Agent, secret.String, error) {
	agent, key, err := d.add(ctx, r)
	if err != nil {
		return Agent{}, secret.String{}, fmt.Errorf("adding an agent: %w", err)
	}
	return agent, key, nil
}

func (d *Directory) add(ctx context.Context, r Registration) (Agent, secret.String, error) {
	r, err := r.normal()
	if err != nil {
		return Agent{}, secret.String{}, err
	}
	// Two who add the same name at the same time would both find it free.
	lease, err := d.store.Acquire(ctx, storePrefix(r.Shop), leaseTTL)
	if err != nil {
		return Agent{}, secret.String{}, err
	}
	defer lease.Release()

	known, err := d.stored(ctx, r.Shop)
	if err != nil {
		return Agent{}, secret.String{}, err
	}
	taken := slices.ContainsFunc(known, func(s stored) bool { return s.Name == r.Name && s.Revoked.IsZero() })
	if taken || d.declaredName(r.Shop, r.Name) {
		return Agent{}, secret.String{}, fmt.Errorf("%q: %w", r.Name, ErrNameTaken)
	}
	key := NewKey()
	hash := HashKey(key)
	agent := Agent{ID: keyID(place{r.Shop, hash}), Registration: r, Created: d.now().UTC().Truncate(time.Second)}
	if err := d.write(ctx, record{agent, hash}, state.Absent); err != nil {
		return Agent{}, secret.String{}, err
	}
	return agent, key, nil
}

// List returns the agents of a shop ordered by name, revoked ones too; of several
// with the same name, the latest comes first.
func (d *Directory) List(ctx context.Context, shop string) ([]Agent, error) {
	known, err := d.stored(ctx, shop)
	if err != nil {
		return nil, fmt.Errorf("listing the agents of shop %q: %w", shop, err)
	}
	var agents []Agent
	for _, kept := range known {
		agents = append(agents, kept.Agent)
	}
	for at, agent := range d.declared {
		if at.shop == shop {
			agents = append(agents, agent)
		}
	}
	slices.SortFunc(agents, func(a, b Agent) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	})
	return agents, nil
}

// Revoke ends the key of the agent with this id or name. Here it is refused at
// once, by other processes as soon as they forget having seen it. The error
// wraps ErrNotFound, ErrDeclared or an error of the store.
func (d *Directory) Revoke(ctx context.Context, shop, idOrName string) (Agent, error) {
	agent, err := d.revoke(ctx, shop, idOrName)
	if err != nil {
		return Agent{}, fmt.Errorf("revoking agent %q of shop %q: %w", idOrName, shop, err)
	}
	return agent, nil
}

func (d *Directory) revoke(ctx context.Context, shop, idOrName string) (Agent, error) {
	known, err := d.stored(ctx, shop)
	if err != nil {
		return Agent{}, err
	}
	i := slices.IndexFunc(known, func(s stored) bool {
		return s.Revoked.IsZero() && (s.ID == idOrName || s.Name == idOrName)
	})
	if i < 0 {
		for at, agent := range d.declared {
			if at.shop == shop && (agent.ID == idOrName || agent.Name == idOrName) {
				return Agent{}, ErrDeclared
			}
		}
		return Agent{}, ErrNotFound
	}
	revoked := known[i].record
	revoked.Revoked = d.now().UTC().Truncate(time.Second)
	err = d.write(ctx, revoked, known[i].version)
	// Nothing but a revocation changes a record, so that in a conflict someone
	// else has just done the same.
	if err != nil && !errors.Is(err, state.ErrConflict) {
		return Agent{}, err
	}
	d.cache.revoke()
	return revoked.Agent, nil
}

// stored is a record as it was read.
type stored struct {
	record
	version state.Version
}

// stored returns all records of a shop in the store.
func (d *Directory) stored(ctx context.Context, shop string) ([]stored, error) {
	var known []stored
	for item, err := range d.store.Scan(ctx, storePrefix(shop), "") {
		if err != nil {
			return nil, err
		}
		kept, err := decode(item.Entry)
		if err != nil {
			return nil, err
		}
		known = append(known, stored{kept, item.Version})
	}
	return known, nil
}

// write puts a record in place of the version that was read.
func (d *Directory) write(ctx context.Context, r record, old state.Version) error {
	value, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encoding an agent: %w", err)
	}
	_, err = d.store.CompareAndSwap(ctx, storeKey(r.Shop, r.ID), old, value, 0)
	return err
}
