package outbox

import (
	"math/rand/v2"
	"time"
)

// pauses returns how long to wait after each try that fails. Together they make
// about a day, and one more try follows the last of them.
func pauses() []time.Duration {
	return []time.Duration{
		30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute,
		time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 8 * time.Hour,
	}
}

// pause returns how long to wait after one more try failed, and false if it was
// the last one. Up to a tenth more or less keeps receivers that failed together
// from being asked together.
func pause(failed int) (time.Duration, bool) {
	all := pauses()
	if failed >= len(all) {
		return 0, false
	}
	d := all[failed]
	return d - d/10 + rand.N(d/5), true
}
