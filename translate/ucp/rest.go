package ucp

import (
	"context"
	"net/http"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
)

// REST is the REST binding of one shop (services/shopping/rest.openapi.json): an
// http.Handler for everything under its base path. A request is taken in this
// order, and refused at the first thing that is wrong:
//
//	route, method, agent key, UCP-Agent, platform profile, version, body,
//	signature, negotiation, payload, idempotency key, operation
type REST struct {
	*Reception
	// Base is the path that all routes begin with, without a slash at its end.
	Base string
	// Observe, if not nil, is told of every request that was answered.
	Observe func(context.Context, Event)
}

// ServeHTTP implements http.Handler.
func (h *REST) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.Serve(w, r, h.Observe, func(event *Event) *httpdoor.Answer { return h.answer(w, r, event) })
}

// answer finds the answer to a request.
func (h *REST) answer(w http.ResponseWriter, r *http.Request, event *Event) *httpdoor.Answer {
	route, id := match(h.Base, r)
	switch {
	case route == nil:
		return h.refusal(event, refuse(http.StatusNotFound, RouteNotFound, "There is no such route here; the endpoint in the profile is where routes begin"))
	case r.Method == http.MethodOptions:
		event.Outcome = "ok"
		return h.Preflight(r, route.allowed())
	}
	op, ok := route.operation(r.Method)
	if !ok {
		answer := h.refusal(event, refuse(http.StatusMethodNotAllowed, MethodNotAllowed, "This route takes %s", route.allowed()))
		answer.Header.Set("Allow", route.allowed())
		return answer
	}
	event.Operation = string(op)
	reply, err := h.do(w, r, op, id, event)
	if err != nil {
		return h.refusal(event, failureOf(err))
	}
	return replied(reply, event)
}

// do takes a request for an operation through all that has to be known before it
// can be a call, and makes the call.
func (h *REST) do(w http.ResponseWriter, r *http.Request, op Operation, id string, event *Event) (reply *Reply, err error) {
	defer httpdoor.Recovered(&err)
	x := &exchange{Reception: h.Reception, request: r, op: op, id: id, event: event, keys: r.Header.Values("Idempotency-Key")}
	if err := x.identify(r.Context()); err != nil {
		return nil, err
	}
	profile, failure := agentProfile(r.Header, h.Development)
	if failure != nil {
		return nil, failure
	}
	if err := x.introduce(r.Context(), profile); err != nil {
		return nil, err
	}
	if x.body, err = h.ReadBody(w, r); err != nil {
		return nil, err
	}
	if r.Method != http.MethodGet { // where a body means nothing
		x.payload = x.body
	}
	return x.finish(r.Context())
}

// refusal returns the answer that a failure makes.
func (h *REST) refusal(event *Event, f *Failure) *httpdoor.Answer {
	h.note(event, f)
	answer := httpdoor.JSON(f.Status, flatBody(f))
	f.SetHeader(answer.Header, realm)
	return answer
}
