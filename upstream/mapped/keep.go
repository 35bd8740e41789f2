package mapped

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

const keeping = "reading a value to keep"

// keepFor is how long a value is kept whose mapping does not say, and freshFor how
// old one must be to be read anew because the shop denied it.
const (
	keepFor  = 10 * time.Minute
	freshFor = 5 * time.Second
)

// keeper holds the kept values of a shop.
type keeper struct {
	mu     sync.Mutex
	values map[string]keptValue
}

type keptValue struct {
	value secret.String
	read  time.Time
}

// keptIn returns the names of the kept values that a request wants, with headers
// that go with every request.
func keptIn(r *Request, headers []Setting) []string {
	var found []string
	for template := range r.templates(headers) {
		for _, name := range placeholders(template) {
			if name, ok := strings.CutPrefix(name, "keep."); ok && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return found
}

// kept returns a kept value, and reads it if it is too old. Two that find it so at
// the same time both read it: which of them is kept does not matter.
func (s *Shop) kept(ctx context.Context, v upstream.Visit, name string) (secret.String, error) {
	at := slices.IndexFunc(s.m.Keep, func(k Kept) bool { return k.Name == name })
	k := &s.m.Keep[at]
	s.keeper.mu.Lock()
	known := s.keeper.values[name]
	s.keeper.mu.Unlock()
	if !known.value.IsZero() && s.now().Sub(known.read) < cmp.Or(time.Duration(k.For), keepFor) {
		return known.value, nil
	}
	answer, err := s.sendOnce(ctx, v, call{op: keeping, request: &k.Request, reads: true}, nil)
	if err != nil {
		return secret.String{}, err
	}
	value := secret.New(s.reader.secret(scope{Result: answer}, k.Value))
	if value.IsZero() {
		return secret.String{}, &upstream.Error{
			Code: upstream.CodeUnavailable, Op: keeping, Text: "the shop's answer has no such value", Err: faultf(k.Value.At, "nothing is there"),
		}
	}
	s.keeper.mu.Lock()
	defer s.keeper.mu.Unlock()
	s.keeper.values[name] = keptValue{value, s.now()}
	return value, nil
}

// forget drops kept values and reports whether any was old enough for that.
func (s *Shop) forget(kept []string) bool {
	s.keeper.mu.Lock()
	defer s.keeper.mu.Unlock()
	dropped := false
	for _, name := range kept {
		if s.now().Sub(s.keeper.values[name].read) >= freshFor {
			delete(s.keeper.values, name)
			dropped = true
		}
	}
	return dropped
}
