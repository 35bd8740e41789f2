package caddymodule

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/translate/acp"
	"github.com/storeware/caddy-storeware/translate/answer/schema"
	"github.com/storeware/caddy-storeware/translate/mcp"
	"github.com/storeware/caddy-storeware/translate/ucp"
)

// Where UCP and ACP are served, and the shop's own MCP server.
const (
	ucpProfile   = "/.well-known/ucp"
	ucpREST      = "/api/ucp/v1"
	ucpMCP       = "/ucp/mcp"
	acpDiscovery = "/.well-known/acp.json"
	acpREST      = "/api/acp"
	shopMCP      = "/mcp"
)

// What metrics and logs call the protocols' bindings.
const (
	protocolREST = "ucp"
	protocolMCP  = "ucp-mcp"
	protocolACP  = "acp"
	protocolShop = "mcp"
)

// profileOperation is what metrics call reading the profile.
const profileOperation = "profile"

// schemaOperation is what they call reading the schema of answers.
const schemaOperation = "schema"

// nowhereOperation is what metrics call asking for what is not there.
const nowhereOperation = "none"

// route is a part of the site that the handler answers in place of the next one,
// with signed answers.
type route struct {
	// path is matched as it is; below, if set, everything under it as well.
	path  string
	below bool
	// protocol and operation name the route in metrics. The operation is empty
	// where the route's handler tells its own events.
	protocol  string
	operation string
	// handler returns what answers.
	handler func(*door) http.Handler
	// refuse writes an error in the form of the protocol.
	refuse func(w http.ResponseWriter, status int, code, content string)
}

// protocolRoutes are all routes. The first that matches counts.
func protocolRoutes() []route {
	return []route{
		{
			path: ucpProfile, protocol: protocolREST, operation: profileOperation, refuse: refuseUCP,
			handler: func(d *door) http.Handler { return d.discovery },
		},
		{
			path: schema.Path, protocol: protocolREST, operation: schemaOperation, refuse: refuseUCP,
			handler: func(*door) http.Handler { return ucp.AnswerSchema() },
		},
		{
			path: ucpProfile, below: true, protocol: protocolREST, operation: profileOperation, refuse: refuseUCP,
			handler: func(*door) http.Handler { return forAll(nothingThere(refuseUCP)) },
		},
		{
			path: ucpREST, below: true, protocol: protocolREST, refuse: refuseUCP,
			handler: func(d *door) http.Handler { return d.rest },
		},
		{
			path: ucpMCP, protocol: protocolMCP, refuse: refuseMCP,
			handler: func(d *door) http.Handler { return d.mcp },
		},
		{
			path: ucpMCP, below: true, protocol: protocolMCP, operation: nowhereOperation, refuse: refuseMCP,
			handler: func(*door) http.Handler { return nothingThere(refuseMCP) },
		},
		{
			path: acpDiscovery, protocol: protocolACP, operation: profileOperation, refuse: refuseACP,
			handler: func(d *door) http.Handler { return d.acpDiscovery },
		},
		{
			path: acpREST, below: true, protocol: protocolACP, refuse: refuseACP,
			handler: func(d *door) http.Handler { return d.acp },
		},
		{
			path: shopMCP, protocol: protocolShop, refuse: refuseShop,
			handler: func(d *door) http.Handler { return d.own },
		},
		{
			path: shopMCP, below: true, protocol: protocolShop, operation: nowhereOperation, refuse: refuseShop,
			handler: func(*door) http.Handler { return nothingThere(refuseShop) },
		},
	}
}

// matches reports whether the route answers requests for a path.
func (t *route) matches(path string) bool {
	rest, ok := strings.CutPrefix(path, t.path)
	return ok && (rest == "" || t.below && rest[0] == '/')
}

// find returns the route for a path, nil for the next handler.
func find(routes []route, path string) *route {
	for i := range routes {
		if routes[i].matches(path) {
			return &routes[i]
		}
	}
	return nil
}

// refuseUCP writes an error as UCP's transports have it (overview, "Transport
// Bindings").
func refuseUCP(w http.ResponseWriter, status int, code, content string) {
	body, err := json.Marshal(struct {
		Code    string `json:"code"`
		Content string `json:"content"`
	}{code, content})
	if err != nil { // texts can always be encoded
		body = []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store, no-transform")
	w.WriteHeader(status)
	// An answer is a buffer, which takes all that is this short.
	_, _ = w.Write(body)
}

// refuseMCP writes an error as UCP's MCP binding has it.
func refuseMCP(w http.ResponseWriter, status int, code, content string) {
	ucp.RefuseMCP(w, &ucp.Failure{Status: status, Code: ucp.FailureCode(code), Content: content})
}

// refuseACP writes an error as ACP has it.
func refuseACP(w http.ResponseWriter, status int, code, content string) {
	acp.Refuse(w, &httpdoor.Failure{Status: status, Code: httpdoor.Code(code), Content: content})
}

// refuseShop writes an error as the shop's own MCP server has it.
func refuseShop(w http.ResponseWriter, status int, code, content string) {
	mcp.Refuse(w, &httpdoor.Failure{Status: status, Code: httpdoor.Code(code), Content: content})
}

// forAll lets scripts of every origin read what a handler answers.
func forAll(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpdoor.AllowOrigin(w.Header(), r.Header, []string{"*"})
		next.ServeHTTP(w, r)
	})
}

// nothingThere answers 404.
func nothingThere(refuse func(http.ResponseWriter, int, string, string)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, string(ucp.RouteNotFound), "There is nothing here; the profile is at "+ucpProfile)
	})
}
