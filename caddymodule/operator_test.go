package caddymodule_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

func TestHealth(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash))
	status, body := server.adminGet("/storeware/health")
	if status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	for path, want := range map[string]string{
		"ok": "true", "state.module": "bolt", "shops.#": "1", "shops.0.name": "shop.example",
		"shops.0.system": "demo", "shops.0.up": "true", "shops.0.known": "true",
	} {
		if got := gjson.GetBytes(body, path).String(); got != want {
			t.Errorf("%s is %s, want %s\n%s", path, got, want, body)
		}
	}
	if at := gjson.GetBytes(body, "shops.0.as_of").Time(); time.Since(at).Abs() > time.Minute {
		t.Errorf("the shop was looked at %v", at)
	}
	if status, _ := server.adminGet("/storeware/state/restore"); status != http.StatusMethodNotAllowed {
		t.Errorf("GET of what only takes POST: status %d", status)
	}
}

// A store that cannot be reached makes operations fail closed, and health says so.
func TestStateAway(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	caddyfile := strings.Replace(fill(withAdmin, "SHOP", house.url(), "HASH", hash), "state file DIR/state.db", "state redis redis://127.0.0.1:1", 1)
	server := startCaddy(t, caddyfile)
	if status, body := server.adminGet("/storeware/health"); status != http.StatusServiceUnavailable || gjson.GetBytes(body, "ok").Bool() {
		t.Errorf("health: status %d: %s", status, body)
	}
	agent := server.agent("", key) // who is declared, and so is known without the state
	agent.want(http.StatusOK, "GET", "/.well-known/ucp", "")
	agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
	wantAway(t, agent.do("POST", "/api/ucp/v1/carts", `{"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}]}`, "Idempotency-Key", "k"))
	refused := agent.do("POST", "/api/ucp/v1/checkout-sessions", bootsCheckout)
	wantAway(t, refused)
	if text := refused.get("content").String(); !strings.HasPrefix(text, "The storage where this site keeps baskets") {
		t.Errorf("the agent is told: %s", text)
	}
	stranger, _ := newKey()
	wantAway(t, server.agent("", stranger).do("POST", "/api/ucp/v1/catalog/search", search))
}

// withMetrics shows Caddy's metrics, and has two shops.
var withMetrics = strings.Replace(twoShops, "\tprofile_file", "\tdevelopment\n\t\tprofile_file", 1) + `
http://metrics.example:PORT {
	metrics /metrics
}
`

// Counters live as long as the process, and each configuration shows them.
func TestMetrics(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash1 := newKey()
	_, hash2 := newKey()
	caddyfile := fill(withMetrics, "ONE", house.url(), "TWO", "http://127.0.0.1:1", "HASH1", hash1, "HASH2", hash2)
	server := startCaddy(t, caddyfile)
	agent := server.agent("one.example", key)
	agent.awaitShop()
	calls := `storeware_requests_total{operation="search_catalog",outcome="ok",protocol="ucp",shop="one.example"}`
	before := server.metric(calls)
	for i := range 3 {
		agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
		server.agent("one.example", noKey).want(http.StatusUnauthorized, "POST", "/api/ucp/v1/catalog/search", search)
		if got := server.metric(calls); got != before+float64(i)+1 {
			t.Errorf("after %d reloads %s is %v, want %v", i, calls, got, before+float64(i)+1)
		}
		server.load(caddyfile)
	}
	body := `{"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}]}`
	for range 2 {
		agent.want(http.StatusCreated, "POST", "/api/ucp/v1/carts", body, "Idempotency-Key", "k")
	}
	agent.want(http.StatusOK, "POST", mcpPath, toolCall(1, "search_catalog", `"catalog":`+search))
	agent.want(http.StatusFailedDependency, "POST", "/api/ucp/v1/catalog/search", search, "UCP-Agent", `profile="http://127.0.0.1:1/"`)
	for _, name := range []string{
		`storeware_requests_total{operation="search_catalog",outcome="unauthorized",protocol="ucp",shop="one.example"}`,
		`storeware_requests_total{operation="profile",outcome="ok",protocol="ucp",shop="one.example"}`,
		`storeware_request_duration_seconds_count{operation="search_catalog",protocol="ucp",shop="one.example"}`,
		`storeware_requests_total{operation="search_catalog",outcome="ok",protocol="ucp-mcp",shop="one.example"}`,
		`storeware_replays_total{protocol="ucp",shop="one.example"}`,
		`storeware_signatures_total{kind="answer",outcome="signed",shop="one.example"}`,
		`storeware_signatures_total{kind="request",outcome="none",shop="one.example"}`,
		`storeware_profile_fetch_duration_seconds_count{outcome="unreachable"}`,
		`storeware_shop_up{shop="one.example"}`,
	} {
		if server.metric(name) < 1 {
			t.Errorf("%s is less than 1", name)
		}
	}
	if got := server.metric(`storeware_shop_up{shop="second"}`); got != 0 {
		t.Errorf("a shop that is away counts as up: %v", got)
	}
	if !strings.Contains(server.metrics(), `storeware_upstream_duration_seconds_count{operation="searching`) {
		t.Error("the calls of the shop's API are not counted")
	}
}

// metrics reads Caddy's metrics.
func (c *caddyServer) metrics() string {
	c.t.Helper()
	got := c.agent("metrics.example", noKey).want(http.StatusOK, "GET", "/metrics", "")
	return string(got.body)
}

// metric reads one of them.
func (c *caddyServer) metric(name string) float64 {
	c.t.Helper()
	return metricIn(c.t, c.metrics(), name)
}

// metricIn returns a metric, which is 0 if it is not there.
func metricIn(t testing.TB, metrics, name string) float64 {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(metrics)
	if found == nil {
		return 0
	}
	var value float64
	if _, err := fmt.Sscan(found[1], &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// logOfExample is the log of Caddyfile.example, written to a file of the test's.
func logOfExample(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("../Caddyfile.example")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?ms)^\tlog \{.*?^\t\}`).FindString(string(content))
	if found == "" {
		t.Fatal("the example has no log")
	}
	return regexp.MustCompile(`output file \S+`).ReplaceAllString(found, "output file DIR/access.log")
}

// An access log as Caddyfile.example has it holds no key, wherever an agent put it,
// and neither does the module's own log.
func TestNoKeyInTheLogs(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(bare, ":PORT {", ":PORT {\n"+logOfExample(t), "SHOP", house.url(), "HASH", hash))
	agent := server.agent("", key)
	agent.awaitShop()
	agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
	agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search, "X-API-Key", "", "Authorization", "Bearer "+key.Reveal())
	wrong, _ := newKey()
	server.agent("", wrong).want(http.StatusUnauthorized, "POST", "/api/ucp/v1/catalog/search", search)
	agent.want(http.StatusBadRequest, "POST", "/api/ucp/v1/catalog/search", search, "X-API-Key", wrong.Reveal(), "Authorization", "Bearer "+key.Reveal())
	checkout := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/checkout-sessions", bootsCheckout)
	page := strings.TrimPrefix(checkout.get("continue_url").String(), server.url(""))
	server.agent("", noKey).want(http.StatusOK, "GET", page, "")
	token := page[strings.LastIndexByte(page, '/')+1:]

	logs := map[string]string{}
	for _, name := range []string{"access.log", "caddy.log"} {
		content, err := os.ReadFile(filepath.Join(server.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		logs[name] = string(content)
		for _, secret := range []string{"swa_", token, "ada@example.com"} {
			if strings.Contains(logs[name], secret) {
				t.Errorf("%s holds %q", name, secret)
			}
		}
	}
	for _, want := range []string{`"uri":"/api/ucp/v1/catalog/search"`, `"uri":"/storeware/basket/` + checkout.get("id").String() + `/..."`} {
		if !strings.Contains(logs["access.log"], want) {
			t.Errorf("the access log lacks %s", want)
		}
	}
	line := regexp.MustCompile(`(?m)^.*"operation":"create_checkout".*$`).FindString(logs["caddy.log"])
	for field, want := range map[string]string{
		"logger": "http.handlers.storeware", "level": "info", "msg": "answered", "shop": "shop.example",
		"agent": "tester", "protocol": "ucp", "outcome": "ok", "status": "201",
	} {
		if got := gjson.Get(line, field).String(); got != want {
			t.Errorf("the log has %s %q, want %q", field, got, want)
		}
	}
	if gjson.Get(line, "duration").Float() <= 0 {
		t.Errorf("the log has no duration: %s", line)
	}
}

// Nor is a key in Caddy's own log as Caddyfile.example has it, when an agent calls
// the site by a name that Caddy does not know.
func TestNoKeyOfUnknownHosts(t *testing.T) {
	content, err := os.ReadFile("../Caddyfile.example")
	if err != nil {
		t.Fatal(err)
	}
	own := regexp.MustCompile(`(?ms)^\tlog default \{\n(.*?^\t\})`).FindSubmatch(content)
	if own == nil {
		t.Fatal("the example has no log of Caddy's own")
	}
	key, hash := newKey()
	server := startCaddy(t, fill(bare, "GLOBAL", "admin off\npersist_config off\nstorage file_system DIR/caddy\nlog default {\noutput file DIR/caddy.log\n"+string(own[1]),
		":PORT {", "http://shop.example:PORT {\n"+logOfExample(t), "SHOP", "http://127.0.0.1:1", "HASH", hash))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.url("/api/ucp/v1/orders/1"), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "other.example"
	request.Header.Set("X-API-Key", key.Reveal())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	log, err := os.ReadFile(filepath.Join(server.dir, "caddy.log"))
	if err != nil {
		t.Fatal(err)
	}
	if line := regexp.MustCompile(`(?m)^.*"host":"other.example".*$`).Find(log); line == nil || strings.Contains(string(log), "swa_") {
		t.Errorf("the log has this of a request for an unknown host: %s", line)
	}
	if strings.Contains(string(log), "holds agents' keys") {
		t.Error("the operator is warned of the logs of the example")
	}
}

// What else a site does to its answers leaves signed ones as they are.
func TestOtherDirectives(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	agent := startCaddy(t, fill(site, ":PORT {", `:PORT {
	header {
		-Server
		Strict-Transport-Security max-age=31536000
		X-Frame-Options DENY
	}
	templates
	push
	intercept {
		@error status 404
		replace_status @error 200
	}
	handle_errors {
		respond "oops" 200
	}
`, "SHOP", house.url(), "HASH", hash)).agent("", key)
	agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
	missing := agent.want(http.StatusNotFound, "GET", "/api/ucp/v1/nothing", "")
	if got := missing.Header.Get("X-Frame-Options"); got != "DENY" {
		t.Errorf("the site's own header is %q", got)
	}
}

// A site that compresses leaves signed answers alone.
func TestEncode(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	for name, encode := range map[string]string{
		"beside it": "encode {\n\t\tgzip\n\t\tminimum_length 1\n\t}\n\tstoreware",
		"around it": "route {\n\t\tencode {\n\t\t\tgzip\n\t\t\tminimum_length 1\n\t\t}\n\t\tstoreware",
	} {
		t.Run(name, func(t *testing.T) {
			caddyfile := strings.Replace(site, ":PORT {\n\tstoreware", ":PORT {\n\t"+encode, 1)
			if strings.HasPrefix(encode, "route") {
				caddyfile = strings.Replace(caddyfile, "reverse_proxy SHOP", "reverse_proxy SHOP\n\t}", 1)
			}
			agent := startCaddy(t, fill(caddyfile, "SHOP", house.url(), "HASH", hash)).agent("", key)
			got := agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", `{"query": "boots"}`, "Accept-Encoding", "gzip")
			if coding := got.Header.Get("Content-Encoding"); coding != "" {
				t.Errorf("the answer is compressed (%s)", coding)
			}
			page := agent.do("GET", "/products/fjell-trail-gtx", "", "Accept-Encoding", "gzip", "X-API-Key", "")
			if coding := page.Header.Get("Content-Encoding"); coding != "gzip" {
				t.Errorf("a page of the shop is not compressed (%q)", coding)
			}
		})
	}
}

// Browsers' agents read the profile from anywhere, and call from where the operator
// says.
func TestBrowsers(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash, "name shop.example", "name shop.example\nallow_origin https://agent.example")
	agent := startCaddy(t, caddyfile).agent("", key)
	const allowed = "Access-Control-Allow-Origin"
	for _, test := range []struct {
		method, path, origin, want string
		status                     int
	}{
		{"GET", "/.well-known/ucp", "https://other.example", "*", 200},
		{"OPTIONS", "/.well-known/ucp", "https://other.example", "*", 204},
		{"POST", "/api/ucp/v1/catalog/search", "https://agent.example", "https://agent.example", 200},
		{"POST", "/api/ucp/v1/catalog/search", "https://other.example", "", 200},
		{"OPTIONS", "/api/ucp/v1/catalog/search", "https://agent.example", "https://agent.example", 204},
		{"OPTIONS", "/api/ucp/v1/catalog/search", "https://other.example", "", 204},
		{"POST", "/api/ucp/v1/nothing", "https://agent.example", "https://agent.example", 404},
	} {
		body := ""
		if test.method == "POST" {
			body = search
		}
		got := agent.want(test.status, test.method, test.path, body, "Origin", test.origin)
		if got.Header.Get(allowed) != test.want {
			t.Errorf("%s %s from %s: %s is %q, want %q", test.method, test.path, test.origin, allowed, got.Header.Get(allowed), test.want)
		}
	}
	preflight := agent.do("OPTIONS", "/api/ucp/v1/catalog/search", "", "Origin", "https://agent.example", "X-API-Key", "", "UCP-Agent", "")
	if got := preflight.Header.Get("Access-Control-Allow-Headers"); !strings.Contains(got, "UCP-Agent") {
		t.Errorf("a preflight, which has no key, allows %q", got)
	}
}

// What is no operation gets the protocol's errors, signed as everything is.
func TestRefusals(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	agent := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash)).agent("", key)
	for _, test := range []struct {
		method, path, code, allow string
		status                    int
	}{
		{"GET", "/api/ucp/v1", "not_found", "", 404},
		{"GET", "/api/ucp/v1/", "not_found", "", 404},
		{"GET", "/api/ucp/v1/nothing", "not_found", "", 404},
		{"GET", "/api/ucp/v1/../../x", "not_found", "", 404},
		{"GET", "/.well-known/ucp/2020-01-01", "not_found", "", 404},
		{"DELETE", "/api/ucp/v1/carts", "method_not_allowed", "POST, OPTIONS", 405},
		{"POST", "/.well-known/ucp", "method_not_allowed", "GET, HEAD, OPTIONS", 405},
		{"BREW", "/api/ucp/v1/catalog/search", "method_not_allowed", "POST, OPTIONS", 405},
	} {
		got := agent.want(test.status, test.method, test.path, "")
		if got.get("code").String() != test.code || got.Header.Get("Allow") != test.allow {
			t.Errorf("%s %s: code %q, Allow %q", test.method, test.path, got.get("code"), got.Header.Get("Allow"))
		}
	}
	head := agent.want(http.StatusOK, "HEAD", "/.well-known/ucp", "")
	full := agent.want(http.StatusOK, "GET", "/.well-known/ucp", "")
	if head.Header.Get("Content-Length") != fmt.Sprint(len(full.body)) || len(head.body) != 0 {
		t.Errorf("HEAD says %s bytes and has %d, GET has %d", head.Header.Get("Content-Length"), len(head.body), len(full.body))
	}
	agent.want(http.StatusNotModified, "GET", "/.well-known/ucp", "", "If-None-Match", full.Header.Get("ETag"))
}

// The address of the caller, as trusted proxies tell it, reaches the shop.
func TestCallersAddressReachesTheShop(t *testing.T) {
	forwarded := make(chan string, 100)
	house := openHouse(t, shop.Options{})
	house.close()
	house.watch = func(r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/products") || r.URL.Path == "/api/lookup" {
			forwarded <- r.Header.Get("X-Forwarded-For")
		}
	}
	house.open()
	key, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)
	agent := server.agent("", key)
	for _, test := range []struct{ caddyfile, want string }{
		{caddyfile, "127.0.0.1"},
		{strings.Replace(caddyfile, "GLOBAL", "GLOBAL\nservers {\ntrusted_proxies static 127.0.0.1/32\n}", 1), "198.51.100.7"},
	} {
		server.load(test.caddyfile)
		agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search, "X-Forwarded-For", "198.51.100.7")
		got := ""
		for got == "" { // nobody asks for what is read in the background
			got = <-forwarded
		}
		if got != test.want {
			t.Errorf("the shop was told of %q, want %q", got, test.want)
		}
		for len(forwarded) > 0 { // a look-up of what was found
			<-forwarded
		}
	}
}

// A proxy that is trusted says how the shop is reached: its URLs and signatures
// follow.
func TestBehindATrustedProxy(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	server := startCaddy(t, fill(strings.Replace(site, "GLOBAL", "GLOBAL\nservers {\ntrusted_proxies static 127.0.0.1/32\n}", 1), "SHOP", house.url(), "HASH", hash))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.url("/.well-known/ucp"), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Forwarded-Proto", "https")
	request.Header.Set("X-Forwarded-Host", "Shop.Example")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	profile, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got := gjson.GetBytes(profile, `ucp.services.dev\.ucp\.shopping.0.endpoint`).String(); got != "https://shop.example/api/ucp/v1" {
		t.Errorf("the endpoint is %s", got)
	}
	// The agent, before the proxy, has called this.
	seen := request.Clone(t.Context())
	seen.Host, seen.URL.Scheme, seen.URL.Host = "Shop.Example", "https", "Shop.Example"
	keys := []byte(gjson.GetBytes(profile, "keys").Raw)
	if err := verifySecond(keys, seen, response, profile); err != nil {
		t.Error(err)
	}
	if err := verifyFirst(keys, seen, response, profile); err != nil {
		t.Error(err)
	}
}

// A kid that begins with a hyphen can be named.
func TestRevokingAKidWithAHyphen(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash))
	for _, kid := range []string{"-Qk3", "-a3", "-"} {
		if _, _, err := server.command("key", "revoke", "--", kid); err == nil || !strings.Contains(err.Error(), "no such key") {
			t.Errorf("after --: %v", err)
		}
	}
	for _, kid := range []string{"-Qk3", "-a3"} {
		if _, _, err := server.command("key", "revoke", kid); err == nil || !strings.Contains(err.Error(), "stands after --") {
			t.Errorf("without --: %v", err)
		}
	}
}
