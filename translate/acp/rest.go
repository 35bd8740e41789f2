package acp

import (
	"context"
	"net/http"
	"strings"

	"github.com/storeware/caddy-storeware/internal/cardnumber"
	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/idempotency"
)

// The header fields of the protocol.
const (
	versionHeader   = "API-Version"
	keyHeader       = "Idempotency-Key"
	requestIDHeader = "Request-Id"
	replayedHeader  = "Idempotent-Replayed"
)

// REST is the REST binding of one shop: an http.Handler for everything under its
// base path. A request is taken in this order, and refused at the first thing that
// is wrong:
//
//	route, method, version, agent key, body, signature, card numbers, payload,
//	idempotency key, operation
type REST struct {
	*Server
	*httpdoor.Reception
	// Base is the path that all routes begin with, without a slash at its end.
	Base string
	// Observe, if not nil, is told of every request that was answered.
	Observe func(context.Context, httpdoor.Event)
}

// ServeHTTP implements http.Handler.
func (h *REST) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, _ := strings.CutPrefix(r.URL.EscapedPath(), h.Base+"/")
	if document, ok := handlerSchemas(path); ok {
		document.ServeHTTP(w, r)
		return
	}
	h.Serve(w, r, h.Observe, func(event *httpdoor.Event) *httpdoor.Answer {
		if cardnumber.In(event.RequestID) {
			event.RequestID = "" // what is told of an event is logged
		}
		answer := h.answer(w, r, path, event)
		answer.Header.Set(versionHeader, Version)
		if key := r.Header.Get(keyHeader); r.Method == http.MethodPost && len(key) <= idempotency.MaxKey && visible(key) {
			answer.Header.Set(keyHeader, key)
		}
		return answer
	})
}

// visible reports whether a text is one of visible characters of ASCII.
func visible(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c >= 0x7f })
}

// answer finds the answer to a request for a path below the base.
func (h *REST) answer(w http.ResponseWriter, r *http.Request, path string, event *httpdoor.Event) *httpdoor.Answer {
	found, id := match(path)
	switch {
	case found == nil && strings.HasSuffix(path, "delegate_payment"):
		return refused(event, refuse(http.StatusNotFound, DelegateNotServed, "",
			"delegate_payment is not served here: this shop takes tokens of payment and never a card number. Get a token from the payment provider that a session's handler names"))
	case found == nil:
		return refused(event, refuse(http.StatusNotFound, httpdoor.RouteNotFound, "", "There is no such route here; /.well-known/acp.json says what there is"))
	case r.Method == http.MethodOptions:
		event.Outcome = "ok"
		return h.Preflight(r, found.allowed())
	}
	op, ok := found[r.Method]
	if !ok {
		answer := refused(event, refuse(http.StatusMethodNotAllowed, httpdoor.MethodNotAllowed, "", "This route takes %s", found.allowed()))
		answer.Header.Set("Allow", found.allowed())
		return answer
	}
	event.Operation = string(op)
	reply, err := h.do(w, r, op, id, event)
	if err != nil {
		return refused(event, refusalOf(err))
	}
	answer := httpdoor.JSON(reply.status, reply.body)
	for name, values := range reply.header {
		answer.Header[name] = values
	}
	if event.Replayed {
		answer.Header.Set(replayedHeader, "true")
	} else {
		event.Outcome = reply.outcome
	}
	return answer
}

// refused returns the answer that a refusal makes, and notes it in the event.
func refused(event *httpdoor.Event, r *Refusal) *httpdoor.Answer {
	event.Outcome, event.Err = string(r.Code), r.Err
	return r.answer()
}

// do takes a request for an operation through all that has to be known before it
// can be carried out, and carries it out.
func (h *REST) do(w http.ResponseWriter, r *http.Request, op Operation, id string, event *httpdoor.Event) (_ *reply, err error) {
	defer httpdoor.Recovered(&err)
	if err := checkVersion(r.Header); err != nil {
		return nil, err
	}
	x := &exchange{REST: h, request: r, op: op, id: id, event: event}
	if x.agent, err = h.Identify(r.Context(), r.Header); err != nil {
		return nil, err
	}
	event.Agent = x.agent.Name
	if x.body, err = h.ReadBody(w, r); err != nil {
		return nil, err
	}
	if err := x.verify(); err != nil {
		return nil, err
	}
	if err := x.check(); err != nil {
		return nil, err
	}
	return x.once(r.Context())
}

// checkVersion refuses a version that is not spoken here. A request without one is
// answered in ours.
func checkVersion(header http.Header) error {
	for _, version := range header.Values(versionHeader) {
		if version != Version {
			r := refuse(http.StatusBadRequest, UnsupportedVersion, versionHeader, "This version of the protocol is not spoken here; send API-Version: %s", Version)
			r.versions = []string{Version}
			return r
		}
	}
	return nil
}
