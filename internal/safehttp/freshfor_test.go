package safehttp

import (
	"net/http"
	"testing"
	"time"
)

func TestFreshFor(t *testing.T) {
	for cacheControl, want := range map[string]time.Duration{
		"":                                 time.Minute,
		"no-store":                         time.Minute,
		"max-age=0":                        time.Minute,
		"max-age=-600":                     time.Minute,
		"max-age=ten":                      time.Minute,
		"max-age":                          time.Minute,
		"x-max-age=600":                    time.Minute,
		"max-age=600":                      10 * time.Minute,
		"Public , MAX-AGE=600":             10 * time.Minute,
		`max-age="600", must-revalidate`:   10 * time.Minute,
		"max-age=600, max-age=700":         10 * time.Minute,
		"max-age=86401":                    24 * time.Hour,
		"max-age=4294967296":               24 * time.Hour,
		"max-age=18446744073709551616":     24 * time.Hour,
		"s-maxage=700, max-age = 600":      time.Minute, // RFC 9111 has no spaces there.
		"stale-if-error=9000, max-age=120": 2 * time.Minute,
	} {
		if got := freshFor(http.Header{"Cache-Control": {cacheControl}}); got != want {
			t.Errorf("%q: fresh for %v, want %v", cacheControl, got, want)
		}
	}
}

func FuzzFreshFor(f *testing.F) {
	f.Add("public, max-age=3600", "10")
	f.Add(`max-age="99999999999999999999"`, "-1")
	f.Add(",,=,max-age=", "99999999999999999999")
	f.Fuzz(func(t *testing.T, cacheControl, age string) {
		fresh := freshFor(http.Header{"Cache-Control": {cacheControl}, "Age": {age}})
		if fresh < minFresh || fresh > maxFresh {
			t.Fatalf("Cache-Control %q with Age %q is fresh for %v", cacheControl, age, fresh)
		}
	})
}
