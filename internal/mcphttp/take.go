package mcphttp

import (
	"net/http"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
)

// methods are what an endpoint takes.
const methods = "POST, OPTIONS"

// Take reads the message of a request, or answers where there is nothing to ask the
// MCP server: then there is no message. refuse makes the answer of a failure.
func Take(c *httpdoor.Reception, w http.ResponseWriter, r *http.Request, event *httpdoor.Event, refuse func(id []byte, f *httpdoor.Failure) *httpdoor.Answer) (*Message, *httpdoor.Answer) {
	switch {
	case r.Method == http.MethodOptions:
		event.Outcome = "ok"
		return nil, c.Preflight(r, methods)
	case r.Method != http.MethodPost:
		answer := refuse(nil, httpdoor.Refuse(http.StatusMethodNotAllowed, httpdoor.MethodNotAllowed,
			"This endpoint takes %s: there are no streams to open and no sessions to end", methods))
		answer.Header.Set("Allow", methods)
		return nil, answer
	case !c.MayCome(r):
		return nil, refuse(nil, httpdoor.Refuse(http.StatusForbidden, httpdoor.OriginRefused, "Web pages of this origin may not call the shop"))
	}
	body, err := c.ReadBody(w, r)
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
