package caddymodule

import (
	"fmt"
	"testing"
	"time"
)

func TestProfileBudget(t *testing.T) {
	var b profileBudget
	now := time.Unix(0, 0)
	url := func(i int) string { return fmt.Sprintf("https://agent.example/%d", i) }
	allow := func(agent string, i int, want bool) {
		t.Helper()
		if got := b.allow(agent, url(i), now); got != want {
			t.Errorf("%s may have profile %d: %v, want %v", agent, i, got, want)
		}
	}
	for i := range newProfileBurst {
		allow("a", i, true)
	}
	allow("a", newProfileBurst, false)
	allow("a", 0, true) // again
	allow("b", newProfileBurst, true)
	now = now.Add(newProfileRetry)
	allow("a", newProfileBurst, true)
	allow("a", 99, false)

	// The URLs that are kept are few: what was used longest ago costs again.
	for i := range keptProfiles {
		now = now.Add(newProfileRetry)
		allow("a", 1000+i, true)
	}
	allow("a", 1000, true)
	now = now.Add(newProfileRetry)
	allow("a", 0, true)
	allow("a", 1, false)
	if got := len(b.spenders["a"].kept); got != keptProfiles {
		t.Errorf("%d URLs are kept, want %d", got, keptProfiles)
	}

	for i := range 2 * maxSpenders {
		allow(fmt.Sprint(i), 0, true)
	}
	if got := len(b.spenders); got > maxSpenders {
		t.Errorf("%d agents are remembered, want %d at most", got, maxSpenders)
	}
}
