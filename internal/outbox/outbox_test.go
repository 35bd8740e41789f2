package outbox_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/outbox"
	"github.com/storeware/caddy-storeware/internal/safehttp"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
)

// verify is what a receiver does with a signature.
func verify(t *testing.T, c call) {
	t.Helper()
	var at int64
	var mac string
	if _, err := fmt.Sscanf(c.signature, "t=%d,v1=%s", &at, &mac); err != nil {
		t.Fatalf("signature %q: %v", c.signature, err)
	}
	hash := hmac.New(sha256.New, []byte(signingKey))
	fmt.Fprintf(hash, "%d.%s", at, c.body)
	if mac != hex.EncodeToString(hash.Sum(nil)) {
		t.Errorf("the signature of %s is wrong", c.id)
	}
	if at != c.at.Unix() {
		t.Errorf("%s was signed at %d and sent at %d", c.id, at, c.at.Unix())
	}
}

// The value was computed with openssl dgst -sha256 -hmac.
func TestSignACP(t *testing.T) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://a.example", nil)
	if err != nil {
		t.Fatal(err)
	}
	e := outbox.Event{Body: []byte(`{"type":"order_create","data":{"id":"ord_1","note":"caf\u00e9 ☕"}}`)}
	if err := outbox.SignACP(secret.New(signingKey))(r, e, time.Unix(1796083200, 999)); err != nil {
		t.Fatal(err)
	}
	const want = "t=1796083200,v1=d81acdbcd12942ff6245b186aeffff12611c4c0e481b565af99e9028652e7d2f"
	if got := r.Header.Get("Merchant-Signature"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDelivers(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		o := outbox.New(w.options)
		send(t, o, "a", "order/1", "1")
		send(t, o, "b", "order/1", "2")
		send(t, o, "a", "order/1", "1") // again
		w.run(t, o, 5*time.Second)
		got := w.delivered()
		slices.Sort(got)
		if diff := cmp.Diff([]string{"1", "2"}, got); diff != "" {
			t.Error(diff)
		}
		for _, c := range w.calls {
			verify(t, c)
			if c.body != `{"event":"`+c.id+`"}` || c.kind != "application/json" {
				t.Errorf("got %+v", c)
			}
		}
		for _, r := range w.reports {
			if r.Outcome != outbox.Delivered || r.Tries != 1 || r.Status != 200 || r.Took != time.Second || r.Err != nil || r.Key != "order/1" {
				t.Errorf("reported is %+v", r)
			}
		}
		if left := waiting(t, o); left != nil {
			t.Errorf("left are %+v", left)
		}
	})
}

// What is sent while it runs does not wait until it looks again.
func TestDeliversAtOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		o := outbox.New(w.options)
		began := time.Now()
		go func() {
			for i := range 3 {
				time.Sleep(1100 * time.Millisecond)
				send(t, o, "a", "k", fmt.Sprint(i))
			}
		}()
		w.run(t, o, 10*time.Second)
		for i, c := range w.calls {
			if at := c.at.Sub(began); at != time.Duration(i+1)*1100*time.Millisecond {
				t.Errorf("event %s was sent after %v", c.id, at)
			}
		}
		if len(w.calls) != 3 {
			t.Errorf("%d calls", len(w.calls))
		}
	})
}

// A receiver that is down for an hour loses nothing: every event comes, in the
// order of its key, with one id and one body however often it is tried.
func TestReceiverIsDownForAnHour(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		back := time.Now().Add(time.Hour)
		w.answers(func(r *http.Request) (int, error) {
			switch {
			case r.URL.Hostname() != "down.example" || time.Now().After(back):
				return http.StatusOK, nil
			case time.Now().Second()%2 == 0:
				return http.StatusServiceUnavailable, nil
			}
			return 0, fmt.Errorf("calling: %w", safehttp.ErrUnreachable)
		})
		o := outbox.New(w.options)
		want := make(map[string][]string)
		for i := range 40 {
			key, id := fmt.Sprint("order/", i%10), fmt.Sprint("id", i)
			send(t, o, "down", key, id)
			want[key] = append(want[key], id)
		}
		send(t, o, "up", "order/1", "other")
		w.run(t, o, 20*time.Hour)
		got := make(map[string][]string)
		for i, c := range w.calls {
			verify(t, c)
			if c.receiver == "up" {
				if i > 1 && c.at.Sub(back) > -59*time.Minute {
					t.Errorf("a receiver that is well waited until %v", c.at)
				}
				continue
			}
			var n int
			if _, err := fmt.Sscanf(c.id, "id%d", &n); err != nil || c.body != `{"event":"`+c.id+`"}` {
				t.Fatalf("got %+v", c)
			}
			if key := fmt.Sprint("order/", n%10); c.status == http.StatusOK {
				got[key] = append(got[key], c.id)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if len(w.calls) < 60 {
			t.Errorf("the receiver was called %d times only", len(w.calls))
		}
		if left := waiting(t, o); left != nil {
			t.Errorf("left are %+v", left)
		}
	})
}

func TestGivesUpAfterADay(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.answers(func(r *http.Request) (int, error) {
			if r.Header.Get("Webhook-Id") == "1" {
				return http.StatusInternalServerError, nil
			}
			return http.StatusOK, nil
		})
		o := outbox.New(w.options)
		send(t, o, "a", "order", "1")
		send(t, o, "a", "order", "2")
		send(t, o, "a", "another", "3")
		w.run(t, o, 40*time.Hour)
		if diff := cmp.Diff([]string{"3", "2"}, w.delivered()); diff != "" {
			t.Error(diff)
		}
		var tries []call
		for _, c := range w.calls {
			if c.id == "1" {
				tries = append(tries, c)
			}
		}
		if len(tries) != 10 {
			t.Fatalf("%d tries, want 10", len(tries))
		}
		if took := tries[9].at.Sub(tries[0].at); took < 21*time.Hour || took > 27*time.Hour {
			t.Errorf("the last try came after %v", took)
		}
		last := time.Duration(0)
		for i := range tries[1:] {
			wait := tries[i+1].at.Sub(tries[i].at)
			if wait < last*9/10*8/10 {
				t.Errorf("try %d came after %v", i+2, wait)
			}
			last = wait
		}
		i := slices.IndexFunc(w.reports, func(r outbox.Report) bool { return r.Outcome == outbox.GivenUp })
		if i < 0 || w.reports[i].Tries != 10 || w.reports[i].ID != "1" || w.reports[i].Status != 500 {
			t.Errorf("reported is %+v", w.reports)
		}
		if left := waiting(t, o); left != nil {
			t.Errorf("left are %+v", left)
		}
	})
}

func TestGoneAndRevoked(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.answers(func(r *http.Request) (int, error) {
			if r.URL.Hostname() == "gone.example" {
				return http.StatusGone, nil
			}
			return http.StatusTeapot, nil
		})
		o := outbox.New(w.options)
		send(t, o, "gone", "k", "1")
		send(t, o, "revoked", "k", "2")
		w.run(t, o, time.Minute)
		w.revoked["revoked"] = true
		send(t, o, "revoked", "k", "3")
		before := len(w.calls)
		w.run(t, o, time.Hour)
		if len(w.calls) != before {
			t.Errorf("a receiver that is revoked was called: %+v", w.calls[before:])
		}
		outcomes := make(map[string][]outbox.Outcome)
		for _, r := range w.reports {
			outcomes[r.ID] = append(outcomes[r.ID], r.Outcome)
		}
		if diff := cmp.Diff(map[string][]outbox.Outcome{
			"1": {outbox.Gone},
			"2": {outbox.Failed, outbox.Failed, outbox.Revoked},
			"3": {outbox.Revoked},
		}, outcomes); diff != "" {
			t.Error(diff)
		}
		if left := waiting(t, o); left != nil {
			t.Errorf("left are %+v", left)
		}
	})
}

func TestConcurrency(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.options.PerReceiver, w.options.Concurrency = 3, 5
		o := outbox.New(w.options)
		for i := range 60 {
			send(t, o, fmt.Sprint("r", i%3), fmt.Sprint("order/", i%12), fmt.Sprint(i))
		}
		began := time.Now()
		total := 0
		w.answers(func(*http.Request) (int, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			sum := 0
			for _, n := range w.busy {
				sum += n
			}
			total = max(total, sum)
			return http.StatusOK, nil
		})
		w.run(t, o, 20*time.Second) // which receivers have the slots is chance
		if got := len(w.delivered()); got != 60 {
			t.Errorf("%d of 60 in %v", got, time.Since(began))
		}
		if most := slices.Max(slices.Collect(maps.Values(w.most))); most > 3 {
			t.Errorf("a receiver got %d at once, want 3 at most", most)
		}
		if total != 5 {
			t.Errorf("%d at once in all, want 5", total)
		}
		order := make(map[int]int)
		for _, c := range w.calls {
			var n int
			if _, err := fmt.Sscan(c.id, &n); err != nil {
				t.Fatal(err)
			}
			if n < order[n%12] {
				t.Errorf("%d came before %d", order[n%12], n)
			}
			order[n%12] = n
		}
	})
}

// A receiver that is alone has all that it may have.
func TestConcurrencyOfOne(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.options.PerReceiver, w.options.Concurrency = 3, 5
		o := outbox.New(w.options)
		for i := range 12 {
			send(t, o, "r", fmt.Sprint("order/", i), fmt.Sprint(i))
		}
		w.run(t, o, 10*time.Second)
		if w.most["r"] != 3 || len(w.delivered()) != 12 {
			t.Errorf("%d of 12, %d at once, want 3", len(w.delivered()), w.most["r"])
		}
	})
}

// A receiver that fails is asked for one event at a time.
func TestFailingReceiverIsSpared(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		o := outbox.New(w.options)
		for i := range 40 {
			send(t, o, "a", fmt.Sprint(i), fmt.Sprint(i))
		}
		w.answers(func(*http.Request) (int, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if len(w.calls) == 4 {
				w.most["a"] = 0
			}
			return http.StatusBadGateway, nil
		})
		w.run(t, o, 20*time.Second)
		if w.most["a"] > 2 {
			t.Errorf("%d at once", w.most["a"])
		}
		if len(w.calls) < 15 {
			t.Errorf("%d calls", len(w.calls))
		}
	})
}

func TestSendRefuses(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.options.Limit = 2
		o := outbox.New(w.options)
		for name, e := range map[string]outbox.Event{
			"no id":       {Receiver: "a", Key: "k"},
			"no receiver": {ID: "1", Key: "k"},
			"no key":      {ID: "1", Receiver: "a"},
			"too long":    {ID: "1", Receiver: "a", Key: "k", Body: make([]byte, outbox.MaxBody+1)},
		} {
			if err := o.Send(t.Context(), e); !errors.Is(err, state.ErrInvalid) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		send(t, o, "a", "k", "1")
		send(t, o, "a", "k", "2")
		if err := o.Send(t.Context(), outbox.Event{ID: "3", Receiver: "a", Key: "k"}); !errors.Is(err, state.ErrFull) {
			t.Errorf("one too many: got %v", err)
		}
		send(t, o, "a", "k", "2")
		send(t, o, "b", "k", "3")
	})
}

func TestListAndRetry(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		o := outbox.New(w.options)
		long := strings.Repeat("long ", 100)
		w.answers(func(*http.Request) (int, error) { return 0, errors.New(long) })
		send(t, o, "a", "k", "1")
		send(t, o, "a", "k", "2")
		w.run(t, o, 10*time.Second)
		got := waiting(t, o)
		if len(got) != 2 || got[0].ID != "1" || got[0].Tries != 1 || got[0].Last != long[:200] || got[0].Receiver != "a" ||
			got[0].Key != "k" || string(got[0].Body) != `{"event":"1"}` || got[0].Type != "application/json" || got[0].Busy ||
			got[0].Due.Before(time.Now()) || got[1].ID != "2" || got[1].Last != "" || got[1].Tries != 0 {
			t.Errorf("got %+v", got)
		}
		if err := o.Retry(t.Context(), "a", "3"); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("got %v", err)
		}
		w.answers(func(*http.Request) (int, error) { return http.StatusOK, nil })
		if err := o.Retry(t.Context(), "a", "1"); err != nil {
			t.Fatal(err)
		}
		w.run(t, o, 3*time.Second)
		if diff := cmp.Diff([]string{"1", "2"}, w.delivered()); diff != "" {
			t.Error(diff)
		}
	})
}

// Two processes share the work and its order.
func TestTwoOutboxes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := outbox.New(w.options), outbox.New(w.options)
		for i := range 40 {
			send(t, a, "a", fmt.Sprint("order/", i%5), fmt.Sprint(i))
		}
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			w.run(t, b, time.Minute)
		}()
		w.run(t, a, time.Minute)
		<-stopped
		last := make(map[int]int)
		for _, c := range w.calls {
			var n int
			if _, err := fmt.Sscan(c.id, &n); err != nil {
				t.Fatal(err)
			}
			if before, seen := last[n%5]; seen && n != before+5 {
				t.Errorf("%d came after %d", n, before)
			}
			last[n%5] = n
		}
		if len(w.calls) != 40 {
			t.Errorf("%d calls for 40 events", len(w.calls))
		}
	})
}
