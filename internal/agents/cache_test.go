package agents

import (
	"encoding/binary"
	"testing"
	"time"
)

func TestCacheIsBounded(t *testing.T) {
	cache, now := newCache(time.Second), time.Now()
	for i := range 3 * maxCached {
		for kind, err := range []error{nil, ErrUnknownKey} {
			at := place{shop: "shop"}
			binary.BigEndian.PutUint64(at.hash[:], uint64(2*i+kind))
			cache.put(at, answer{err: err, until: now.Add(time.Second)}, 0)
			if _, ok := cache.get(at, now); !ok {
				t.Fatal("what was just put is not there")
			}
		}
		if len(cache.good) > maxCached || len(cache.bad) > maxCached {
			t.Fatalf("%d good and %d bad keys, want at most %d", len(cache.good), len(cache.bad), maxCached)
		}
	}
}
