package mcphttp

import (
	"net/http"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
)

// methods are what an endpoint takes.
const methods = "POST, OPTIONS"

// Gate is what an endpoint lets in.
type Gate struct {
	// MaxBody bounds a request's body in bytes, httpdoor.DefaultMaxBody if zero.
	MaxBody int64
	// Origins are the origins that may call from a browser, "*" for all.
	Origins []string
	// Peer tells what the connection itself cannot; it may be nil.
	Peer func(*http.Request) httpdoor.Peer
}

// Take reads the message of a request, or answers where there is nothing to ask the
// MCP server: then there is no message. refuse makes the answer of a failure.
func (g Gate) Take(w http.ResponseWriter, r *http.Request, event *httpdoor.Event, refuse func(id []byte, f *httpdoor.Failure) *httpdoor.Answer) (*Message, *httpdoor.Answer) {
	switch {
	case r.Method == http.MethodOptions:
		event.Outcome = "ok"
		return nil, httpdoor.Preflight(methods, g.Origins, r.Header)
	case r.Method != http.MethodPost:
		answer := refuse(nil, httpdoor.Refuse(http.StatusMethodNotAllowed, httpdoor.MethodNotAllowed,
			"This endpoint takes %s: there are no streams to open and no sessions to end", methods))
		answer.Header.Set("Allow", methods)
		return nil, answer
	case !httpdoor.MayCome(r, g.Origins, httpdoor.PeerOf(r, g.Peer)):
		return nil, refuse(nil, httpdoor.Refuse(http.StatusForbidden, httpdoor.OriginRefused, "Web pages of this origin may not call the shop"))
	}
	body, err := httpdoor.ReadBody(w, r, g.MaxBody)
	if err != nil {
		return nil, refuse(nil, httpdoor.FailureOf(err))
	}
	m, failure := Read(body)
	switch {
	case failure != nil:
		return nil, refuse(nil, failure)
	case m.ID == nil:
		// A notification, or an answer to what was never asked. Nothing of it
		// matters to a server that keeps nothing.
		event.Outcome = "ok"
		return nil, httpdoor.JSON(http.StatusAccepted, nil)
	}
	event.Operation = m.Operation()
	if m.Method == "subscriptions/listen" {
		// The server would keep it waiting for news that never come.
		return nil, refuse(m.ID, httpdoor.Refuse(http.StatusNotFound, UnknownMethod, "There is nothing to subscribe to here"))
	}
	return m, nil
}
