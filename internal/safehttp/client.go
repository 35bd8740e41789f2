package safehttp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

const (
	defaultTimeout = 3 * time.Second
	defaultMaxBody = 64 << 10
	maxHeader      = 16 << 10
)

// Options are the limits of a Client. The zero value is right for production.
type Options struct {
	// Timeout bounds a call from the look-up of the name to the last byte of the
	// body. Zero means 3 seconds.
	Timeout time.Duration

	// MaxBody bounds the body of an answer in bytes. Zero means 64 KiB.
	MaxBody int64

	// AllowLoopback lets the client call addresses on this machine's loopback
	// interface, with plain http too. It is for development and tests.
	AllowLoopback bool

	// UserAgent is sent with requests that name none. Empty means "storeware".
	UserAgent string

	// RootCAs are the authorities that may vouch for a host; nil means the
	// system's.
	RootCAs *x509.CertPool

	// Resolver looks up names; nil means the system's.
	Resolver *net.Resolver

	// KeepAlive is how long a connection is kept for another call to the same
	// host, whose address was checked when it was made. Zero means that none is
	// kept.
	KeepAlive time.Duration
}

// maxIdle is how many connections to one host are kept.
const maxIdle = 64

// Client calls URLs that strangers name. One that keeps connections must be
// closed; any other has nothing to close. It is safe for concurrent use.
type Client struct {
	options Options
	https   *http.Transport
	http    *http.Transport // nil without AllowLoopback
}

// NewClient returns a client within the limits of o.
func NewClient(o Options) *Client {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxBody == 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.UserAgent == "" {
		o.UserAgent = "storeware"
	}
	c := &Client{options: o}
	// Two of them, since a dialler cannot tell which scheme it dials for.
	c.https = o.newTransport(c.allowed)
	if o.AllowLoopback {
		c.http = o.newTransport(isLoopback)
	}
	return c
}

// Close closes the connections that are kept and not in use.
func (c *Client) Close() {
	c.https.CloseIdleConnections()
	if c.http != nil {
		c.http.CloseIdleConnections()
	}
}

// Response is the whole answer to a call.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends the request and reads the answer, whatever its status is, unless it
// is a redirect. The request's context may end the call before the time-out does.
//
// The error wraps ErrURL, ErrScheme, ErrForbiddenAddress, ErrUnreachable,
// ErrRedirect or ErrTooLarge, or is the error of the request's context.
func (c *Client) Do(req *http.Request) (*Response, error) {
	if err := c.Check(req.URL); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(req.Context(), c.options.Timeout)
	defer cancel()
	response, err := c.do(req.Clone(ctx))
	switch {
	case err == nil:
		return response, nil
	case req.Context().Err() != nil:
		return nil, fmt.Errorf("calling %s: %w", req.URL.Host, context.Cause(req.Context()))
	case errors.Is(err, ErrForbiddenAddress), errors.Is(err, ErrRedirect), errors.Is(err, ErrTooLarge):
		return nil, fmt.Errorf("calling %s: %w", req.URL.Host, err)
	}
	return nil, fmt.Errorf("calling %s: %w: %w", req.URL.Host, ErrUnreachable, err)
}

// Check reports what is wrong with u as far as this can be known before its name
// is resolved. The error wraps ErrURL, ErrScheme or ErrForbiddenAddress.
func (c *Client) Check(u *url.URL) error {
	switch {
	case u == nil || u.Hostname() == "" || u.User != nil:
		return ErrURL
	case u.Scheme == "https", u.Scheme == "http" && c.http != nil:
	default:
		return ErrScheme
	}
	addr, err := netip.ParseAddr(u.Hostname())
	if err != nil {
		return nil // It is a name, whose address is checked when it is dialled.
	}
	if u.Scheme == "https" && c.allowed(addr) || u.Scheme == "http" && isLoopback(addr) {
		return nil
	}
	return fmt.Errorf("%s: %w", addr, ErrForbiddenAddress)
}

// do makes the call with a transport itself. An http.Client would only add what
// is not wanted here: redirects, cookies, and errors that repeat the whole URL.
func (c *Client) do(req *http.Request) (*Response, error) {
	transport := c.https
	if req.URL.Scheme == "http" {
		transport = c.http
	}
	if req.Header == nil {
		req.Header = make(http.Header)
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", c.options.UserAgent)
	}
	response, err := transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()

	if isRedirect(response.StatusCode) {
		return nil, fmt.Errorf("status %d: %w", response.StatusCode, ErrRedirect)
	}
	if response.ContentLength > c.options.MaxBody {
		return nil, fmt.Errorf("%d bytes: %w", response.ContentLength, ErrTooLarge)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, c.options.MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if int64(len(body)) > c.options.MaxBody {
		return nil, fmt.Errorf("over %d bytes: %w", c.options.MaxBody, ErrTooLarge)
	}
	return &Response{Status: response.StatusCode, Header: response.Header, Body: body}, nil
}

// allowed reports whether the client may connect to addr with https.
func (c *Client) allowed(addr netip.Addr) bool {
	return isPublic(addr) || c.options.AllowLoopback && isLoopback(addr)
}

// newTransport returns a transport that connects to allowed addresses only.
func (o Options) newTransport(allowed func(netip.Addr) bool) *http.Transport {
	dialer := &net.Dialer{
		Resolver: o.Resolver,
		// This runs for every address that is tried, just before it is.
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			target, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			if !allowed(target.Addr()) {
				return fmt.Errorf("%s: %w", target.Addr(), ErrForbiddenAddress)
			}
			return nil
		},
	}
	return &http.Transport{
		Proxy:                  nil, // Least of all one from the environment.
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
		ForceAttemptHTTP2:      true,
		DisableKeepAlives:      o.KeepAlive == 0,
		IdleConnTimeout:        o.KeepAlive,
		MaxIdleConnsPerHost:    maxIdle,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// isLoopback reports whether addr is on this machine's loopback interface.
func isLoopback(addr netip.Addr) bool { return addr.Unmap().IsLoopback() }

// isRedirect reports whether a status sends the caller to another URL.
func isRedirect(status int) bool {
	return status >= 300 && status < 400 && status != http.StatusNotModified
}
