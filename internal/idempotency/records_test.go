package idempotency

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/state"
)

var (
	scope   = Scope{Agent: "agent-1", Operation: "complete_checkout", Resource: "chk_1", Key: "key-1"}
	payload = Sum([]byte(`{"a":1}`))
	other   = Sum([]byte(`{"a":2}`))
	answer  = Response{
		Status: http.StatusCreated,
		Header: http.Header{"Content-Type": {"application/json"}, "X-Both": {"one", "two"}, "X-Latin": {"caf\xe9"}},
		Body:   []byte("{\"id\":\"chk_1\"}\n\x00\xff"),
	}
)

func run(t *testing.T, r *Records, scope Scope, payload Fingerprint) *Ticket {
	t.Helper()
	ticket, replay, err := r.Begin(t.Context(), scope, payload)
	if err != nil || replay != nil || ticket == nil {
		t.Fatalf("got replay %v and error %v, want a ticket", replay, err)
	}
	return ticket
}

func wantReplay(t *testing.T, r *Records, want Response) {
	t.Helper()
	ticket, replay, err := r.Begin(t.Context(), scope, payload)
	if err != nil || ticket != nil || replay == nil {
		t.Fatalf("got ticket %v and error %v, want a replay", ticket, err)
	}
	if diff := cmp.Diff(want, *replay); diff != "" {
		t.Error(diff)
	}
}

func wantError(t *testing.T, r *Records, payload Fingerprint, want error) {
	t.Helper()
	ticket, replay, err := r.Begin(t.Context(), scope, payload)
	if !errors.Is(err, want) || ticket != nil || replay != nil {
		t.Fatalf("got ticket %v, replay %v and error %v, want %v", ticket, replay, err, want)
	}
}

func finish(t *testing.T, ticket *Ticket, response Response) {
	t.Helper()
	if err := ticket.Finish(t.Context(), response); err != nil {
		t.Fatal(err)
	}
}

func TestReplay(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		records := New(w.start(t), w.now)
		ticket := run(t, records, scope, payload)
		wantError(t, records, payload, ErrInFlight)
		_, _, err := records.Begin(t.Context(), scope, payload)
		if inFlight, ok := errors.AsType[*InFlightError](err); !ok || inFlight.RetryAfter <= 0 {
			t.Errorf("got %v, want an InFlightError that says when to retry", err)
		}
		wantError(t, records, other, ErrPayloadMismatch)

		finish(t, ticket, answer)
		want := answer
		want.Created = w.now().UTC()
		w.advance(Keep - time.Minute)
		wantReplay(t, records, want)
		wantError(t, records, other, ErrPayloadMismatch)
		if err := ticket.Abandon(t.Context()); err != nil {
			t.Errorf("abandoning what is finished: %v", err)
		}
		wantReplay(t, records, want)

		w.advance(2 * time.Minute)
		finish(t, run(t, records, scope, other), answer)
	})
}

func TestScopes(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		records := New(w.start(t), w.now)
		finish(t, run(t, records, scope, payload), answer)
		for _, change := range []func(*Scope){
			func(s *Scope) { s.Agent = "agent-2" },
			func(s *Scope) { s.Operation = "cancel_checkout" },
			func(s *Scope) { s.Resource = "chk_2" },
			func(s *Scope) { s.Resource = "" },
			func(s *Scope) { s.Key = "key-2" },
			// The same text, divided in another way.
			func(s *Scope) { s.Resource, s.Key = "chk_1k", "ey-1" },
			func(s *Scope) { s.Agent, s.Operation = "agent-1c", "omplete_checkout" },
		} {
			changed := scope
			change(&changed)
			finish(t, run(t, records, changed, other), answer)
		}
	})
}

func TestOnlyFinalAnswersAreKept(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		records := New(w.start(t), w.now)
		for _, test := range []struct {
			status int
			kept   bool
		}{
			{0, false},
			{100, false},
			{200, true},
			{201, true},
			{302, true},
			{400, true},
			{404, true},
			{409, true},
			{422, true},
			{428, true},
			{429, false},
			{430, true},
			{499, true},
			{500, false},
			{502, false},
			{503, false},
			{599, false},
		} {
			scope := scope
			scope.Key = fmt.Sprint(test.status)
			finish(t, run(t, records, scope, payload), Response{Status: test.status})
			ticket, replay, err := records.Begin(t.Context(), scope, payload)
			if err != nil || (replay != nil) != test.kept || (ticket != nil) == test.kept {
				t.Errorf("status %d: got ticket %v, replay %v, %v", test.status, ticket, replay, err)
			}
			if ticket != nil {
				finish(t, ticket, answer)
			}
		}
	})
}

func TestAbandon(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		records := New(w.start(t), w.now)
		ticket := run(t, records, scope, payload)
		for range 2 {
			if err := ticket.Abandon(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := ticket.Finish(t.Context(), answer); err != nil {
			t.Errorf("finishing what is abandoned: %v", err)
		}
		finish(t, run(t, records, scope, other), answer)
	})
}

func TestOneOfManyRuns(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		records := New(w.start(t), w.now)
		var tickets, inFlight atomic.Int32
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				ticket, _, err := records.Begin(t.Context(), scope, payload)
				for errors.Is(err, state.ErrUnavailable) { // on a busy machine a Redis may be
					ticket, _, err = records.Begin(t.Context(), scope, payload)
				}
				switch {
				case ticket != nil:
					tickets.Add(1)
				case errors.Is(err, ErrInFlight):
					inFlight.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if tickets.Load() != 1 || inFlight.Load() != 49 {
			t.Errorf("%d may run and %d have to wait, want 1 and 49", tickets.Load(), inFlight.Load())
		}
	})
}

// Fifty agents that retry until they have an answer get the same one, though one
// attempt fails.
func TestAllGetOneAnswer(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		records := New(w.start(t), w.now)
		var runs, answers atomic.Int32
		attempt := func() (*Response, error) {
			ticket, replay, err := records.Begin(t.Context(), scope, payload)
			if ticket == nil {
				return replay, err
			}
			n := runs.Add(1)
			if n == 1 {
				return nil, ticket.Finish(t.Context(), Response{Status: http.StatusBadGateway})
			}
			answers.Add(1)
			response := Response{Status: http.StatusOK, Body: fmt.Appendf(nil, "run %d", n)}
			return &response, ticket.Finish(t.Context(), response)
		}
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				for {
					response, err := attempt()
					if err != nil && !errors.Is(err, ErrInFlight) {
						t.Error(err)
						return
					}
					if response == nil {
						continue
					}
					if string(response.Body) != "run 2" {
						t.Errorf("got the answer %q", response.Body)
					}
					return
				}
			})
		}
		wg.Wait()
		if answers.Load() != 1 {
			t.Errorf("%d runs made an answer, want 1", answers.Load())
		}
	})
}

func TestKilledWhileRunning(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		first := w.start(t)
		ticket := run(t, New(first, w.now), scope, payload)
		ctx, cancel := ticket.Context(t.Context())
		defer cancel()
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()

		records := New(w.start(t), w.now)
		wantError(t, records, other, ErrPayloadMismatch)
		w.advance(LeaseTTL)
		wantError(t, records, other, ErrPayloadMismatch)
		finish(t, run(t, records, scope, payload), answer)
		want := answer
		want.Created = w.now().UTC()
		wantReplay(t, records, want)
	})
}

// Whoever lost the lease and does not know it cannot overwrite the answer of the
// one who took over, nor forget it.
func TestLeaseLostWhileRunning(t *testing.T) {
	for name, end := range map[string]func(context.Context, *Ticket) error{
		"finish":  func(ctx context.Context, ticket *Ticket) error { return ticket.Finish(ctx, Response{Status: 200}) },
		"abandon": func(ctx context.Context, ticket *Ticket) error { return ticket.Abandon(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			inWorlds(t, func(t *testing.T, w *world) {
				records := New(w.start(t), w.now)
				stale := run(t, records, scope, payload)
				if err := stale.lease.Release(); err != nil {
					t.Fatal(err)
				}
				current := run(t, records, scope, payload)
				if err := end(t.Context(), stale); !errors.Is(err, ErrLost) {
					t.Errorf("got %v, want ErrLost", err)
				}
				wantError(t, records, payload, ErrInFlight)
				finish(t, current, answer)
				want := answer
				want.Created = w.now().UTC()
				wantReplay(t, records, want)
			})
		})
	}
}

// An agent that hangs up must find its answer when it comes again.
func TestFinishOutlivesRequest(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		records := New(w.start(t), w.now)
		ctx, hangUp := context.WithCancel(t.Context())
		ticket, _, err := records.Begin(ctx, scope, payload)
		if err != nil {
			t.Fatal(err)
		}
		hangUp()
		if err := ticket.Finish(ctx, answer); err != nil {
			t.Fatal(err)
		}
		want := answer
		want.Created = w.now().UTC()
		wantReplay(t, records, want)
	})
}

func TestKeys(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		store := w.start(t)
		records := New(store, w.now)
		for _, key := range []string{"", strings.Repeat("k", MaxKey+1)} {
			scope := scope
			scope.Key = key
			if _, _, err := records.Begin(t.Context(), scope, payload); !errors.Is(err, ErrKey) {
				t.Errorf("a key of %d bytes: got %v, want ErrKey", len(key), err)
			}
		}
		for _, incomplete := range []Scope{{Operation: "o", Key: "k"}, {Agent: "a", Key: "k"}} {
			if _, _, err := records.Begin(t.Context(), incomplete, payload); err == nil {
				t.Errorf("%+v was taken for a scope", incomplete)
			}
		}
		scope := scope
		scope.Key = strings.Repeat("\xffk", MaxKey/2) + "\x00"
		finish(t, run(t, records, scope, payload), answer)
		for item, err := range store.Scan(t.Context(), "", "") {
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{scope.Agent, scope.Operation, scope.Resource, "\xffk"} {
				if strings.Contains(item.Key+string(item.Value), part) {
					t.Errorf("%q can be read in %q", part, item.Key)
				}
			}
		}
	})
}

func TestStoreUnavailable(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		store := w.start(t)
		records := New(store, w.now)
		ticket := run(t, records, scope, payload)
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		if err := ticket.Finish(t.Context(), answer); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("Finish: got %v, want ErrUnavailable", err)
		}
		wantError(t, records, payload, state.ErrUnavailable)
	})
}

func TestDamagedRecord(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		store := w.start(t)
		key, err := scope.storeKey()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Put(t.Context(), key, []byte("{"), 0); err != nil {
			t.Fatal(err)
		}
		ticket, replay, err := New(store, w.now).Begin(t.Context(), scope, payload)
		if err == nil {
			t.Errorf("got ticket %v and replay %v from a damaged record", ticket, replay)
		}
	})
}

// Whatever the answer is, its replay is the same.
func TestReplayEquals(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		records := New(w.start(t), w.now)
		text := rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 8), func(b []byte) string { return string(b) })
		round := 0
		rapid.Check(t, func(rt *rapid.T) {
			round++
			scope := scope
			scope.Key = fmt.Sprint(round)
			response := Response{
				Status: rapid.IntRange(200, 428).Draw(rt, "status"),
				Header: rapid.MapOfN(rapid.StringMatching("[A-Za-z-]{1,8}"), rapid.SliceOfN(text, 1, 3), 0, 3).Draw(rt, "header"),
				Body:   rapid.SliceOf(rapid.Byte()).Draw(rt, "body"),
			}
			finish(t, run(t, records, scope, payload), response)
			_, replay, err := records.Begin(t.Context(), scope, payload)
			if err != nil {
				rt.Fatal(err)
			}
			if replay.Status != response.Status || !bytes.Equal(replay.Body, response.Body) ||
				!cmp.Equal(replay.Header, response.Header) || !replay.Created.Equal(w.now()) {
				rt.Fatalf("got %v, want %v", replay, response)
			}
		})
	})
}
