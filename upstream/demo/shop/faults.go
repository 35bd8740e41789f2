package shop

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// fault is a way to misbehave, for requests to come.
type fault struct {
	// Method and Path say which requests it is for: a method, and the beginning of
	// a path. Empty ones are all.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Kind is hold, close, status, half, huge, redirect or html.
	Kind string `json:"kind"`
	// After lets the shop do what was asked first; the fault is in the answer.
	After bool `json:"after"`
	// Times is how many requests it is for, 0 for all until it is cleared.
	Times int `json:"times"`
	// Milliseconds is how long a hold lasts, 0 until it is cleared.
	Milliseconds int64 `json:"milliseconds"`
	// Status and RetryAfter, in seconds, are what a status says.
	Status     int `json:"status"`
	RetryAfter int `json:"retry_after"`
}

// Bounds of faults.
const (
	maxFaults = 100
	maxHold   = time.Minute
	hugeBody  = 10 << 20
)

var faultKinds = []string{"hold", "close", "status", "half", "huge", "redirect", "html"}

// faultsPath is where faults are set (POST), counted (GET) and cleared (DELETE).
const faultsPath = "/api/faults"

// faults are those that are set.
type faults struct {
	mu  sync.Mutex
	set []*fault
	// released is closed when the faults are cleared.
	released chan struct{}
}

func newFaults() *faults { return &faults{released: make(chan struct{})} }

// clear forgets all faults and lets go of what is held.
func (f *faults) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.released)
	f.released, f.set = make(chan struct{}), nil
}

// next returns the fault for a request, if there is one, and what ends a hold.
func (f *faults) next(r *http.Request) (fault, <-chan struct{}, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, set := range f.set {
		if set.Method != "" && set.Method != r.Method || !strings.HasPrefix(r.URL.Path, set.Path) {
			continue
		}
		if set.Times > 0 {
			if set.Times--; set.Times == 0 {
				f.set = slices.Delete(f.set, i, i+1)
			}
		}
		return *set, f.released, true
	}
	return fault{}, nil, false
}

// wrap puts the faults in front of the shop.
func (f *faults) wrap(shop http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == faultsPath {
			f.serve(w, r)
			return
		}
		fault, released, ok := f.next(r)
		if !ok {
			shop.ServeHTTP(w, r)
			return
		}
		if !fault.After {
			if fault.Kind == "hold" {
				hold(fault, released)
				shop.ServeHTTP(w, r)
				return
			}
			fault.answer(w, nil)
			return
		}
		kept := &kept{header: http.Header{}, status: http.StatusOK}
		shop.ServeHTTP(kept, r)
		if fault.Kind == "hold" {
			hold(fault, released)
			kept.send(w, kept.body.Len())
			return
		}
		fault.answer(w, kept)
	})
}

// serve sets, counts and clears faults.
func (f *faults) serve(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		f.mu.Lock()
		defer f.mu.Unlock()
		writeJSON(w, http.StatusOK, map[string]int{"count": len(f.set)})
		return
	case http.MethodDelete:
		f.clear()
	case http.MethodPost:
		var set fault
		if err := readJSON(w, r, &set); err != nil {
			writeJSON(w, http.StatusBadRequest, errorAnswer{errorBody{Code: codeInvalid, Text: err.Error()}})
			return
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if !slices.Contains(faultKinds, set.Kind) || len(f.set) == maxFaults || set.Status != 0 && (set.Status < 200 || set.Status > 599) {
			writeJSON(w, http.StatusBadRequest, errorAnswer{errorBody{Code: codeInvalid, Text: "there is no such fault, or too many"}})
			return
		}
		f.set = append(f.set, &set)
	default:
		w.Header().Set("Allow", "DELETE, GET, POST")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// hold waits, whether or not somebody still waits for the answer: so a request can
// take effect long after its sender gave up.
func hold(f fault, released <-chan struct{}) {
	wait := maxHold
	if f.Milliseconds > 0 {
		wait = min(wait, time.Duration(f.Milliseconds)*time.Millisecond)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-released:
	}
}

// answer answers with the fault. What the shop would have answered is kept, nil when
// it was not asked.
func (f fault) answer(w http.ResponseWriter, kept *kept) {
	const page = "<!doctype html><title>Error</title><h1>Something went wrong</h1><p>secret-stack-trace</p>"
	switch f.Kind {
	case "status":
		if f.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(max(f.Status, http.StatusOK))
		_, _ = w.Write([]byte(page))
	case "html":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	case "huge":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"filling":"`))
		_, _ = w.Write(bytes.Repeat([]byte{'x'}, hugeBody))
		_, _ = w.Write([]byte(`"}`))
	case "redirect":
		w.Header().Set("Location", "http://elsewhere.example/api/shop")
		w.WriteHeader(http.StatusFound)
	case "half":
		if kept == nil {
			kept = half()
		}
		kept.send(w, kept.body.Len()/2)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // This is how net/http is told to cut the connection.
	case "close":
		panic(http.ErrAbortHandler)
	}
}

// half is half an answer of a shop that was not asked.
func half() *kept {
	k := &kept{header: http.Header{}, status: http.StatusOK}
	k.header.Set("Content-Type", "application/json")
	k.header.Set("Content-Length", "64")
	_, _ = k.body.WriteString(`{"currency":"GBP","total":65,"products":[{"id":"6c1f2b9a-4d0e-4`)
	return k
}

// kept is an answer that is held back.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *kept) Header() http.Header { return k.header }

func (k *kept) WriteHeader(status int) { k.status = status }

func (k *kept) Write(b []byte) (int, error) { return k.body.Write(b) }

// send sends the answer with the first n bytes of its body.
func (k *kept) send(w http.ResponseWriter, n int) {
	for name, values := range k.header {
		w.Header()[name] = values
	}
	w.WriteHeader(k.status)
	_, _ = w.Write(k.body.Bytes()[:n])
}
