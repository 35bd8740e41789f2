package ucp

import (
	"context"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/idempotency"
)

// Reception takes requests in, for the bindings of one shop. What it knows is the
// same at every door: who may call, what the shop offers, which answers were given
// before.
type Reception struct {
	// Server answers the calls.
	Server *Server
	// Business returns what the shop offers now.
	Business func() *Business
	// Shop is the shop's name, as the agents' keys know it.
	Shop string
	// Agents knows who may call.
	Agents Agents
	// Profiles finds the platforms' profiles.
	Profiles Profiles
	// Records keep the answers to requests with an idempotency key.
	Records *idempotency.Records
	// Contact is where a key can be had: a URL or an address for mail.
	Contact string
	// Development lets profiles be at plain http on this machine.
	Development bool
	// MaxBody bounds a request's body in bytes. Zero means 1 MiB.
	MaxBody int64
	// Origins are the origins that may call from a browser, none by default.
	Origins []string
	// Peer tells what the connection itself cannot, if a proxy stands before the
	// server; nil when none does.
	Peer func(*http.Request) Peer
	// Now is the clock.
	Now func() time.Time
}

// Agents knows who may call a shop.
type Agents = httpdoor.Agents

// Peer is who sent a request, as seen through trusted proxies.
type Peer = httpdoor.Peer

// serve writes the answer that is found to a request, and tells observe of it, if
// that is not nil.
func (c *Reception) serve(w http.ResponseWriter, r *http.Request, observe func(context.Context, Event), find func(*Event) *httpdoor.Answer) {
	httpdoor.Serve(w, r, c.Origins, c.Now, observe, find)
}

// replied returns the answer that is the reply to a call, and says in the event what
// it is.
func replied(reply *Reply, event *Event) *httpdoor.Answer {
	answer := httpdoor.JSON(reply.Status, reply.Body)
	answer.Sent = reply.free
	if event.Replayed {
		answer.Header.Set("Idempotent-Replayed", "true")
	} else {
		event.Outcome = reply.Outcome
	}
	return answer
}

// peerOf returns who sent a request.
func (c *Reception) peerOf(r *http.Request) Peer { return httpdoor.PeerOf(r, c.Peer) }

// note notes a failure in the event, and finishes what is told of it.
func (c *Reception) note(event *Event, f *Failure) *Failure {
	event.Outcome, event.Err = string(f.Code), f.Err
	switch f.Code {
	case InvalidProfileURL, ProfileUnreachable, ProfileMalformed, VersionUnsupported:
		// The buyer can still go there (overview, "The continue_url Field").
		f.ContinueURL = c.Server.Storefront
	}
	return f
}
