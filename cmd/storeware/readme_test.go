package main_test

import (
	"context"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// blocks returns the README's fenced blocks of a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, match := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		out = append(out, match[1])
	}
	if len(out) == 0 {
		t.Fatalf("the README has no block of %s", language)
	}
	return out
}

// The README's first command, and what a newcomer then does: paste the printed
// lines into a shell, one after the other, and press Ctrl-C.
func TestReadmeDemo(t *testing.T) {
	first := strings.TrimSpace(blocks(t, "sh")[0])
	args, ok := strings.CutPrefix(first, "go run ./cmd/storeware ")
	if !ok {
		t.Fatalf("the README begins with %q", first)
	}
	if _, err := binary(); err != nil { // before its temporary folder is another
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	if err := os.Mkdir(filepath.Join(dir, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	// The port is the one thing a test cannot leave as it is: it may be taken.
	p := start(t, dir, append(strings.Fields(args), "--port", port)...)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	printed, err := p.log.wait(ctx, "Ctrl-C ends it.")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(printed) {
		if strings.HasPrefix(line, "curl ") || strings.HasPrefix(line, "id=$(curl ") {
			lines = append(lines, line)
		}
	}
	if len(lines) != 3 {
		t.Fatalf("%d lines to paste in:\n%s", len(lines), printed)
	}
	shell := exec.CommandContext(ctx, "bash", "-eu")
	shell.Stdin = strings.NewReader(strings.Join(lines, ""))
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("pasting: %v\n%s", err, out)
	}
	if !strings.Contains(string(out), `"handle":"fjell-trail-gtx"`) || !strings.Contains(string(out), `"status":"completed"`) || !orderLine.Match(out) {
		t.Errorf("the pasted lines answered\n%s", out)
	}

	second := start(t, dir, "demo", "--port", port)
	if _, err := second.log.wait(ctx, "port "+port+" is taken: choose another with --port"); err != nil {
		t.Errorf("a second demo on that port: %v", err)
	}
	second.interrupt(t)

	p.interrupt(t)
	// Neither in the folder for temporary files nor at home, where Caddy's own are.
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir && path != filepath.Join(dir, "tmp") {
			t.Errorf("Ctrl-C left %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// The row that the help shows is one that the demo takes.
func TestCatalogueHelp(t *testing.T) {
	dir := t.TempDir()
	help, err := storeware(t, dir, "demo", "--help").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, help)
	}
	row := regexp.MustCompile(`\{"id": .*\}`).Find(help)
	more := regexp.MustCompile(`(?s)if there is more to say, (.*?\]),?\s*\n\s*-`).FindSubmatch(help)
	if row == nil || more == nil {
		t.Fatalf("no row in\n%s", help)
	}
	fields := strings.Join(strings.Fields(string(more[1])), " ")
	fields = regexp.MustCompile(`"(description|brand)"(, | and )`).ReplaceAllString(fields, `"$1": "x", `)
	whole := strings.TrimSuffix(string(row), "}") + ", " + fields + "}"
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	file := write(t, dir, "catalogue.jsonl", string(row)+"\n"+strings.Replace(whole, `"p1", "handle": "kiln-mug"`, `"p2", "handle": "other-mug"`, 1)+"\n")
	p := start(t, dir, "demo", "--port", port, "--data", filepath.Join(dir, "demo"), "--catalogue", file)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := p.log.wait(ctx, "Ctrl-C ends it."); err != nil {
		t.Errorf("%v\n%s", err, whole)
	}
}

// Every Caddyfile in the README is one that Caddy takes.
func TestReadmeCaddyfiles(t *testing.T) {
	for i, block := range blocks(t, "caddyfile") {
		dir := t.TempDir()
		if strings.HasPrefix(block, "{") {
			// A block of global options alone needs a site to be whole.
			block += "\nshop.example.com {\n\tstoreware {\n\t\tupstream vendure http://127.0.0.1:3000\n\t}\n}\n"
		}
		cmd := storeware(t, dir, "validate", "--config", write(t, dir, "Caddyfile", block))
		cmd.Env = append(cmd.Env, "REDIS_URL=redis://127.0.0.1:6379/0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("block %d: %v\n%s", i, err, out)
		}
	}
}

// The commands that the README names exist.
func TestReadmeCommands(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile("storeware ((?:agent|key|state|map|run|validate|demo-shop)(?: (?:add|list|revoke|rotate|backup|restore|check))?)").FindAllStringSubmatch(string(text), -1) {
		cmd := storeware(t, t.TempDir(), append(strings.Fields(match[1]), "--help")...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("storeware %s: %v\n%s", match[1], err, out)
		}
	}
}

// As the README says, make lists its targets, all of them.
func TestMakeListsItsTargets(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("SKIPPED: there is no make here")
	}
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("make", "--no-print-directory", "-C", "../..").Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	targets := regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(string(text), -1)
	for _, target := range targets {
		if !regexp.MustCompile(`(?m)^` + target[1] + ` +\S`).Match(out) {
			t.Errorf("%s is not listed with what it does:\n%s", target[1], out)
		}
	}
	if lines := strings.Count(string(out), "\n"); lines != len(targets) {
		t.Errorf("%d lines for %d targets:\n%s", lines, len(targets), out)
	}
}

// Caddyfile.example is for a service. Changed as its head says, a user runs it who
// may write nowhere but at home.
func TestExampleToTryOut(t *testing.T) {
	content, err := os.ReadFile("../../Caddyfile.example")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^\s+(state|output) file .*\n`).ReplaceAllString(string(content), "")
	text = strings.Replace(text, "\nshop.example.com {", "\nhttp://localhost:8080 {", 1)
	if found := regexp.MustCompile(`(?m)^\s*[^#\s].*/(var|etc)/.*$`).FindString(text); found != "" {
		t.Errorf("the head does not name %q", found)
	}
	dir := t.TempDir()
	if out, err := storeware(t, dir, "validate", "--config", write(t, dir, "Caddyfile", text)).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
