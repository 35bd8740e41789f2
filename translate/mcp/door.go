package mcp

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/mcphttp"
	"github.com/storeware/caddy-storeware/upstream"
)

// Door is the MCP endpoint of one shop: an http.Handler that is a stateless MCP
// server, as package mcphttp has it. A call is taken in this order, and refused at
// the first thing that is wrong:
//
//	method, origin, body, JSON-RPC, MCP, tool, agent key, arguments,
//	idempotency key, the tool
type Door struct {
	*httpdoor.Reception
	// Server answers the calls.
	Server *Server
	// Observe, if not nil, is told of every request that was answered.
	Observe func(context.Context, httpdoor.Event)

	tools atomic.Pointer[toolServer]
}

// toolServer knows the tools of a shop.
type toolServer struct {
	*mcphttp.Server
	shop *upstream.Description
}

// ServeHTTP implements http.Handler.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.Serve(w, r, d.Observe, func(event *httpdoor.Event) *httpdoor.Answer {
		refuse := func(id []byte, f *httpdoor.Failure) *httpdoor.Answer { return refusal(event, id, f) }
		m, answer := mcphttp.Take(d.Reception, w, r, event, refuse)
		if m == nil {
			return answer
		}
		return d.dispatch(r, m, event)
	})
}

// dispatch hands a request to the MCP server and returns its answer.
func (d *Door) dispatch(r *http.Request, m *mcphttp.Message, event *httpdoor.Event) *httpdoor.Answer {
	shop := d.Server.Describe()
	if shop == nil && (m.Method == "tools/list" || m.Method == "tools/call") {
		// There are no tools yet, and clients would keep the empty list.
		return refusal(event, m.ID, httpdoor.NotNow(httpdoor.DefaultRetry, nil))
	}
	server, err := d.serverOf(shop)
	if err != nil {
		return refusal(event, m.ID, httpdoor.Unforeseen(err))
	}
	c := &call{Door: d, http: r, body: m.Body, event: event, shop: shop}
	raw := server.Ask(context.WithValue(r.Context(), callKey{}, c), r, m)
	switch {
	case c.err != nil:
		return refusal(event, m.ID, failureOf(c.err))
	case raw.None(): // nobody waits for it any more
		return refusal(event, m.ID, httpdoor.NotNow(httpdoor.DefaultRetry, context.Cause(r.Context())))
	case c.reply != nil:
		answer := httpdoor.JSON(http.StatusOK, c.reply.within(raw))
		if event.Replayed {
			answer.Header.Set("Idempotent-Replayed", "true")
		} else {
			event.Outcome = c.reply.Outcome
		}
		return answer
	}
	return raw.Answer(m.ID, event)
}

// serverOf returns the MCP server for what the shop can do.
func (d *Door) serverOf(shop *upstream.Description) (*mcphttp.Server, error) {
	known := d.tools.Load()
	if known == nil || known.shop != shop {
		server, err := newServer(shop)
		if err != nil {
			return nil, err
		}
		known = &toolServer{server, shop}
		d.tools.Store(known)
	}
	return known.Server, nil
}

// refusal returns the answer that a failure makes. The id is the request's, nil
// where it is not known.
func refusal(event *httpdoor.Event, id []byte, f *httpdoor.Failure) *httpdoor.Answer {
	event.Outcome, event.Err = string(f.Code), f.Err
	answer := httpdoor.JSON(f.Status, mcphttp.ErrorBody(id, mcphttp.CodeOf(f.Code), f))
	f.SetHeader(answer.Header, "mcp")
	return answer
}

// Refuse writes a failure in the form of this endpoint, for requests that do not come
// to be looked at.
func Refuse(w http.ResponseWriter, f *httpdoor.Failure) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store, no-transform")
	w.WriteHeader(f.Status)
	// Whoever no longer listens need not be told.
	_, _ = w.Write(mcphttp.ErrorBody(nil, mcphttp.CodeOf(f.Code), f))
}
