package caddymodule

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// maxAnswer bounds an answer that is to be signed, in bytes: it has to be in
// memory as a whole. A search answers a few hundred kilobytes at most.
const maxAnswer = 16 << 20

// errTooLong says that an answer was longer than maxAnswer.
var errTooLong = errors.New("the answer is too long to be signed")

// answer is a response that is kept until it is whole. It is an
// http.ResponseWriter without any of the optional methods.
type answer struct {
	header  http.Header
	status  int
	body    *bytes.Buffer
	tooLong bool
}

// answerBodies are buffers for the bodies of answers.
var answerBodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooledBody is the largest buffer that is kept for later, in bytes.
const maxPooledBody = 1 << 20

func newAnswer() *answer {
	return &answer{header: http.Header{}, body: answerBodies.Get().(*bytes.Buffer)}
}

// free gives the buffer back. The answer must not be used afterwards.
func (a *answer) free() {
	if a.body.Cap() <= maxPooledBody {
		a.body.Reset()
		answerBodies.Put(a.body)
	}
	a.body = nil
}

// clear makes the answer as if nothing had been written to it.
func (a *answer) clear() {
	clear(a.header)
	a.status, a.tooLong = 0, false
	a.body.Reset()
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.body.Len()+len(p) > maxAnswer {
		a.tooLong = true
		return 0, errTooLong
	}
	return a.body.Write(p)
}

// send signs the answer and sends it. What a signature covers is set here for the
// last time, so no handler outside of this one may change it.
func (a *answer) send(w http.ResponseWriter, r *http.Request, c client, signer *httpsig.Signer) error {
	if a.tooLong {
		return errTooLong
	}
	a.WriteHeader(http.StatusOK)
	keepWhole(a.header)
	signed := httpsig.Response{Status: a.status, Header: a.header, Body: a.body.Bytes(), Request: c.signable()}
	switch {
	case a.status == http.StatusNoContent || a.status == http.StatusNotModified:
		signed.Body = nil
		a.header.Del("Content-Length")
	case r.Method == http.MethodHead:
		if signed.Body != nil && a.header.Get("Content-Length") == "" {
			a.header.Set("Content-Length", strconv.Itoa(len(signed.Body)))
		}
		signed.Body = nil
	default:
		a.header.Set("Content-Length", strconv.Itoa(len(signed.Body)))
	}
	if err := signer.SignResponse(&signed); err != nil {
		return err
	}
	header := w.Header()
	for name, values := range a.header {
		header[name] = values
	}
	w.WriteHeader(a.status)
	// Whoever no longer listens need not be told.
	_, _ = w.Write(signed.Body)
	return nil
}

// keepWhole tells everybody on the way to leave the body as it is (RFC 9111,
// section 5.2.2.6): one that was compressed on the way does not have its digest
// any more.
func keepWhole(h http.Header) {
	control := strings.Join(h.Values("Cache-Control"), ", ")
	for directive := range strings.SplitSeq(control, ",") {
		if strings.EqualFold(strings.TrimSpace(directive), "no-transform") {
			return
		}
	}
	if control != "" {
		control += ", "
	}
	h.Set("Cache-Control", control+"no-transform")
}
