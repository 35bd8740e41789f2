package keyring

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// TestNobodyMeetsAnUnknownKey rotates, waits and restarts at random on two
// nodes. A platform that caches the profile as long as it may, and keeps
// answers as long as the grace, must never meet a signature whose key it
// cannot find.
func TestNobodyMeetsAnUnknownKey(t *testing.T) {
	const maxAge = DefaultLead - pollInterval // of the profile
	rapid.Check(t, func(rt *rapid.T) {
		storage, clock := newMemory(), newClock()
		nodes := []*Ring{open(t, storage, clock.now), open(t, storage, clock.now)}
		type fetched struct {
			at   time.Time
			keys []httpsig.JWK
		}
		type signed struct {
			at  time.Time
			kid string
		}
		var profiles []fetched
		var answers []signed
		steps := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 60).Draw(rt, "steps")
		for i, step := range steps {
			node := nodes[i%2]
			switch step {
			case 0:
				_, _ = node.Rotate(t.Context()) // refused while one is under way
			case 1:
				nodes[i%2] = open(t, storage, clock.now)
			default:
				wait := []time.Duration{time.Second, pollInterval, DefaultLead / 2, DefaultGrace / 3}[step-2]
				clock.advance(wait)
			}
			for _, node := range nodes { // what Watch does within a minute
				if err := node.Refresh(t.Context()); err != nil {
					rt.Fatal(err)
				}
				profiles = append(profiles, fetched{clock.now(), node.Published()})
				answers = append(answers, signed{clock.now(), node.Signer().KeyID()})
			}
		}
		knows := func(p fetched, kid string) bool {
			return slices.ContainsFunc(p.keys, func(k httpsig.JWK) bool { return k.KeyID == kid })
		}
		for _, a := range answers {
			for _, p := range profiles {
				age := a.at.Sub(p.at)
				if age <= maxAge && age > -DefaultGrace && !knows(p, a.kid) {
					rt.Fatalf("an answer of %s is signed by %s, which a profile of %s does not have", a.at, a.kid, p.at)
				}
			}
		}
	})
}
