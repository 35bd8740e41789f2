package caddymodule_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Each file in testdata/adapt holds a Caddyfile, a line of hyphens, and what comes
// of it: a configuration in JSON, or an error.
func TestAdapt(t *testing.T) {
	files, err := filepath.Glob("testdata/adapt/*.caddyfiletest")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	mistakes := 0
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(file), "bad_") {
			mistakes++
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".caddyfiletest"), func(t *testing.T) { testAdapt(t, file) })
	}
	if mistakes < 20 {
		t.Errorf("%d mistakes are tested, want 20 at least", mistakes)
	}
}

const hyphens = "\n----------\n"

func testAdapt(t *testing.T, file string) {
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	caddyfile, want, _ := strings.Cut(string(content), hyphens)
	got := adapted(t, caddyfile)
	isMistake := strings.HasPrefix(filepath.Base(file), "bad_")
	if isMistake == strings.HasPrefix(got, "{") {
		t.Fatalf("a mistake is %t, and it adapts to\n%s", isMistake, got)
	}
	if *update {
		if err := os.WriteFile(file, []byte(caddyfile+hyphens+got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.TrimSpace(want), got); diff != "" {
		t.Errorf("(-want +got; run with -update once it is right):\n%s", diff)
	}
}

// adapted returns the indented configuration, or the text of the error.
func adapted(t *testing.T, caddyfile string) string {
	t.Helper()
	config, warnings, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(caddyfile), map[string]any{"filename": "Caddyfile"})
	if err != nil {
		// A shop system of another test is no part of the module.
		return strings.ReplaceAll(err.Error(), ", pageless", "")
	}
	for _, warning := range warnings {
		if !strings.Contains(warning.Message, "not formatted") {
			t.Errorf("warning: %s", warning)
		}
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, config, "", "\t"); err != nil {
		t.Fatal(err)
	}
	return indented.String()
}
