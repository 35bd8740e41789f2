package ucp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/internal/secret"
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

// serve writes the answer that is found to a request, in one piece and with its
// length, so that whoever wraps the handler can sign it. Then it tells observe, if
// that is not nil.
func (c *Reception) serve(w http.ResponseWriter, r *http.Request, observe func(context.Context, Event), find func(*Event) *answer) {
	started := c.Now()
	event := Event{RequestID: requestID(r.Header)}
	answer := find(&event)
	answer.header.Set("Cache-Control", "no-store, no-transform")
	allowOrigin(answer.header, r.Header, c.Origins)
	answer.write(w, r)
	answer.reply.free()

	event.Status = answer.status
	event.Duration = c.Now().Sub(started)
	if observe != nil {
		observe(r.Context(), event)
	}
}

// read reads the body, unless it is no JSON by its own account, or too large, which
// it is told without reading all of it.
func (c *Reception) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	most := c.MaxBody
	if most == 0 {
		most = defaultMaxBody
	}
	tooLarge := refuse(http.StatusRequestEntityTooLarge, BodyTooLarge, "The body must be at most %d bytes", most)
	if r.ContentLength > most {
		return nil, tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &size):
		return nil, tooLarge
	case err != nil:
		f := refuse(http.StatusBadRequest, InvalidRequest, "The body ended before it was complete")
		f.Err = err
		return nil, f
	}
	return body, checkMediaType(r.Header, body)
}

// checkMediaType refuses a body that says it is something else than JSON.
func checkMediaType(header http.Header, body []byte) error {
	if len(body) == 0 {
		return nil
	}
	refusal := refuse(http.StatusUnsupportedMediaType, UnsupportedMedia, "The body must be application/json, not compressed")
	if coding := header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return refusal
	}
	declared := header.Get("Content-Type")
	if declared == "" {
		return nil
	}
	media, _, err := mime.ParseMediaType(declared)
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return refusal
	}
	return nil
}

// peerOf returns who sent a request.
func (c *Reception) peerOf(r *http.Request) Peer {
	if c.Peer != nil {
		return c.Peer(r)
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return Peer{}
	}
	return Peer{Addr: from.Addr().Unmap()}
}

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

// recovered, when deferred, turns a panic into an error like any other.
func recovered(err *error) {
	v := recover()
	if v == nil {
		return
	}
	if e, ok := v.(error); ok && errors.Is(e, http.ErrAbortHandler) {
		panic(v)
	}
	*err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
}
