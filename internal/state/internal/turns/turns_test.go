package turns

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func TestOneHolderAtATime(t *testing.T) {
	var turns Turns
	var wg sync.WaitGroup
	inside, total := 0, 0 // the race detector watches these too
	for range 50 {
		wg.Go(func() {
			for range 20 {
				if _, err := turns.Take(t.Context(), "basket"); err != nil {
					t.Error(err)
					return
				}
				inside++
				if inside != 1 {
					t.Errorf("%d holders at once", inside)
				}
				total++
				inside--
				turns.Give("basket")
			}
		})
	}
	wg.Wait()
	if total != 1000 {
		t.Errorf("%d turns, want 1000", total)
	}
	if len(turns.waiters) != 0 {
		t.Errorf("%d names are kept that nobody holds", len(turns.waiters))
	}
}

func TestInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns Turns
		turns.TryTake("basket")
		var order []int
		for i := range 5 {
			go func() {
				if waited, err := turns.Take(t.Context(), "basket"); err != nil || !waited {
					t.Errorf("waiter %d: waited %v, %v", i, waited, err)
				}
				order = append(order, i)
				turns.Give("basket")
			}()
			synctest.Wait()
		}
		turns.Give("basket")
		synctest.Wait()
		if diff := cmp.Diff([]int{0, 1, 2, 3, 4}, order); diff != "" {
			t.Error(diff)
		}
	})
}

func TestNamesAreApart(t *testing.T) {
	var turns Turns
	if !turns.TryTake("a") || !turns.TryTake("b") {
		t.Fatal("two names cannot be held at once")
	}
	if turns.TryTake("a") {
		t.Error("a name was taken twice")
	}
	turns.Give("a")
	if !turns.TryTake("a") {
		t.Error("a name cannot be taken again")
	}
}

func TestLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns Turns
		turns.TryTake("basket")
		ctx, leave := context.WithCancel(t.Context())
		left, served := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := turns.Take(ctx, "basket")
			left <- err
		}()
		synctest.Wait()
		go func() {
			_, err := turns.Take(t.Context(), "basket")
			served <- err
		}()
		synctest.Wait()

		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("the one who left got %v, want the error of its context", err)
		}
		turns.Give("basket")
		if err := <-served; err != nil {
			t.Errorf("the one behind it got %v", err)
		}
	})
}

// A turn that comes in the same moment as the end of the context must not get
// lost with the one who left.
func TestLeavingWithTheTurn(t *testing.T) {
	var turns Turns
	turns.TryTake("basket")
	turn := make(chan struct{})
	turns.waiters["basket"] = append(turns.waiters["basket"], turn)
	turns.Give("basket")
	<-turn
	turns.leave("basket", turn)
	if !turns.TryTake("basket") {
		t.Error("nobody can take the name any more")
	}
}

func TestJoin(t *testing.T) {
	for name, end := range map[string]func(a, b context.CancelFunc){
		"first":  func(a, b context.CancelFunc) { a() },
		"second": func(a, b context.CancelFunc) { b() },
	} {
		t.Run(name, func(t *testing.T) {
			a, endA := context.WithCancel(t.Context())
			b, endB := context.WithCancel(t.Context())
			defer endA()
			defer endB()
			joined, cancel := Join(a, b)
			defer cancel()
			if joined.Err() != nil {
				t.Fatal("over before its time")
			}
			end(endA, endB)
			<-joined.Done()
		})
	}
}
