package ucp

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Discovery serves a shop's profile, which is for everybody (overview, "Hosting").
// It answers at whatever path it is put.
type Discovery struct {
	// Business returns what the shop offers now.
	Business func() *Business
}

// ServeHTTP implements http.Handler.
func (d *Discovery) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const allowed = "GET, HEAD, OPTIONS"
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		d.profile(r).write(w, r)
	case http.MethodOptions:
		preflight(allowed, anyOrigin, r.Header).write(w, r)
	default:
		f := refuse(http.StatusMethodNotAllowed, MethodNotAllowed, "The profile takes %s", allowed)
		a := newAnswer(f.Status, f.body())
		a.header.Set("Allow", allowed)
		a.header.Set("Cache-Control", "no-store, no-transform")
		a.write(w, r)
	}
}

// profile returns the answer with the profile, without it for whoever has it.
func (d *Discovery) profile(r *http.Request) *answer {
	b := d.Business()
	a := newAnswer(http.StatusOK, b.Profile)
	if knows(r.Header.Values("If-None-Match"), b.ETag) {
		a = newAnswer(http.StatusNotModified, nil)
	}
	a.header.Set("ETag", b.ETag)
	a.header.Set("Cache-Control", fmt.Sprintf("public, max-age=%d, no-transform", b.MaxAge/time.Second))
	allowOrigin(a.header, r.Header, anyOrigin)
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
