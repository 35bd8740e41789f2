package spectest

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A view names one compiled schema: what is looked at, from where, and with
// which capabilities active.
type view struct {
	perspective perspective
	ref         string // reference to the base schema, relative to the REST description
	active      string // capability names, sorted, joined by spaces
}

// entry is the URL of the schema that composes a view. Nothing is ever fetched.
const entry = base + "spectest/entry.json"

// compose compiles the schema of an operation's payload: the base at ref and,
// on top of it, what each active capability adds to the operation's root.
func (s *Spec) compose(op operation, annotation, ref string, active []string) (*jsonschema.Schema, error) {
	active = slices.Compact(slices.Sorted(slices.Values(active)))
	v := view{
		perspective: perspective{annotation: annotation, verb: op.verb()},
		ref:         ref,
		active:      strings.Join(active, " "),
	}
	return s.once(v, func() (*jsonschema.Schema, error) {
		schema, err := s.extend(op, v, active)
		if err != nil {
			return nil, fmt.Errorf("composing %s with [%s]: %w", op.id, v.active, err)
		}
		return schema, nil
	})
}

// once compiles a view unless that was done before.
func (s *Spec) once(v view, compile func() (*jsonschema.Schema, error)) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if schema := s.compiled[v]; schema != nil {
		return schema, nil
	}
	schema, err := compile()
	if err != nil {
		return nil, err
	}
	s.compiled[v] = schema
	return schema, nil
}

func (s *Spec) extend(op operation, v view, active []string) (*jsonschema.Schema, error) {
	target, err := s.resolve(v.ref)
	if err != nil {
		return nil, err
	}
	parts := []any{map[string]any{"$ref": target}}
	notes := map[string]any{}
	for _, name := range active {
		url, extension, ok := s.extension(op, v.perspective.annotation, name)
		if !ok {
			continue
		}
		parts = append(parts, map[string]any{"$ref": url + "#" + extension.at})
		maps.Copy(notes, annotations(extension, v.perspective.annotation))
	}
	return s.compile(v.perspective, target, notes, map[string]any{"allOf": parts})
}

// resolve makes a reference of the REST description absolute, and follows it
// while it stays in the description.
func (s *Spec) resolve(ref string) (string, error) {
	if pointer, local := strings.CutPrefix(ref, "#"); local {
		schema := tree{value: s.docs[s.openapi]}.follow(pointer)
		if to := schema.get("$ref").text(); to != "" {
			return s.resolve(to)
		}
	}
	from, err := url.Parse(s.openapi)
	if err != nil {
		return "", err
	}
	to, err := from.Parse(ref)
	if err != nil {
		return "", fmt.Errorf("reference %q: %w", ref, err)
	}
	return to.String(), nil
}

// extension finds what a capability adds to an operation's payload:
// $defs[root] of its schema, or $defs["checkout"] as the extensions of
// 2026-01-23 and cart.json of every release have it. Where $defs[root] is
// itself a set of shapes, as for the catalogue, it is the one of this operation
// and direction.
func (s *Spec) extension(op operation, annotation, name string) (string, tree, bool) {
	root := op.root()
	if name == root {
		return "", tree{}, false
	}
	url := s.named[name]
	defs := tree{value: s.docs[url]}.get("$defs")
	short := root[strings.LastIndexByte(root, '.')+1:]
	for _, key := range []string{root, short} {
		part := defs.get(key)
		if !part.exists() {
			continue
		}
		shape := op.verb() + "_response"
		if annotation == "ucp_request" {
			shape = op.verb() + "_request"
		}
		if part.has("$defs") {
			part = part.get("$defs", shape)
		} else if annotation == "ucp_request" && strings.Contains(root, ".catalog.") {
			// loyalty.json extends the answers of the catalogue and has no
			// shape of its own for their requests.
			return "", tree{}, false
		}
		return url, part, part.exists()
	}
	return "", tree{}, false
}

// compile compiles a schema that refers to documents of the release, each
// derived for one perspective. The annotations in notes replace those of the
// document that target points into.
func (s *Spec) compile(p perspective, target string, notes map[string]any, schema any) (*jsonschema.Schema, error) {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	overridden, _, _ := strings.Cut(target, "#")
	compiler.UseLoader(loader(func(url string) (any, error) {
		doc := s.document(url)
		if doc == nil {
			return nil, fmt.Errorf("%s is not part of UCP %s", url, s.release)
		}
		if url == overridden {
			doc = override(doc, p.annotation, notes)
		}
		return p.derive(doc), nil
	}))
	if err := compiler.AddResource(entry, schema); err != nil {
		return nil, err
	}
	return compiler.Compile(entry)
}

// loader serves documents to a compiler.
type loader func(url string) (any, error)

// Load returns the document at url.
func (l loader) Load(url string) (any, error) { return l(url) }
