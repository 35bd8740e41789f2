package state_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/internal/state"
)

func TestLearned(t *testing.T) {
	for key, want := range map[string]bool{
		"shop/a/said": true, "crawl/a/1": true, "photo/a/x": true,
		"": false, "basket/a": false, "facts/a": false, "shops": false, "agent/shop/a": false,
	} {
		if state.Learned(key) != want {
			t.Errorf("%q is learned: %v", key, !want)
		}
	}
}
