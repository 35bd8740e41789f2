package spectest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Where a shop serves UCP.
const (
	restPath    = "/api/ucp/v1"
	mcpPath     = "/ucp/mcp"
	profilePath = "/.well-known/ucp"
)

// Where a shop serves ACP, and in which version.
const (
	acpPath          = "/api/acp"
	acpDiscoveryPath = "/.well-known/acp.json"
	acpVersion       = "2026-04-17"
)

// A Recorder is an http.RoundTripper that checks the answers of a shop's UCP
// endpoints as they pass, and hands them on whole. It is safe for concurrent
// use.
type Recorder struct {
	t    testing.TB
	base http.RoundTripper
	spec *Spec // nil where the specifications are absent
	acp  *ACP  // the same

	mu   sync.Mutex
	seen map[string]int
}

// Transport returns a Recorder around base (http.DefaultTransport when nil).
// It reports to t every answer on /api/ucp/v1, /ucp/mcp and /.well-known/ucp that
// [Spec.Response], [Spec.MCP] or [Spec.Profile] refuses, every one on /api/acp and
// /.well-known/acp.json that [ACP.Answer] or [ACP.Discovery] refuses, every one whose
// Content-Digest is not that of its bytes, and those that lack a header their status
// calls for.
// Of the profiles of older releases, below /.well-known/ucp/, only the headers
// are checked. Without the specifications it says so in the test's log and
// checks what it can without them.
func Transport(t testing.TB, release string, base http.RoundTripper) *Recorder {
	t.Helper()
	if base == nil {
		base = http.DefaultTransport
	}
	r := &Recorder{t: t, base: base, seen: map[string]int{}}
	dir, err := locate()
	if errors.Is(err, errNoSpecs) {
		t.Logf("SKIPPED: %s does not check answers against the UCP schemas: %v", t.Name(), err)
		return r
	}
	if err == nil {
		r.spec, err = read(filepath.Join(dir, "ucp", release))
	}
	if err == nil {
		r.acp, err = readACP(filepath.Join(dir, "acp", acpVersion))
	}
	if err != nil {
		t.Fatalf("reading UCP %s and ACP %s: %v", release, acpVersion, err)
	}
	return r
}

// Seen counts the answers checked so far, by operationId; "profile" is the
// shop's profile, "acp" all of ACP, and "" what is no operation.
func (r *Recorder) Seen() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.seen)
}

// RoundTrip does what an http.RoundTripper does.
func (r *Recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	path := request.URL.Path
	if path == mcpPath && request.Method == http.MethodPost {
		return r.roundTripMCP(request)
	}
	answer, err := r.base.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	rest, isREST := below(path, restPath)
	if _, isACP := below(path, acpPath); isACP || path == acpDiscoveryPath {
		isREST = true
	}
	if !isREST && path != profilePath && !strings.HasPrefix(path, profilePath+"/") {
		return answer, nil
	}
	body, err := io.ReadAll(answer.Body)
	if closeErr := answer.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, fmt.Errorf("reading the answer to %s %s: %w", request.Method, path, err)
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	if request.Method == http.MethodHead || request.Method == http.MethodOptions || !bodied(answer.StatusCode) {
		return answer, nil
	}
	name, err := r.judge(request, rest, answer, body)
	r.mu.Lock()
	r.seen[name]++
	r.mu.Unlock()
	if err != nil {
		r.t.Errorf("%s %s: HTTP %d: %v\n%s", request.Method, path, answer.StatusCode, err, excerpt(body))
	}
	return answer, nil
}

// judge checks one answer and names the operation it belongs to.
func (r *Recorder) judge(request *http.Request, rest string, answer *http.Response, body []byte) (name string, err error) {
	err = transfer(answer, body)
	if rest, ok := below(request.URL.Path, acpPath); ok || request.URL.Path == acpDiscoveryPath {
		return "acp", errors.Join(err, r.judgeACP(request, rest, answer, body))
	}
	if strings.HasPrefix(request.URL.Path, profilePath) {
		if answer.StatusCode == http.StatusOK {
			err = errors.Join(err, cacheable(answer.Header))
		}
		if answer.StatusCode == http.StatusOK && request.URL.Path == profilePath && r.spec != nil {
			err = errors.Join(err, r.spec.Profile(Business, body))
		}
		return "profile", err
	}
	if r.spec == nil {
		if answer.StatusCode >= http.StatusBadRequest {
			return "", err
		}
		return "", errors.Join(err, Totals(body))
	}
	op, ok := r.spec.match(request.Method, rest)
	switch {
	case ok:
		return op.id, errors.Join(err, r.spec.Response(op.id, nil, answer.StatusCode, body))
	case answer.StatusCode >= http.StatusBadRequest:
		return "", errors.Join(err, r.spec.refusal(answer.StatusCode, body))
	default:
		return "", errors.Join(err, errors.New("UCP has no such operation"))
	}
}

// judgeACP checks an answer of an endpoint of ACP.
func (r *Recorder) judgeACP(request *http.Request, rest string, answer *http.Response, body []byte) error {
	switch {
	case strings.HasPrefix(rest, "/schemas/"), r.acp == nil:
		return nil
	case request.URL.Path == acpDiscoveryPath && answer.StatusCode == http.StatusOK:
		return errors.Join(cacheable(answer.Header), r.acp.Discovery(body))
	}
	if got := answer.Header.Get("API-Version"); got != acpVersion {
		return fmt.Errorf("API-Version is %q, want %q", got, acpVersion)
	}
	return r.acp.Answer(request.Method, rest, answer.StatusCode, body)
}

// below returns what a path has below another one, and whether it is there.
func below(path, base string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, base)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// transfer checks the headers that describe the bytes of an answer.
func transfer(answer *http.Response, body []byte) error {
	var problems []error
	if kind, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		problems = append(problems, fmt.Errorf("Content-Type is %q, want application/json", answer.Header.Get("Content-Type")))
	}
	sum := sha256.Sum256(body)
	want := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	if got := answer.Header.Get("Content-Digest"); got != want {
		problems = append(problems, fmt.Errorf("Content-Digest is %q, want %q (body unpacked on the way: %t)", got, want, answer.Uncompressed))
	}
	if name := companion(answer.StatusCode); name != "" && answer.Header.Get(name) == "" {
		problems = append(problems, fmt.Errorf("lacks %s", name))
	}
	return errors.Join(problems...)
}

// companion is the header that an answer of this status has to have (RFC 9110;
// overview, "Protocol Errors", for Retry-After).
func companion(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "WWW-Authenticate"
	case http.StatusMethodNotAllowed:
		return "Allow"
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return "Retry-After"
	}
	return ""
}

// cacheable checks that a profile may be kept by anyone for a minute at least
// (overview, "Hosting").
func cacheable(header http.Header) error {
	control := header.Get("Cache-Control")
	public, age := false, 0
	for directive := range strings.SplitSeq(control, ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "public":
			public = true
		case "max-age":
			age, _ = strconv.Atoi(value)
		case "private", "no-store", "no-cache":
			return fmt.Errorf("Cache-Control is %q, which forbids to share the profile", control)
		}
	}
	if !public || age < 60 {
		return fmt.Errorf("Cache-Control is %q, want public and a max-age of 60 or more", control)
	}
	return nil
}

// bodied reports whether an answer of this status has a body.
func bodied(status int) bool {
	return status >= http.StatusOK && status != http.StatusNoContent && status != http.StatusNotModified
}

// excerpt shortens a body for a test's log.
func excerpt(body []byte) string {
	const limit = 4 << 10 // bytes
	if len(body) <= limit {
		return string(body)
	}
	return string(body[:limit]) + "…"
}
