package upstream_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

// sleepy is a shop that is away for its first looks.
type sleepy struct {
	upstream.Shop
	away  int
	looks int
}

func (s *sleepy) Describe(context.Context) (upstream.Description, error) {
	s.looks++
	if s.looks <= s.away {
		return upstream.Description{}, upstream.Errorf(upstream.CodeUnavailable, "describing", "connection refused")
	}
	return upstream.Description{Name: "Kiln"}, nil
}

func TestWatchWaitsForTheShop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &sleepy{away: 3}
		ctx, cancel := context.WithCancel(t.Context())
		there := make(chan struct{})
		w := upstream.NewWatch(shop, func(_ upstream.Description, err error) {
			if err == nil {
				close(there)
			}
		})
		done := make(chan struct{})
		go func() { defer close(done); w.Run(ctx) }()

		synctest.Wait()
		_, err := w.Description()
		var e *upstream.Error
		if !errors.As(err, &e) || e.Code != upstream.CodeUnavailable || e.RetryAfter <= 0 {
			t.Errorf("before the shop is there: %v, want unavailable with a time to retry", err)
		}
		began := time.Now()
		<-there
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("a shop that came back was noticed after %v", took)
		}
		if d, err := w.Description(); err != nil || d.Name != "Kiln" {
			t.Errorf("Description() = %+v, %v", d, err)
		}
		cancel()
		<-done
	})
}

func TestWatchKeepsTheLastDescription(t *testing.T) {
	shop := &sleepy{}
	w := upstream.NewWatch(shop, nil)
	if err := w.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	shop.away = 1000
	if err := w.Look(t.Context()); err == nil {
		t.Fatal("the shop is away and nobody said so")
	}
	if d, err := w.Description(); err != nil || d.Name != "Kiln" {
		t.Errorf("Description() = %+v, %v, want what the shop said last", d, err)
	}
	if w.Err() == nil {
		t.Error("Err() forgot that the shop is away")
	}
}
