package wootest

import (
	"embed"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"
	"time"
)

//go:embed testdata/*.json
var files embed.FS

// object is a JSON object.
type object = map[string]any

// Home is the address of the shop's front page, as the recorded shop has it.
const Home = "http://127.0.0.1:8093"

// Config says what kind of shop it is. The zero Config is the recorded one.
type Config struct {
	// Now is the shop's clock, time.Now if nil.
	Now func() time.Time
	// Old makes it WooCommerce 9.9.5.
	Old bool
	// Plain makes its permalinks plain, so that there is no /wp-json.
	Plain bool
	// Net makes it show its prices without tax.
	Net bool
	// Uneven makes the total of a basket with a discount code one unit more than
	// its parts come to.
	Uneven bool
	// NoCodes and NoGuests switch discount codes and orders of guests off.
	NoCodes  bool
	NoGuests bool
	// Key and Secret are its one key of the REST API.
	Key    string
	Secret string
}

// Shop is a WooCommerce shop.
type Shop struct {
	t      testing.TB
	config Config
	now    func() time.Time
	routes []route
	errors map[string]refusal

	mu         sync.Mutex
	root       object
	categories []any
	products   []object
	sessions   map[string]*session
	orders     []*order
	reserved   map[int64]time.Time // when stock was last reserved for an order
	nextOrder  int64
	nextGuest  int
	requests   []string
	faults     []func(*http.Request) *http.Response
	loseAnswer bool
	loseOrder  bool
	away       bool
	between    func()
}

// New returns a shop that fails t for what a client must not send.
func New(t testing.TB, config Config) *Shop {
	t.Helper()
	s := &Shop{
		t: t, config: config, now: config.Now,
		sessions: make(map[string]*session), reserved: make(map[int64]time.Time), nextOrder: 87,
	}
	if s.now == nil {
		s.now = time.Now
	}
	load(t, "root", &s.root)
	load(t, "categories", &s.categories)
	load(t, "products", &s.products)
	load(t, "refusals", &s.errors)
	load(t, "routes", &s.routes)
	for i := range s.routes {
		s.routes[i].compile()
	}
	return s
}

// load reads a file of testdata.
func load(t testing.TB, name string, into any) {
	t.Helper()
	text, err := files.ReadFile(path.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// ServeHTTP implements http.Handler.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	switch {
	case strings.HasPrefix(r.URL.Path, "/wp-json") && !s.config.Plain:
		s.api(w, r, strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/wp-json"), "/"))
	case r.URL.Query().Has("rest_route"):
		s.api(w, r, strings.TrimSuffix(r.URL.Query().Get("rest_route"), "/"))
	default:
		s.page(w, r)
	}
}

// RoundTrip implements http.RoundTripper.
func (s *Shop) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	away, fault := s.away, s.fault(r)
	lose := s.loseOrder && isOrder(r)
	s.loseOrder = s.loseOrder && !lose
	s.mu.Unlock()
	switch {
	case away:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	case fault != nil:
		return fault, nil
	case lose:
		return nil, errors.New("connection reset by peer")
	}
	w, inside := httptest.NewRecorder(), r.Clone(r.Context())
	if inside.Body == nil {
		inside.Body = http.NoBody
	}
	defer inside.Body.Close()
	s.ServeHTTP(w, inside)
	s.mu.Lock()
	lost := s.loseAnswer && isOrder(r)
	s.loseAnswer = s.loseAnswer && !lost
	s.mu.Unlock()
	if lost {
		return nil, errors.New("connection reset by peer")
	}
	return w.Result(), nil
}

// isOrder reports whether a request orders a basket.
func isOrder(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path+r.URL.Query().Get("rest_route"), "/checkout")
}

// fault returns what a test wants a request to be answered with, nil if nothing.
func (s *Shop) fault(r *http.Request) *http.Response {
	for i, fault := range s.faults {
		if response := fault(r); response != nil {
			s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
			return response
		}
	}
	return nil
}

// api answers a request to an API, by its route below it.
func (s *Shop) api(w http.ResponseWriter, r *http.Request, path string) {
	if path == "" {
		s.answer(w, http.StatusOK, s.root, r)
		return
	}
	c := &exchange{shop: s, w: w, r: r, path: path}
	if !c.read() {
		return
	}
	if strings.HasPrefix(path, "/wc/v3") {
		c.manage()
		return
	}
	c.serve()
}

// answer writes JSON, with the fields that were asked for.
func (s *Shop) answer(w http.ResponseWriter, status int, body any, r *http.Request) {
	if r != nil && r.URL.Query().Has("_fields") && status < 300 {
		body = pick(body, strings.Split(r.URL.Query().Get("_fields"), ","))
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		s.t.Errorf("writing an answer: %v", err)
	}
}

// pick leaves the named fields of an object or of each in a list.
func pick(body any, fields []string) any {
	switch body := body.(type) {
	case object:
		picked := make(object)
		for _, field := range fields {
			if value, ok := body[field]; ok {
				picked[field] = value
			}
		}
		return picked
	case []object:
		list := make([]any, len(body))
		for i, one := range body {
			list[i] = pick(one, fields)
		}
		return list
	case []any:
		list := make([]any, len(body))
		for i, one := range body {
			list[i] = pick(one, fields)
		}
		return list
	}
	return body
}
