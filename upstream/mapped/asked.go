package mapped

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"sync"
)

// maxAsked is how many requests are shown for one call.
const maxAsked = 4

// asked are the requests of a call, as an operator may read them.
type asked struct {
	mu    sync.Mutex
	lines []string
	more  int
}

// note notes a request of a shop.
func (a *asked) note(s *Shop, c call, kept []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.lines) == maxAsked {
		a.more++
		return
	}
	a.lines = append(a.lines, s.line(c, kept))
}

// take returns what was noted since it was called last.
func (a *asked) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	lines := a.lines
	if a.more > 0 {
		lines = append(lines, fmt.Sprintf("and %d requests more", a.more))
	}
	a.lines, a.more = nil, 0
	return lines
}

// line writes method and URL of a request, without the secrets in it: what comes
// from the environment, and values that are kept.
func (s *Shop) line(c call, kept []string) string {
	hidden := make(map[string]any)
	for name := range s.env {
		hidden[name] = redacted
	}
	for _, name := range kept {
		hidden["keep."+name] = redacted
	}
	c.names = c.names.with(hidden)
	r, err := s.build(c)
	if err != nil {
		return err.Error() // which was no error with the secrets, and says where
	}
	u := url.URL{Scheme: s.base.Scheme, Host: s.base.Host, Path: s.base.Path}
	for _, element := range r.Path {
		u = *u.JoinPath(url.PathEscape(element))
	}
	u.RawQuery = r.Query.Encode()
	return cmp.Or(r.Method, http.MethodGet) + " " + u.String()
}

// redacted stands for a secret.
const redacted = "[redacted]"
