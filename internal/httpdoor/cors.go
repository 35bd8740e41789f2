package httpdoor

import (
	"net/http"
	"slices"
)

// What a browser's script may send and read of the protocols (Fetch standard,
// "CORS protocol").
const (
	corsRequestHeaders = "Accept, Accept-Language, API-Version, Authorization, Content-Digest, Content-Type, Idempotency-Key, " +
		"Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Request-Id, Signature, Signature-Input, Timestamp, UCP-Agent, X-API-Key"
	corsResponseHeaders = "API-Version, Content-Digest, ETag, Idempotency-Key, Idempotent-Replayed, Request-Id, Retry-After, Signature, Signature-Input, WWW-Authenticate"
	corsMaxAge          = "600"
)

// AllowOrigin lets a browser's script read the answer, if its origin is one of
// those named, of which "*" is any. It reports whether it is.
func AllowOrigin(answer, request http.Header, origins []string) bool {
	if len(origins) == 0 {
		return false
	}
	any := slices.Contains(origins, "*")
	if !any {
		answer.Set("Vary", "Origin")
	}
	origin := request.Get("Origin")
	switch {
	case any:
		origin = "*"
	case origin == "" || !slices.Contains(origins, origin):
		return false
	}
	answer.Set("Access-Control-Allow-Origin", origin)
	answer.Set("Access-Control-Expose-Headers", corsResponseHeaders)
	return true
}

// preflight answers OPTIONS.
func preflight(allowed string, origins []string, request http.Header) *Answer {
	a := JSON(http.StatusNoContent, nil)
	a.Header.Set("Allow", allowed)
	if AllowOrigin(a.Header, request, origins) {
		a.Header.Set("Access-Control-Allow-Methods", allowed)
		a.Header.Set("Access-Control-Allow-Headers", corsRequestHeaders)
		a.Header.Set("Access-Control-Max-Age", corsMaxAge)
	}
	return a
}
