package keyring

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestRotation follows a key through its life.
func TestRotation(t *testing.T) {
	storage, clock := newMemory(), newClock()
	ring, other := open(t, storage, clock.now), open(t, storage, clock.now)
	old := ring.Signer().KeyID()
	clock.advance(90 * 24 * time.Hour)
	first := answer(t, ring)

	made, err := ring.Rotate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rotated := clock.now()
	want := Key{ID: made.ID, Created: rotated, SignsFrom: rotated.Add(DefaultLead)}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	steps := []struct {
		name      string
		at        time.Duration // since the rotation
		signing   string
		published []string
	}{
		{"at once", 0, old, []string{made.ID, old}},
		{"before the lead is over", DefaultLead - time.Second, old, []string{made.ID, old}},
		{"after the lead", DefaultLead, made.ID, []string{made.ID, old}},
		{"to the end of the grace", DefaultLead + DefaultGrace - time.Second, made.ID, []string{made.ID, old}},
		{"after the grace", DefaultLead + DefaultGrace, made.ID, []string{made.ID}},
	}
	if err := other.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		clock.at = rotated.Add(step.at)
		for node, r := range map[string]*Ring{"the node that rotated": ring, "another node": other, "a node started now": open(t, storage, clock.now)} {
			if got := r.Signer().KeyID(); got != step.signing {
				t.Errorf("%s, %s: %s signs, want %s", step.name, node, got, step.signing)
			}
			if diff := cmp.Diff(step.published, publishedIDs(r)); diff != "" {
				t.Errorf("%s, %s: published (-want +got):\n%s", step.name, node, diff)
			}
			if err := verify(t, answer(t, r), r.Published(), clock.now); err != nil {
				t.Errorf("%s, %s: an answer does not verify: %v", step.name, node, err)
			}
			err := verify(t, first, r.Published(), clock.now)
			if gone := len(step.published) == 1; (err != nil) != gone {
				t.Errorf("%s, %s: the answer from before: %v, want refused: %v", step.name, node, err, gone)
			}
		}
	}
	if _, err := ring.Rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(storage.files[fileKey(shop)]), old) {
		t.Error("a key whose time is over is still in the file after the next rotation")
	}
}

func TestRotateWhileRotating(t *testing.T) {
	storage, clock := newMemory(), newClock()
	ring, other := open(t, storage, clock.now), open(t, storage, clock.now)
	made, err := ring.Rotate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clock.advance(DefaultLead - time.Second)
	again, err := other.Rotate(t.Context())
	if !errors.Is(err, ErrRotating) || again != made {
		t.Errorf("got %+v, %v, want the waiting key and ErrRotating", again, err)
	}
	if got := len(other.Keys()); got != 2 {
		t.Errorf("the other node knows %d keys, want 2", got)
	}
	clock.advance(time.Second)
	if _, err := other.Rotate(t.Context()); err != nil {
		t.Errorf("a rotation after the lead: %v", err)
	}
}

func TestRevoke(t *testing.T) {
	type fixture struct {
		ring     *Ring
		old      string // retired, still published
		current  string // signs
		waiting  string // published, signs later
		revoking string
	}
	tests := []struct {
		name      string
		prepare   func(*fixture)
		signing   func(fixture) string // empty for a new key
		published func(fixture) []string
	}{
		{
			"the signing key", func(f *fixture) { f.revoking = f.current },
			func(f fixture) string { return "" },
			func(f fixture) []string { return []string{"", f.old} },
		},
		{
			"the signing key while another waits", func(f *fixture) { rotate(t, f.ring, &f.waiting); f.revoking = f.current },
			func(f fixture) string { return f.waiting },
			func(f fixture) []string { return []string{f.waiting, f.old} },
		},
		{
			"the waiting key", func(f *fixture) { rotate(t, f.ring, &f.waiting); f.revoking = f.waiting },
			func(f fixture) string { return f.current },
			func(f fixture) []string { return []string{f.current, f.old} },
		},
		{
			"an old key", func(f *fixture) { f.revoking = f.old },
			func(f fixture) string { return f.current },
			func(f fixture) []string { return []string{f.current} },
		},
		{
			"an old key while another waits", func(f *fixture) { rotate(t, f.ring, &f.waiting); f.revoking = f.old },
			func(f fixture) string { return f.current },
			func(f fixture) []string { return []string{f.waiting, f.current} },
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			clock := newClock()
			storage := newMemory()
			f := fixture{ring: open(t, storage, clock.now)}
			f.old = f.ring.Signer().KeyID()
			rotate(t, f.ring, &f.current)
			clock.advance(DefaultLead)
			test.prepare(&f)
			leaked := answer(t, f.ring)
			signing, err := f.ring.Revoke(t.Context(), f.revoking)
			if err != nil {
				t.Fatal(err)
			}
			wantSigning, wantPublished := test.signing(f), test.published(f)
			if wantSigning == "" {
				wantSigning = signing.ID
				wantPublished[0] = signing.ID
				if slices.Contains([]string{f.old, f.current, f.waiting}, signing.ID) {
					t.Errorf("%s signs, want a new key", signing.ID)
				}
			}
			for node, r := range map[string]*Ring{"this node": f.ring, "a node started now": open(t, storage, clock.now)} {
				if got := r.Signer().KeyID(); got != wantSigning || got != signing.ID {
					t.Errorf("%s: %s signs, want %s; Revoke said %s", node, got, wantSigning, signing.ID)
				}
				if diff := cmp.Diff(wantPublished, publishedIDs(r)); diff != "" {
					t.Errorf("%s: published (-want +got):\n%s", node, diff)
				}
				if err := verify(t, answer(t, r), r.Published(), clock.now); err != nil {
					t.Errorf("%s: %v", node, err)
				}
			}
			if err := verify(t, leaked, f.ring.Published(), clock.now); f.revoking == f.current && err == nil {
				t.Error("an answer signed with the revoked key still verifies")
			}
			clock.advance(10 * DefaultGrace)
			if got := f.ring.Signer().KeyID(); !slices.Contains(publishedIDs(f.ring), got) {
				t.Errorf("much later %s signs and is not published", got)
			}
		})
	}
	ring := open(t, newMemory(), newClock().now)
	if _, err := ring.Revoke(t.Context(), "nobody's"); !errors.Is(err, ErrNoKey) {
		t.Errorf("an unknown kid: got %v, want ErrNoKey", err)
	}
}

func rotate(t testing.TB, ring *Ring, made *string) {
	t.Helper()
	key, err := ring.Rotate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	*made = key.ID
}
