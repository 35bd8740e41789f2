package httpsig

import (
	"net/http"
	"strings"
)

// Request is what a signature can cover of a request. It must show the request
// as the peer sees it: before any rewriting by a proxy on the receiving side,
// after all of it on the sending side.
type Request struct {
	Method    string      // as sent; methods are case-sensitive
	Scheme    string      // "https" or "http"
	Authority string      // host, with the port if one was sent
	Target    string      // the request target as sent, percent-encoding untouched: "/api/cart?x=1"
	Header    http.Header // canonical keys; signing adds to it
	Body      []byte      // the whole content, exactly as transferred; empty for none
}

// Response is what a signature can cover of a response.
type Response struct {
	Status  int         // three digits
	Header  http.Header // canonical keys; signing adds to it
	Body    []byte      // the whole content, exactly as transferred; empty for none, as for HEAD, 204 and 304
	Request *Request    // the request it answers, for components with ";req"
}

// RequestOf is the view of r, either received by a server or about to be sent
// by a client, whose whole content is body. The view shares r's header. A
// server behind a TLS terminator corrects Scheme afterwards.
func RequestOf(r *http.Request, body []byte) *Request {
	view := &Request{
		Method:    r.Method,
		Scheme:    "http",
		Authority: r.Host,
		Target:    r.RequestURI,
		Header:    r.Header,
		Body:      body,
	}
	if r.TLS != nil {
		view.Scheme = "https"
	}
	if r.RequestURI == "" { // an outgoing request
		view.Scheme = r.URL.Scheme
		view.Target = r.URL.RequestURI()
		if view.Method == "" {
			view.Method = http.MethodGet
		}
		if view.Authority == "" {
			view.Authority = r.URL.Host
		}
	}
	return view
}

// authority is the @authority component (RFC 9421 section 2.2.3): lower case
// and without the scheme's default port.
func (r *Request) authority() string {
	host := strings.ToLower(r.Authority)
	switch r.scheme() {
	case "https":
		host = strings.TrimSuffix(host, ":443")
	case "http":
		host = strings.TrimSuffix(host, ":80")
	}
	return host
}

func (r *Request) scheme() string { return strings.ToLower(r.Scheme) }

// path is the @path component (section 2.2.6): as sent, percent-encoding kept,
// "/" when empty.
func (r *Request) path() string {
	path, _, _ := strings.Cut(r.originForm(), "?")
	if path == "" {
		return "/"
	}
	return printable(path)
}

// query is the @query component (section 2.2.7), "?" alone when there is none.
func (r *Request) query() string {
	_, query, _ := strings.Cut(r.originForm(), "?")
	return "?" + printable(query)
}

func (r *Request) hasQuery() bool { return r.query() != "?" }

// targetURI is the @target-uri component (section 2.2.2).
func (r *Request) targetURI() string {
	uri := r.scheme() + "://" + r.authority() + r.path()
	if strings.Contains(r.originForm(), "?") {
		uri += r.query()
	}
	return uri
}

// originForm is the request target from its path on. The absolute form that a
// proxy gets loses scheme and authority; the asterisk and authority forms have
// no path.
func (r *Request) originForm() string {
	if strings.HasPrefix(r.Target, "/") || strings.HasPrefix(r.Target, "?") {
		return r.Target
	}
	_, rest, absolute := strings.Cut(r.Target, "://")
	if i := strings.IndexAny(rest, "/?"); absolute && i >= 0 {
		return rest[i:]
	}
	return ""
}
