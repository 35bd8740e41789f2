package main_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for a process to do what it should.
const patience = 30 * time.Second

// process is a running storeware.
type process struct {
	// address is where it serves, host and port.
	address string
	cmd     *exec.Cmd
	log     *transcript
	done    chan struct{}
}

// transcript keeps what a process prints, and lets tests wait for a part of it.
type transcript struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func (l *transcript) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(p)
	close(l.changed)
	l.changed = make(chan struct{})
	return len(p), nil
}

func (l *transcript) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// wait returns all that was printed once it holds text.
func (l *transcript) wait(ctx context.Context, text string) (string, error) {
	for {
		l.mu.Lock()
		now, changed := l.text.String(), l.changed
		l.mu.Unlock()
		if strings.Contains(now, text) {
			return now, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return "", fmt.Errorf("%q was not printed but:\n%s", text, now)
		}
	}
}

// binary builds storeware once for all tests.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "storeware-test-")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "storeware")
	out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building: %w\n%s", err, out)
	}
	return file, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if file, err := binary(); err == nil {
		_ = os.RemoveAll(filepath.Dir(file))
	}
	os.Exit(code)
}

// storeware returns a command that keeps its files in dir.
func storeware(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	file, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file, args...)
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+dir+"/data", "XDG_CONFIG_HOME="+dir+"/config", "HOME="+dir)
	return cmd
}

// start runs storeware until the test ends, or until it is killed.
func start(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	p := &process{cmd: storeware(t, dir, args...), log: &transcript{changed: make(chan struct{})}, done: make(chan struct{})}
	p.run(t)
	return p
}

// run starts the process; it is killed when the test ends.
func (p *process) run(t *testing.T) {
	t.Helper()
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // how it ended is seen in its log
	}()
	t.Cleanup(p.kill)
}

// serve starts storeware and waits until it serves at address.
func serve(t *testing.T, dir, address string, args ...string) *process {
	t.Helper()
	p := start(t, dir, args...)
	p.address = address
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.listening(ctx); err != nil {
		t.Fatalf("storeware %v: %v\n%s", args, err, p.log)
	}
	return p
}

// listening waits until something listens at the process's address.
func (p *process) listening(ctx context.Context) error {
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("nothing listens at %s: %w", p.address, err)
		case <-p.done:
			return errors.New("the process has ended")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// kill ends the process as a power cut would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended already
	<-p.done
}

// interrupt ends the process as Ctrl-C would.
func (p *process) interrupt(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	select {
	case <-p.done:
	case <-time.After(patience):
		t.Fatalf("the process does not end:\n%s", p.log)
	}
}

// cpu is how much processor time the process has used.
func (p *process) cpu(t *testing.T) time.Duration {
	t.Helper()
	fields := p.stat(t)
	var ticks int64
	for _, field := range fields[11:13] { // utime and stime, proc(5)
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}

// memory is the process's resident memory in bytes.
func (p *process) memory(t *testing.T) int64 {
	t.Helper()
	pages, err := strconv.ParseInt(p.stat(t)[21], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(syscall.Getpagesize())
}

// stat returns the fields of /proc/PID/stat after the command's name.
func (p *process) stat(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		t.Skipf("SKIPPED: what a process uses is read from /proc: %v", err)
	}
	_, after, _ := strings.Cut(string(text), ") ")
	return strings.Fields(after)
}

// listen opens a port on the loopback interface.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// freeAddress returns a loopback address that nothing listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l := listen(t)
	defer l.Close()
	return l.Addr().String()
}

// write makes a file in dir and returns its path.
func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
