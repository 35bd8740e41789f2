package shopclient

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

// ErrLost is wrapped by errors about a request that may have reached the shop
// and to which no clear answer came back.
var ErrLost = errors.New("the shop may have received it")

// maxRetryAfter is the longest time a shop is left alone for one answer.
const maxRetryAfter = time.Hour

// failure is an attempt that gave no answer.
type failure struct {
	err error
	// status is the HTTP status, if one came back.
	status int
	// repeat: another attempt may fare better.
	repeat bool
	// foreign is what came in place of an answer, where another server may have
	// answered: "404", say.
	foreign string
}

// final reports whether the request is not sent again. An order that may have
// been received is not: the second answer would say nothing of the first.
func (f *failure) final(r Request) bool {
	return !r.Safe || !f.repeat || r.Order && errors.Is(f.err, ErrLost)
}

// refused is the failure of a request that was not sent, for want of a slot.
func refused(r Request, err error) *failure {
	if !errors.Is(err, errFull) {
		return &failure{err: fmt.Errorf("%s: %w", r.Op, err)}
	}
	return &failure{err: &upstream.Error{
		Code: upstream.CodeBusy, Op: r.Op, RetryAfter: retryAfterFullQueue, Err: err,
	}}
}

// lost is the failure of a request whose answer did not come, or not whole. The
// attempt's context is trial, the caller's ctx.
func (c *Client) lost(ctx, trial context.Context, r Request, err error, sent bool) *failure {
	if ctx.Err() != nil {
		return abandoned(r, ctx.Err(), sent)
	}
	e := upstream.Errorf(upstream.CodeUnavailable, r.Op, "no connection to the shop")
	e.Err = err
	failed := &failure{err: e, repeat: true}
	switch {
	case trial.Err() != nil:
		e.Text, e.Err = fmt.Sprintf("no answer within %s", c.timeout), quiet{err}
		failed.repeat = false
	case isLocal(err):
		failed.repeat = !isTimeout(err)
	default:
		e.Text, e.Err = "the connection broke before the answer was complete", quiet{err}
	}
	if sent {
		markLost(r, e)
	}
	return failed
}

// abandoned is the failure of a request that its caller no longer waits for.
func abandoned(r Request, err error, sent bool) *failure {
	e := &upstream.Error{Op: r.Op, Err: err}
	if sent {
		markLost(r, e)
	}
	if e.Code == upstream.CodeUnknownOutcome {
		return &failure{err: e}
	}
	return &failure{err: fmt.Errorf("%s: %w", r.Op, e.Err)}
}

// unusable is the failure of a request that was answered with something else
// than an answer, described by what.
func unusable(r Request, status int, what string) *failure {
	what = fmt.Sprintf("%d with %s", status, what)
	e := upstream.Errorf(upstream.CodeUnavailable, r.Op, "the shop answered %s", what)
	markLost(r, e)
	return &failure{err: e, status: status, repeat: true, foreign: what}
}

// rejected is the failure of a request that was answered with a status other
// than 2xx. 4xx are clear answers, the others are not.
func (c *Client) rejected(r Request, status int, header http.Header) *failure {
	e := upstream.Errorf(upstream.CodeInvalid, r.Op, "the shop answered %d", status)
	failed := &failure{err: e, status: status}
	switch {
	case status == http.StatusTooManyRequests:
		e.Code, e.RetryAfter = upstream.CodeBusy, c.retryAfter(header)
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		e.Code = upstream.CodeDenied
	case status == http.StatusNotFound, status == http.StatusGone:
		e.Code, failed.foreign = upstream.CodeNotFound, strconv.Itoa(status)
	case status == http.StatusMethodNotAllowed:
		failed.foreign = strconv.Itoa(status)
	case status/100 == 4 && status != http.StatusRequestTimeout:
	case status/100 == 3:
		e.Code, e.Text = upstream.CodeUnavailable, e.Text+redirection(header)
	default:
		e.Code, e.RetryAfter = upstream.CodeUnavailable, c.retryAfter(header)
		if status == http.StatusServiceUnavailable && e.RetryAfter > 0 {
			e.Code = upstream.CodeBusy
		}
		failed.repeat = e.RetryAfter == 0
		markLost(r, e)
	}
	return failed
}

// markLost marks the error of a write that the shop may have received.
func markLost(r Request, e *upstream.Error) {
	if r.Order {
		e.Code = upstream.CodeUnknownOutcome
	}
	switch {
	case r.Safe && !r.Order:
	case e.Err == nil:
		e.Err = ErrLost
	default:
		e.Err = fmt.Errorf("%w: %w", ErrLost, e.Err)
	}
}

// redirection says where a redirect would have led, as far as it helps whoever
// configured the shop's URL. The rest of the address is the shop's own matter.
func redirection(header http.Header) string {
	to, err := url.Parse(header.Get("Location"))
	if err != nil || to.Host == "" {
		return ", a redirect"
	}
	origin := url.URL{Scheme: to.Scheme, Host: to.Host}
	return fmt.Sprintf(", a redirect to %.100q", origin.String())
}

// retryAfter reads a Retry-After header of either form (RFC 9110 §10.2.3), zero
// where there is none to read.
func (c *Client) retryAfter(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(date.Sub(c.now()), 0), maxRetryAfter)
}

// quiet is a cause whose text may quote what the shop sent.
type quiet struct{ err error }

func (q quiet) Error() string { return fmt.Sprintf("%T", q.err) }

func (q quiet) Unwrap() error { return q.err }

// isDial reports whether no connection was made.
func isDial(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// isLocal reports whether err was made on this side, so that its text holds
// nothing of the shop's: who cannot connect wants to read why.
func isLocal(err error) bool {
	var certificate *tls.CertificateVerificationError
	return isDial(err) || errors.As(err, &certificate)
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}
