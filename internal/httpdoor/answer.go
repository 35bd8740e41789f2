package httpdoor

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Answer is an HTTP response before it is sent.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	// Sent, if not nil, is called once the body is no longer needed.
	Sent func()
}

// JSON returns an answer whose body is JSON, or none.
func JSON(status int, body []byte) *Answer {
	a := &Answer{Status: status, Header: http.Header{}, Body: body}
	if body != nil {
		a.Header.Set("Content-Type", "application/json")
		a.Header.Set("X-Content-Type-Options", "nosniff")
	}
	return a
}

// Write sends the answer to a request: in one piece, and to HEAD without the
// body, of which the length is told all the same.
func (a *Answer) Write(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for name, values := range a.Header {
		header[name] = values
	}
	if id := requestID(r.Header); id != "" {
		header.Set("Request-Id", id)
	}
	if a.Body != nil {
		header.Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	w.WriteHeader(a.Status)
	if a.Body != nil && r.Method != http.MethodHead {
		// Whoever no longer listens need not be told.
		_, _ = w.Write(a.Body)
	}
}

// MaxRequestID bounds the id of a request, in bytes.
const MaxRequestID = 128

// requestID returns the caller's id for its request, nothing for one that is too
// long or has other than visible characters of ASCII.
func requestID(header http.Header) string {
	id := header.Get("Request-Id")
	visible := func(r rune) bool { return r > ' ' && r < 0x7f }
	if len(id) > MaxRequestID || strings.ContainsFunc(id, func(r rune) bool { return !visible(r) }) {
		return ""
	}
	return id
}

// seconds writes a duration for Retry-After.
func seconds(d time.Duration) string { return strconv.FormatInt(WholeSeconds(d), 10) }

// WholeSeconds rounds a duration up to seconds, of which there is one at least.
func WholeSeconds(d time.Duration) int64 { return max(int64((d+time.Second-1)/time.Second), 1) }
