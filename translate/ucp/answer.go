package ucp

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// answer is an HTTP response before it is sent.
type answer struct {
	status int
	header http.Header
	body   []byte
	reply  *Reply // that the body is of, if it is of one
}

// newAnswer returns an answer whose body is JSON, or none.
func newAnswer(status int, body []byte) *answer {
	a := &answer{status: status, header: http.Header{}, body: body}
	if body != nil {
		a.header.Set("Content-Type", "application/json")
		a.header.Set("X-Content-Type-Options", "nosniff")
	}
	return a
}

// of says that the answer is that of a call, in the event too.
func (a *answer) of(reply *Reply, event *Event) {
	a.reply = reply
	if event.Replayed {
		a.header.Set("Idempotent-Replayed", "true")
	} else {
		event.Outcome = reply.Outcome
	}
}

// write sends the answer to a request: in one piece, and to HEAD without the
// body, of which the length is told all the same.
func (a *answer) write(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for name, values := range a.header {
		header[name] = values
	}
	if id := requestID(r.Header); id != "" {
		header.Set("Request-Id", id)
	}
	if a.body != nil {
		header.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	if a.body != nil && r.Method != http.MethodHead {
		// Whoever no longer listens need not be told.
		_, _ = w.Write(a.body)
	}
}

// flat is the body of a failure (overview, "Transport Bindings").
type flat struct {
	Code        FailureCode `json:"code"`
	Content     string      `json:"content"`
	ContinueURL string      `json:"continue_url,omitempty"`
}

// body returns the failure as JSON.
func (f *Failure) body() []byte {
	body, err := json.Marshal(flat{f.Code, f.Content, f.ContinueURL})
	if err != nil {
		// Three texts can always be encoded.
		return []byte(`{"code":"internal_error","content":"Something went wrong here"}`)
	}
	return body
}

// setHeader sets the header fields that belong to a failure's status.
func (f *Failure) setHeader(header http.Header) {
	switch f.Status {
	case http.StatusUnauthorized:
		header.Set("WWW-Authenticate", `Bearer realm="ucp"`)
	case http.StatusServiceUnavailable:
		header.Set("Retry-After", seconds(f.RetryAfter))
	case http.StatusConflict:
		if f.RetryAfter > 0 {
			header.Set("Retry-After", seconds(f.RetryAfter))
		}
	}
}

// maxRequestID bounds the id of a request, in bytes.
const maxRequestID = 128

// requestID returns the caller's id for its request, nothing for one that is too
// long or has other than visible characters of ASCII.
func requestID(header http.Header) string {
	id := header.Get("Request-Id")
	visible := func(r rune) bool { return r > ' ' && r < 0x7f }
	if len(id) > maxRequestID || strings.ContainsFunc(id, func(r rune) bool { return !visible(r) }) {
		return ""
	}
	return id
}

// seconds writes a duration for Retry-After.
func seconds(d time.Duration) string { return strconv.FormatInt(wholeSeconds(d), 10) }

// wholeSeconds rounds a duration up to seconds, of which there is one at least.
func wholeSeconds(d time.Duration) int64 { return max(int64((d+time.Second-1)/time.Second), 1) }

// What a browser's script may send and read of the protocol (Fetch standard,
// "CORS protocol").
const (
	corsRequestHeaders = "Accept, Accept-Language, Authorization, Content-Digest, Content-Type, Idempotency-Key, " +
		"Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Request-Id, Signature, Signature-Input, UCP-Agent, X-API-Key"
	corsResponseHeaders = "Content-Digest, ETag, Idempotent-Replayed, Request-Id, Retry-After, Signature, Signature-Input, WWW-Authenticate"
	corsMaxAge          = "600"
)

// anyOrigin lets every origin read.
var anyOrigin = []string{"*"}

// allowOrigin lets a browser's script read the answer, if its origin is one of
// those named. It reports whether it is.
func allowOrigin(answer, request http.Header, origins []string) bool {
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
func preflight(allowed string, origins []string, request http.Header) *answer {
	a := newAnswer(http.StatusNoContent, nil)
	a.header.Set("Allow", allowed)
	if allowOrigin(a.header, request, origins) {
		a.header.Set("Access-Control-Allow-Methods", allowed)
		a.header.Set("Access-Control-Allow-Headers", corsRequestHeaders)
		a.header.Set("Access-Control-Max-Age", corsMaxAge)
	}
	return a
}
