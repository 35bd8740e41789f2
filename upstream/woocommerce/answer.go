package woocommerce

import (
	"net/http"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// maxRetryAfter is the longest time a shop is left alone for one answer.
const maxRetryAfter = time.Hour

// answer is what a shop said: what was asked for, or a refusal.
type answer struct {
	op     string
	status int
	header http.Header
	body   gjson.Result
}

// refused reports whether the shop did not do what was asked.
func (a answer) refused() bool { return a.status/100 != 2 }

// code names a refusal in WordPress's words, such as rest_no_route. It is empty
// where the answer is none.
func (a answer) code() string {
	if !a.refused() {
		return ""
	}
	return a.body.Get("code").String()
}

// message is the refusal in the shop's own language. It is read for hints and
// shown to nobody.
func (a answer) message() string { return plain(a.body.Get("message").String()) }

// err is the refusal for a caller who can do nothing about it.
func (a answer) err() error {
	if !a.refused() {
		return nil
	}
	code := upstream.CodeInvalid
	switch {
	case a.status == http.StatusUnauthorized, a.status == http.StatusForbidden:
		code = upstream.CodeDenied
	case a.code() == "rest_no_route":
		code = upstream.CodeUnsupported
	case a.status == http.StatusNotFound:
		code = upstream.CodeNotFound
	case a.status/100 == 5:
		code = upstream.CodeUnavailable
	}
	return upstream.Errorf(code, a.op, "the shop answered %d", a.status)
}

// busy is the refusal of a shop that has had too many requests. WooCommerce says
// so with status 400 and headers of its own.
func (a answer) busy() error {
	e := upstream.Errorf(upstream.CodeBusy, a.op, "the shop's limit of requests is reached")
	if seconds, err := strconv.ParseUint(a.header.Get("RateLimit-Retry-After"), 10, 32); err == nil {
		e.RetryAfter = min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	return e
}

// total is how many there are in all pages of a list.
func (a answer) total() int {
	n, err := strconv.Atoi(a.header.Get(totalHeader))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// pages is how many pages a list has.
func (a answer) pages() int {
	n, err := strconv.Atoi(a.header.Get(pagesHeader))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
