package caddymodule_test

import (
	"os"
	"testing"
)

// TestMain keeps what Caddy stores out of the home folder.
func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	home, err := os.MkdirTemp("", "storeware-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	for name, folder := range map[string]string{
		"HOME": "", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/config", "XDG_CACHE_HOME": "/cache",
	} {
		if err := os.Setenv(name, home+folder); err != nil {
			panic(err)
		}
	}
	return m.Run()
}
