package shopclient

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/storeware/caddy-storeware/upstream"
)

// told is the error of a failure, as [Request.System] wants it.
func (c *Client) told(r Request, failed *failure) error {
	if r.System == "" || failed.foreign == "" {
		return failed.err
	}
	return c.Foreign(r, failed.foreign)
}

// Foreign is the error for an answer to r, described by what, that no shop of
// r.System gives. Of the address it tells the path, which an operator has written.
func (c *Client) Foreign(r Request, what string) *upstream.Error {
	method := http.MethodGet
	if r.Body != nil {
		method = http.MethodPost
	}
	path := c.base.EscapedPath()
	if address, err := c.address(r); err == nil {
		path = address.EscapedPath()
	}
	return &upstream.Error{
		Code: upstream.CodeUnavailable, Op: r.Op, Err: upstream.ErrForeign,
		Text: fmt.Sprintf("this does not look like a %s shop (%s %s was answered with %s)", r.System, cmp.Or(r.Method, method), path, what),
	}
}
