package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// call is a tools/call on its way through the MCP server.
type call struct {
	*Door
	http  *http.Request
	body  []byte
	event *httpdoor.Event
	shop  *upstream.Description
	agent agents.Agent
	// What came of it.
	reply *reply
	err   error
}

// callKey is the key of a request's call in its context.
type callKey struct{}

// request is a call after it was found out who makes it, and its arguments were
// checked.
type request struct {
	arguments gjson.Result
	owner     basket.Owner
	visit     upstream.Visit
	shop      *upstream.Description
}

// handle is what the MCP server calls. It returns a result without content, which
// takes the place of what came of the call: that is told in words of ours.
func (t *tool) handle(ctx context.Context, _ protocol.CallToolRequest) (*protocol.CallToolResult, error) {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return nil, errors.New("a tool was called from elsewhere than its endpoint")
	}
	c.event.Operation = t.name
	c.reply, c.err = c.do(ctx, t)
	return &protocol.CallToolResult{}, nil
}

// do takes a call through all that has to be known before it can be made, and makes
// it. Nothing is taken from what the MCP server has read: numbers lost their digits
// there.
func (c *call) do(ctx context.Context, t *tool) (_ *reply, err error) {
	defer httpdoor.Recovered(&err)
	c.agent, err = c.Identify(ctx, c.http.Header)
	if err != nil {
		return nil, err
	}
	c.event.Agent = c.agent.Name
	arguments := gjson.GetBytes(c.body, "params.arguments")
	if !arguments.Exists() {
		arguments = gjson.Parse("{}")
	}
	reply, err := c.run(ctx, t, arguments)
	var wrong *mistake
	if errors.As(err, &wrong) {
		return wrong.reply(), nil
	}
	return reply, err
}

// run checks the arguments and calls the tool.
func (c *call) run(ctx context.Context, t *tool, arguments gjson.Result) (*reply, error) {
	if err := t.check(arguments); err != nil {
		return nil, err
	}
	r := &request{
		arguments: arguments, shop: c.shop,
		owner: basket.Owner{Shop: c.Shop, Agent: c.agent.ID, Name: c.agent.Name, Sandbox: c.agent.Sandbox},
		visit: upstream.Visit{
			Market: marketOf(c.shop, arguments, c.http.Header.Values("Accept-Language")),
			Addr:   c.PeerOf(c.http).Addr, Agent: c.agent.Name, RequestID: c.event.RequestID,
		},
	}
	key := arguments.Get("idempotency_key")
	if !key.Exists() {
		return t.run(ctx, c.Server, r)
	}
	return c.once(ctx, t, r, key.Str)
}

// check says what is wrong with the arguments of a call. An argument that is not
// known may be one that the caller relies on.
func (t *tool) check(arguments gjson.Result) error {
	if err := t.input.Check([]byte(arguments.Raw), shape.Other, nil); err != nil {
		return mistaken(InvalidArguments, "The arguments are not as the tool wants them: %v", err)
	}
	var unknown error
	arguments.ForEach(func(name, _ gjson.Result) bool {
		known := make([]string, len(t.input.Fields))
		for i, f := range t.input.Fields {
			if f.Name == name.Str {
				return true
			}
			known[i] = f.Name
		}
		unknown = mistaken(InvalidArguments, "%s takes no argument %.40q: it takes %s", t.name, name.Str, strings.Join(known, ", "))
		return false
	})
	return unknown
}

// once calls the tool, or finds the result of the first call with the same key.
func (c *call) once(ctx context.Context, t *tool, r *request, key string) (*reply, error) {
	payload, err := canonical(r.arguments)
	if err != nil {
		return nil, err
	}
	// The same key at another door is another one: what it came with looks otherwise.
	scope := idempotency.Scope{Agent: c.agent.ID, Operation: "mcp/" + t.name, Key: key}
	ticket, first, err := c.Records.Begin(ctx, scope, idempotency.Sum(payload))
	switch {
	case errors.Is(err, idempotency.ErrPayloadMismatch):
		return nil, mistaken(string(httpdoor.IdempotencyReused), "This idempotency_key came with other arguments before: a changed call needs a new key")
	case errors.Is(err, idempotency.ErrInFlight):
		return nil, mistaken(string(httpdoor.IdempotencyRunning), "The first call with this idempotency_key is still running: call again with the same key in a few seconds")
	case errors.Is(err, idempotency.ErrKey):
		return nil, mistaken(InvalidArguments, "idempotency_key must be 1 to %d bytes", idempotency.MaxKey)
	case err != nil:
		return nil, fmt.Errorf("looking for an earlier result: %w", err)
	case first != nil:
		c.event.Replayed, c.event.Outcome = true, "replayed"
		return restored(first.Body)
	}
	// A key that cannot be freed is freed when its lease ends.
	defer func() { _ = ticket.Abandon(ctx) }()

	running, cancel := ticket.Context(ctx)
	defer cancel()
	made, err := t.run(running, c.Server, r)
	if err != nil || made.pending {
		return made, err
	}
	kept, err := json.Marshal(made)
	if err != nil {
		return nil, fmt.Errorf("encoding a result: %w", err)
	}
	// What was done is done, and its result true, whether it can be kept or not.
	c.event.Err = ticket.Finish(ctx, idempotency.Response{Status: http.StatusOK, Body: kept})
	return made, nil
}

// canonical returns the arguments without their idempotency key, in a form that is
// the same in whatever order they came.
func canonical(arguments gjson.Result) ([]byte, error) {
	text, err := sjson.Delete(arguments.Raw, "idempotency_key")
	if err != nil {
		return nil, fmt.Errorf("reading arguments: %w", err)
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("reading arguments: %w", err)
	}
	return json.Marshal(value)
}
