package spectest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// mcpMessage is as much of a JSON-RPC message as is looked at.
type mcpMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name string `json:"name"`
	} `json:"params"`
	Result *struct {
		StructuredContent json.RawMessage `json:"structuredContent"`
		Content           []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
	Error *struct {
		Code int             `json:"code"`
		Data json.RawMessage `json:"data"`
	} `json:"error"`
}

// MCP checks an answer to a message on the MCP endpoint: its envelope
// (schemas/transports), the resource or error response in it as [Spec.Response]
// does, that its text says the same, and the codes of an error (overview, "Error
// Codes"). It returns the operation that was called, "" for what is no tool call.
func (s *Spec) MCP(message []byte, status int, body []byte) (operation string, err error) {
	var sent, got mcpMessage
	if json.Unmarshal(message, &sent) == nil && sent.Method == "tools/call" {
		operation = sent.Params.Name
	}
	if status == http.StatusAccepted {
		if len(body) > 0 || len(sent.ID) > 0 && sent.Method != "" {
			return operation, errors.New("a request is answered, and a notification is not")
		}
		return operation, nil
	}
	doc, err := parse(body)
	if err != nil {
		return operation, err
	}
	if err := json.Unmarshal(body, &got); err != nil {
		return operation, err
	}
	envelope := "jsonrpc.json#/$defs/success_response"
	switch {
	case got.Error != nil:
		envelope = "jsonrpc.json#/$defs/error_response"
	case operation != "":
		envelope = "mcp_tool_call.json#/$defs/response"
	}
	if err := s.envelope(envelope, doc); err != nil {
		return operation, err
	}
	if string(got.ID) != "null" && !sameJSON(got.ID, sent.ID) {
		return operation, fmt.Errorf("the answer is to %s, and the request was %s", got.ID, sent.ID)
	}
	switch {
	case got.Error != nil:
		return operation, s.mcpError(status, got.Error.Code, got.Error.Data)
	case operation != "":
		return operation, s.mcpResult(operation, status, &got)
	}
	return operation, nil
}

// envelope checks a message with a schema of schemas/transports.
func (s *Spec) envelope(ref string, doc tree) error {
	target := base + "schemas/transports/" + ref
	v := view{perspective: perspective{annotation: "ucp_response", verb: "read"}, ref: target}
	schema, err := s.once(v, func() (*jsonschema.Schema, error) {
		return s.compile(v.perspective, target, nil, map[string]any{"$ref": target})
	})
	if err != nil {
		return fmt.Errorf("compiling %s: %w", target, err)
	}
	var found Problems
	found.check(schema, doc)
	return found.err()
}

// mcpResult checks the result of a tool call.
func (s *Spec) mcpResult(operation string, status int, got *mcpMessage) error {
	op, ok := s.find(operation)
	switch content := got.Result.Content; {
	case !ok:
		return fmt.Errorf("UCP %s has no operation %q", s.release, operation)
	case status != http.StatusOK:
		return fmt.Errorf("HTTP %d with a result, want 200", status)
	case len(content) != 1 || content[0].Type != "text" || !sameJSON([]byte(content[0].Text), got.Result.StructuredContent):
		return errors.New("the text of the result is not its structured content")
	}
	// MCP has no 201 for what was created.
	resource := op.success
	if doc, err := parse(got.Result.StructuredContent); err == nil && doc.get("ucp", "status").text() == "error" {
		resource = http.StatusOK
	}
	return s.Response(operation, nil, resource, got.Result.StructuredContent)
}

// mcpError checks an error. One without data is the MCP server's own.
func (s *Spec) mcpError(status, code int, data []byte) error {
	var d struct {
		Code string `json:"code"`
	}
	if json.Unmarshal(data, &d) != nil || d.Code == "" {
		return nil
	}
	var found error
	if want := rpcCodeOf(d.Code, status); want != 0 && want != code {
		found = fmt.Errorf("the error %s under HTTP %d has the code %d, want %d", d.Code, status, code, want)
	}
	if status < http.StatusBadRequest {
		found = errors.Join(found, fmt.Errorf("HTTP %d with the error %s", status, d.Code))
	}
	return errors.Join(found, s.refusal(status, data))
}

// rpcCodeOf is the JSON-RPC code that the overview ("Error Codes") and
// catalog/mcp.md fix for a protocol error, or else 0.
func rpcCodeOf(code string, status int) int {
	switch code {
	case "invalid_profile_url", "profile_unreachable", "profile_malformed", "version_unsupported":
		return -32001
	case "digest_mismatch", "algorithm_unsupported":
		return -32600
	case "request_too_large":
		return -32602
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return -32000
	case http.StatusInternalServerError:
		return -32603
	}
	return 0
}

// sameJSON reports whether two texts are the same JSON value.
func sameJSON(a, b []byte) bool {
	one, err := exact(a)
	if err != nil {
		return false
	}
	other, err := exact(b)
	return err == nil && reflect.DeepEqual(one, other)
}

// exact parses JSON and leaves numbers as they are written.
func exact(text []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return value, decoder.Decode(&value)
}
