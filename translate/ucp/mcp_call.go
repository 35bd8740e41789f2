package ucp

import (
	"context"
	"errors"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
)

// toolCall is a tools/call on its way through the MCP server.
type toolCall struct {
	exchange
	tool *tool
	// What came of it.
	reply *Reply
	err   error
}

// toolCallKey is the key of a request's toolCall in its context.
type toolCallKey struct{}

// run is what the MCP server calls. It returns a result without content, which
// takes the place of what came of the call: that is told in words of ours.
func (t *tool) run(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	call, ok := ctx.Value(toolCallKey{}).(*toolCall)
	if !ok {
		return nil, errors.New("a tool was called from elsewhere than its endpoint")
	}
	call.tool, call.op, call.event.Operation = t, t.op, string(t.op)
	call.reply, call.err = call.do(ctx)
	return &mcp.CallToolResult{}, nil
}

// do takes a call through all that has to be known before it can be made, and makes
// it. Nothing is taken from what the MCP server has read: numbers lost their digits
// there.
func (c *toolCall) do(ctx context.Context) (reply *Reply, err error) {
	defer httpdoor.Recovered(&err)
	if err := c.identify(ctx); err != nil {
		return nil, err
	}
	arguments := gjson.GetBytes(c.body, "params.arguments")
	profile, failure := c.readMeta(arguments.Get("meta"))
	if failure != nil {
		return nil, failure
	}
	if err := c.introduce(ctx, profile); err != nil {
		return nil, err
	}
	if failure := c.readArguments(arguments); failure != nil {
		return nil, failure
	}
	return c.finish(ctx)
}

// readMeta reads who calls and the idempotency key. The header of the request may
// say both as well, where a signature covers them (signatures.md, "MCP
// Transport"): then it must say the same, and it may say the key alone.
func (c *toolCall) readMeta(meta gjson.Result) (profile string, _ *Failure) {
	if !meta.IsObject() {
		return "", refuse(http.StatusBadRequest, InvalidRequest, `arguments.meta is missing: send "meta": {"ucp-agent": {"profile": "https://…"}}`)
	}
	named := meta.Get("ucp-agent.profile")
	if named.Type != gjson.String {
		return "", invalidProfileURL(`arguments.meta["ucp-agent"].profile is missing: it must be the URL of the platform's profile`)
	}
	profile, failure := profileURL(named.Str, c.Development)
	if failure != nil {
		return "", failure
	}
	if len(c.request.Header.Values("UCP-Agent")) > 0 {
		inHeader, failure := agentProfile(c.request.Header, c.Development)
		if failure != nil {
			return "", failure
		}
		if inHeader != profile {
			return "", invalidProfileURL("UCP-Agent and meta name two different platform profiles")
		}
	}
	c.keys = c.request.Header.Values("Idempotency-Key")
	switch key := meta.Get("idempotency-key"); {
	case !key.Exists():
	case key.Type != gjson.String:
		return "", refuse(http.StatusBadRequest, InvalidRequest, `arguments.meta["idempotency-key"] must be a string`)
	case len(c.keys) > 1 || len(c.keys) == 1 && c.keys[0] != key.Str:
		return "", refuse(http.StatusBadRequest, InvalidRequest, "Idempotency-Key and meta name different keys")
	default:
		c.keys = []string{key.Str}
	}
	if len(c.keys) == 0 && c.tool.keyed() {
		return "", refuse(http.StatusBadRequest, InvalidRequest, `arguments.meta["idempotency-key"] is missing: it makes a retry safe`)
	}
	return profile, nil
}

// readArguments reads what the operation is about.
func (c *toolCall) readArguments(arguments gjson.Result) *Failure {
	if c.tool.named() {
		id := arguments.Get("id")
		if id.Type != gjson.String || id.Str == "" || len(id.Str) > maxID {
			return refuse(http.StatusBadRequest, InvalidRequest, "arguments.id must be a string of 1 to %d bytes", maxID)
		}
		c.id = id.Str
	}
	if c.tool.payload == "" {
		return nil
	}
	payload := arguments.Get(c.tool.payload)
	if !payload.IsObject() {
		return refuse(http.StatusBadRequest, InvalidRequest, "arguments.%s must be an object", c.tool.payload)
	}
	c.payload = []byte(payload.Raw)
	return nil
}

// failure returns what the caller is told of the call's error. Paths in it begin at
// the payload, which has a name here.
func (c *toolCall) failure() *Failure {
	f := failureOf(c.err)
	if f.Code == InvalidRequest && len(f.Content) > 1 && f.Content[0] == '$' {
		f.Content = "In arguments." + c.tool.payload + ", " + f.Content
	}
	return f
}
