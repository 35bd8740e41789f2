package httpdoor

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Document is JSON that is for everybody, whoever asks and from wherever. It is
// an http.Handler that answers at whatever path it is put.
type Document struct {
	Body []byte
	// ETag is the body's entity tag, MaxAge how long it may be kept.
	ETag   string
	MaxAge time.Duration
	// Refuse writes a failure in the form of the document's protocol.
	Refuse func(*Failure) *Answer
}

// ETagOf returns an entity tag for a body: the same for the same bytes.
func ETagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// anyOrigin lets every origin read.
var anyOrigin = []string{"*"}

// ServeHTTP implements http.Handler.
func (d Document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const allowed = "GET, HEAD, OPTIONS"
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		d.answer(r).Write(w, r)
	case http.MethodOptions:
		preflight(allowed, anyOrigin, r.Header).Write(w, r)
	default:
		a := d.Refuse(Refuse(http.StatusMethodNotAllowed, MethodNotAllowed, "This document takes %s", allowed))
		a.Header.Set("Allow", allowed)
		a.Header.Set("Cache-Control", "no-store, no-transform")
		AllowOrigin(a.Header, r.Header, anyOrigin)
		a.Write(w, r)
	}
}

// answer returns the answer with the document, without it for whoever has it.
func (d Document) answer(r *http.Request) *Answer {
	a := JSON(http.StatusOK, d.Body)
	if knows(r.Header.Values("If-None-Match"), d.ETag) {
		a = JSON(http.StatusNotModified, nil)
	}
	a.Header.Set("ETag", d.ETag)
	a.Header.Set("Cache-Control", fmt.Sprintf("public, max-age=%d, no-transform", d.MaxAge/time.Second))
	AllowOrigin(a.Header, r.Header, anyOrigin)
	return a
}

// knows reports whether a caller that sent these values of If-None-Match has what
// the entity tag is of (RFC 9110, section 13.1.2).
func knows(values []string, etag string) bool {
	for _, value := range values {
		for tag := range strings.SplitSeq(value, ",") {
			tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
			if tag == "*" || tag == etag {
				return true
			}
		}
	}
	return false
}
