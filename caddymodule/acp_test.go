package caddymodule_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

const sessions = "/api/acp/checkout_sessions"

// acp sends a POST over ACP, with an idempotency key.
func (a *agent) acp(status int, path, body, key string, header ...string) answer {
	a.t.Helper()
	return a.want(status, "POST", path, body, append([]string{"Idempotency-Key", key, "API-Version", "2026-04-17"}, header...)...)
}

// What an agent sends over ACP to buy a pair of boots.
const (
	acpItems    = `"line_items":[{"id":"v-FJL-8-TAN"}]`
	acpBuyer    = `"buyer":{"email":"ada@example.com","first_name":"Ada","last_name":"Byron"}`
	acpAddress  = `"fulfillment_details":{"address":{"name":"Ada Byron","line_one":"12 Stricklandgate","city":"Kendal","state":"","country":"GB","postal_code":"LA9 4ND"}}`
	acpPayment  = `{"payment_data":{"handler_id":"upstream:demo-card","instrument":{"type":"card","credential":{"type":"token","token":"tok_demo"}}}}`
	acpCheckout = `{"currency":"gbp","capabilities":{"interventions":{"supported":[]}},` + acpItems + "," + acpBuyer + "," + acpAddress + `}`
	acpStandard = `{"selected_fulfillment_options":[{"type":"shipping","option_id":"standard","item_ids":[]}]}`
)

// A purchase over ACP, from discovery to the order: every answer is as the schemas
// want it, and signed.
func TestPurchaseOverACP(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash))
	agent, nobody := server.agent("shop.example", key), server.agent("shop.example", noKey)
	agent.awaitShop()

	found := nobody.want(http.StatusOK, "GET", "/.well-known/acp.json", "")
	if found.get("api_base_url").Str != "http://shop.example/api/acp" || found.get("transports").Raw != `["rest"]` ||
		found.get("capabilities.services").Raw != `["checkout","carts"]` || found.get("capabilities.supported_currencies.0").Str == "" {
		t.Errorf("discovery is %s", found.body)
	}
	nobody.want(http.StatusNotModified, "GET", "/.well-known/acp.json", "", "If-None-Match", found.Header.Get("ETag"))
	nobody.want(http.StatusUnauthorized, "POST", sessions, acpCheckout)

	made := agent.acp(http.StatusCreated, sessions, acpCheckout, "make")
	path := sessions + "/" + made.get("id").Str
	handler := made.get("capabilities.payment.handlers.0")
	for _, schema := range []string{handler.Get("config_schema").Str, handler.Get("instrument_schemas.0").Str} {
		// What is declared is there, for everybody.
		got := nobody.want(http.StatusOK, "GET", strings.TrimPrefix(schema, "http://shop.example"), "")
		if !got.get("required").IsArray() {
			t.Errorf("%s is %s", schema, got.body)
		}
	}
	ready := agent.acp(http.StatusOK, path, acpStandard, "choose")
	if ready.get("status").Str != "ready_for_payment" {
		t.Fatalf("the session is %s", ready.body)
	}
	done := agent.acp(http.StatusOK, path+"/complete", acpPayment, "pay", "Request-Id", "req-7")
	again := agent.acp(http.StatusOK, path+"/complete", acpPayment, "pay")
	if again.Header.Get("Idempotent-Replayed") != "true" || string(again.body) != string(done.body) || done.Header.Get("Request-Id") != "req-7" {
		t.Errorf("the retry: %v %s", again.Header, again.body)
	}
	order := agent.want(http.StatusOK, "GET", "/api/ucp/v1/orders/"+done.get("order.id").Str, "")
	if order.get("checkout_id").Str != made.get("id").Str || order.get("totals.#(type==total).amount").Int() != done.get("order.totals.0.amount").Int() {
		t.Errorf("the order over UCP is %s", order.body)
	}
	if n := house.orders(); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
}

// One basket, driven over UCP and ACP in turn: what one protocol says the other
// shows, and neither loses what only it has.
func TestOneBasketOverUCPAndACP(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash))
	agent := server.agent("shop.example", key)
	agent.awaitShop()

	made := agent.acp(http.StatusCreated, "/api/acp/carts", "{"+acpItems+"}", "make")
	id := made.get("id").Str
	over := agent.want(http.StatusOK, "GET", "/api/ucp/v1/carts/"+id, "")
	if over.get("line_items.0.id").Str != made.get("line_items.0.id").Str || over.get("totals.#(type==total).amount").Int() != made.get("totals.#(type==total).amount").Int() {
		t.Errorf("over UCP: %s\nover ACP: %s", over.body, made.body)
	}
	agent.want(http.StatusOK, "PUT", "/api/ucp/v1/checkout-sessions/"+id, fill(bootsCheckout, `"buyer"`, `"attribution": {"ref": "x"}, "buyer"`, `"groups": [{`, `"groups": [{"id": "package_1", `))
	session := agent.want(http.StatusOK, "GET", sessions+"/"+id, "")
	if session.get("status").Str != "ready_for_payment" || session.get("buyer.first_name").Str != "Ada" ||
		session.get("fulfillment_details.address.city").Str != "Kendal" || session.get("selected_fulfillment_options.0.option_id").Str != "standard" {
		t.Errorf("the session is %s", session.body)
	}
	changed := agent.acp(http.StatusOK, sessions+"/"+id, `{"line_items":[{"id":"v-FJL-8-TAN","quantity":2}]}`, "change")
	checkout := agent.want(http.StatusOK, "GET", "/api/ucp/v1/checkout-sessions/"+id, "")
	if checkout.get("line_items.0.quantity").Int() != 2 || checkout.get("attribution.ref").Str != "x" ||
		checkout.get("totals.#(type==total).amount").Int() != changed.get("totals.#(type==total).amount").Int() {
		t.Errorf("the checkout is %s", checkout.body)
	}
	completed := agent.want(http.StatusOK, "POST", "/api/ucp/v1/checkout-sessions/"+id+"/complete", cardPayment, "Idempotency-Key", "pay")
	again := agent.acp(http.StatusOK, sessions+"/"+id+"/complete", acpPayment, "pay")
	if completed.get("order.id").Str == "" || again.get("order.id").Str != completed.get("order.id").Str {
		t.Errorf("over UCP: %s\nover ACP: %s", completed.body, again.body)
	}
	agent.want(http.StatusNotFound, "GET", "/api/acp/carts/"+id, "")
	if n := house.orders(); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
}

// Agents are kept apart, and whatever goes wrong on a path of ACP is told in its
// form.
func TestACPKeepsAgentsApart(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	other, otherHash := newKey()
	server := startCaddy(t, fill(site, "SHOP", house.url(), "agent tester HASH", "agent tester "+hash+"\n\t\tagent other "+otherHash,
		"contact", "allow_origin https://agent.example\n\t\tcontact"))
	mine, theirs := server.agent("", key), server.agent("", other)
	mine.awaitShop()
	path := sessions + "/" + mine.acp(http.StatusCreated, sessions, acpCheckout, "k").get("id").Str
	theirs.want(http.StatusNotFound, "GET", path, "")
	theirs.acp(http.StatusNotFound, path+"/complete", acpPayment, "k")
	theirs.want(http.StatusNotFound, "GET", "/api/acp/carts/"+path[len(sessions)+1:], "")
	if made := theirs.acp(http.StatusCreated, sessions, acpCheckout, "k"); made.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("another agent's answer: %s", made.body)
	}
	for _, where := range []string{"/api/acp", "/api/acp/", "/api/acp/orders/1", "/api/acp/delegate_payment"} {
		mine.acp(http.StatusNotFound, where, "{}", "k")
	}
	refused := mine.acp(http.StatusBadRequest, path, `{"order_notes":"4111 1111 1111 1111"}`, "card")
	if refused.get("code").Str != "card_number_not_accepted" {
		t.Errorf("%s", refused.body)
	}
	log, err := os.ReadFile(filepath.Join(server.dir, "caddy.log"))
	if err != nil || strings.Contains(string(log), "4111 1111") {
		t.Errorf("the log holds a card number, or cannot be read: %v", err)
	}
	preflight := mine.want(http.StatusNoContent, "OPTIONS", path, "", "Origin", "https://agent.example")
	if got := preflight.Header.Get("Access-Control-Allow-Headers"); !strings.Contains(got, "API-Version") || !strings.Contains(got, "Timestamp") {
		t.Errorf("browsers may send %q", got)
	}
	// What only begins like a path of ACP is the shop's.
	if got := server.agent("", noKey).do("GET", "/api/acpx", ""); got.Header.Get("Signature") != "" {
		t.Errorf("/api/acpx is answered here: %v", got.Header)
	}
}

// An agent that has a public key registered signs what it sends over ACP, and there
// alone.
func TestACPSignedRequests(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash))
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(server.dir, "signer.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	added := strings.TrimSpace(server.mustCommand("agent", "add", "signer", "--public-key", file))
	signer := server.agent("", secret.New(added))
	signer.awaitShop()
	signer.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
	if got := signer.acp(http.StatusUnauthorized, sessions, acpCheckout, "unsigned"); got.get("code").Str != "signature_required" {
		t.Errorf("unsigned: %s", got.body)
	}
	stamp := time.Now().UTC().Format(time.RFC3339)
	signature := ed25519.Sign(private, fmt.Appendf(nil, "%s\nPOST\n%s\n%s", stamp, sessions, acpCheckout))
	header := []string{"Timestamp", stamp, "Signature", base64.RawURLEncoding.EncodeToString(signature)}
	first := signer.acp(http.StatusCreated, sessions, acpCheckout, "one", header...)
	again := signer.acp(http.StatusCreated, sessions, acpCheckout, "two", header...)
	if string(again.body) != string(first.body) {
		t.Errorf("what was signed once was done twice: %s\n%s", first.body, again.body)
	}
}
