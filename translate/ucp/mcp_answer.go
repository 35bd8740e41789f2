package ucp

import (
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
)

// rawAnswer is what the MCP server answers. It implements
// server.HTTPResponseWriter, and streams nothing.
type rawAnswer struct {
	header http.Header
	status int // 0 when there was no answer
	body   []byte
}

// Header returns the header, which nothing of is sent.
func (a *rawAnswer) Header() http.Header {
	if a.header == nil {
		a.header = http.Header{}
	}
	return a.header
}

// WriteHeader keeps the status.
func (a *rawAnswer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write keeps the body.
func (a *rawAnswer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, p...)
	return len(p), nil
}

// Flush does nothing.
func (*rawAnswer) Flush() {}

// CanStream says that nothing can be sent before the answer is whole.
func (*rawAnswer) CanStream() bool { return false }

// withContent returns the answer to a tool call whose result is empty, with what
// came of the call as its content: as a text and as it is (overview, "Response
// Format"). The large part of it is written once, and stays what REST would send.
// The reply must not be used afterwards.
func (a *rawAnswer) withContent(reply *Reply) *Reply {
	const empty = `"content":[]`
	at := gjson.GetBytes(a.body, "result.content").Index + len("[]") - len(empty)
	buffer := replyBuffers.Get().(*[]byte)
	out := append((*buffer)[:0], a.body[:at]...)
	out = append(out, `"content":[{"type":"text","text":`...)
	out = appendString(out, string(reply.Body))
	out = append(out, `}],"structuredContent":`...)
	out = append(out, reply.Body...)
	out = append(out, a.body[at+len(empty):]...)
	reply.free()
	return &Reply{Status: http.StatusOK, Body: out, Outcome: reply.Outcome, buffer: buffer}
}

// answer returns the answer to anything but a tool call. What the server has no
// JSON for becomes an error in JSON.
func (a *rawAnswer) answer(id []byte, event *Event) *answer {
	body := a.body
	event.Outcome = "ok"
	if !strings.HasPrefix(a.Header().Get("Content-Type"), "application/json") {
		f := refuse(a.status, MalformedMessage, "%s", strings.TrimSpace(string(body)))
		body = f.rpcBody(id)
	}
	if gjson.GetBytes(body, "error").Exists() {
		event.Outcome = string(MalformedMessage)
	}
	return newAnswer(a.status, body)
}
