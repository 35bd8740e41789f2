package caddymodule

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/caddyserver/caddy/v2"
)

// The pools hold what outlives a configuration. During a reload the old and the
// new one both have it; what no configuration has any more is closed. Nothing in
// a pool keeps a logger or a context of the configuration that made it.
var (
	stores    = caddy.NewUsagePool() // of *pooledStore
	shops     = caddy.NewUsagePool() // of *pooledShop
	platforms = caddy.NewUsagePool() // of *pooledProfiles
)

// use is a configuration's share of something in a pool.
type use[T caddy.Destructor] struct {
	value T
	pool  *caddy.UsagePool
	key   string
}

// useOf returns what stands in the pool under the key, which is made if it is not
// there.
func useOf[T caddy.Destructor](pool *caddy.UsagePool, key string, construct func() (T, error)) (*use[T], error) {
	value, _, err := pool.LoadOrNew(key, func() (caddy.Destructor, error) { return construct() })
	if err != nil {
		return nil, err
	}
	return &use[T]{value: value.(T), pool: pool, key: key}, nil
}

// release gives the share back. A nil use has nothing to give, and a second
// release does nothing.
func (u *use[T]) release() error {
	if u == nil || u.pool == nil {
		return nil
	}
	pool := u.pool
	u.pool = nil
	_, err := pool.Delete(u.key)
	return err
}

// fingerprint identifies a module by its name and its exported fields, after its
// placeholders were replaced. Secrets among them cannot be told from it.
func fingerprint(module caddy.Module) (string, error) {
	fields, err := json.Marshal(module)
	if err != nil {
		return "", fmt.Errorf("identifying %s: %w", module.CaddyModule().ID, err)
	}
	sum := sha256.Sum256(fields)
	return string(module.CaddyModule().ID) + " " + hex.EncodeToString(sum[:]), nil
}
