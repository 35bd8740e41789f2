package ucp

import (
	"net/http"
	"slices"
)

// Declaration is a capability as a business declares it.
type Declaration struct {
	Name    Capability
	Version string
	// Extends are the capabilities that an extension adds to, none for a root
	// capability.
	Extends []Capability
}

// checkVersion refuses a platform of another protocol release (overview,
// "Request-Time Validation").
func (p *Platform) checkVersion() *Failure {
	if p.Version == Release {
		return nil
	}
	return refuse(http.StatusUnprocessableEntity, VersionUnsupported,
		"UCP %s is not spoken here: this shop speaks %s", p.Version, Release)
}

// negotiate returns the capabilities that both sides speak, in the order of
// ours: each at the latest version they share, and no extension without anything
// to extend (overview, "Intersection Algorithm").
func negotiate(ours []Declaration, theirs map[Capability][]string) Active {
	shared := make([]Declaration, 0, len(ours))
	for _, d := range ours {
		if !slices.Contains(theirs[d.Name], d.Version) {
			continue
		}
		i := slices.IndexFunc(shared, func(s Declaration) bool { return s.Name == d.Name })
		switch {
		case i < 0:
			shared = append(shared, d)
		case d.Version > shared[i].Version: // dates order as texts do
			shared[i] = d
		}
	}
	active := make(Active, 0, len(shared))
	for _, d := range pruned(shared) {
		active = append(active, Selected{d.Name, d.Version})
	}
	return active
}

// pruned drops extensions that have nothing to extend, until none is left: an
// extension may extend another one.
func pruned(declarations []Declaration) []Declaration {
	orphan := func(d Declaration) bool {
		return len(d.Extends) > 0 && !slices.ContainsFunc(declarations, func(parent Declaration) bool {
			return slices.Contains(d.Extends, parent.Name)
		})
	}
	for {
		i := slices.IndexFunc(declarations, orphan)
		if i < 0 {
			return declarations
		}
		declarations = slices.Delete(declarations, i, i+1)
	}
}

// relevant returns those of the negotiated capabilities that an operation's
// answer declares: its root and the extensions of that (overview, "Response
// Capability Selection"). It is empty when the root was not negotiated.
func relevant(ours []Declaration, negotiated Active, op Operation) Active {
	root := op.Root()
	if !negotiated.Has(root) {
		return Active{}
	}
	return slices.DeleteFunc(slices.Clone(negotiated), func(s Selected) bool {
		return s.Name != root && !slices.ContainsFunc(ours, func(d Declaration) bool {
			return d.Name == s.Name && d.Version == s.Version && slices.Contains(d.Extends, root)
		})
	})
}
