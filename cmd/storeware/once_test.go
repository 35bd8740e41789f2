package main_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"
)

// stores are the places where state is kept: the global option for each, and how
// many Caddys share it.
func stores(t *testing.T) map[string]func(*testing.T) (global string, nodes int) {
	return map[string]func(*testing.T) (string, int){
		"bbolt": func(*testing.T) (string, int) { return "", 1 },
		"redis": func(t *testing.T) (string, int) { return redisServer(t), 2 },
	}
}

// One order (promise 1): fifty calls at once, with and without idempotency keys,
// spread over all nodes, to a shop that takes every order it is sent.
func TestOneOrderFromManyCalls(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			global, count := store(t)
			h := newHouse(t)
			a := newAgent(t)
			dir := t.TempDir() // one data directory: the nodes share Caddy's storage
			nodes := make([]*node, count)
			for i := range nodes {
				nodes[i] = h.newNode(t, dir, global, a)
			}
			ready := a.checkout(t, nodes[0].base, "Fjell Trail GTX")
			path := "/checkout-sessions/" + ready.Get("id").String()

			var mu sync.Mutex
			orders := map[string]int{}
			var wg sync.WaitGroup
			for i := range 50 {
				wg.Go(func() {
					var header []string
					switch i % 3 {
					case 1:
						header = []string{"Idempotency-Key", "the same key"}
					case 2:
						header = []string{"Idempotency-Key", fmt.Sprintf("key %d", i)}
					}
					got, err := a.call(t.Context(), "POST", nodes[i%count].base+path+"/complete", payment(ready), header...)
					if err != nil {
						t.Errorf("complete: %v", err)
						return
					}
					mu.Lock()
					defer mu.Unlock()
					switch got.status {
					case 200:
						orders[got.Get("order.id").String()]++
					case 409: // the same key is still at work
					default:
						t.Errorf("complete: %d %s", got.status, got.Raw)
					}
				})
			}
			wg.Wait()
			if n := h.orders(t); n != 1 {
				t.Errorf("the shop has %d orders", n)
			}
			if len(orders) != 1 || orders[""] != 0 {
				t.Errorf("the answers name the orders %v", orders)
			}
		})
	}
}

// One order, whatever dies: the process is killed while the order is on its way
// to the shop, and while its answer is on its way back, and at many moments in
// between, and started again.
func TestOneOrderWhateverDies(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			global, _ := store(t)
			h := newHouse(t)
			a := newAgent(t)
			n := h.newNode(t, t.TempDir(), global, a)
			moments := map[string]func(kill func()){
				"before the shop has it": func(kill func()) { h.gate.set(kill, nil) },
				"after the shop has it":  func(kill func()) { h.gate.set(nil, kill) },
			}
			for i := range 8 {
				after := time.Duration(i) * 3 * time.Millisecond
				moments[fmt.Sprintf("%v after it was asked for", after)] = func(kill func()) { time.AfterFunc(after, kill) }
			}
			for moment, arm := range moments {
				before := h.orders(t)
				ready := a.checkout(t, n.base, "Fjell Trail GTX")
				url := n.base + "/checkout-sessions/" + ready.Get("id").String()
				killed := make(chan struct{})
				arm(sync.OnceFunc(func() { n.kill(); close(killed) }))
				// It may fail, or succeed before the blow.
				_, _ = a.call(t.Context(), "POST", url+"/complete", payment(ready), "Idempotency-Key", "once")
				<-killed
				h.gate.set(nil, nil)
				n = n.again()

				done := a.completeAfterCrash(t, url, ready)
				if status := done.Get("status").String(); status != "completed" {
					t.Errorf("%s: the checkout is %s: %s", moment, status, done.Raw)
				}
				if placed := h.orders(t) - before; placed != 1 {
					t.Errorf("%s: the shop has %d orders more", moment, placed)
				}
				order := a.must(t, "GET", n.base+"/orders/"+done.Get("order.id").String(), nil)
				if order.Get("checkout_id").String() != ready.Get("id").String() {
					t.Errorf("%s: the order is %s", moment, order.Raw)
				}
			}
		})
	}
}

// completeAfterCrash asks again with the same key until the answer is final: what
// the dead process held is given up after a few seconds.
func (a *agent) completeAfterCrash(t *testing.T, url string, ready answer) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	for {
		got, err := a.call(ctx, "POST", url+"/complete", payment(ready), "Idempotency-Key", "once")
		if err == nil && got.status == 200 && got.Get("status").String() == "completed" {
			return got
		}
		if err == nil && got.status != 409 && got.status != 503 && got.status != 200 {
			t.Fatalf("complete: %d %s", got.status, got.Raw)
		}
		select {
		case <-ctx.Done():
			t.Fatalf("complete never became final: %v %s", err, got.Raw)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// The shop answers after the module has stopped waiting, and the order is there.
func TestOneOrderAfterATimeOut(t *testing.T) {
	h := newHouse(t)
	a := newAgent(t)
	n := h.newNode(t, t.TempDir(), "", a)
	ready := a.checkout(t, n.base, "Fjell Trail GTX")
	url := n.base + "/checkout-sessions/" + ready.Get("id").String()
	release := make(chan struct{})
	h.gate.set(func() { <-release }, nil)
	slow := make(chan answer)
	go func() {
		got, _ := a.call(t.Context(), "POST", url+"/complete", payment(ready))
		slow <- got
	}()
	// While nobody knows, the checkout says so, and nothing is placed again.
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		got, err := a.call(ctx, "GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Get("status").String() == "complete_in_progress" {
			break
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the checkout never says that it is in progress: %s", got.Raw)
		case <-time.After(10 * time.Millisecond):
		}
	}
	close(release)
	<-slow
	h.gate.set(nil, nil)
	done := a.completeAfterCrash(t, url, ready)
	if done.Get("order.id").String() == "" || h.orders(t) != 1 {
		t.Errorf("%d orders, and the checkout is %s", h.orders(t), done.Raw)
	}
}
