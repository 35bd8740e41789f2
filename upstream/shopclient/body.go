package shopclient

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// keepBuffer is the largest buffer that is kept for the next answer, in bytes.
const keepBuffer = 256 << 10

// maxDepth is how deep the JSON of an answer may be nested.
const maxDepth = 10_000

// errTooLong says that a body is longer than the client takes.
var errTooLong = errors.New("body too long")

// receive turns what came back into an answer or a failure.
func (c *Client) receive(ctx, trial context.Context, r Request, response *http.Response) (Response, *failure) {
	if !wanted(r, response.StatusCode) {
		return Response{}, c.rejected(r, response.StatusCode, response.Header)
	}
	body, err := c.readBody(response.Body)
	switch {
	case errors.Is(err, errTooLong):
		return Response{}, unusable(r, response.StatusCode, "a body that is too long")
	case err != nil:
		failed := c.lost(ctx, trial, r, err, true)
		failed.status = response.StatusCode
		return Response{}, failed
	}
	answer := Response{Status: response.StatusCode, Header: response.Header}
	switch {
	case response.StatusCode == http.StatusNoContent, response.StatusCode == http.StatusResetContent:
		return answer, nil
	case r.Accept != "":
		answer.Body = body
		return answer, nil
	}
	answer.Body, err = checkJSON(body)
	switch {
	case err == nil:
		return answer, nil
	case response.StatusCode/100 == 2:
		return Response{}, unusable(r, response.StatusCode, err.Error())
	}
	return Response{}, c.rejected(r, response.StatusCode, response.Header)
}

// wanted reports whether the caller reads answers of that status itself.
func wanted(r Request, status int) bool {
	switch {
	case status/100 == 2:
		return true
	case status == http.StatusTooManyRequests:
		return false
	}
	return r.Refusals && (status/100 == 4 || status == http.StatusInternalServerError)
}

// buffers are reused from answer to answer; what is handed out is a copy of the
// right size.
type buffers struct{ pool sync.Pool }

func (b *buffers) get() *bytes.Buffer {
	if buffer, ok := b.pool.Get().(*bytes.Buffer); ok {
		return buffer
	}
	return new(bytes.Buffer)
}

func (b *buffers) put(buffer *bytes.Buffer) {
	if buffer.Cap() <= keepBuffer {
		buffer.Reset()
		b.pool.Put(buffer)
	}
}

// readBody reads a body to its end. The error is errTooLong or the reader's.
func (c *Client) readBody(body io.Reader) (string, error) {
	buffer := c.buffers.get()
	defer c.buffers.put(buffer)
	n, err := buffer.ReadFrom(io.LimitReader(body, c.maxBody+1))
	switch {
	case err != nil:
		return "", err
	case n > c.maxBody:
		return "", errTooLong
	}
	return buffer.String(), nil
}

// checkJSON returns body as JSON in valid UTF-8, without the byte order mark
// that some plug-ins of PHP shops put first. The error says what it is instead.
func checkJSON(body string) (string, error) {
	body = strings.TrimPrefix(body, "\ufeff")
	switch text := strings.TrimLeft(body, " \t\r\n"); {
	case text == "":
		return "", errors.New("an empty body")
	case text[0] == '<':
		return "", errors.New("an HTML page")
	case tooDeep(body):
		return "", errors.New("JSON that is nested too deep")
	case !gjson.Valid(body):
		return "", errors.New("something that is not JSON")
	}
	if !utf8.ValidString(body) {
		body = strings.ToValidUTF8(body, "\ufffd")
	}
	return body, nil
}

// tooDeep reports whether JSON is nested deeper than any shop's. Reading JSON
// recurses, and a stack that runs out ends the whole process.
func tooDeep(body string) bool {
	if strings.Count(body, "[")+strings.Count(body, "{") <= maxDepth {
		return false
	}
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[', c == '{':
			if depth++; depth > maxDepth {
				return true
			}
		case c == ']', c == '}':
			depth--
		}
	}
	return false
}
