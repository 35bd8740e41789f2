package main_test

import (
	"context"
	"net"
	"os/exec"
	"testing"
)

// startRedis starts a redis-server and returns its address.
func startRedis(t *testing.T) string {
	t.Helper()
	file, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("SKIPPED: two Caddy nodes on one Redis need redis-server, which is not installed")
	}
	address := freeAddress(t)
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{
		address: address, log: &transcript{changed: make(chan struct{})}, done: make(chan struct{}),
		cmd: exec.Command(file, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", t.TempDir()),
	}
	p.run(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.listening(ctx); err != nil {
		t.Fatalf("redis-server: %v\n%s", err, p.log)
	}
	return address
}
