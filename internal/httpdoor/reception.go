package httpdoor

import (
	"context"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/idempotency"
)

// Reception takes in the requests for one shop. What it knows is the same at the
// doors of all protocols: who may call, how much is read, and which answers were
// given before.
type Reception struct {
	// Shop is the shop's name, as the agents' keys know it.
	Shop string
	// Agents knows who may call.
	Agents Agents
	// Records keep the answers to requests with an idempotency key.
	Records *idempotency.Records
	// Contact is where a key can be had: a URL or an address for mail.
	Contact string
	// MaxBody bounds a request's body in bytes, DefaultMaxBody if zero.
	MaxBody int64
	// Origins are the origins that may call from a browser, "*" for all, none by
	// default.
	Origins []string
	// Peer tells what the connection itself cannot, if a proxy stands before the
	// server; nil when none does.
	Peer func(*http.Request) Peer
	// Now is the clock.
	Now func() time.Time
}

// Serve writes the answer that is found to a request, which nobody may keep, and
// lets pages of the origins read it. Then it tells observe, if that is not nil.
func (c *Reception) Serve(w http.ResponseWriter, r *http.Request, observe func(context.Context, Event), find func(*Event) *Answer) {
	started := c.Now()
	event := Event{RequestID: requestID(r.Header)}
	answer := find(&event)
	answer.Header.Set("Cache-Control", "no-store, no-transform")
	AllowOrigin(answer.Header, r.Header, c.Origins)
	answer.Write(w, r)
	if answer.Sent != nil {
		answer.Sent()
	}

	event.Status = answer.Status
	event.Duration = c.Now().Sub(started)
	if observe != nil {
		observe(r.Context(), event)
	}
}

// Identify finds out which agent calls. The errors are for [FailureOf].
func (c *Reception) Identify(ctx context.Context, header http.Header) (agents.Agent, error) {
	return identify(ctx, c.Agents, c.Shop, c.Contact, header)
}

// PeerOf returns who sent a request, as seen through trusted proxies.
func (c *Reception) PeerOf(r *http.Request) Peer { return peerOf(r, c.Peer) }

// MayCome reports whether a request is from no web page, or from one that may call:
// of the origins named, or from the shop's own site.
func (c *Reception) MayCome(r *http.Request) bool { return mayCome(r, c.Origins, c.PeerOf(r)) }

// ReadBody reads a body of bounded size, unless it is no JSON by its own account, or
// too large, which it is told without reading all of it. The error is a *Failure.
func (c *Reception) ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	most := c.MaxBody
	if most == 0 {
		most = DefaultMaxBody
	}
	return readBody(w, r, most)
}

// Preflight answers OPTIONS where these methods are allowed.
func (c *Reception) Preflight(r *http.Request, methods string) *Answer {
	return preflight(methods, c.Origins, r.Header)
}
