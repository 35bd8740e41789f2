package mapped_test

import (
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// road is the way to a shop, on which things get lost.
type road struct {
	// orders reports whether a request is one that orders.
	orders                          func(*http.Request) bool
	closed, loseAnswer, loseRequest atomic.Bool
	requests                        atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (r *road) RoundTrip(request *http.Request) (*http.Response, error) {
	if r.closed.Load() {
		return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	}
	r.requests.Add(1)
	orders := r.orders != nil && r.orders(request)
	if orders && r.loseRequest.CompareAndSwap(true, false) {
		return nil, errors.New("connection reset")
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if orders && err == nil && r.loseAnswer.CompareAndSwap(true, false) {
		response.Body.Close()
		return nil, errors.New("connection reset")
	}
	return response, err
}

// hooks are those of a road.
func (r *road) hooks() shoptest.Hooks {
	return shoptest.Hooks{
		LoseNextAnswer:  func(testing.TB) { r.loseAnswer.Store(true) },
		LoseNextRequest: func(testing.TB) { r.loseRequest.Store(true) },
		GoAway: func(testing.TB) func() {
			r.closed.Store(true)
			return func() { r.closed.Store(false) }
		},
	}
}
