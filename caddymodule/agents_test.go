package caddymodule_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/storeware/caddy-storeware/caddymodule"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// withAdmin is the Caddyfile of a shop, with an admin API.
var withAdmin = strings.Replace(site, "GLOBAL", "GLOBAL\n\tadmin 127.0.0.1:ADMIN", 1)

// command runs one of the module's commands and returns what it prints.
func (c *caddyServer) command(arguments ...string) (out, prose string, err error) {
	c.t.Helper()
	for _, known := range caddymodule.Commands() {
		if known.Name != arguments[0] {
			continue
		}
		cmd := &cobra.Command{Use: known.Name, SilenceUsage: true, SilenceErrors: true}
		known.CobraFunc(cmd)
		var stdout, stderr bytes.Buffer
		cmd.SetOut(&stdout)
		cmd.SetErr(&stderr)
		// Where the API is stands before what may come after --.
		at := []string{"--address", fmt.Sprintf("127.0.0.1:%d", c.admin)}
		switch {
		case slices.Contains(arguments, at[0]):
		case len(arguments) > 2 && arguments[len(arguments)-2] == "--":
			arguments = slices.Insert(slices.Clone(arguments), len(arguments)-2, at...)
		default:
			arguments = append(slices.Clone(arguments), at...)
		}
		cmd.SetArgs(arguments[1:])
		err = cmd.ExecuteContext(c.t.Context())
		return stdout.String(), stderr.String(), err
	}
	c.t.Fatalf("there is no command %q", arguments[0])
	return "", "", nil
}

// mustCommand is command for what must work.
func (c *caddyServer) mustCommand(arguments ...string) string {
	c.t.Helper()
	out, prose, err := c.command(arguments...)
	if err != nil {
		c.t.Fatalf("%s: %v\n%s", arguments, err, prose)
	}
	return out
}

const search = `{"query": "boots", "pagination": {"limit": 1}}`

func TestAgents(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	caddyfile := fill(withAdmin, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)

	added := strings.TrimSpace(server.mustCommand("agent", "add", "acme", "--shop", "shop.example"))
	if !regexp.MustCompile(`^swa_[0-9A-Za-z]{38}$`).MatchString(added) {
		t.Fatalf("adding an agent printed %q, want its key alone", added)
	}
	acme := server.agent("", secret.New(added))
	acme.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
	bearer := server.agent("", noKey)
	bearer.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search, "Authorization", "bearer "+added)

	// The key works after a restart, and in a configuration of another form.
	server.restart(caddyfile)
	acme.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)

	listed := server.mustCommand("agent", "list")
	for _, want := range []string{`(?m)^acme +active `, `(?m)^tester +declared `} {
		if !regexp.MustCompile(want).MatchString(listed) {
			t.Errorf("the list does not match %q:\n%s", want, listed)
		}
	}
	if strings.Contains(listed, "swa_") || strings.Contains(listed, "sha256") {
		t.Errorf("the list shows keys:\n%s", listed)
	}

	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"agent", "add", "acme"}, `^[^{}]*acme[^{}]*: agent name is taken$`},
		{[]string{"agent", "add", "tester"}, `^[^{}]*tester[^{}]*: agent name is taken$`},
		{[]string{"agent", "add", "no good"}, `^[^{}]*name is not 1 to 64 letters`},
		{[]string{"agent", "add", "other", "--shop", "shop.exampel"}, `^no shop is called "shop.exampel": there is shop.example$`},
		{[]string{"agent", "add", "other", "--profile", "http://agent.example/"}, `^[^{}]*not an https URL`},
		{[]string{"agent", "add", "other", "--public-key", "no-such-file"}, `reading the public key`},
		{[]string{"agent", "add"}, `accepts 1 arg`},
		{[]string{"agent", "revoke", "nobody"}, `^[^{}]*no such agent$`},
		{[]string{"agent", "revoke", "tester"}, `^[^{}]*declared in the configuration`},
		{[]string{"agent", "list", "--shop", "x"}, `^no shop is called "x": there is shop.example$`},
	} {
		_, _, err := server.command(test.arguments...)
		if err == nil || !regexp.MustCompile(test.want).MatchString(err.Error()) {
			t.Errorf("%s: got %v, want %q", test.arguments, err, test.want)
		}
	}

	server.mustCommand("agent", "revoke", "acme")
	refused := acme.want(http.StatusUnauthorized, "POST", "/api/ucp/v1/catalog/search", search)
	if got := refused.Header.Get("WWW-Authenticate"); !strings.HasPrefix(got, "Bearer") {
		t.Errorf("WWW-Authenticate is %q", got)
	}
	if !strings.Contains(refused.get("content").String(), "keys@shop.example") {
		t.Errorf("who has no key is not told where to get one: %s", refused.body)
	}
	if listed := server.mustCommand("agent", "list"); !regexp.MustCompile(`(?m)^acme +revoked `).MatchString(listed) {
		t.Errorf("the list does not say that acme was revoked:\n%s", listed)
	}
}

// A sandbox key does everything but place.
func TestSandbox(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash))
	key := strings.TrimSpace(server.mustCommand("agent", "add", "trial", "--sandbox"))
	agent := server.agent("", secret.New(key))
	agent.awaitShop()
	checkout := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/checkout-sessions", bootsCheckout)
	completed := agent.want(http.StatusOK, "POST", "/api/ucp/v1/checkout-sessions/"+checkout.get("id").String()+"/complete", cardPayment)
	id := completed.get("order.id").String()
	if completed.get("status").String() != "completed" || !strings.HasPrefix(id, "test_") {
		t.Errorf("the checkout is %s with the order %q", completed.get("status"), id)
	}
	agent.want(http.StatusOK, "GET", "/api/ucp/v1/orders/"+id, "")
	if got := house.orders(); got != 0 {
		t.Errorf("the shop has %d orders, want none", got)
	}
}

// A key that is bound to a profile goes with no other.
func TestBoundProfile(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash+" {\nprofile https://agent.example/ucp.json\n}")
	agent := startCaddy(t, caddyfile).agent("", key)
	agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
	refused := agent.want(http.StatusForbidden, "POST", "/api/ucp/v1/catalog/search", search, "UCP-Agent", `profile="https://other.example/ucp.json"`)
	if got := refused.get("code").String(); got != "profile_mismatch" {
		t.Errorf("the code is %q", got)
	}
}

func TestDeclare(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	caddyfile := fill(withAdmin, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)
	out := server.mustCommand("agent", "declare", "acme")
	found := regexp.MustCompile(`^Caddyfile:  (agent acme sha256:[0-9a-f]{64})\nKey:        (swa_\w+)\n$`).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("it prints %q", out)
	}
	server.load(strings.Replace(caddyfile, "agent tester", found[1]+"\nagent tester", 1))
	server.agent("", secret.New(found[2])).want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
}

func TestSigningKeys(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash))
	kids := func() []string {
		var kids []string
		for _, key := range server.agent("", noKey).want(http.StatusOK, "GET", "/.well-known/ucp", "").get("keys.#.kid").Array() {
			kids = append(kids, key.String())
		}
		return kids
	}
	first := kids()
	if len(first) != 1 {
		t.Fatalf("the profile has %d keys, want 1", len(first))
	}
	server.mustCommand("key", "rotate")
	both := kids()
	if len(both) != 2 || both[1] != first[0] {
		t.Fatalf("after a rotation the profile has %s", both)
	}
	listed := server.mustCommand("key", "list")
	for _, kid := range both {
		if !strings.Contains(listed, kid) {
			t.Errorf("the list lacks %s:\n%s", kid, listed)
		}
	}
	if _, _, err := server.command("key", "rotate"); err == nil || !strings.Contains(err.Error(), "already under way") {
		t.Errorf("rotating again: %v", err)
	}
	if _, _, err := server.command("key", "revoke", "x"); err == nil || !strings.Contains(err.Error(), "no such key") {
		t.Errorf("revoking a key that is not there: %v", err)
	}
	server.mustCommand("key", "revoke", first[0])
	if got := kids(); len(got) != 1 || got[0] != both[0] {
		t.Errorf("after the old key was revoked the profile has %s", got)
	}
}

func TestBackupAndRestore(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	caddyfile := fill(withAdmin, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)
	agent := server.agent("", key)
	agent.awaitShop()
	checkout := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/checkout-sessions", bootsCheckout)
	added := strings.TrimSpace(server.mustCommand("agent", "add", "acme"))

	file := filepath.Join(server.dir, "backup")
	server.mustCommand("state", "backup", file)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(content, []byte("ada@example.com")) {
		t.Error("the backup holds the buyer's address in the clear")
	}
	if _, _, err := server.command("state", "backup", file); err == nil || !strings.Contains(err.Error(), file+" is there already") {
		t.Errorf("a backup onto a file that is there: %v", err)
	}
	if _, _, err := server.command("state", "restore", file); err == nil || !strings.Contains(err.Error(), "not empty") || !strings.Contains(err.Error(), "add --replace") {
		t.Errorf("restoring into a state that is not empty: %v", err)
	}

	// The same Caddy with another, empty state.
	server.load(strings.Replace(caddyfile, "DIR/state.db", "DIR/other.db", 1))
	path := "/api/ucp/v1/checkout-sessions/" + checkout.get("id").String()
	if got := agent.want(http.StatusOK, "GET", path, "").get("messages.0.code").String(); got != "not_found" {
		t.Fatalf("the empty state has %q", got)
	}
	server.mustCommand("state", "restore", file)
	if got := agent.want(http.StatusOK, "GET", path, "").get("id").String(); got != checkout.get("id").String() {
		t.Errorf("the restored checkout is %q", got)
	}
	server.agent("", secret.New(added)).want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
	server.mustCommand("state", "restore", file, "--replace")
	agent.want(http.StatusOK, "GET", path, "")

	for name, damaged := range map[string][]byte{
		"half a backup": content[:len(content)/2], "a backup without its end": content[:len(content)-1], "garbage": []byte("garbage"),
	} {
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := server.command("state", "restore", file, "--replace"); err == nil || !strings.HasPrefix(err.Error(), "this is no backup, or not the whole of one") {
			t.Errorf("restoring %s: %v", name, err)
		}
		if got := agent.want(http.StatusOK, "GET", path, "").get("id").String(); got != checkout.get("id").String() {
			t.Errorf("%s took the state away: the checkout is %q", name, got)
		}
	}
	response, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/storeware/state/restore?replace=true", server.admin), "application/octet-stream", strings.NewReader("garbage"))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusBadRequest {
		t.Errorf("restoring garbage has status %d", response.StatusCode)
	}
}

// adminGet reads a route of the admin API.
func (c *caddyServer) adminGet(path string) (status int, body []byte) {
	c.t.Helper()
	response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", c.admin, path))
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return response.StatusCode, body
}
