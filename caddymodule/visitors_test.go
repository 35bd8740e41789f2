package caddymodule

import (
	"errors"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/agents"
)

// Who examines a shop may call that shop alone, for a short while, and cannot order.
func TestVisitors(t *testing.T) {
	var v visitors
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	agent, key, err := v.admit("a", noon)
	if err != nil || !agent.Sandbox || agent.ProfileURL != doctorProfile {
		t.Fatalf("admitted %+v, %v", agent, err)
	}
	for _, test := range []struct {
		shop string
		at   time.Time
		want bool
	}{
		{"a", noon, true},
		{"b", noon, false},
		{"a", noon.Add(visitTime - 1), true},
		{"a", noon.Add(visitTime), false},
	} {
		if found, ok := v.find(test.shop, key, test.at); ok != test.want || ok && found != agent {
			t.Errorf("shop %s at %s: %v, %v", test.shop, test.at, found, ok)
		}
	}
	if _, ok := v.find("a", agents.NewKey(), noon); ok {
		t.Error("another key is good as well")
	}
	if err := v.dismiss("b", agent.ID); !errors.Is(err, errNoVisitor) {
		t.Errorf("dismissing it from another shop: %v", err)
	}
	if err := v.dismiss("a", agent.ID); err != nil {
		t.Error(err)
	}
	if _, ok := v.find("a", key, noon); ok {
		t.Error("the key is good after its end")
	}

	for range maxVisitors {
		if _, _, err := v.admit("a", noon); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := v.admit("a", noon); !errors.Is(err, errFull) {
		t.Errorf("one too many: %v", err)
	}
	if _, _, err := v.admit("a", noon.Add(visitTime)); err != nil {
		t.Errorf("after the others' time: %v", err)
	}
}
