package caddymodule

import (
	"testing"
	"testing/synctest"
	"time"
)

// What is shared is given back when time is up and the last guest has left, once.
func TestTenancy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var place tenancy
		vacated := 0
		vacate := func() { vacated++ }
		enter := func(want bool) {
			t.Helper()
			if got := place.enter(); got != want {
				t.Fatalf("entering: %t, want %t", got, want)
			}
		}
		enter(true)
		enter(true)
		place.leave()
		place.end(time.Second, vacate)
		enter(true)
		<-time.After(2 * time.Second)
		synctest.Wait()
		if vacated != 0 {
			t.Fatal("vacated while two guests are there")
		}
		place.leave()
		enter(true) // while another is there
		place.leave()
		place.leave()
		if vacated != 1 {
			t.Fatalf("vacated %d times after the last guest has left", vacated)
		}
		enter(false)
	})
}

// Nobody is waited for when nobody is there, and time need not be given.
func TestTenancyWithoutGuests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var place, empty tenancy
		ended := make(chan struct{})
		place.end(time.Second, func() { close(ended) })
		if !place.enter() {
			t.Error("nobody gets in while there is time")
		}
		place.leave()
		<-ended
		vacated := false
		empty.end(0, func() { vacated = true })
		if !vacated || empty.enter() {
			t.Errorf("without time: vacated %t", vacated)
		}
	})
}
