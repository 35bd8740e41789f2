package caddymodule

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// A registry that has our collectors takes them again; one that has another of the
// same name does not.
func TestRegisterMetrics(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	for range 2 {
		if err := metrics.register(registry); err != nil {
			t.Error(err)
		}
	}
	if err := newCollectors().register(registry); err == nil {
		t.Error("other collectors were taken for ours")
	}
}
