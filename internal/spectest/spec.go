package spectest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// base is the address under which the schemas of a release refer to each other.
const base = "https://ucp.dev/"

// Spec is one published UCP release. Its schemas are compiled when first
// needed and kept. It is safe for concurrent use.
type Spec struct {
	release    string
	docs       map[string]any    // by URL, as published but for the root's $id
	named      map[string]string // capability name to the URL of its schema
	openapi    string            // URL of the REST description
	operations []operation

	mu       sync.Mutex
	compiled map[view]*jsonschema.Schema
}

// Open reads a release such as "2026-08-25". It skips the test where the
// specifications are absent, and fails it where only the release is.
func Open(t testing.TB, release string) *Spec {
	t.Helper()
	s, err := read(filepath.Join(Find(t), "ucp", release))
	if err != nil {
		t.Fatalf("reading UCP %s: %v", release, err)
	}
	return s
}

func read(dir string) (*Spec, error) {
	s := &Spec{
		release:  filepath.Base(dir),
		docs:     map[string]any{},
		named:    map[string]string{},
		compiled: map[view]*jsonschema.Schema{},
	}
	for _, room := range []string{"schemas", "services", "discovery"} {
		if err := s.load(dir, room); err != nil {
			return nil, err
		}
	}
	// The REST description was called openapi.json in the first release.
	for _, name := range []string{"rest.openapi.json", "openapi.json"} {
		if url := base + "services/shopping/" + name; s.docs[url] != nil {
			s.openapi = url
		}
	}
	if s.openapi == "" {
		return nil, fmt.Errorf("%s has no REST description", dir)
	}
	s.operations = operations(s.docs[s.openapi])
	return s, nil
}

// load reads the JSON files under dir/room, if there is such a folder.
func (s *Spec) load(dir, room string) error {
	root := filepath.Join(dir, room)
	if !isDir(root) {
		return nil
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		doc, err := jsonschema.UnmarshalJSON(file)
		if err != nil {
			return fmt.Errorf("%s: %w", rel, err)
		}
		s.add(base+filepath.ToSlash(rel), doc)
		return nil
	})
}

// add files a document under the URL of its path. Its own $id says the same,
// but for the profile schemas up to 2026-04-08, whose $id breaks their
// references.
func (s *Spec) add(url string, doc any) {
	s.docs[url] = doc
	root, ok := doc.(map[string]any)
	if !ok {
		return
	}
	delete(root, "$id")
	if name, ok := root["name"].(string); ok && strings.Contains(name, ".") {
		s.named[name] = url
	}
}

// document returns the document at url, or an empty one.
func (s *Spec) document(url string) map[string]any {
	doc, _ := s.docs[url].(map[string]any)
	return doc
}
