package walls_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Caddy's own test helper skips itself when paths are trimmed or tests are short, and
// exits with success: a test that relies on it may never run.
func TestNobodyUsesCaddytest(t *testing.T) {
	for _, p := range list(t, "./...") {
		for _, imports := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
			if slices.Contains(imports, "github.com/caddyserver/caddy/v2/caddytest") {
				t.Errorf("%s imports caddytest", p.ImportPath)
			}
		}
	}
}

// Some modules that we could need have no list of versions, so that what asks for the
// newest one of everything fails. CI asks for exact versions alone.
func TestBuildsAskForExactVersions(t *testing.T) {
	asked := 0
	for _, pattern := range []string{".ci/run", "Makefile", "*.md"} {
		files, err := filepath.Glob("../../" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range files {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(content)) {
				if strings.Contains(line, "go get -u") || strings.Contains(line, "go list -m -u") || strings.Contains(line, "@latest") {
					t.Errorf("%s: %s", name, strings.TrimSpace(line))
				}
				asked += len(regexp.MustCompile(`go install \S+@v\d`).FindAllString(line, -1))
			}
		}
	}
	if asked < 4 {
		t.Errorf("%d programs are installed at an exact version, want 4 at least", asked)
	}
}

// xcaddy needs a version for a module that it has only as a folder, unless it is told
// where the folder is by itself: --with module=./ alone does not build.
func TestXcaddyIsToldOfTheFolder(t *testing.T) {
	folder := regexp.MustCompile(`--with \S+=\.`)
	replaced := regexp.MustCompile(`--replace github\.com/storeware/caddy-storeware=\.`)
	for _, name := range []string{"xcaddy.md", ".ci/run"} {
		content, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if at := folder.Find(content); at != nil && !strings.Contains(string(at), "@v0.0.0=") {
			t.Errorf("%s: %s", name, at)
		}
		if !replaced.Match(content) {
			t.Errorf("%s does not build from a folder", name)
		}
	}
}
