package ucp

import (
	"net/http"
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
	document(b.Profile, b.ETag, b.MaxAge).ServeHTTP(w, r)
}

// AnswerSchema serves the JSON Schema of answers, at whatever path it is put. A
// version of it never changes.
func AnswerSchema() http.Handler {
	return document(schema.Document(), httpdoor.ETagOf(schema.Document()), schemaMaxAge)
}

const schemaMaxAge = 30 * 24 * time.Hour

// document is JSON that is for everybody, with refusals in the form of this
// protocol.
func document(body []byte, etag string, maxAge time.Duration) httpdoor.Document {
	return httpdoor.Document{Body: body, ETag: etag, MaxAge: maxAge, Refuse: func(f *Failure) *httpdoor.Answer {
		return httpdoor.JSON(f.Status, flatBody(f))
	}}
}
