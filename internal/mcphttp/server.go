package mcphttp

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
)

// Server answers messages. It keeps nothing between them.
type Server struct {
	http *mcpserver.StreamableHTTPServer
}

// NewServer returns a Server for the tools and resources of an MCP server.
func NewServer(s *mcpserver.MCPServer) *Server {
	return &Server{mcpserver.NewStreamableHTTPServer(s,
		mcpserver.WithStateLess(true),
		mcpserver.WithDisableStreaming(true),
		mcpserver.WithStreamableHTTPProtocolVersions(mcp.ProtocolVersion20260728, mcp.ProtocolVersion20251125, mcp.ProtocolVersion20250618),
		// It logs nothing but writes that failed, which ours never do.
		mcpserver.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))}
}

// Ask returns the answer to the message of a request. The context is what tools get.
func (s *Server) Ask(ctx context.Context, r *http.Request, m *Message) *Raw {
	header := r.Header.Clone()
	header.Set("Content-Type", "application/json") // which was checked, and may be left out
	header.Del("Mcp-Session-Id")                   // whatever it is, it is not from here
	raw := &Raw{}
	s.http.Handle(raw, &mcpserver.HTTPRequest{
		Method: r.Method, URL: r.URL, Header: header, Body: m.Body, Context: ctx,
	})
	return raw
}

// Raw is what the MCP server answers. It implements mcpserver.HTTPResponseWriter,
// and streams nothing.
type Raw struct {
	header http.Header
	status int
	body   []byte
}

// Header returns the header, of which nothing is sent.
func (a *Raw) Header() http.Header {
	if a.header == nil {
		a.header = http.Header{}
	}
	return a.header
}

// WriteHeader keeps the status.
func (a *Raw) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write keeps the body.
func (a *Raw) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, p...)
	return len(p), nil
}

// Flush does nothing.
func (*Raw) Flush() {}

// CanStream says that nothing can be sent before the answer is whole.
func (*Raw) CanStream() bool { return false }

// None reports whether there was no answer, since nobody waits for it any more.
func (a *Raw) None() bool { return a.status == 0 }

// Around returns what stands before and after the content of a tool call's result,
// which must be empty: whoever calls it writes its own in between. So the large part
// of an answer is written once.
func (a *Raw) Around() (before, after []byte) {
	const empty = `"content":[]`
	at := gjson.GetBytes(a.body, "result.content").Index + len("[]") - len(empty)
	return a.body[:at], a.body[at+len(empty):]
}

// Answer returns the answer to anything but a tool call that was made, and says in
// the event what it is. What the server has no JSON for becomes an error in JSON.
func (a *Raw) Answer(id []byte, event *httpdoor.Event) *httpdoor.Answer {
	body := a.body
	event.Outcome = "ok"
	if !strings.HasPrefix(a.Header().Get("Content-Type"), "application/json") {
		f := httpdoor.Refuse(a.status, MalformedMessage, "%s", strings.TrimSpace(string(body)))
		body = ErrorBody(id, InvalidMessage, f)
	}
	if gjson.GetBytes(body, "error").Exists() {
		event.Outcome = string(MalformedMessage)
	}
	return httpdoor.JSON(a.status, body)
}
