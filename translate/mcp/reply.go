package mcp

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/mcphttp"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// reply is what came of a call.
type reply struct {
	// Text says it in words.
	Text string `json:"text"`
	// Body is the structuredContent, nil for a mistake.
	Body json.RawMessage `json:"body,omitempty"`
	// Outcome is what logs call it.
	Outcome string `json:"outcome"`
	// pending: it is not known yet, so that the same call may find more.
	pending bool
}

// replied returns a reply with a value, which its text says too.
func replied(value any, text, outcome string) (*reply, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encoding a result: %w", err)
	}
	return &reply{Text: text, Body: body, Outcome: outcome}, nil
}

// restored reads a reply that was kept.
func restored(kept []byte) (*reply, error) {
	var r reply
	if err := json.Unmarshal(kept, &r); err != nil {
		return nil, fmt.Errorf("reading an earlier result: %w", err)
	}
	return &r, nil
}

// within returns the MCP server's answer with the reply as its content. What is in
// structuredContent stands there as a text too (MCP 2025-06-18, server/tools,
// "Structured Content"), before the words.
func (r *reply) within(raw *mcphttp.Raw) []byte {
	before, after := raw.Around()
	out := make([]byte, 0, len(before)+3*len(r.Body)+2*len(r.Text)+len(after)+100)
	out = append(out, before...)
	out = append(out, `"content":[`...)
	if r.Body != nil {
		out = append(appendText(out, string(r.Body)), ',')
	}
	out = append(appendText(out, r.Text), ']')
	if r.Body == nil {
		out = append(out, `,"isError":true`...)
	} else {
		out = append(append(out, `,"structuredContent":`...), r.Body...)
	}
	return append(out, after...)
}

// appendText appends a text as a block of content.
func appendText(out []byte, text string) []byte {
	encoded, err := json.Marshal(text)
	if err != nil {
		encoded = []byte(`""`) // which a text never is
	}
	out = append(out, `{"type":"text","text":`...)
	return append(append(out, encoded...), '}')
}

// The codes of mistakes.
const (
	InvalidArguments = "invalid_arguments"
	NotFound         = "not_found"
)

// mistake is the error of a call that the caller can mend.
type mistake struct{ code, text string }

// Error implements error.
func (m *mistake) Error() string { return m.code + ": " + m.text }

// reply is what the caller is told: the code is for logs, and for models that know
// codes better than words.
func (m *mistake) reply() *reply {
	return &reply{Text: m.text + " (" + m.code + ")", Outcome: m.code}
}

// mistaken returns a mistake whose text is made like fmt.Sprintf.
func mistaken(code, format string, args ...any) error {
	return &mistake{code, fmt.Sprintf(format, args...)}
}

// failureOf returns what a caller is told of an error that is no mistake.
func failureOf(err error) *httpdoor.Failure {
	if after, passing := basket.Passing(err); passing {
		return httpdoor.NotNow(after, err)
	}
	if shop := new(upstream.Error); errors.As(err, &shop) {
		return httpdoor.Unforeseen(err)
	}
	return httpdoor.FailureOf(err)
}
