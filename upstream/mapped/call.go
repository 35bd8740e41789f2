package mapped

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// call is a request to send.
type call struct {
	op      string
	request *Request
	names   names
	// lines are the names of each line, for the paths with #.
	lines []names
	// reads: the request only reads, whatever its method is.
	reads bool
	// order: the request can turn a basket into an order.
	order bool
	// blind: nothing is read from the answer but whether it is a refusal. It need
	// not be JSON then.
	blind bool
	// session holds the cookies of the basket; nil where there is none.
	session cookies
}

// anything is the media type of an answer that need not be JSON.
const anything = "application/json, */*;q=0.5"

// maxBrackets bounds the JSON of an answer that the client has not checked: it
// cannot be nested deeper.
const maxBrackets = 10_000

// send makes a call and returns the shop's answer. That the shop said no is an
// error that wraps a [refusal].
func (s *Shop) send(ctx context.Context, v upstream.Visit, c call) (gjson.Result, error) {
	for attempt := 1; ; attempt++ {
		answer, err := s.sendAllowed(ctx, v, c)
		var r *refusal
		if !errors.As(err, &r) || !r.again || attempt == maxAttempts {
			return answer, err
		}
		if err := s.pause(ctx, attempt); err != nil {
			return gjson.Result{}, fmt.Errorf("%s: %w", c.op, err)
		}
	}
}

// A request that the shop wants again is sent this often in all, after a pause
// that grows with each attempt and is random, so that two do not meet again.
const (
	maxAttempts = 5
	again       = 100 * time.Millisecond
)

// pause waits before a request is sent again.
func (s *Shop) pause(ctx context.Context, attempt int) error {
	timer := time.NewTimer(time.Duration(attempt)*again/2 + time.Duration(s.jitter(int64(attempt)*int64(again))))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sendAllowed sends a request with the kept values that it wants.
func (s *Shop) sendAllowed(ctx context.Context, v upstream.Visit, c call) (gjson.Result, error) {
	var kept []string
	if len(s.m.Keep) > 0 {
		kept = keptIn(c.request, s.m.Headers)
	}
	answer, err := s.sendOnce(ctx, v, c, kept)
	if upstream.CodeOf(err) != upstream.CodeDenied || len(kept) == 0 {
		return answer, err
	}
	// A token may have ended before its time. One that is fresh and denied stays
	// denied.
	if !s.forget(kept) {
		return answer, err
	}
	return s.sendOnce(ctx, v, c, kept)
}

func (s *Shop) sendOnce(ctx context.Context, v upstream.Visit, c call, kept []string) (gjson.Result, error) {
	c.names = c.names.with(s.visitValues(v))
	for _, name := range kept {
		value, err := s.kept(ctx, v, name)
		if err != nil {
			return gjson.Result{}, err
		}
		c.names = c.names.with(map[string]any{"keep." + name: value})
	}
	r, err := s.build(c)
	if err != nil {
		return gjson.Result{}, s.unbuilt(c, err)
	}
	if s.asked != nil {
		s.asked(c, kept)
	}
	response, err := s.client.Do(ctx, v, r)
	if err != nil {
		return gjson.Result{}, s.classify(c, err)
	}
	c.session.keep(response.Header)
	answer, page := readAnswer(c, response)
	if page {
		return gjson.Result{}, s.unclear(c, response.Status)
	}
	if err := s.refusedBy(c, response.Status, answer); err != nil {
		return gjson.Result{}, err
	}
	return answer, nil
}

// readAnswer reads the JSON of an answer, and whether it is an HTML page instead.
func readAnswer(c call, response shopclient.Response) (answer gjson.Result, page bool) {
	if !c.blind {
		return response.JSON(), false
	}
	body := strings.TrimSpace(strings.TrimPrefix(response.Body, "\ufeff"))
	brackets := strings.Count(body, "[") + strings.Count(body, "{")
	switch {
	case brackets <= maxBrackets && gjson.Valid(body):
		return gjson.Parse(strings.ToValidUTF8(body, "\ufffd")), false
	case response.Status/100 == 2:
		return gjson.Result{}, strings.HasPrefix(body, "<") || brackets > maxBrackets
	}
	return gjson.Result{}, false
}

// unbuilt is the error for a request that could not be made of what was given.
func (s *Shop) unbuilt(c call, err error) error {
	var known *upstream.Error
	if errors.As(err, &known) {
		return err
	}
	return &upstream.Error{Code: upstream.CodeInvalid, Op: c.op, Text: "the request could not be made", Err: err}
}

// build makes the request of a call.
func (s *Shop) build(c call) (shopclient.Request, error) {
	m := c.request
	w := &writer{tables: s.m.Tables, money: s.m.Money, names: c.names}
	r := shopclient.Request{
		Op: c.op, Method: m.Method, Order: c.order, Refusals: true,
		Safe: c.reads || m.Method == http.MethodGet, Secrets: make(map[string]secret.String),
	}
	if c.blind {
		r.Accept = anything
	}
	for element := range strings.SplitSeq(strings.Trim(m.Path, "/"), "/") {
		text, err := w.text(Value{At: m.At, From: []Source{{Text: element}}})
		if err != nil {
			return r, err
		}
		if text == "" && element != "" {
			return r, upstream.Errorf(upstream.CodeInvalid, c.op, "%s: nothing is known of %s", m.At, element)
		}
		if element != "" {
			r.Path = append(r.Path, text)
		}
	}
	if len(m.Query) > 0 {
		r.Query = make(url.Values)
	}
	for _, q := range m.Query {
		texts, err := w.texts(q.Value)
		if err != nil {
			return r, err
		}
		r.Query[q.Name] = append(r.Query[q.Name], texts...)
	}
	for _, headers := range [][]Setting{s.m.Headers, m.Headers} {
		for _, h := range headers {
			text, err := w.text(h.Value)
			if err != nil {
				return r, err
			}
			if strings.ContainsAny(text, "\r\n\x00") {
				return r, faultf(h.At, "a header cannot have more than one line")
			}
			r.Secrets[h.Name] = secret.New(text)
		}
	}
	if cookie := c.session.header(); !cookie.IsZero() {
		r.Secrets["Cookie"] = cookie
	}
	if m.GraphQL == "" && m.Body == "" && len(m.Set) == 0 {
		return r, nil
	}
	body, err := s.body(w, c)
	r.Body = []byte(body)
	return r, err
}

// body writes the body of a call.
func (s *Shop) body(w *writer, c call) (string, error) {
	body := c.request.Body
	if body == "" {
		body = "{}"
	}
	body, err := w.set(body, c.request.Set)
	if err != nil {
		return "", err
	}
	for i, line := range c.lines {
		each := &writer{tables: w.tables, money: w.money, names: line}
		if body, err = each.setLine(body, i, c.request.Set); err != nil {
			return "", err
		}
	}
	if c.request.GraphQL == "" {
		return body, nil
	}
	document := c.request.GraphQL
	for _, name := range c.request.Fragments {
		document += "\n" + s.m.Fragments[name]
	}
	encoded, err := json.Marshal(struct {
		Query     string          `json:"query"`
		Variables json.RawMessage `json:"variables"`
	}{document, json.RawMessage(body)})
	return string(encoded), err
}
