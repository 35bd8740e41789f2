package spectest

import (
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Party is a side of UCP that publishes a profile.
type Party string

const (
	Business Party = "business" // a shop, at /.well-known/ucp
	Platform Party = "platform" // an agent, at the address in UCP-Agent
)

// Profile checks a party's profile document: the published schema, the
// configuration that a capability's own schema asks for, and the rules of the
// overview: versions of dev.ucp entries equal the profile's, a schema lies
// under the authority that its entry's name claims, an extension extends what
// its schema extends, endpoints have no trailing slash, and every key id is
// published once.
//
// A profile of this release is a leaf when it comes from supported_versions of
// a newer one, and must then have no supported_versions itself; Profile cannot
// tell and does not ask.
func (s *Spec) Profile(party Party, body []byte) error {
	doc, err := parse(body)
	if err != nil {
		return err
	}
	schema, err := s.profileSchema(party)
	if err != nil {
		return fmt.Errorf("composing the schema of a %s profile: %w", party, err)
	}
	var found Problems
	found.check(schema, doc)
	s.version(&found, doc)
	s.entries(&found, doc.get("ucp"))
	found.keys(doc)
	return found.err()
}

// profileSchema compiles the schema of a profile with what the schemas of the
// capabilities ask of their own entries.
func (s *Spec) profileSchema(party Party) (*jsonschema.Schema, error) {
	target, err := s.profileTarget(party)
	if err != nil {
		return nil, err
	}
	v := view{perspective: perspective{annotation: "ucp_response", verb: "read"}, ref: target}
	return s.once(v, func() (*jsonschema.Schema, error) {
		parts := []any{map[string]any{"$ref": target}}
		for _, name := range slices.Sorted(maps.Keys(s.named)) {
			if part, ok := s.configuration(party, name); ok {
				parts = append(parts, part)
			}
		}
		return s.compile(v.perspective, target, nil, map[string]any{"allOf": parts})
	})
}

// profileTarget is the URL of the published schema of a profile, whose home and
// names changed with 2026-08-25.
func (s *Spec) profileTarget(party Party) (string, error) {
	for _, home := range []string{"schemas/profile.json", "discovery/profile_schema.json"} {
		for _, name := range []string{string(party) + "_schema", string(party) + "_profile"} {
			if defs := (tree{value: s.docs[base+home]}).get("$defs"); defs.has(name) {
				return base + home + "#/$defs/" + name, nil
			}
		}
	}
	return "", fmt.Errorf("UCP %s has no such schema", s.release)
}

// configuration is the schema of a profile whose entries of one capability are
// as that capability's own schema asks for.
func (s *Spec) configuration(party Party, name string) (any, bool) {
	home := s.named[name]
	entry := tree{value: s.docs[home]}.get("$defs", name, string(party)+"_schema")
	if !entry.exists() {
		return nil, false
	}
	var schema any = map[string]any{"items": map[string]any{"$ref": home + "#" + entry.at}}
	for _, field := range []string{name, "capabilities", "ucp"} {
		schema = map[string]any{"properties": map[string]any{field: schema}}
	}
	return schema, true
}

// entries checks the services, capabilities and payment handlers of a profile.
func (s *Spec) entries(found *Problems, ucp tree) {
	for _, registry := range []string{"services", "capabilities", "payment_handlers"} {
		for _, versions := range ucp.get(registry).members() {
			for _, entry := range versions.items() {
				s.entry(found, versions.key(), entry)
			}
		}
	}
}

func (s *Spec) entry(found *Problems, name string, entry tree) {
	if v := entry.get("version"); strings.HasPrefix(name, "dev.ucp.") && v.text() != s.release {
		found.add(v, "is %q, want %q", v.text(), s.release)
	}
	if schema := entry.get("schema"); schema.exists() && !authoritative(name, schema.text()) {
		found.add(schema, "%q is not under the authority of %s", schema.text(), name)
	}
	if endpoint := entry.get("endpoint"); strings.HasSuffix(endpoint.text(), "/") {
		found.add(endpoint, "ends in a slash")
	}
	parents := entry.get("extends")
	names := parents.items()
	if parents.text() != "" {
		names = []tree{parents}
	}
	defs := tree{value: s.docs[s.named[name]]}.get("$defs")
	for _, parent := range names {
		short := parent.text()[strings.LastIndexByte(parent.text(), '.')+1:]
		if defs.exists() && !defs.has(parent.text()) && !defs.has(short) {
			found.add(parent, "%s does not extend %s", name, parent.text())
		}
	}
}

// authoritative reports whether a schema's address belongs to the owner of a
// reverse-domain name (overview, "Derivation algorithm").
func authoritative(name, address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.User != nil {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	labels := strings.Split(host, ".")
	if len(labels) < 2 {
		return false
	}
	slices.Reverse(labels)
	prefix := strings.Join(labels, ".")
	return name == prefix || strings.HasPrefix(name, prefix+".")
}

// keys notes a key id that is published twice.
func (p *Problems) keys(doc tree) {
	seen := map[string]bool{}
	for _, list := range []string{"keys", "signing_keys"} {
		for _, key := range doc.get(list).items() {
			kid := key.get("kid")
			if seen[kid.text()] {
				p.add(kid, "%q stands twice", kid.text())
			}
			seen[kid.text()] = true
		}
	}
}
