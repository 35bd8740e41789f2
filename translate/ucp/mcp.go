package ucp

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

// MCP is the MCP binding of one shop (services/shopping/mcp.openrpc.json): an
// http.Handler that is a stateless MCP server over streamable HTTP, of the protocol
// versions 2025-06-18 to 2026-07-28. An operation is a tool of the same name. A
// request is taken in this order, and refused at the first thing that is wrong:
//
//	method, origin, body, JSON-RPC, MCP, tool, agent key, meta, platform profile,
//	version, signature, negotiation, payload, idempotency key, operation
//
// Every answer is one JSON body, so that it can be signed: there are no streams, no
// sessions, and nothing is ever sent to a client unasked. Calling a tool needs an
// agent key. Saying hello and listing the tools does not, for that tells nothing
// but what the shop's profile tells everybody.
//
// A business outcome is a result whose structuredContent is what REST answers, byte
// for byte. A failure is a JSON-RPC error, under the HTTP status that REST has for
// it, whose data is the body that REST has for it (overview, "Error Codes").
type MCP struct {
	*Reception
	// Observe, if not nil, is told of every request that was answered.
	Observe func(context.Context, Event)

	tools atomic.Pointer[toolServer]
}

// toolServer knows the tools of a business.
type toolServer struct {
	business *Business
	http     *mcpserver.StreamableHTTPServer
}

// mcpMethods are what the endpoint takes.
const mcpMethods = "POST, OPTIONS"

// ServeHTTP implements http.Handler.
func (h *MCP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, h.Observe, func(event *Event) *answer { return h.answer(w, r, event) })
}

// answer finds the answer to a request.
func (h *MCP) answer(w http.ResponseWriter, r *http.Request, event *Event) *answer {
	switch {
	case r.Method == http.MethodOptions:
		event.Outcome = "ok"
		return preflight(mcpMethods, h.Origins, r.Header)
	case r.Method != http.MethodPost:
		f := refuse(http.StatusMethodNotAllowed, MethodNotAllowed, "This endpoint takes %s: there are no streams to open and no sessions to end", mcpMethods)
		answer := h.refusal(event, nil, f)
		answer.header.Set("Allow", mcpMethods)
		return answer
	case !h.mayCome(r):
		return h.refusal(event, nil, refuse(http.StatusForbidden, OriginRefused, "Web pages of this origin may not call the shop"))
	}
	body, err := h.read(w, r)
	if err != nil {
		return h.refusal(event, nil, failureOf(err))
	}
	m, failure := readMessage(body)
	switch {
	case failure != nil:
		return h.refusal(event, nil, failure)
	case m.id == nil:
		// A notification, or an answer to what was never asked. Nothing of it
		// matters to a server that keeps nothing.
		event.Outcome = "ok"
		return newAnswer(http.StatusAccepted, nil)
	}
	return h.dispatch(r, m, event)
}

// dispatch hands a request to the MCP server and returns its answer.
func (h *MCP) dispatch(r *http.Request, m *message, event *Event) *answer {
	event.Operation = m.operation()
	business := h.Business()
	switch {
	case m.method == "subscriptions/listen":
		// The server would keep it waiting for news that never come.
		return h.refusal(event, m.id, refuse(http.StatusNotFound, UnknownMethod, "There is nothing to subscribe to here"))
	case business.Shop == nil && (m.method == "tools/list" || m.method == "tools/call"):
		// There are no tools yet, and clients would keep the empty list.
		return h.refusal(event, m.id, unavailable(defaultRetry, nil))
	}
	call := &toolCall{exchange: exchange{Reception: h.Reception, request: r, body: m.body, event: event, plain: true}}
	header := r.Header.Clone()
	header.Set("Content-Type", "application/json") // which was checked, and may be left out
	header.Del("Mcp-Session-Id")                   // whatever it is, it is not from here
	server, err := h.serverOf(business)
	if err != nil {
		return h.refusal(event, m.id, internalFailure(err))
	}
	var raw rawAnswer
	server.Handle(&raw, &mcpserver.HTTPRequest{
		Method: r.Method, URL: r.URL, Header: header, Body: m.body,
		Context: context.WithValue(r.Context(), toolCallKey{}, call),
	})
	switch {
	case call.err != nil:
		return h.refusal(event, m.id, call.failure())
	case raw.status == 0: // nobody waits for it any more
		return h.refusal(event, m.id, unavailable(defaultRetry, context.Cause(r.Context())))
	case call.reply != nil:
		reply := raw.withContent(call.reply)
		answer := newAnswer(reply.Status, reply.Body)
		answer.of(reply, event)
		return answer
	}
	return raw.answer(m.id, event)
}

// serverOf returns the MCP server for what the shop offers.
func (h *MCP) serverOf(b *Business) (*mcpserver.StreamableHTTPServer, error) {
	known := h.tools.Load()
	if known == nil || known.business != b {
		var err error
		if known, err = newToolServer(b); err != nil {
			return nil, err
		}
		h.tools.Store(known)
	}
	return known.http, nil
}

// mayCome reports whether a request is from no web page, or from one that may call
// (MCP, "Streamable HTTP", security warning): of the origins named, or from the
// shop's own site. That a page is from there has to be known from more than the
// name in Host, which is what DNS rebinding forges: by TLS, or since the name is
// one that only this machine has.
func (h *MCP) mayCome(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(h.Origins, "*") || slices.Contains(h.Origins, origin) {
		return true
	}
	scheme := h.peerOf(r).Scheme
	if scheme == "" && r.TLS != nil {
		scheme = "https"
	}
	page, err := safehttp.ParseURL(origin)
	if err != nil {
		return false
	}
	here, err := safehttp.ParseURL(page.Scheme + "://" + r.Host)
	if err != nil || page.Host != here.Host {
		return false
	}
	return page.Scheme == "https" && scheme == "https" || isLoopbackHost(page)
}

// refusal returns the answer that a failure makes. The id is the request's, nil
// where it is not known.
func (h *MCP) refusal(event *Event, id []byte, f *Failure) *answer {
	h.note(event, f)
	answer := newAnswer(f.Status, f.rpcBody(id))
	f.setHeader(answer.header)
	return answer
}

// RefuseMCP writes a failure as this binding has it, for requests that do not come
// to be looked at.
func RefuseMCP(w http.ResponseWriter, f *Failure) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store, no-transform")
	w.WriteHeader(f.Status)
	// Whoever no longer listens need not be told.
	_, _ = w.Write(f.rpcBody(nil))
}
