package httpdoor

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// DefaultMaxBody bounds a request's body in bytes where nobody says otherwise.
const DefaultMaxBody = 1 << 20

// readBody reads a body of at most so many bytes.
func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	tooLarge := Refuse(http.StatusRequestEntityTooLarge, BodyTooLarge, "The body must be at most %d bytes", most)
	if r.ContentLength > most {
		return nil, tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &size):
		return nil, tooLarge
	case err != nil:
		f := Refuse(http.StatusBadRequest, InvalidRequest, "The body ended before it was complete")
		f.Err = err
		return nil, f
	}
	return body, checkMediaType(r.Header, body)
}

// checkMediaType refuses a body that says it is something else than JSON.
func checkMediaType(header http.Header, body []byte) error {
	if len(body) == 0 {
		return nil
	}
	refusal := Refuse(http.StatusUnsupportedMediaType, UnsupportedMedia, "The body must be JSON, and not compressed: send Content-Type: application/json, or leave it out")
	if coding := header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return refusal
	}
	declared := header.Get("Content-Type")
	if declared == "" {
		return nil
	}
	media, _, err := mime.ParseMediaType(declared)
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return refusal
	}
	return nil
}
