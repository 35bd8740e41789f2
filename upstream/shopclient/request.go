package shopclient

import (
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

const (
	mediaJSON = "application/json"
	userAgent = "storeware"
)

// Bounds for what a visit may put into a header, in bytes.
const (
	maxLanguage  = 35
	maxRequestID = 128
)

// Request is something to ask of the shop.
type Request struct {
	// Op says what is being done, such as "searching". It stands in errors and
	// names the metric, so it is one of few fixed words.
	Op string
	// Method is GET by default, POST where there is a Body.
	Method string
	// Path are the elements that follow the path of the base URL. Each is
	// escaped, so an id from outside stays one element.
	Path  []string
	Query url.Values
	// Header is added to the client's own and replaces what is there.
	Header http.Header
	// Secrets are headers too, with values that are not for printing.
	Secrets map[string]secret.String
	Body    []byte
	// ContentType is the body's, JSON by default.
	ContentType string
	// Accept is the media type wanted, JSON by default. Only then is the answer
	// checked to be JSON.
	Accept string
	// Safe: sending it twice does no more than sending it once.
	Safe bool
	// Order: the request can turn a basket into an order, so that anything but
	// a clear answer is [upstream.CodeUnknownOutcome].
	Order bool
	// System, if not empty, is the system whose every shop has what is asked for. An
	// answer that none gives is told as [upstream.ErrForeign].
	System string
	// Refusals lets an answer of 4xx or 500 through when it is JSON, for shops
	// that explain themselves there. 429 stays an error.
	Refusals bool
}

// Response is a complete answer of the shop.
type Response struct {
	Status int
	Header http.Header
	// Body is valid JSON in valid UTF-8 unless the request accepts something
	// else. It is empty for the statuses 204 and 205.
	Body string
}

// JSON returns the body for reading. An empty body has no values.
func (r Response) JSON() gjson.Result { return gjson.Parse(r.Body) }

// address is the URL of a request. An element that would lead elsewhere is
// [upstream.CodeInvalid]: it is an id that no shop has made.
func (c *Client) address(r Request) (*url.URL, error) {
	elements := make([]string, len(r.Path))
	for i, element := range r.Path {
		if element == "" || element == "." || element == ".." {
			return nil, upstream.Errorf(upstream.CodeInvalid, r.Op, "an id is not one of this shop")
		}
		elements[i] = url.PathEscape(element)
	}
	address := &c.base
	if len(elements) > 0 {
		address = address.JoinPath(elements...)
	}
	if len(r.Query) == 0 {
		return address, nil
	}
	with := *address
	with.RawQuery = r.Query.Encode()
	return &with, nil
}

// headers returns what is sent besides the body.
func (c *Client) headers(v upstream.Visit, r Request) http.Header {
	header := make(http.Header, 8+len(c.header)+len(r.Header))
	maps.Copy(header, c.header)
	setSecrets(header, c.secrets)
	header.Set("User-Agent", userAgent)
	header.Set("Accept", orJSON(r.Accept))
	if r.Body != nil {
		header.Set("Content-Type", orJSON(r.ContentType))
	}
	if v.Addr.IsValid() {
		header.Set("X-Forwarded-For", v.Addr.Unmap().WithZone("").String())
	}
	if isToken(v.Market.Language, maxLanguage) {
		header.Set("Accept-Language", v.Market.Language)
	}
	if isToken(v.RequestID, maxRequestID) {
		header.Set("X-Request-Id", v.RequestID)
	}
	for name, values := range r.Header {
		header[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	setSecrets(header, r.Secrets)
	return header
}

func setSecrets(header http.Header, secrets map[string]secret.String) {
	for name, value := range secrets {
		if !value.IsZero() {
			header.Set(name, value.Reveal())
		}
	}
}

func orJSON(media string) string {
	if media == "" {
		return mediaJSON
	}
	return media
}

// isToken reports whether s is printable ASCII without spaces, of 1 to limit
// bytes: what can stand in a header and be read in a log.
func isToken(s string, limit int) bool {
	if s == "" || len(s) > limit {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
