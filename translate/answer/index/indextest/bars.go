package indextest

import (
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Slack is how much wider the bars of a benchmark are than on a machine of its own,
// as STOREWARE_BENCH_SLACK says. Without STOREWARE_BENCH it skips the test.
func Slack(tb testing.TB) float64 {
	tb.Helper()
	if os.Getenv("STOREWARE_BENCH") == "" {
		tb.Skip("SKIPPED: the bars of the benchmark are measured by make bench-index (STOREWARE_BENCH=1)")
	}
	text := os.Getenv("STOREWARE_BENCH_SLACK")
	if text == "" {
		return 1
	}
	slack, err := strconv.ParseFloat(text, 64)
	if err != nil {
		tb.Fatalf("STOREWARE_BENCH_SLACK: %v", err)
	}
	return slack
}

// Durations are how long something took each time, the quickest first.
type Durations []time.Duration

// At returns what so many of a hundred did not exceed.
func (d Durations) At(percent int) time.Duration {
	return d[len(d)*percent/100].Round(time.Microsecond)
}

// Timed does something so many times.
func Timed(times int, do func(n int)) Durations {
	all := make(Durations, times)
	for n := range all {
		began := time.Now()
		do(n)
		all[n] = time.Since(began)
	}
	slices.Sort(all)
	return all
}
