package medusa

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// call is a request of the Store API.
type call struct {
	// op says what is being done.
	op     string
	method string
	path   []string
	query  url.Values
	// fields are what is wanted of the answer; nothing else is sent.
	fields string
	// body is sent as JSON. A call with one is a write and is sent once; the
	// error for a write that the shop refused wraps a [refusal].
	body any
	// explain: a read whose refusal is wanted as well.
	explain bool
	// order: the call can turn a cart into an order.
	order bool
	// landmark: every Medusa answers it.
	landmark bool
}

// request is what the client sends for a call, but for its body.
func (c call) request() shopclient.Request {
	r := shopclient.Request{
		Op: c.op, Method: c.method, Path: c.path, Query: c.query, Order: c.order,
		Safe: c.safe(), Refusals: c.explain || !c.safe(),
	}
	if c.landmark {
		r.System = "Medusa"
	}
	return r
}

// safe reports whether a call only reads.
func (c call) safe() bool { return c.body == nil && c.method == "" }

// object is a JSON object to send.
type object = map[string]any

// refusal is why the shop did not do what was asked, in its own terms.
type refusal struct {
	status int
	// kind is the type of Medusa's error, such as invalid_data, and code what it
	// says beyond that, such as insufficient_inventory.
	kind, code string
}

// Medusa's own names of refusals, from packages/core/utils/src/common/errors.ts.
const (
	kindInvalid    = "invalid_data"
	kindNotAllowed = "not_allowed"
	codeInventory  = "insufficient_inventory"
)

// Error repeats nothing of what the shop wrote.
func (r *refusal) Error() string { return fmt.Sprintf("the shop answered %d", r.status) }

// isRefusal returns the shop's refusal of what was sent to it in an error's chain.
// That it is busy, does not know us, or failed is none.
func isRefusal(err error) (*refusal, bool) {
	var why *refusal
	return why, errors.As(err, &why) && upstream.CodeOf(err) == upstream.CodeInvalid
}

// ask makes a call. What it returns is the object under key in the answer; an
// answer without one is none.
func (s *Shop) ask(ctx context.Context, v upstream.Visit, c call, key string) (gjson.Result, error) {
	answer, err := s.send(ctx, v, c)
	if err != nil {
		return gjson.Result{}, err
	}
	found := answer.Get(key)
	if !found.IsObject() && !found.IsArray() {
		return gjson.Result{}, s.senseless(c)
	}
	return found, nil
}

// senseless is the error for an answer that is not what was asked for. Whether
// something was ordered cannot be told from it.
func (s *Shop) senseless(c call) error {
	if c.landmark {
		return s.client.Foreign(c.request(), "something else than "+strings.Join(c.path, "/"))
	}
	e := upstream.Errorf(upstream.CodeUnavailable, c.op, "the shop's answer is not one of Medusa's Store API")
	if c.order {
		e.Code, e.Err = upstream.CodeUnknownOutcome, shopclient.ErrLost
	}
	return e
}

// send makes a call and returns the whole answer.
func (s *Shop) send(ctx context.Context, v upstream.Visit, c call) (gjson.Result, error) {
	r := c.request()
	if c.fields != "" {
		r.Query = url.Values{"fields": {c.fields}}
		for name, values := range c.query {
			r.Query[name] = values
		}
	}
	if c.body != nil {
		var err error
		if r.Body, err = json.Marshal(c.body); err != nil {
			return gjson.Result{}, fmt.Errorf("%s: %w", c.op, err)
		}
	}
	response, err := s.client.Do(ctx, v, r)
	if err != nil {
		return gjson.Result{}, err
	}
	if c.landmark && response.Status == http.StatusNotFound {
		return gjson.Result{}, s.client.Foreign(r, "404")
	}
	if response.Status/100 != 2 {
		return gjson.Result{}, refused(c, response)
	}
	return response.JSON(), nil
}

// refused is the error for an answer that is a refusal.
func refused(c call, response shopclient.Response) error {
	answer := response.JSON()
	r := &refusal{status: response.Status, kind: answer.Get("type").String(), code: answer.Get("code").String()}
	e := &upstream.Error{Code: upstream.CodeInvalid, Op: c.op, Err: r}
	switch {
	case r.status == http.StatusUnauthorized, r.status == http.StatusForbidden,
		r.kind == kindNotAllowed && r.code == "" && !c.order:
		e.Code, e.Text = upstream.CodeDenied, "the shop does not take our publishable key for this"
	case r.status == http.StatusNotFound:
		e.Code = upstream.CodeNotFound
	case r.status == http.StatusConflict:
		e.Code, e.Text = upstream.CodeBusy, "the shop is at work on this cart"
	case r.status >= http.StatusInternalServerError:
		e.Code = upstream.CodeUnavailable
	}
	if c.order && e.Code != upstream.CodeInvalid && e.Code != upstream.CodeDenied && e.Code != upstream.CodeNotFound {
		e.Code = upstream.CodeUnknownOutcome
	}
	return e
}

// clean drops what PostgreSQL cannot keep.
func clean(text string) string { return strings.ReplaceAll(text, "\x00", "") }

// together makes calls at the same time and returns the error of the first one in
// order that failed.
func together(calls ...func() error) error {
	failed := make([]error, len(calls))
	var group sync.WaitGroup
	for i, call := range calls {
		group.Go(func() { failed[i] = call() })
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}
