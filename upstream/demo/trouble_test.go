package demo_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// TestTroubleHasACode makes the shop misbehave in every way, for a search and for an
// order.
func TestTroubleHasACode(t *testing.T) {
	h := open(t, shop.Options{})
	s, err := demo.New(demo.Config{Client: shopclient.Config{BaseURL: h.url(), Timeout: 300 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for name, test := range map[string]struct {
		fault         map[string]any
		search, place upstream.Code
	}{
		"half an answer":   {map[string]any{"kind": "half"}, upstream.CodeUnavailable, upstream.CodeUnknownOutcome},
		"no answer":        {map[string]any{"kind": "close"}, upstream.CodeUnavailable, upstream.CodeUnknownOutcome},
		"too late":         {map[string]any{"kind": "hold"}, upstream.CodeUnavailable, upstream.CodeUnknownOutcome},
		"10 MB":            {map[string]any{"kind": "huge"}, upstream.CodeUnavailable, upstream.CodeUnknownOutcome},
		"an HTML page":     {map[string]any{"kind": "html"}, upstream.CodeUnavailable, upstream.CodeUnknownOutcome},
		"a broken shop":    {map[string]any{"kind": "status", "status": 500}, upstream.CodeUnavailable, upstream.CodeUnknownOutcome},
		"a redirect":       {map[string]any{"kind": "redirect"}, upstream.CodeUnavailable, upstream.CodeUnavailable},
		"too many":         {map[string]any{"kind": "status", "status": 429, "retry_after": 7}, upstream.CodeBusy, upstream.CodeBusy},
		"closed for a bit": {map[string]any{"kind": "status", "status": 503, "retry_after": 7}, upstream.CodeBusy, upstream.CodeUnknownOutcome},
	} {
		t.Run(name, func(t *testing.T) {
			applied := apply(t, s, upstream.Handle{}, socks())
			before := h.orders()
			test.fault["path"] = "/api/products"
			h.fault(test.fault)
			_, err := s.Search(t.Context(), visit, upstream.Query{Words: "socks", Limit: 5})
			if got := upstream.CodeOf(err); got != test.search || leaks(err) {
				t.Errorf("searching: %v, want %s", err, test.search)
			}
			test.fault["path"] = "/api/basket/order"
			h.fault(test.fault)
			p := placement(applied.Observed.Total, name)
			_, err = s.Place(t.Context(), visit, applied.Handle, p)
			if got := upstream.CodeOf(err); got != test.place || leaks(err) {
				t.Errorf("placing: %v, want %s", err, test.place)
			}
			// Nothing was ordered, and what may be on its way is called off.
			if _, err := s.Recover(t.Context(), visit, applied.Handle, p); upstream.CodeOf(err) != upstream.CodeNotPlaced {
				t.Errorf("recovering: %v, want not_placed", err)
			}
			h.call(t.Context(), http.MethodDelete, "/api/faults", nil, nil)
			if _, err := s.Place(t.Context(), visit, applied.Handle, p); upstream.CodeOf(err) != upstream.CodeNotPlaced {
				t.Errorf("placing what was called off: %v, want not_placed", err)
			}
			if after := h.orders(); after != before {
				t.Errorf("there are %d orders more", after-before)
			}
			if _, err := s.Place(t.Context(), visit, applied.Handle, placement(applied.Observed.Total, name+" again")); err != nil {
				t.Errorf("placing in a new attempt: %v", err)
			}
		})
	}
}

// leaks reports whether an error repeats what the shop wrote.
func leaks(err error) bool { return err != nil && strings.Contains(err.Error(), "secret-stack-trace") }

// TestLateOrder: an order that reaches the shop after Recover has said that there is
// none makes none.
func TestLateOrder(t *testing.T) {
	h := open(t, shop.Options{})
	s := h.adapter()
	applied := apply(t, s, upstream.Handle{}, socks())
	p := placement(applied.Observed.Total, "late")
	h.fault(map[string]any{"path": "/api/basket/order", "kind": "hold", "times": 1})
	ctx, cancel := context.WithCancel(t.Context())
	outcome := make(chan error, 1)
	go func() {
		_, err := s.Place(ctx, visit, applied.Handle, p)
		outcome <- err
	}()
	// The fault is used up as soon as the request is in the shop.
	for h.faultsLeft() > 0 {
	}
	cancel()
	if err := <-outcome; upstream.CodeOf(err) != upstream.CodeUnknownOutcome || !errors.Is(err, context.Canceled) {
		t.Fatalf("placing, given up: %v", err)
	}
	if _, err := s.Recover(t.Context(), visit, applied.Handle, p); upstream.CodeOf(err) != upstream.CodeNotPlaced {
		t.Fatalf("recovering: %v, want not_placed", err)
	}
	h.leave() // which lets go of the request and waits for it
	h.listen()
	if n := h.orders(); n != 0 {
		t.Errorf("%d orders were made after all", n)
	}
}

// wrong answers every request with the same body.
type wrong struct {
	status int
	body   string
}

func (w wrong) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: w.status, Header: http.Header{}, Request: r, Body: io.NopCloser(bytes.NewReader([]byte(w.body))),
	}, nil
}

// FuzzAnswers: whatever a shop answers, every operation returns, and an order is
// taken for none that the shop did not speak of.
func FuzzAnswers(f *testing.F) {
	f.Add(200, `{"currency":"GBP","products":[{"id":"1","title":"T","options":{"a":["b"]},"variants":[{"id":"v","choices":["b","c"],"price":1}]}],"matches":[{"ref":0,"product":0}]}`)
	f.Add(200, `{"currency":"GBP","token":"T","total":1,"lines":[{"key":"1"}],"discounts":[{"amount":1,"lines":[1,2]}],"notices":[{"code":"option_needed","variants":[{}]}]}`)
	f.Add(409, `{"error":{"code":"ordered","order":{"number":"KC1","key":"k","currency":"GBP","total":5}}}`)
	f.Add(200, `{"order":null}`)
	f.Add(404, `{"error":{"code":"not_found"}}`)
	f.Add(500, `{"error":{"code":"failed"}}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		if status < 200 || status > 599 {
			t.Skip("no status")
		}
		s, err := demo.New(demo.Config{Client: shopclient.Config{
			BaseURL: &url.URL{Scheme: "http", Host: "shop.example"}, Transport: wrong{status, body},
			Jitter: func(int64) int64 { return 0 },
		}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		handle := secret.New("ABCDEFGH")
		_, _ = s.Describe(ctx)
		_, _ = s.Search(ctx, visit, upstream.Query{})
		_, _ = s.Lookup(ctx, visit, []string{"a", "b"})
		_, _ = s.Apply(ctx, visit, handle, socks())
		_, _ = s.Read(ctx, visit, handle)
		_, _ = s.Order(ctx, visit, upstream.OrderRef{ID: "KC1", Key: handle})
		p := placement(money.Amount{Minor: 1, Currency: "GBP"}, "1")
		for _, ask := range []func() (upstream.Placed, error){
			func() (upstream.Placed, error) { return s.Place(ctx, visit, handle, p) },
			func() (upstream.Placed, error) { return s.Recover(ctx, visit, handle, p) },
		} {
			if placed, err := ask(); err == nil && (placed.Ref.ID == "" || !strings.Contains(body, "number")) {
				t.Errorf("%d %q became order %+v", status, body, placed)
			}
		}
	})
}
