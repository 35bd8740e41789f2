package spectest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/spectest"
)

func TestFindTakesTheEnvironment(t *testing.T) {
	shared := t.TempDir()
	specs := filepath.Join(shared, "specs")
	if err := os.Mkdir(specs, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("STOREWARE_SHARED", shared)
	if got := spectest.Find(t); got != specs {
		t.Errorf("Find is %s, want %s", got, specs)
	}
}

// A machine without the specifications skips; a promise that is not kept fails.
func TestFindWithoutSpecs(t *testing.T) {
	for _, c := range []struct{ name, env, want string }{
		{"nothing beside the module", "", "skip"},
		{"an empty promise", filepath.Join(t.TempDir(), "nowhere"), "fatal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(moduleAlone(t))
			t.Setenv("STOREWARE_SHARED", c.env)
			observer := &observer{TB: t}
			stopped(func() { spectest.Find(observer) })
			if observer.end != c.want {
				t.Errorf("ended with %q, want %q: %s", observer.end, c.want, observer.log.String())
			}
			if said := observer.log.String(); c.want == "skip" && !strings.Contains(said, t.Name()) {
				t.Errorf("the skip does not name the test: %s", said)
			}
		})
	}
}

// moduleAlone makes a module with nothing beside it and returns a folder in it.
func moduleAlone(t *testing.T) string {
	t.Helper()
	module := filepath.Join(t.TempDir(), "module")
	inside := filepath.Join(module, "inside")
	if err := os.MkdirAll(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(module, "go.mod"), []byte("module x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return inside
}
