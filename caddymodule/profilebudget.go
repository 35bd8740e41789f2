package caddymodule

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"golang.org/x/time/rate"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/safehttp"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/translate/ucp"
)

// The budget of one agent for platform profiles. Of the budget for all, which is 10
// fetches a second, one agent can use up a small part.
const (
	// newProfileRate is how many new profiles an agent may name a second, and
	// newProfileBurst how many at once.
	newProfileRate  = 0.2
	newProfileBurst = 5
	// newProfileRetry is when an agent may name another one.
	newProfileRetry = 5 * time.Second
	// keptProfiles is how many URLs an agent may name again for nothing. They are
	// in the cache, which asks for each once a minute at most, or once in 30 s
	// while that fails.
	keptProfiles = 8
	// maxSpenders bounds the agents that are remembered. One that is forgotten
	// begins with a full budget, and the budget for all holds it still.
	maxSpenders = 4096
)

// agentVar is the variable of a request that says which agent sent it.
const agentVar = "storeware.agent"

// knownCallers are Agents that leave in the request who calls, for agentProfiles.
type knownCallers struct{ httpdoor.Agents }

// Lookup implements httpdoor.Agents.
func (c knownCallers) Lookup(ctx context.Context, shop string, key secret.String) (agents.Agent, error) {
	agent, err := c.Agents.Lookup(ctx, shop, key)
	if err == nil {
		caddyhttp.SetVar(ctx, agentVar, agent.ID)
	}
	return agent, err
}

// agentProfiles are Profiles for which every agent has a budget of its own, so that
// one who names ever new URLs keeps no other from being served.
type agentProfiles struct {
	ucp.Profiles
	budget *profileBudget
}

// Platform implements ucp.Profiles.
func (p agentProfiles) Platform(ctx context.Context, url string, refresh bool) (*ucp.Platform, error) {
	// Without a name all share one budget.
	agent, _ := caddyhttp.GetVar(ctx, agentVar).(string)
	if !p.budget.allow(agent, url, time.Now()) {
		return nil, &ucp.Failure{
			Status: http.StatusServiceUnavailable, Code: ucp.Unavailable, RetryAfter: newProfileRetry,
			Content: "This agent names too many different platform profiles; name the same one again, or a new one later",
			Err:     fmt.Errorf("the agent's own budget: %w", safehttp.ErrBudget),
		}
	}
	return p.Profiles.Platform(ctx, url, refresh)
}

// profileBudget holds what agents have left. It is safe for concurrent use, and its
// zero value is a full budget for everybody.
type profileBudget struct {
	mu       sync.Mutex
	spenders map[string]*spender
}

// spender is what one agent has left.
type spender struct {
	fresh *rate.Limiter // for URLs that are not kept
	kept  []string      // the last used at the end
}

// allow reports whether an agent may ask for the profile at a URL, and spends what
// that costs.
func (b *profileBudget) allow(agent, url string, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.spender(agent)
	if at := slices.Index(s.kept, url); at >= 0 {
		s.kept = append(slices.Delete(s.kept, at, at+1), url)
		return true
	}
	if !s.fresh.AllowN(now, 1) {
		return false
	}
	if len(s.kept) == keptProfiles {
		s.kept = slices.Delete(s.kept, 0, 1)
	}
	s.kept = append(s.kept, url)
	return true
}

func (b *profileBudget) spender(agent string) *spender {
	if s := b.spenders[agent]; s != nil {
		return s
	}
	if b.spenders == nil || len(b.spenders) >= maxSpenders {
		b.spenders = map[string]*spender{}
	}
	s := &spender{fresh: rate.NewLimiter(newProfileRate, newProfileBurst)}
	b.spenders[agent] = s
	return s
}
