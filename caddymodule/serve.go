package caddymodule

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"go.uber.org/zap"

	"github.com/storeware/caddy-storeware/internal/httpsig"
	"github.com/storeware/caddy-storeware/internal/safehttp"
	"github.com/storeware/caddy-storeware/translate/ucp"
)

// startRetry is when to try again while the app is starting.
const startRetry = 2 * time.Second

// serveProtocol answers a request on a protocol path, with a signed answer
// whatever happens. Nothing is left to the server's error handling, which signs
// nothing.
func (h *Handler) serveProtocol(w http.ResponseWriter, r *http.Request, t *route) error {
	began, c := time.Now(), clientOf(r)
	a := newAnswer()
	defer a.free()

	event := h.fill(a, r, t, c)
	signer, err := h.signer(r.Context())
	if err != nil {
		// Without a key nobody could tell the answer from a forged one.
		h.logger.Error("reading the signing keys", zap.Error(err))
		panic(http.ErrAbortHandler)
	}
	if err := a.send(w, r, c, signer); err != nil {
		event = a.fail(t, err)
		if err := a.send(w, r, c, signer); err != nil {
			h.logger.Error("signing an answer", zap.Error(err))
			panic(http.ErrAbortHandler)
		}
	}
	metrics.signed(h.Name)
	if event != nil {
		event.Status, event.Duration = a.status, time.Since(began)
		h.observe(t.protocol, *event)
	}
	return nil
}

// fill writes the answer to a request, which is an error in the protocol's form
// when something goes wrong. The event is nil where the route's handler has told
// its own.
func (h *Handler) fill(a *answer, r *http.Request, t *route, c client) (event *ucp.Event) {
	defer func() {
		if v := recover(); v != nil {
			if v == http.ErrAbortHandler {
				panic(v)
			}
			event = a.fail(t, fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
		}
	}()
	leave, ok := h.app.enter(r.Context())
	if !ok {
		a.header.Set("Retry-After", strconv.Itoa(int(startRetry/time.Second)))
		t.refuse(a, http.StatusServiceUnavailable, string(ucp.Unavailable), "The shop is being opened; try again in a moment")
		return &ucp.Event{Outcome: string(ucp.Unavailable)}
	}
	defer leave()
	d, err := h.door(c)
	switch {
	case errors.Is(err, safehttp.ErrURL):
		t.refuse(a, http.StatusBadRequest, string(ucp.InvalidRequest), "The Host of the request is no name of a host")
		return &ucp.Event{Outcome: string(ucp.InvalidRequest)}
	case err != nil:
		return a.fail(t, err)
	}
	t.handler(d).ServeHTTP(a, c.request(r))
	if t.operation == "" {
		return nil
	}
	return &ucp.Event{Operation: t.operation, Outcome: outcomeOf(a.status)}
}

// fail makes the answer that of a failure which nobody saw coming.
func (a *answer) fail(t *route, err error) *ucp.Event {
	a.clear()
	t.refuse(a, http.StatusInternalServerError, string(ucp.InternalError), "Something went wrong here; the shop has a record of it")
	return &ucp.Event{Outcome: string(ucp.InternalError), Err: err}
}

// signer signs for the shop. Its keys are read when a request comes before the
// app has started.
func (h *Handler) signer(ctx context.Context) (*httpsig.Signer, error) {
	if h.app.hasStarted() {
		return h.ring.Signer(), nil
	}
	ring, err := h.app.ring(ctx, h.Name)
	if err != nil {
		return nil, err
	}
	return ring.Signer(), nil
}

// outcomeOf is the outcome of a request that has none but its status.
func outcomeOf(status int) string {
	switch {
	case status < http.StatusBadRequest:
		return "ok"
	case status == http.StatusNotFound:
		return string(ucp.RouteNotFound)
	case status == http.StatusMethodNotAllowed:
		return string(ucp.MethodNotAllowed)
	}
	return string(ucp.InternalError)
}

// observer returns what is told of the requests of a binding.
func (h *Handler) observer(protocol string) func(context.Context, ucp.Event) {
	return func(_ context.Context, e ucp.Event) { h.observe(protocol, e) }
}

// observe counts a request and logs it: failures of ours or of the shop as errors,
// and who reads the profile only for debugging.
func (h *Handler) observe(protocol string, e ucp.Event) {
	metrics.request(h.Name, protocol, e)
	level := zap.InfoLevel
	switch {
	case e.Status >= http.StatusInternalServerError || e.Err != nil && e.Status < http.StatusBadRequest:
		level = zap.ErrorLevel
	case e.Operation == profileOperation:
		level = zap.DebugLevel
	}
	entry := h.logger.Check(level, "answered")
	if entry == nil {
		return
	}
	fields := []zap.Field{
		zap.String("protocol", protocol),
		zap.String("operation", e.Operation),
		zap.String("outcome", e.Outcome),
		zap.Int("status", e.Status),
		zap.Duration("duration", e.Duration),
		zap.String("agent", e.Agent),
	}
	if e.RequestID != "" {
		fields = append(fields, zap.String("request_id", e.RequestID))
	}
	if e.Replayed {
		fields = append(fields, zap.Bool("replayed", true))
	}
	if e.Signature != "" {
		fields = append(fields, zap.String("signature", e.Signature))
	}
	if e.Err != nil {
		fields = append(fields, zap.Error(e.Err))
	}
	entry.Write(fields...)
}
