package ucp

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/mcphttp"
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
// A business outcome is a result whose structuredContent is the object that REST
// answers to a platform which does not speak the extension of answers: this binding
// has no room for it. A failure is a JSON-RPC error, under the HTTP status that REST has for
// it, whose data is the body that REST has for it (overview, "Error Codes").
type MCP struct {
	*Reception
	// Observe, if not nil, is told of every request that was answered.
	Observe func(context.Context, Event)

	tools atomic.Pointer[toolServer]
}

// toolServer knows the tools of a business.
type toolServer struct {
	*mcphttp.Server
	business *Business
}

// ServeHTTP implements http.Handler.
func (h *MCP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.Serve(w, r, h.Observe, func(event *Event) *httpdoor.Answer { return h.answer(w, r, event) })
}

// answer finds the answer to a request.
func (h *MCP) answer(w http.ResponseWriter, r *http.Request, event *Event) *httpdoor.Answer {
	m, answer := mcphttp.Take(h.Reception.Reception, w, r, event, func(id []byte, f *Failure) *httpdoor.Answer { return h.refusal(event, id, f) })
	if m == nil {
		return answer
	}
	return h.dispatch(r, m, event)
}

// dispatch hands a request to the MCP server and returns its answer.
func (h *MCP) dispatch(r *http.Request, m *mcphttp.Message, event *Event) *httpdoor.Answer {
	business := h.Business()
	if business.Shop == nil && (m.Method == "tools/list" || m.Method == "tools/call") {
		// There are no tools yet, and clients would keep the empty list.
		return h.refusal(event, m.ID, httpdoor.NotNow(httpdoor.DefaultRetry, nil))
	}
	call := &toolCall{exchange: exchange{Reception: h.Reception, request: r, body: m.Body, event: event, plain: true}}
	server, err := h.serverOf(business)
	if err != nil {
		return h.refusal(event, m.ID, httpdoor.Unforeseen(err))
	}
	raw := server.Ask(context.WithValue(r.Context(), toolCallKey{}, call), r, m)
	switch {
	case call.err != nil:
		return h.refusal(event, m.ID, call.failure())
	case raw.None():
		return h.refusal(event, m.ID, httpdoor.NotNow(httpdoor.DefaultRetry, context.Cause(r.Context())))
	case call.reply != nil:
		return replied(withContent(raw, call.reply), event)
	}
	return raw.Answer(m.ID, event)
}

// serverOf returns the MCP server for what the shop offers.
func (h *MCP) serverOf(b *Business) (*mcphttp.Server, error) {
	known := h.tools.Load()
	if known == nil || known.business != b {
		var err error
		if known, err = newToolServer(b); err != nil {
			return nil, err
		}
		h.tools.Store(known)
	}
	return known.Server, nil
}

// refusal returns the answer that a failure makes. The id is the request's, nil
// where it is not known.
func (h *MCP) refusal(event *Event, id []byte, f *Failure) *httpdoor.Answer {
	h.note(event, f)
	answer := httpdoor.JSON(f.Status, rpcBody(id, f))
	f.SetHeader(answer.Header, realm)
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
	_, _ = w.Write(rpcBody(nil, f))
}
