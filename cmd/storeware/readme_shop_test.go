package main_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// orderLine is what the last of the printed lines ends with.
var orderLine = regexp.MustCompile(`\n"order":\{"id":"[^"]+"\n$`)

// What a newcomer does with a shop of their own: the README's first Caddyfile, its
// command for a key, and the lines that this prints, pasted into the same shell. The
// shop is a real Vendure where there is one, and the demo shop in a process of its
// own.
func TestReadmeOwnShop(t *testing.T) {
	var command string
	for _, block := range blocks(t, "sh") {
		if strings.Contains(block, "storeware agent add") {
			command = strings.TrimSpace(block)
		}
	}
	for _, name := range []string{"demo", "vendure"} {
		t.Run(name, func(t *testing.T) {
			upstream := shopRows()[name].upstream(t)
			site, admin := freeAddress(t), freeAddress(t)
			_, port, err := net.SplitHostPort(site)
			if err != nil {
				t.Fatal(err)
			}
			caddyfile := "{\n\tadmin " + admin + "\n}\n" + strings.NewReplacer(
				"shop.example.com {", "http://localhost:"+port+" {",
				"vendure http://127.0.0.1:3000", upstream,
			).Replace(blocks(t, "caddyfile")[0])
			dir := t.TempDir()
			caddy := runs(t, dir, caddyfile)

			file, err := binary()
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			shell := exec.CommandContext(ctx, "bash", "-eu")
			// The lines stand on standard error, which a newcomer reads.
			add := strings.NewReplacer("storeware agent", file+" agent", "shop.example.com)", "localhost --address "+admin+" 2>lines)").Replace(command)
			shell.Dir = dir
			shell.Stdin = strings.NewReader(add + "\neval \"$(grep -E '^(curl|id=)' lines)\"\n")
			out, err := shell.CombinedOutput()
			if err != nil {
				lines, _ := os.ReadFile(filepath.Join(dir, "lines"))
				t.Fatalf("pasting: %v\n%s\n%s", err, lines, out)
			}
			if !strings.Contains(string(out), `"products":[{`) || !strings.Contains(string(out), `"status":"completed"`) {
				t.Errorf("%s\nthe pasted lines answered\n%s\nand Caddy logged\n%s", add, out, caddy.log)
			}
			if !orderLine.Match(out) {
				t.Errorf("the last line is not the order's id:\n%s", out)
			}
			said, err := os.ReadFile(filepath.Join(dir, "lines"))
			if err != nil || !strings.Contains(string(said), "goes to standard output.\n\nTo try it") {
				t.Errorf("beside a key that the shell keeps stands (%v)\n%s", err, said)
			}
			// Our shops have a customer ada@example.com, as any address may be taken.
			if !regexp.MustCompile(`"email": "ada-[0-9a-z]{10}@example\.com"`).Match(said) {
				t.Errorf("the buyer's address may be somebody's:\n%s", said)
			}
		})
	}
}

// runs starts a Caddyfile and waits until all of it runs, its admin API too.
func runs(t *testing.T, dir, caddyfile string) *process {
	t.Helper()
	p := start(t, dir, "run", "--config", write(t, dir, "Caddyfile", caddyfile))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := p.log.wait(ctx, "serving initial configuration"); err != nil {
		t.Fatal(err)
	}
	return p
}

// Where the shop does not say what can be bought, the lines have words in capitals,
// and the rest of them is right.
func TestAgentAddWithoutAShop(t *testing.T) {
	site, admin := freeAddress(t), freeAddress(t)
	_, port, err := net.SplitHostPort(site)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	runs(t, dir,
		"{\n\tadmin "+admin+"\n}\nhttp://localhost:"+port+" {\n\tstoreware {\n\t\tupstream demo http://"+freeAddress(t)+"\n\t}\n}\n")
	out, err := storeware(t, dir, "agent", "add", "early", "--profile", "https://agent.example/ucp.json", "--address", admin).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"http://localhost:" + port + "/api/ucp/v1/catalog/search", `"X-API-Key: $key"`, `profile="https://agent.example/ucp.json"`, "VARIANT_ID", "profile_file"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it lacks %q:\n%s", want, out)
		}
	}
}
