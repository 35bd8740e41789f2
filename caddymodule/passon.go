package caddymodule

import (
	"errors"
	"net/http"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// passOn hands on a request that is none of ours.
//
// When that fails, Caddy's error log writes the headers that the request came with,
// and an agent that reads the shop's pages may have sent its key along. So the error
// of a request with X-API-Key ends here: it is answered as Caddy answers it, by the
// site's error routes if there are any, and logged without the headers.
func (h *Handler) passOn(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	keyed := len(r.Header.Values(loggedKey)) > 0
	err := next.ServeHTTP(w, r)
	if err == nil || !keyed {
		return err
	}
	failure := handlerError(err)
	level := zap.DebugLevel
	if failure.StatusCode >= http.StatusInternalServerError {
		level = zap.ErrorLevel
	}
	server, ok := r.Context().Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server)
	if ok && server.Errors != nil && len(server.Errors.Routes) > 0 {
		err := serveError(w, r, server.Errors, failure)
		if err == nil {
			h.logFailure(zap.DebugLevel, r, failure)
			return nil
		}
		level, failure.Err = zap.ErrorLevel, errors.Join(failure.Err, err)
	}
	h.logFailure(level, r, failure)
	w.WriteHeader(failure.StatusCode)
	return nil
}

// handlerError returns err as an error that has a status. One without is a 500, as
// in Caddy.
func handlerError(err error) caddyhttp.HandlerError {
	var failure caddyhttp.HandlerError
	if errors.As(err, &failure) {
		return failure
	}
	return caddyhttp.Error(http.StatusInternalServerError, err)
}

// serveError answers with the site's error routes, which see the request as it was
// before it was rewritten.
func serveError(w http.ResponseWriter, r *http.Request, routes *caddyhttp.HTTPErrorConfig, failure caddyhttp.HandlerError) error {
	if original, ok := r.Context().Value(caddyhttp.OriginalRequestCtxKey).(http.Request); ok {
		r.Method, r.RemoteAddr, r.RequestURI = original.Method, original.RemoteAddr, original.RequestURI
		*r.URL = *original.URL // which placeholders read, too
	}
	r = routes.WithError(r, failure)
	return routes.Routes.Compile(caddyhttp.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) error {
		w.WriteHeader(failure.StatusCode)
		return nil
	})).ServeHTTP(w, r)
}

// logFailure logs an error without the headers of its request.
func (h *Handler) logFailure(level zapcore.Level, r *http.Request, failure caddyhttp.HandlerError) {
	if entry := h.logger.Check(level, "the next handler failed"); entry != nil {
		entry.Write(zap.String("method", r.Method), zap.String("host", r.Host), zap.String("uri", r.RequestURI),
			zap.Int("status", failure.StatusCode), zap.String("err_id", failure.ID), zap.String("err_trace", failure.Trace),
			zap.NamedError("error", failure.Err))
	}
}
