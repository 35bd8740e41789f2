package spectest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Response checks an answer to an operation of the REST description
// ("create_checkout"): its status, its form, its totals, and the rules that the
// prose adds.
//
// The resource is checked with the schemas of the active capabilities. When
// active is nil, they are those that the body's own ucp.capabilities names, and
// the body must name its operation's root and nothing else but the root's
// extensions. A body whose ucp.status is "error" is checked as an error
// response, and one of a status above 399 as a protocol error.
func (s *Spec) Response(operation string, active []string, status int, body []byte) error {
	op, ok := s.find(operation)
	if !ok {
		return fmt.Errorf("UCP %s has no operation %q", s.release, operation)
	}
	if status >= http.StatusBadRequest {
		return s.refusal(status, body)
	}
	doc, err := parse(body)
	if err != nil {
		return err
	}
	if doc.get("ucp", "status").text() == "error" {
		return s.failure(status, doc)
	}

	var found Problems
	if !op.accepts(status) {
		found.add(tree{}, "HTTP %d with a resource, want %d", status, op.success)
	}
	s.version(&found, doc)
	if active == nil {
		active = s.declared(&found, op, doc)
	}
	schema, err := s.compose(op, "ucp_response", op.response, active)
	if err != nil {
		return err
	}
	found.check(schema, doc)
	found.totals(doc)
	found.rules(op, doc)
	return found.err()
}

// version checks that an answer names the release it was made for.
func (s *Spec) version(found *Problems, doc tree) {
	version := doc.get("ucp", "version")
	if got := version.text(); got != s.release {
		found.add(version, "is %q, want %q", got, s.release)
	}
}

// declared returns the capabilities that an answer names, and notes what
// "Response Capability Selection" in the overview has against them. A
// capability whose schema is not part of the release, such as a vendor's own,
// cannot be judged.
func (s *Spec) declared(found *Problems, op operation, doc tree) []string {
	registry := doc.get("ucp", "capabilities")
	names := []string{}
	for _, entry := range registry.members() {
		name := entry.key()
		names = append(names, name)
		for _, one := range entry.items() {
			if v := one.get("version"); strings.HasPrefix(name, "dev.ucp.") && v.text() != s.release {
				found.add(v, "is %q, want %q", v.text(), s.release)
			}
		}
		_, known := s.named[name]
		_, _, extends := s.extension(op, "ucp_response", name)
		if known && name != op.root() && !(extends && s.isExtension(name)) {
			found.add(entry, "has no part in %s, which is about %s", op.id, op.root())
		}
	}
	if !slices.Contains(names, op.root()) {
		found.add(registry, "lacks %s, the root of %s", op.root(), op.id)
	}
	return names
}

// isExtension tells an extension from a root capability that only lends
// another one a field, as the cart lends the checkout its cart_id.
func (s *Spec) isExtension(name string) bool {
	for _, op := range s.operations {
		if op.root() == name {
			return false
		}
	}
	return true
}

// failure checks an answer that carries no resource: a business outcome.
func (s *Spec) failure(status int, doc tree) error {
	var found Problems
	if status != http.StatusOK {
		found.add(tree{}, "HTTP %d with an error response, want 200", status)
	}
	s.version(&found, doc)
	if err := s.errorResponse(&found, doc); err != nil {
		return err
	}
	if !slices.ContainsFunc(doc.get("messages").items(), func(m tree) bool {
		return m.get("type").text() == "error"
	}) {
		found.add(doc.get("messages"), "has no message of type error")
	}
	found.messages(doc)
	return found.err()
}

func (s *Spec) errorResponse(found *Problems, doc tree) error {
	for _, op := range s.operations {
		if op.failure == "" {
			continue
		}
		schema, err := s.compose(op, "ucp_response", op.failure, nil)
		if err != nil {
			return err
		}
		found.check(schema, doc)
		return nil
	}
	return fmt.Errorf("UCP %s has no error response", s.release)
}

// refusal checks the body of a protocol error: code and content, and a
// continue_url at most (overview, "Transport Bindings"). An error of identity
// linking comes as an error response instead.
func (s *Spec) refusal(status int, body []byte) error {
	doc, err := parse(body)
	if err != nil {
		return err
	}
	var found Problems
	if doc.has("ucp") {
		if err := s.errorResponse(&found, doc); err != nil {
			return err
		}
		return found.err()
	}
	for _, name := range []string{"code", "content"} {
		if doc.get(name).text() == "" {
			found.add(doc.get(name), "must be a string with something in it")
		}
	}
	if doc.has("continue_url") {
		found.absolute(doc.get("continue_url"))
	}
	if want := statusOf(doc.get("code").text()); want != 0 && want != status {
		found.add(doc.get("code"), "comes with HTTP %d, want %d", status, want)
	}
	return found.err()
}

// statusOf is the HTTP status of a protocol error that the overview ("Error
// Codes"), signatures.md or catalog/lookup.md fixes, or else 0.
func statusOf(code string) int {
	switch code {
	case "invalid_profile_url", "digest_mismatch", "algorithm_unsupported", "request_too_large":
		return http.StatusBadRequest
	case "signature_missing", "signature_invalid", "key_not_found":
		return http.StatusUnauthorized
	case "profile_not_trusted":
		return http.StatusForbidden
	case "profile_malformed", "version_unsupported":
		return http.StatusUnprocessableEntity
	case "profile_unreachable":
		return http.StatusFailedDependency
	case "capabilities_incompatible":
		return http.StatusOK
	}
	return 0
}

// absolute notes a string that is no absolute URL of the web.
func (p *Problems) absolute(n tree) {
	u, err := url.Parse(n.text())
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		p.add(n, "%q is not an absolute URL", n.text())
	}
}
