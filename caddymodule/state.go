package caddymodule

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/internal/state/redis"
)

func init() {
	caddy.RegisterModule(new(Bolt))
	caddy.RegisterModule(new(Redis))
}

// Store is what a state module opens: the store of everything that is remembered.
// Its methods must be safe for concurrent use.
type Store = state.Store

// StateModule is what a guest module in the namespace storeware.state implements.
//
// Its exported fields, as they are after Provision, say which store it is: two
// modules with equal fields share one open store, also across a reload of the
// configuration. Provision must not open anything, so that a configuration can
// be validated while another process runs it.
type StateModule interface {
	caddy.Module

	// OpenState opens the store, which stays open until no configuration uses it
	// any more. A store that merely cannot be reached just now is no error: it
	// answers [state.ErrUnavailable] until it can.
	OpenState(ctx context.Context) (Store, error)
}

// Bolt keeps the state in one file, which one Caddy process can have open at a
// time. It is the state module of a configuration that names none.
type Bolt struct {
	// Path is the file. Its folder is made if it is missing. The default is
	// storeware/state.db in Caddy's data directory. Global placeholders such as
	// {env.*} are replaced.
	Path string `json:"path,omitempty"`
}

// CaddyModule returns the Caddy module information.
func (*Bolt) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.state.bolt",
		New: func() caddy.Module { return new(Bolt) },
	}
}

// Provision settles which file it is.
func (b *Bolt) Provision(caddy.Context) error {
	if b.Path == "" {
		b.Path = filepath.Join(caddy.AppDataDir(), "storeware", "state.db")
		return nil
	}
	return replace("path", &b.Path)
}

// OpenState opens the file.
func (b *Bolt) OpenState(context.Context) (Store, error) {
	if err := os.MkdirAll(filepath.Dir(b.Path), 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the state file: %w", err)
	}
	return bolt.Open(b.Path, time.Now)
}

// UnmarshalCaddyfile sets the module up from Caddyfile tokens. Syntax:
//
//	bolt <path>
func (b *Bolt) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	if !d.NextArg() {
		return d.Err("the path of the state file is missing: write, for instance, state file /var/lib/storeware/state.db")
	}
	b.Path = d.Val()
	return nothingElse(d)
}

// Redis keeps the state in a Redis (7 or later), which several Caddy nodes share.
type Redis struct {
	// URL is where the Redis is: redis://user:password@host:6379/0, rediss://…
	// for TLS, or unix:///path/to/socket. Global placeholders such as {env.*}
	// and {file.*} are replaced, and should be used for a password.
	URL string `json:"url,omitempty"`

	// Prefix is what all keys begin with, so that several installations may
	// share a Redis. The default is "storeware:".
	Prefix string `json:"prefix,omitempty"`
}

// CaddyModule returns the Caddy module information.
func (*Redis) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.state.redis",
		New: func() caddy.Module { return new(Redis) },
	}
}

// Provision replaces placeholders.
func (r *Redis) Provision(caddy.Context) error {
	if r.Prefix == "" {
		r.Prefix = redis.DefaultPrefix
	}
	return errors.Join(replace("url", &r.URL), replace("prefix", &r.Prefix))
}

// Validate checks the URL. It does not connect.
func (r *Redis) Validate() error {
	if r.URL == "" {
		return errors.New("the url of the Redis is missing")
	}
	return r.checkURL()
}

// checkURL says what is wrong with the URL. It does not connect.
func (r *Redis) checkURL() error {
	store, err := redis.New(secret.New(r.URL), r.Prefix)
	if err != nil {
		return err
	}
	return store.Close()
}

// OpenState opens the store. A Redis that is away does not keep Caddy from
// starting.
func (r *Redis) OpenState(context.Context) (Store, error) {
	return redis.New(secret.New(r.URL), r.Prefix)
}

// UnmarshalCaddyfile sets the module up from Caddyfile tokens. Syntax:
//
//	redis <url> {
//		prefix <text>
//	}
func (r *Redis) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	if !d.NextArg() {
		return d.Err("the URL of the Redis is missing: write state redis redis://host:6379/0, or state redis {env.REDIS_URL}")
	}
	r.URL = d.Val()
	if err := checkSecret(d, "REDIS_URL"); err != nil {
		return err
	}
	if !strings.Contains(r.URL, "{") {
		if err := r.checkURL(); err != nil {
			return d.WrapErr(err)
		}
	}
	return readBlock(d, "state redis", settings{
		"prefix": textSetting(&r.Prefix, `a text, such as prefix "shop-a:"`),
	})
}

// Interface guards
var (
	_ StateModule           = (*Bolt)(nil)
	_ caddy.Provisioner     = (*Bolt)(nil)
	_ caddyfile.Unmarshaler = (*Bolt)(nil)
	_ StateModule           = (*Redis)(nil)
	_ caddy.Provisioner     = (*Redis)(nil)
	_ caddy.Validator       = (*Redis)(nil)
	_ caddyfile.Unmarshaler = (*Redis)(nil)
)
