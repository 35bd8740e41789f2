package shopclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// What a Config leaves open.
const (
	defaultTimeout       = 10 * time.Second
	defaultMaxConcurrent = 32
	defaultMaxBody       = 4 << 20
)

// Limits that nobody sets.
const (
	dialTimeout         = 3 * time.Second
	tlsTimeout          = 5 * time.Second
	idleTimeout         = 90 * time.Second
	maxResponseHeader   = 256 << 10
	waitingPerSlot      = 4
	attempts            = 2
	retryPause          = 50 * time.Millisecond
	retryJitter         = 100 * time.Millisecond
	retryAfterFullQueue = time.Second
)

// Config says which shop is called and within which limits. Only BaseURL must be
// given.
type Config struct {
	// BaseURL is where the shop's API begins: http or https, without
	// credentials, query and fragment. One without a path begins at the root.
	BaseURL *url.URL
	// Timeout bounds one attempt, from sending to the last byte of the answer,
	// and the wait for a free slot before it. It is 10 s by default.
	Timeout time.Duration
	// MaxConcurrent is how many requests run at once, 32 by default. Four times
	// as many wait; who comes then, or waits longer than Timeout, gets
	// [upstream.CodeBusy].
	MaxConcurrent int
	// MaxBody is the longest body of an answer in bytes after decompression,
	// 4 MiB by default.
	MaxBody int64
	// Header is sent with every request.
	Header http.Header
	// Secrets are headers too, with values that are not for printing.
	Secrets map[string]secret.String
	// Transport takes the place of the client's own connections, in tests and
	// for a shop in the same process.
	Transport http.RoundTripper
	// Observe is told of every attempt, from the goroutine that made it. It may
	// be nil.
	Observe func(Call)
	// Now is the clock for a Retry-After that is a date, time.Now by default.
	Now func() time.Time
	// Jitter returns a number in [0, n), at random by default.
	Jitter func(n int64) int64
}

// Call is an attempt that was made, for metrics.
type Call struct {
	// Op is the Request's.
	Op string
	// Attempt is 1, or 2 when a safe request was repeated.
	Attempt int
	// Duration runs from sending to the end of the answer. For a request that
	// found no free slot it is how long that took.
	Duration time.Duration
	// Status is the HTTP status, 0 where none came back.
	Status int
	// Err is why the attempt gave no answer.
	Err error
}

// Client calls one shop. It is safe for concurrent use.
type Client struct {
	base      url.URL
	timeout   time.Duration
	maxBody   int64
	header    http.Header
	secrets   map[string]secret.String
	transport http.RoundTripper
	observe   func(Call)
	now       func() time.Time
	jitter    func(int64) int64
	gate      *gate
	buffers   buffers
}

// New returns a client. It does no I/O.
func New(config Config) (*Client, error) {
	if err := checkBase(config.BaseURL); err != nil {
		return nil, err
	}
	timeout := cmp.Or(config.Timeout, defaultTimeout)
	concurrent := cmp.Or(config.MaxConcurrent, defaultMaxConcurrent)
	maxBody := cmp.Or(config.MaxBody, defaultMaxBody)
	if timeout < 0 || concurrent < 0 || maxBody < 0 {
		return nil, errors.New("a limit of the shop's client is negative")
	}
	c := &Client{
		base:      *config.BaseURL,
		timeout:   timeout,
		maxBody:   maxBody,
		header:    config.Header.Clone(),
		secrets:   config.Secrets,
		transport: config.Transport,
		observe:   config.Observe,
		now:       config.Now,
		jitter:    config.Jitter,
		gate:      newGate(concurrent, timeout),
	}
	if c.base.Path == "" {
		// Elements joined to no path at all would begin without a slash.
		c.base.Path = "/"
	}
	if c.transport == nil {
		c.transport = newTransport(concurrent)
	}
	if c.observe == nil {
		c.observe = func(Call) {}
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.jitter == nil {
		c.jitter = rand.Int64N
	}
	return c, nil
}

// checkBase refuses a URL that could not be called as it stands.
func checkBase(base *url.URL) error {
	switch {
	case base == nil:
		return errors.New("the shop's URL is missing")
	case base.Scheme != "http" && base.Scheme != "https":
		return errors.New("the shop's URL must begin with http:// or https://")
	case base.Host == "":
		return errors.New("the shop's URL has no host")
	case base.User != nil:
		return errors.New("the shop's URL must not hold credentials")
	case base.RawQuery != "" || base.Fragment != "":
		return errors.New("the shop's URL must end with its path")
	}
	return nil
}

// newTransport returns connections that are kept for as many requests as run at
// once. It has neither cookies nor the environment's proxy: what a shop hears
// follows from the configuration alone.
func newTransport(concurrent int) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTimeout}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    tlsTimeout,
		MaxIdleConns:           concurrent,
		MaxIdleConnsPerHost:    concurrent,
		MaxConnsPerHost:        concurrent,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxResponseHeader,
		ForceAttemptHTTP2:      true,
	}
}

// Close closes the connections that are kept for later. Requests under way go
// on, and the client can still be used.
func (c *Client) Close() {
	if idle, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		idle.CloseIdleConnections()
	}
}

// Do sends a request and returns its answer. The error is an [*upstream.Error]
// or wraps ctx.Err(); it is both when the context ended while a request with
// [Request.Order] was under way.
func (c *Client) Do(ctx context.Context, v upstream.Visit, r Request) (Response, error) {
	address, err := c.address(r)
	if err != nil {
		return Response{}, err
	}
	out := outgoing{r, address, c.headers(v, r)}
	for attempt := 1; ; attempt++ {
		response, failed := c.try(ctx, attempt, out)
		if failed == nil {
			return response, nil
		}
		if attempt == attempts || failed.final(r) {
			return Response{}, c.told(r, failed)
		}
		if err := c.pause(ctx); err != nil {
			return Response{}, fmt.Errorf("%s: %w", r.Op, err)
		}
	}
}

// outgoing is a request with all that is sent.
type outgoing struct {
	Request
	address *url.URL
	header  http.Header
}

// try makes one attempt in a slot of its own and tells the observer.
func (c *Client) try(ctx context.Context, attempt int, out outgoing) (response Response, failed *failure) {
	call := Call{Op: out.Op, Attempt: attempt}
	start := c.now()
	defer func() {
		call.Duration, call.Status = c.now().Sub(start), response.Status
		if failed != nil {
			call.Status, call.Err = failed.status, failed.err
		}
		c.observe(call)
	}()
	if err := c.gate.enter(ctx); err != nil {
		return Response{}, refused(out.Request, err)
	}
	defer c.gate.leave()
	start = c.now()
	return c.send(ctx, out)
}

// pause waits a short random time before a request is repeated.
func (c *Client) pause(ctx context.Context) error {
	timer := time.NewTimer(retryPause + time.Duration(c.jitter(int64(retryJitter))))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
