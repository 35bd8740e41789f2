package caddymodule_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/caddymodule"
)

// A shop that was opened under one configuration logs to the one that runs.
func TestRunningLog(t *testing.T) {
	log := slog.New(caddymodule.RunningLog("storeware.upstreams.shopify")).With("shop", "one").WithGroup("version")
	server := startCaddy(t, "{\nGLOBAL\n}\n:PORT {\n}\n")
	log.Warn("told", "answered", "2026-10")
	log.Debug("told", "answered", "2027-01")
	server.load("{\nGLOBAL\n}\n:PORT {\nrespond hello\n}\n")
	log.Error("told", "answered", "2027-04")

	text, err := os.ReadFile(filepath.Join(server.dir, "caddy.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"level":"warn",`, `"level":"debug",`, `"level":"error",`,
		`"logger":"storeware.upstreams.shopify","msg":"told","shop":"one","version":{"answered":"2026-10"}}`,
		`"version":{"answered":"2027-01"}}`, `"version":{"answered":"2027-04"}}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the log lacks %s", want)
		}
	}
}
