package ucp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/internal/secret"
)

// REST is the REST binding of one shop (services/shopping/rest.openapi.json): an
// http.Handler for everything under its base path. A request is taken in this
// order, and refused at the first thing that is wrong:
//
//	route, method, agent key, UCP-Agent, platform profile, version, size,
//	signature, negotiation, payload, idempotency key, operation
//
// Every answer is written in one piece, with its length, so that whoever wraps
// the handler can sign it.
type REST struct {
	// Base is the path that all routes begin with, without a slash at its end.
	Base string
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
	// Observe, if not nil, is told of every request that was answered.
	Observe func(context.Context, Event)
	// Now is the clock.
	Now func() time.Time
}

// Agents knows who may call a shop. [agents.Directory] does.
type Agents interface {
	// Lookup returns the agent of the shop that a key belongs to. The errors are
	// agents.ErrUnknownKey, agents.ErrRevoked and state.ErrUnavailable.
	Lookup(ctx context.Context, shop string, key secret.String) (agents.Agent, error)
}

// Peer is who sent a request, as seen through trusted proxies.
type Peer struct {
	// Addr is the caller's address.
	Addr netip.Addr
	// Scheme is "https" or "http", as the caller spoke it.
	Scheme string
}

const defaultMaxBody = 1 << 20

// ServeHTTP implements http.Handler.
func (h *REST) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	started := h.Now()
	event := Event{RequestID: requestID(r.Header)}
	answer := h.answer(w, r, &event)
	answer.header.Set("Cache-Control", "no-store, no-transform")
	allowOrigin(answer.header, r.Header, h.Origins)
	answer.write(w, r)
	answer.reply.free()

	event.Status = answer.status
	event.Duration = h.Now().Sub(started)
	if h.Observe != nil {
		h.Observe(r.Context(), event)
	}
}

// answer finds the answer to a request.
func (h *REST) answer(w http.ResponseWriter, r *http.Request, event *Event) *answer {
	route, id := match(h.Base, r)
	switch {
	case route == nil:
		return h.refusal(event, refuse(http.StatusNotFound, RouteNotFound, "There is no such route here; the endpoint in the profile is where routes begin"))
	case r.Method == http.MethodOptions:
		event.Outcome = "ok"
		return preflight(route.allowed(), h.Origins, r.Header)
	}
	op, ok := route.operation(r.Method)
	if !ok {
		answer := h.refusal(event, refuse(http.StatusMethodNotAllowed, MethodNotAllowed, "This route takes %s", route.allowed()))
		answer.header.Set("Allow", route.allowed())
		return answer
	}
	event.Operation = op
	reply, err := h.serve(w, r, op, id, event)
	if err != nil {
		return h.refusal(event, failureOf(err))
	}
	if !event.Replayed {
		event.Outcome = reply.Outcome
	}
	answer := newAnswer(reply.Status, reply.Body)
	answer.reply = reply
	if event.Replayed {
		answer.header.Set("Idempotent-Replayed", "true")
	}
	return answer
}

// serve takes a request for an operation through all that has to be known before
// it can be a call, and makes the call. A panic is an error like any other.
func (h *REST) serve(w http.ResponseWriter, r *http.Request, op Operation, id string, event *Event) (reply *Reply, err error) {
	defer func() {
		if v := recover(); v != nil {
			if e, ok := v.(error); ok && errors.Is(e, http.ErrAbortHandler) {
				panic(v)
			}
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	x := &exchange{rest: h, request: r, op: op, id: id, event: event}
	if err := x.admit(r.Context()); err != nil {
		return nil, err
	}
	if err := x.read(w); err != nil {
		return nil, err
	}
	if err := x.verify(r.Context()); err != nil {
		return nil, err
	}
	call, reply, err := x.call()
	if err != nil || reply != nil {
		return reply, err
	}
	return x.once(r.Context(), call)
}

// refusal returns the answer that a failure makes.
func (h *REST) refusal(event *Event, f *Failure) *answer {
	event.Outcome, event.Err = string(f.Code), f.Err
	switch f.Code {
	case InvalidProfileURL, ProfileUnreachable, ProfileMalformed, VersionUnsupported:
		// The buyer can still go there (overview, "The continue_url Field").
		f.ContinueURL = h.Server.Storefront
	}
	answer := newAnswer(f.Status, f.body())
	switch f.Status {
	case http.StatusUnauthorized:
		answer.header.Set("WWW-Authenticate", `Bearer realm="ucp"`)
	case http.StatusServiceUnavailable:
		answer.header.Set("Retry-After", seconds(f.RetryAfter))
	case http.StatusConflict:
		if f.RetryAfter > 0 {
			answer.header.Set("Retry-After", seconds(f.RetryAfter))
		}
	}
	return answer
}
