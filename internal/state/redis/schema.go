package redis

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// upgrade changes a store from one version of the schema to the next. It may be
// cut short and run again.
type upgrade func(context.Context, *Store) error

// upgrades returns the upgrades from version 1 to 2, from 2 to 3, and so on. This
// release writes the version after the last of them.
//
// Nodes of an earlier release must be stopped before one that brings an upgrade
// is started: they look at the schema only once.
func upgrades() []upgrade {
	return []upgrade{
		// Queues came, of which an earlier release would make no backup.
		func(context.Context, *Store) error { return nil },
	}
}

// upgradeLease is how long other nodes wait for one that died while upgrading.
const upgradeLease = 10 * time.Second

// ready makes sure, before anything else is done, that this release may use the
// data: once it has, the question is settled. Several callers may ask at once.
func (s *Store) ready(ctx context.Context) error {
	if s.prepared.Load() {
		return nil
	}
	version, err := s.schema(ctx)
	if err == nil && version < s.known() {
		err = s.upgrade(ctx)
	}
	if err != nil {
		return fmt.Errorf("preparing the store: %w", err)
	}
	s.prepared.Store(true)
	return nil
}

// known is the version of the schema that this release writes.
func (s *Store) known() int { return 1 + len(s.upgrades) }

// schema returns the version of the store, and gives a new one ours.
func (s *Store) schema(ctx context.Context) (int, error) {
	reply, err := s.eval(ctx, s.scripts.initialSchema, []string{schemaKey}, s.known())
	if err != nil {
		return 0, err
	}
	text, _ := reply.(string)
	version, err := strconv.Atoi(text)
	if err != nil || version < 1 {
		return 0, unavailable(fmt.Errorf("%q is no version of a schema", reply))
	}
	if version > s.known() {
		return 0, fmt.Errorf("%w: the store has schema %d, this release knows up to %d", state.ErrSchema, version, s.known())
	}
	return version, nil
}

// upgrade brings the store up to date. One node does it while the others wait.
func (s *Store) upgrade(ctx context.Context) error {
	lease, err := s.acquire(ctx, schemaKey, upgradeLease)
	if err != nil {
		return err
	}
	// Once the versions are written, the lease has served its purpose.
	defer func() { _ = lease.Release() }()
	ctx, cancel := lease.Context(ctx)
	defer cancel()
	version, err := s.schema(ctx)
	if err != nil {
		return err
	}
	for ; version < s.known(); version++ {
		if err := s.upgrades[version-1](ctx, s); err != nil {
			return fmt.Errorf("upgrading from schema %d: %w", version, err)
		}
		if err := s.client.Set(ctx, s.prefix+schemaKey, version+1, 0).Err(); err != nil {
			return failed(ctx, err)
		}
	}
	return nil
}
