package caddymodule_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// bare is the Caddyfile of a shop that has no pages, as a test's own shop system.
var bare = strings.Replace(site, "upstream demo SHOP", "upstream pageless SHOP", 1)

// A shop without pages gets one for a basket: it shows what is in it, to whoever
// has the address, and nothing of the buyer.
func TestBasketPage(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(bare, "SHOP", house.url(), "HASH", hash))
	agent := server.agent("", key)
	agent.awaitShop()
	checkout := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/checkout-sessions", strings.Replace(bootsCheckout, `"groups": [{"selected_option_id": "standard"}]`, `"groups": []`, 1))
	address := checkout.get("continue_url").String()
	path, ok := strings.CutPrefix(address, server.url(""))
	if !ok || !strings.HasPrefix(path, "/storeware/basket/"+checkout.get("id").String()+"/") {
		t.Fatalf("the buyer goes on at %q", address)
	}
	person := server.agent("", noKey)
	page := person.want(http.StatusOK, "GET", path, "")
	for _, want := range []string{"Your basket at Kiln &amp; Cloth Outfitters", "Fjell Trail GTX", "size: 8, colour: Tan", "£120.00", "Total (estimate)", "A way of delivery must be chosen."} {
		if !strings.Contains(string(page.body), want) {
			t.Errorf("the page lacks %q:\n%s", want, page.body)
		}
	}
	for _, private := range []string{"ada@example.com", "Ada", "Stricklandgate", "LA9"} {
		if strings.Contains(string(page.body), private) {
			t.Errorf("the page shows %q", private)
		}
	}
	checkPage(t, page)

	group := `"groups": [{"id": ` + checkout.get("fulfillment.methods.0.groups.0.id").Raw + `,`
	agent.want(http.StatusOK, "PUT", "/api/ucp/v1/checkout-sessions/"+checkout.get("id").String(), strings.Replace(bootsCheckout, `"groups": [{`, group, 1))
	completed := agent.want(http.StatusOK, "POST", "/api/ucp/v1/checkout-sessions/"+checkout.get("id").String()+"/complete", cardPayment)
	page = person.want(http.StatusOK, "GET", path, "")
	if want := "The number of the order is " + completed.get("order.id").String(); !strings.Contains(string(page.body), want) {
		t.Errorf("the page does not say %q:\n%s", want, page.body)
	}

	token := path[strings.LastIndexByte(path, '/')+1:]
	for _, wrong := range []string{
		strings.TrimSuffix(path, token), strings.TrimSuffix(path, "/"+token), path + "x", path + "/x",
		strings.Replace(path, token, strings.ToUpper(token)+"0", 1), "/storeware/basket/", "/storeware/basket/bsk_nothing/" + token,
	} {
		page := person.want(http.StatusNotFound, "GET", wrong, "")
		if !strings.Contains(string(page.body), "There is no such basket") {
			t.Errorf("%s: %s", wrong, page.body)
		}
		checkPage(t, page)
	}
	if got := person.want(http.StatusMethodNotAllowed, "POST", path, "x=1").Header.Get("Allow"); got != "GET, HEAD" {
		t.Errorf("Allow is %q", got)
	}
	if head := person.want(http.StatusOK, "HEAD", path, ""); len(head.body) != 0 || head.ContentLength != int64(len(page.body)) {
		t.Errorf("HEAD says %d bytes, GET has %d", head.ContentLength, len(page.body))
	}
}

// Where a shop takes no orders and has no page of its own, neither the agent nor
// the person who sees the basket is told that anybody can go on there. What the shop
// calls its goods stays text.
func TestBasketNobodyCanOrder(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	caddyfile := strings.Replace(bare, "pageless SHOP", "pageless SHOP {\npublic_url "+viewOnly+"\n}", 1)
	server := startCaddy(t, fill(caddyfile, "SHOP", house.url(), "HASH", hash))
	agent := server.agent("", key)
	agent.awaitCart()
	const line = `{"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}]}`
	refused := agent.want(http.StatusOK, "POST", "/api/ucp/v1/checkout-sessions", line)
	if got := refused.get("messages.0.code").String(); got != "capabilities_incompatible" {
		t.Errorf("a checkout is answered with %s", refused.body)
	}
	profile := agent.want(http.StatusOK, "GET", "/.well-known/ucp", "")
	if declared := profile.get("ucp.capabilities"); declared.Get(`dev\.ucp\.shopping\.checkout`).Exists() || declared.Get(`dev\.ucp\.shopping\.order`).Exists() {
		t.Errorf("the profile declares %s", declared)
	}
	for path, tool := range map[string]string{mcpPath: "checkout", "/mcp": "complete_checkout"} {
		listed := agent.want(http.StatusOK, "POST", path, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if names := listed.get("result.tools.#.name"); strings.Contains(names.Raw, tool) || !strings.Contains(names.Raw, "create_") {
			t.Errorf("%s has the tools %s", path, names)
		}
	}
	cart := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/carts", line)
	told := cart.get(`messages.#(code=="not_orderable")`)
	if told.Get("type").String() != "warning" || !strings.Contains(told.Get("content").String(), "reach the merchant") {
		t.Errorf("the agent is told %s", cart.get("messages"))
	}
	page := server.agent("", noKey).want(http.StatusOK, "GET", strings.TrimPrefix(cart.get("continue_url").String(), server.url("")), "")
	checkPage(t, page)
	text := string(page.body)
	for _, want := range []string{"This page only shows", "please turn to the shop", `<a href="mailto:keys@shop.example">keys@shop.example</a>`, "&lt;script&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	for _, wrong := range []string{"go on with your assistant", "javascript:", "<script", "<img"} {
		if strings.Contains(text, wrong) {
			t.Errorf("the page has %q:\n%s", wrong, text)
		}
	}
	if strings.Count(text, "<bdi>&lt;/td&gt;") < 2 {
		t.Errorf("the shop's words can turn the direction of ours:\n%s", text)
	}
}

// checkPage fails the test unless a page may load nothing but its own style, and
// is kept out of caches, frames and search engines.
func checkPage(t *testing.T, page answer) {
	t.Helper()
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindSubmatch(page.body)
	if style == nil {
		t.Fatalf("the page has no style:\n%s", page.body)
	}
	sum := sha256.Sum256(style[1])
	policy := page.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %q", policy, want)
		}
	}
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"X-Content-Type-Options": "nosniff", "X-Robots-Tag": "noindex", "X-Frame-Options": "DENY",
	} {
		if got := page.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if regexp.MustCompile(`(?i)<(script|img|link|iframe|form)`).Match(page.body) {
		t.Errorf("the page loads something:\n%s", page.body)
	}
}
