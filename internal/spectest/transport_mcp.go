package spectest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// roundTripMCP is RoundTrip for a message to the MCP endpoint, which the answer is
// read with.
func (r *Recorder) roundTripMCP(request *http.Request) (*http.Response, error) {
	var message []byte
	if request.Body != nil {
		var err error
		message, err = io.ReadAll(request.Body)
		if closeErr := request.Body.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return nil, fmt.Errorf("reading the message to %s: %w", mcpPath, err)
		}
	}
	sent := request.Clone(request.Context())
	sent.Body = io.NopCloser(bytes.NewReader(message))
	answer, err := r.base.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(answer.Body)
	if closeErr := answer.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, fmt.Errorf("reading the answer of %s: %w", mcpPath, err)
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	var name string
	if len(body) > 0 {
		err = transfer(answer, body)
	}
	if r.spec != nil {
		var problem error
		name, problem = r.spec.MCP(message, answer.StatusCode, body)
		err = errors.Join(err, problem)
	}
	r.mu.Lock()
	r.seen[name]++
	r.mu.Unlock()
	if err != nil {
		r.t.Errorf("POST %s: HTTP %d: %v\n%s\n%s", mcpPath, answer.StatusCode, err, excerpt(message), excerpt(body))
	}
	return answer, nil
}
