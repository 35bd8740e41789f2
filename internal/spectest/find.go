package spectest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// sharedEnv names the environment variable that says where the folder "shared"
// is when it does not lie beside the module.
const sharedEnv = "STOREWARE_SHARED"

// errNoSpecs means that this machine has no copy of the specifications.
var errNoSpecs = errors.New("no copy of the specifications")

// Find returns the folder with the published specifications: "specs" in
// $STOREWARE_SHARED, or else in ../shared as seen from the module's root. It
// skips the test, naming it and the folder, when there is none.
func Find(t testing.TB) string {
	t.Helper()
	dir, err := locate()
	switch {
	case errors.Is(err, errNoSpecs):
		t.Skipf("SKIPPED: %s checks against the published UCP schemas: %v", t.Name(), err)
	case err != nil:
		t.Fatalf("finding the specifications: %v", err)
	}
	return dir
}

// locate fails with errNoSpecs where a machine without the specifications is
// to be expected, and otherwise when $STOREWARE_SHARED promises some that are
// not there.
func locate() (string, error) {
	if shared := os.Getenv(sharedEnv); shared != "" {
		dir := filepath.Join(shared, "specs")
		if !isDir(dir) {
			return "", fmt.Errorf("%s is set, but %s is no folder", sharedEnv, dir)
		}
		return dir, nil
	}
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(filepath.Dir(root), "shared", "specs")
	if !isDir(dir) {
		return "", fmt.Errorf("%w at %s (set %s)", errNoSpecs, dir, sharedEnv)
	}
	return dir, nil
}

// moduleRoot returns the nearest folder above the working directory, which go
// test sets to the package's own, that holds a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = parent
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
