package caddymodule

import "log/slog"

// For the tests that run a whole Caddy.
var (
	Commands    = commands
	Fingerprint = fingerprint
)

// RunningLog is where a shop logs to.
func RunningLog(name string) slog.Handler { return runningLog{name: name} }
