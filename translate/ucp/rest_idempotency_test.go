package ucp

import (
	"net/http"
	"sync"
	"testing"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// write sends a request with an idempotency key.
func (d *desk) write(agent, method, path, body, key string) result {
	d.t.Helper()
	r := d.request(agent, method, path, body)
	r.Header.Set("Idempotency-Key", key)
	return d.send(r)
}

func TestRESTReplays(t *testing.T) {
	d := newDesk(t, nil)
	first := d.write("scout", "POST", "/checkout-sessions", oneBoot, "k")
	if first.StatusCode != http.StatusCreated || first.Header.Get("Idempotent-Replayed") != "" {
		t.Fatalf("first: %d %v", first.StatusCode, first.Header)
	}
	again := d.write("scout", "POST", "/checkout-sessions", oneBoot, "k")
	if again.StatusCode != first.StatusCode || again.text != first.text || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %d %v %s", again.StatusCode, again.Header, again.text)
	}
	if event := d.event(); !event.Replayed || event.Outcome != "replayed" || event.Status != 201 {
		t.Errorf("event %+v", event)
	}
	other := d.write("scout", "POST", "/checkout-sessions", oneBoot+" ", "k")
	if other.StatusCode != http.StatusConflict || other.json.Get("code").Str != string(IdempotencyReused) || other.Header.Get("Retry-After") != "" {
		t.Errorf("another body: %d %s", other.StatusCode, other.text)
	}
	// The same key of another agent, for another operation or resource, is another.
	for _, request := range []struct{ agent, method, path, body string }{
		{"rival", "POST", "/checkout-sessions", oneBoot},
		{"scout", "POST", "/carts", oneBoot},
		{"scout", "PUT", "/checkout-sessions/bsk_1", oneBoot},
		{"scout", "PUT", "/carts/bsk_1", oneBoot},
		{"scout", "PUT", "/checkout-sessions/bsk_2", oneBoot},
	} {
		if got := d.write(request.agent, request.method, request.path, request.body, "k"); got.Header.Get("Idempotent-Replayed") != "" || got.StatusCode >= 300 {
			t.Errorf("%v: %d %s", request, got.StatusCode, got.text)
		}
	}
	// A business outcome is an answer like any other.
	missing := d.write("scout", "POST", "/carts/bsk_9/cancel", "", "m")
	if again := d.write("scout", "POST", "/carts/bsk_9/cancel", "", "m"); again.text != missing.text || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("what is not there: %s", again.text)
	}
	// Reading has no use for a key.
	d.write("scout", "GET", "/carts/bsk_1", "", "r")
	if got := d.write("scout", "GET", "/carts/bsk_1", "", "r"); got.Header.Get("Idempotent-Replayed") != "" {
		t.Error("a read was replayed")
	}
}

// A failure is no answer to keep: the next attempt runs.
func TestRESTKeepsFinalAnswersAlone(t *testing.T) {
	fault := error(upstream.Errorf(upstream.CodeUnavailable, "asking", "no answer"))
	d := newDesk(t, func(d *desk) { d.ledger.before = func() error { return fault } })
	if got := d.write("scout", "POST", "/carts/x/cancel", "", "k"); got.StatusCode != http.StatusServiceUnavailable {
		t.Fatalf("got %d", got.StatusCode)
	}
	fault = nil
	if got := d.write("scout", "POST", "/carts/x/cancel", "", "k"); got.StatusCode != http.StatusOK || got.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("got %d %v", got.StatusCode, got.Header)
	}
	d.ledger.before = func() error { panic("broken") }
	if got := d.write("scout", "POST", "/carts/y/cancel", "", "k"); got.StatusCode != http.StatusInternalServerError {
		t.Fatalf("got %d", got.StatusCode)
	}
	d.ledger.before = nil
	if got := d.write("scout", "POST", "/carts/y/cancel", "", "k"); got.StatusCode != http.StatusOK {
		t.Errorf("after a panic: %d %s", got.StatusCode, got.text)
	}
}

// While the first request runs, a retry is told to come back.
func TestRESTInFlight(t *testing.T) {
	running, finish := make(chan struct{}), make(chan struct{})
	d := newDesk(t, func(d *desk) {
		var once sync.Once
		d.ledger.before = func() error {
			once.Do(func() {
				close(running)
				<-finish
			})
			return nil
		}
	})
	done := make(chan result)
	go func() { done <- d.write("scout", "POST", "/carts/x/cancel", "", "k") }()
	<-running
	retry := d.write("scout", "POST", "/carts/x/cancel", "", "k")
	if retry.StatusCode != http.StatusConflict || retry.json.Get("code").Str != string(IdempotencyRunning) || retry.Header.Get("Retry-After") != "1" {
		t.Errorf("a retry: %d %v %s", retry.StatusCode, retry.Header, retry.text)
	}
	other := d.write("scout", "POST", "/carts/x/cancel", "{}", "k")
	if other.StatusCode != http.StatusConflict || other.json.Get("code").Str != string(IdempotencyReused) {
		t.Errorf("another body: %d %s", other.StatusCode, other.text)
	}
	close(finish)
	first := <-done
	if again := d.write("scout", "POST", "/carts/x/cancel", "", "k"); again.text != first.text || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("afterwards: %d %s", again.StatusCode, again.text)
	}
}

// How things stand while an order is on its way is no final answer either.
func TestRESTKeepsNoPendingAnswer(t *testing.T) {
	d := newDesk(t, nil)
	made := d.write("scout", "POST", "/checkout-sessions", `{"line_items":[{"item":{"id":"boot"},"quantity":1}]}`, "made")
	id := made.json.Get("id").String()
	d.ledger.baskets[id].State = basket.Completing
	const again = `{"line_items":[{"item":{"id":"boot"},"quantity":1}]}`
	for range 2 {
		got := d.write("scout", "PUT", "/checkout-sessions/"+id, again, "k")
		if got.json.Get("status").Str != string(CompleteInProgress) || got.Header.Get("Idempotent-Replayed") != "" {
			t.Errorf("meanwhile: %v %s", got.Header, got.text)
		}
	}
	d.ledger.baskets[id].State = basket.Open
	for i, replayed := range []string{"", "true"} {
		if got := d.write("scout", "PUT", "/checkout-sessions/"+id, again, "k"); got.Header.Get("Idempotent-Replayed") != replayed {
			t.Errorf("afterwards, %d: %v %s", i, got.Header, got.text)
		}
	}
}
