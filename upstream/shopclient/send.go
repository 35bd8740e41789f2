package shopclient

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// drain is the most that is read of a body that nobody wants, in bytes.
const drain = 64 << 10

// send makes one attempt.
func (c *Client) send(ctx context.Context, out outgoing) (Response, *failure) {
	trial, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	var line wire
	response, err := c.transport.RoundTrip(out.httpRequest(line.trace(trial)))
	if err != nil {
		return Response{}, c.lost(ctx, trial, out.Request, err, line.sent(err))
	}
	defer finish(response.Body)
	return c.receive(ctx, trial, out.Request, response)
}

// finish reads what is left of a short body, so that the connection can be used
// again, and closes it.
func finish(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, drain) // However it ends, it is closed.
	_ = body.Close()
}

// httpRequest is what the transport sends. The transport is called without an
// http.Client around it: nothing follows a redirect, nothing keeps a cookie, and
// no error repeats the URL with its query.
func (out *outgoing) httpRequest(ctx context.Context) *http.Request {
	method := http.MethodGet
	if out.Body != nil {
		method = http.MethodPost
	}
	request := (&http.Request{
		Method: cmp.Or(out.Method, method),
		URL:    out.address,
		Host:   out.address.Host,
		Header: out.header,
		Proto:  "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	if len(out.Body) > 0 {
		request.ContentLength = int64(len(out.Body))
		request.GetBody = func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(out.Body)), nil
		}
		request.Body, _ = request.GetBody() // It never fails.
	}
	return request
}

// wire knows whether anything can have left for the shop.
type wire struct {
	asked     atomic.Bool
	connected atomic.Bool
}

func (w *wire) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { w.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { w.connected.Store(true) },
	})
}

// sent reports whether the shop can have received the request. A request that
// got a connection counts: whether it was written before it failed is not known
// for sure. So does one whose transport says nothing of connections.
func (w *wire) sent(err error) bool {
	if w.asked.Load() {
		return w.connected.Load()
	}
	return !isDial(err)
}
