package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/spectest"
)

// release is the UCP release that the tests speak.
const release = "2026-08-25"

// profileURL is the platform profile that the agent names. It is pinned from a
// file, so nobody fetches it.
const profileURL = "https://platform.example/profile"

// platformProfile is the profile of a platform that speaks all we do.
func platformProfile() string {
	type entry struct {
		Version string   `json:"version"`
		Spec    string   `json:"spec"`
		Schema  string   `json:"schema"`
		Extends []string `json:"extends,omitempty"`
	}
	capabilities := map[string][]entry{}
	for name, file := range map[string]string{
		"catalog.search": "catalog_search", "catalog.lookup": "catalog_lookup", "cart": "cart",
		"checkout": "checkout", "order": "order", "fulfillment": "fulfillment", "discount": "discount",
	} {
		e := entry{Version: release, Spec: "https://ucp.dev/" + release + "/specification/" + file, Schema: "https://ucp.dev/" + release + "/schemas/shopping/" + file + ".json"}
		switch name {
		case "fulfillment":
			e.Extends = []string{"dev.ucp.shopping.checkout"}
		case "discount":
			e.Extends = []string{"dev.ucp.shopping.cart", "dev.ucp.shopping.checkout"}
		}
		capabilities["dev.ucp.shopping."+name] = []entry{e}
	}
	encoded, err := json.Marshal(map[string]any{"ucp": map[string]any{
		"version": release, "services": map[string]any{}, "capabilities": capabilities, "payment_handlers": map[string]any{},
	}})
	if err != nil {
		panic(err) // a literal that cannot be encoded
	}
	return string(encoded)
}

// agent is a client with a key of its own.
type agent struct {
	key  secret.String
	http *http.Client
}

// newAgent returns an agent whose every answer is checked against the schema.
func newAgent(t *testing.T) *agent {
	t.Helper()
	return &agent{key: agents.NewKey(), http: &http.Client{Transport: spectest.Transport(t, release, http.DefaultTransport)}}
}

// hash is how a Caddyfile declares the agent.
func (a *agent) hash() string { return agents.HashKey(a.key).String() }

// answer is what came back.
type answer struct {
	status int
	header http.Header
	gjson.Result
}

// call sends one request.
func (a *agent) call(ctx context.Context, method, url string, payload any, header ...string) (answer, error) {
	var body io.Reader
	if payload != nil {
		encoded, err := json.Marshal(payload)
		if err != nil {
			return answer{}, err
		}
		body = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+a.key.Reveal())
	request.Header.Set("UCP-Agent", fmt.Sprintf("profile=%q", profileURL))
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := a.http.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	return answer{response.StatusCode, response.Header, gjson.ParseBytes(content)}, nil
}

// must is call for requests that have to succeed.
func (a *agent) must(t *testing.T, method, url string, payload any, header ...string) answer {
	t.Helper()
	got, err := a.call(t.Context(), method, url, payload, header...)
	if err != nil {
		t.Fatal(err)
	}
	if got.status > 201 {
		t.Fatalf("%s %s: %d %s", method, url, got.status, got.Raw)
	}
	return got
}

// object is a JSON object.
type object = map[string]any

// purchase is what an agent wants to buy, and where it goes.
func purchase(item string) object {
	return object{
		"line_items": []object{{"item": object{"id": item}, "quantity": 1}},
		"buyer":      object{"email": "grace@example.com", "first_name": "Ada", "last_name": "Thwaite", "phone_number": "+441539000001"},
		"fulfillment": object{"methods": []object{{"type": "shipping", "destinations": []object{{
			"street_address": "12 Stricklandgate", "address_locality": "Kendal", "address_region": "Cumbria",
			"postal_code": "LA9 4ND", "address_country": "GB",
		}}}}},
	}
}

// checkout brings a checkout to where it can be completed, and returns it.
func (a *agent) checkout(t *testing.T, base, words string) answer {
	t.Helper()
	a.waitForShop(t, base)
	found := a.must(t, "POST", base+"/catalog/search", object{"query": words, "context": object{"address_country": "GB"}})
	item := found.Get(`products.#.variants|@flatten|#(availability.available==true).id`).String()
	if item == "" {
		t.Fatalf("nothing to buy in %s", found.Raw)
	}
	wanted := purchase(item)
	made := a.must(t, "POST", base+"/checkout-sessions", wanted)
	switch status := made.Get("status").String(); status {
	case "ready_for_complete": // where the shop chooses a way of delivery itself
		return made
	case "incomplete":
	default:
		t.Fatalf("a checkout without a way of delivery is %s: %s", status, made.Raw)
	}
	method := made.Get("fulfillment.methods.0")
	wanted["line_items"] = []object{{"id": made.Get("line_items.0.id").String(), "item": object{"id": item}, "quantity": 1}}
	wanted["fulfillment"] = object{"methods": []object{{
		"id": method.Get("id").String(), "type": "shipping", "line_item_ids": []string{made.Get("line_items.0.id").String()},
		"destinations":            json.RawMessage(method.Get("destinations").Raw),
		"selected_destination_id": method.Get("selected_destination_id").String(),
		"groups":                  []object{{"id": method.Get("groups.0.id").String(), "selected_option_id": method.Get("groups.0.options.0.id").String()}},
	}}}
	ready := a.must(t, "PUT", base+"/checkout-sessions/"+made.Get("id").String(), wanted)
	if status := ready.Get("status").String(); status != "ready_for_complete" {
		t.Fatalf("the checkout is %s: %s", status, ready.Get("messages").Raw)
	}
	return ready
}

// payment pays a checkout with the first way it offers.
func payment(checkout answer) object {
	var id string
	checkout.Get("ucp.payment_handlers").ForEach(func(_, instances gjson.Result) bool {
		id = instances.Get("0.id").String()
		return false
	})
	return object{"payment": object{"instruments": []object{{
		"id": "instrument_1", "handler_id": id, "type": "card", "credential": object{"type": "token", "token": "tok_demo"},
	}}}}
}

// caddyfile writes a Caddyfile with one site in front of a shop, for agents that
// are declared in it, and returns its path.
func caddyfile(t *testing.T, dir, address, upstream, global string, as ...*agent) string {
	t.Helper()
	profile := write(t, dir, "profile.json", platformProfile())
	var declared strings.Builder
	for i, a := range as {
		fmt.Fprintf(&declared, "\t\tagent agent%d %s\n", i, a.hash())
	}
	return write(t, dir, filepath.Base(address)+".Caddyfile", fmt.Sprintf(`{
	admin off
	persist_config off
	auto_https off
	%s
}

http://%s {
	storeware {
		name shop
		upstream %s
		profile_file %s %s
%s	}
	respond "the shop's page"
}
`, global, address, upstream, profileURL, profile, declared.String()))
}

// waitForShop waits until the module has heard of the shop.
func (a *agent) waitForShop(t *testing.T, base string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		got, err := a.call(ctx, "POST", base+"/catalog/search", object{"query": "anything"})
		if err == nil && got.status == http.StatusOK {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the shop never came: %v %s", err, got.Raw)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
