// Package statetest is the suite that every implementation of state.Store must
// pass.
package statetest

import (
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// Subject is what a test gets to work with.
type Subject struct {
	// New returns an empty store, which is closed when the test is over.
	New func(t *testing.T) state.Store

	// Advance makes time pass for what expires in the stores.
	Advance func(d time.Duration)

	// RealClock says that Advance only makes what is stored expire earlier,
	// and does not move the clock of the stores.
	RealClock bool
}

// Harness runs one test on a Subject: perhaps in a bubble of testing/synctest,
// so it must not be called twice for a test.
type Harness func(t *testing.T, test func(t *testing.T, s Subject))

// Run runs the suite. Whoever calls it checks for leaked goroutines.
func Run(t *testing.T, harness Harness) {
	for _, group := range []struct {
		name  string
		tests []test
	}{
		{"entries", entryTests()},
		{"expiry", expiryTests()},
		{"scan", scanTests()},
		{"counters", counterTests()},
		{"leases", leaseTests()},
		{"queues", queueTests()},
		{"backup", backupTests()},
		{"ends", endTests()},
		{"model", []test{{"agrees", testModel}, {"of a queue agrees", testQueueModel}}},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, test := range group.tests {
				t.Run(test.name, func(t *testing.T) { harness(t, test.run) })
			}
		})
	}
}

type test struct {
	name string
	run  func(t *testing.T, s Subject)
}
