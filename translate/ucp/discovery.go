package ucp

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/translate/answer/schema"
)

// Discovery serves a shop's profile, which is for everybody (overview, "Hosting").
// It answers at whatever path it is put.
type Discovery struct {
	// Business returns what the shop offers now.
	Business func() *Business
}

// ServeHTTP implements http.Handler.
func (d *Discovery) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b := d.Business()
	document{b.Profile, b.ETag, b.MaxAge}.ServeHTTP(w, r)
}

// AnswerSchema serves the JSON Schema of answers, at whatever path it is put. A
// version of it never changes.
func AnswerSchema() http.Handler {
	sum := sha256.Sum256(schema.Document())
	return document{schema.Document(), `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`, schemaMaxAge}
}

const schemaMaxAge = 30 * 24 * time.Hour

// anyOrigin lets every origin read.
var anyOrigin = []string{"*"}

// document is JSON that is for everybody.
type document struct {
	body   []byte
	etag   string
	maxAge time.Duration
}

// ServeHTTP implements http.Handler.
func (d document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const allowed = "GET, HEAD, OPTIONS"
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		d.answer(r).Write(w, r)
	case http.MethodOptions:
		httpdoor.Preflight(allowed, anyOrigin, r.Header).Write(w, r)
	default:
		f := refuse(http.StatusMethodNotAllowed, MethodNotAllowed, "This document takes %s", allowed)
		a := httpdoor.JSON(f.Status, flatBody(f))
		a.Header.Set("Allow", allowed)
		a.Header.Set("Cache-Control", "no-store, no-transform")
		httpdoor.AllowOrigin(a.Header, r.Header, anyOrigin)
		a.Write(w, r)
	}
}

// answer returns the answer with the document, without it for whoever has it.
func (d document) answer(r *http.Request) *httpdoor.Answer {
	a := httpdoor.JSON(http.StatusOK, d.body)
	if knows(r.Header.Values("If-None-Match"), d.etag) {
		a = httpdoor.JSON(http.StatusNotModified, nil)
	}
	a.Header.Set("ETag", d.etag)
	a.Header.Set("Cache-Control", fmt.Sprintf("public, max-age=%d, no-transform", d.maxAge/time.Second))
	httpdoor.AllowOrigin(a.Header, r.Header, anyOrigin)
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
