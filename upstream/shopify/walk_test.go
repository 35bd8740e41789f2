package shopify

import (
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

// TestDeepWalk: a walk over more products than a cursor leads through goes on with
// a new one, and never stands still.
func TestDeepWalk(t *testing.T) {
	start := time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)
	var w walk
	w.begin(start)
	for i := range 3*deepest + 1 {
		w.pass(place{product: upstream.Product{Updated: start.Add(time.Duration(i/10) * time.Second)}, cursor: "c"})
		if w.Read > deepest {
			t.Fatalf("%d products were read by one cursor", w.Read)
		}
	}
	want := start.Add(time.Duration((3*deepest-1)/10) * time.Second)
	if w.Since != want || w.After != "c" || w.Read != 1 {
		t.Errorf("it stands at %+v, want since %v", w, want)
	}
	var same walk
	for range 2 * deepest {
		same.pass(place{product: upstream.Product{Updated: start}, cursor: "c"})
	}
	if same.Read != deepest || same.After != "c" {
		t.Errorf("of many changed at once it stands at %+v", same)
	}
}
