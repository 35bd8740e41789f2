package index

import (
	"slices"
	"sort"
	"strings"
)

// alphabet has the numbers of terms that are letters alone, in their order from the
// front and from the back, so that terms are found by how they begin and how they
// end. A few that came last stand apart and are looked through.
type alphabet struct {
	forward  []uint32
	backward []uint32
	fresh    []uint32
}

// full says that it is time for a new alphabet.
func (a alphabet) full() bool { return len(a.fresh) >= max(1024, len(a.forward)/256) }

// sorted returns an alphabet with the last ones in their places. It leaves the old
// one as it is, for those who read it.
func (a alphabet) sorted(terms []string) alphabet {
	fresh := slices.Clone(a.fresh)
	by := func(compare func(x, y string) int) func(x, y uint32) int {
		return func(x, y uint32) int { return compare(terms[x], terms[y]) }
	}
	slices.SortFunc(fresh, by(strings.Compare))
	forward := merged(a.forward, fresh, by(strings.Compare))
	slices.SortFunc(fresh, by(compareBackward))
	return alphabet{forward: forward, backward: merged(a.backward, fresh, by(compareBackward))}
}

// merged returns the elements of two sorted slices in their order.
func merged(a, b []uint32, compare func(x, y uint32) int) []uint32 {
	out := make([]uint32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		// The new terms are few: find where the next one goes and copy up to there.
		at := sort.Search(len(a), func(i int) bool { return compare(a[i], b[0]) > 0 })
		out = append(out, a[:at]...)
		out = append(out, b[0])
		a, b = a[at:], b[1:]
	}
	return append(append(out, a...), b...)
}

// beginning yields the terms of letters that begin with a prefix, except itself.
func (a alphabet) beginning(terms []string, prefix string, yield func(n uint32, text string)) {
	at := sort.Search(len(a.forward), func(i int) bool { return terms[a.forward[i]] >= prefix })
	for ; at < len(a.forward) && strings.HasPrefix(terms[a.forward[at]], prefix); at++ {
		yieldLonger(a.forward[at], terms[a.forward[at]], prefix, yield)
	}
	for _, n := range a.fresh {
		if strings.HasPrefix(terms[n], prefix) {
			yieldLonger(n, terms[n], prefix, yield)
		}
	}
}

// ending yields the terms of letters that end with a suffix, except itself.
func (a alphabet) ending(terms []string, suffix string, yield func(n uint32, text string)) {
	at := sort.Search(len(a.backward), func(i int) bool { return compareBackward(terms[a.backward[i]], suffix) >= 0 })
	for ; at < len(a.backward) && strings.HasSuffix(terms[a.backward[at]], suffix); at++ {
		yieldLonger(a.backward[at], terms[a.backward[at]], suffix, yield)
	}
	for _, n := range a.fresh {
		if strings.HasSuffix(terms[n], suffix) {
			yieldLonger(n, terms[n], suffix, yield)
		}
	}
}

func yieldLonger(n uint32, text, part string, yield func(uint32, string)) {
	if len(text) > len(part) {
		yield(n, text)
	}
}

// compareBackward compares two words from their last letters.
func compareBackward(x, y string) int {
	for i := 1; i <= min(len(x), len(y)); i++ {
		if a, b := x[len(x)-i], y[len(y)-i]; a != b {
			return int(a) - int(b)
		}
	}
	return len(x) - len(y)
}
