package ucp

import (
	"net/http"

	"github.com/storeware/caddy-storeware/internal/mcphttp"
)

// withContent returns the answer to a tool call whose result is empty, with what
// came of the call as its content: as a text and as it is (overview, "Response
// Format"). The large part of it is written once, and stays what REST would send.
// The reply must not be used afterwards.
func withContent(raw *mcphttp.Raw, reply *Reply) *Reply {
	before, after := raw.Around()
	buffer := replyBuffers.Get().(*[]byte)
	out := append((*buffer)[:0], before...)
	out = append(out, `"content":[{"type":"text","text":`...)
	out = appendString(out, string(reply.Body))
	out = append(out, `}],"structuredContent":`...)
	out = append(out, reply.Body...)
	out = append(out, after...)
	reply.free()
	return &Reply{Status: http.StatusOK, Body: out, Outcome: reply.Outcome, buffer: buffer}
}
