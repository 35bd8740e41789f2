package shoptest

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// recorder is a testing.TB that remembers what a case says, so that cases which
// must fail can be tested.
type recorder struct {
	testing.TB // for its context

	mu       sync.Mutex
	failed   bool
	skipped  bool
	messages []string
	cleanups []func()
}

func (r *recorder) note(message string, failed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = r.failed || failed
	r.messages = append(r.messages, message)
}

func (r *recorder) Helper()                           {}
func (r *recorder) Log(args ...any)                   { r.note(fmt.Sprint(args...), false) }
func (r *recorder) Logf(format string, args ...any)   { r.note(fmt.Sprintf(format, args...), false) }
func (r *recorder) Error(args ...any)                 { r.note(fmt.Sprint(args...), true) }
func (r *recorder) Errorf(format string, args ...any) { r.note(fmt.Sprintf(format, args...), true) }

func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Skip(args ...any) { r.Skipf("%s", fmt.Sprint(args...)) }

func (r *recorder) Skipf(format string, args ...any) {
	r.Logf(format, args...)
	r.skipped = true
	runtime.Goexit()
}

func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

// record runs every case of the suite, each in a goroutine of its own, as a
// subtest would be.
func record(t *testing.T, f Fixture) map[string]*recorder {
	s, outcomes := newSuite(f), map[string]*recorder{}
	for _, g := range groups() {
		for _, c := range g.cases {
			name, r := g.name+"/"+c.name, &recorder{TB: t}
			if outcomes[name] != nil {
				t.Errorf("there are two cases %q", name)
			}
			outcomes[name] = r
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer func() {
					for _, cleanup := range slices.Backward(r.cleanups) {
						cleanup()
					}
				}()
				s.run(r, name, c)
			}()
			<-done
		}
	}
	return outcomes
}

// names returns the sorted names of the outcomes that is holds for.
func names(outcomes map[string]*recorder, is func(*recorder) bool) []string {
	var found []string
	for name, r := range outcomes {
		if is(r) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}
