package caddymodule

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
)

// doctorProfile is the URL of the platform profile that visitors name. Nothing is
// ever fetched from it: the profile is the demo's, and part of the binary. Nobody
// can own the host (RFC 6761, section 6.4).
const doctorProfile = "https://doctor.storeware.invalid/ucp.json"

const (
	// visitTime is how long a visitor may call.
	visitTime = 10 * time.Minute
	// maxVisitors bounds how many there are at once.
	maxVisitors = 16
)

// errFull says that there are maxVisitors already.
var errFull = fmt.Errorf("%d examinations are under way already: try again when they are over, in %s at most", maxVisitors, visitTime)

// errNoVisitor says that a visitor is not known, or not any more.
var errNoVisitor = errors.New("no such visitor")

// visitors are agents that may call one shop for a few minutes, to examine it: all
// but ordering. They are known to this configuration of this process alone, and
// leave nothing in the state. The zero value has none.
type visitors struct {
	mu    sync.Mutex
	known map[agents.Hash]visitor
}

type visitor struct {
	agent agents.Agent
	until time.Time
}

// admit lets a visitor of a shop in.
func (g *visitors) admit(shop string, now time.Time) (agents.Agent, secret.String, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.DeleteFunc(g.known, func(_ agents.Hash, old visitor) bool { return !now.Before(old.until) })
	if len(g.known) >= maxVisitors {
		return agents.Agent{}, secret.String{}, errFull
	}
	if g.known == nil {
		g.known = map[agents.Hash]visitor{}
	}
	key := agents.NewKey()
	agent := agents.Agent{
		ID: "agt_visitor_" + strings.ToLower(rand.Text()),
		Registration: agents.Registration{
			Shop: shop, Name: "doctor", ProfileURL: doctorProfile, Sandbox: true,
		},
		Created: now.UTC().Truncate(time.Second),
	}
	g.known[agents.HashKey(key)] = visitor{agent, now.Add(visitTime)}
	return agent, key, nil
}

// dismiss ends the key of a visitor.
func (g *visitors) dismiss(shop, id string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for hash, known := range g.known {
		if known.agent.Shop == shop && known.agent.ID == id {
			delete(g.known, hash)
			return nil
		}
	}
	return errNoVisitor
}

// find returns the visitor of a shop that a key belongs to.
func (g *visitors) find(shop string, key secret.String, now time.Time) (agents.Agent, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.known) == 0 {
		return agents.Agent{}, false
	}
	known, ok := g.known[agents.HashKey(key)]
	if !ok || known.agent.Shop != shop || !now.Before(known.until) {
		return agents.Agent{}, false
	}
	return known.agent, true
}

// callers are all who may call: visitors, and the agents of the directory. They are
// [httpdoor.Agents].
type callers struct {
	visitors  *visitors
	directory *agents.Directory
}

// Lookup returns the agent of the shop that a key belongs to.
func (c callers) Lookup(ctx context.Context, shop string, key secret.String) (agents.Agent, error) {
	if agent, ok := c.visitors.find(shop, key, time.Now()); ok {
		return agent, nil
	}
	return c.directory.Lookup(ctx, shop, key)
}
