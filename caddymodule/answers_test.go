package caddymodule_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/caddymodule"
	"github.com/storeware/caddy-storeware/translate/answer/schema"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// answerPath is where the extension's object stands.
var answerPath = gjson.Escape(schema.Name)

// answersOf checks an object with the schema that the shop serves.
func answersOf(t *testing.T, agent *agent) func(answer) gjson.Result {
	t.Helper()
	served := agent.want(http.StatusOK, "GET", schema.Path, "")
	if control := served.Header.Get("Cache-Control"); !strings.Contains(control, "public, max-age=") || served.Header.Get("ETag") == "" {
		t.Errorf("the schema is served with Cache-Control %q and ETag %q", control, served.Header.Get("ETag"))
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(served.body))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("https://storeware.ai/answer.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("https://storeware.ai/answer.json#/$defs/answer")
	if err != nil {
		t.Fatal(err)
	}
	return func(a answer) gjson.Result {
		t.Helper()
		object := a.get(answerPath)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(object.Raw))
		if err == nil {
			err = compiled.Validate(value)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, object.Raw)
		}
		return object
	}
}

// TestAnswers replays the answers page over UCP REST.
func TestAnswers(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash))
	agent := server.agent("", key)
	agent.awaitShop()
	check := answersOf(t, agent)
	const at = "/api/ucp/v1/catalog/search"

	declared := agent.want(http.StatusOK, "GET", "/.well-known/ucp", "").get("ucp.capabilities." + answerPath + ".0")
	if declared.Get("version").String() != schema.Version || declared.Get("schema").String() != "https://storeware.ai"+schema.Path || declared.Get("extends").String() != "dev.ucp.shopping.catalog.search" {
		t.Errorf("declared as %s", declared)
	}

	a := agent.want(http.StatusOK, "POST", at, `{"query": "waterproof walking boots under £150, for a wet week in Iceland"}`)
	object := check(a)
	for path, want := range map[string]string{
		"understood.query": "waterproof walking boots", "understood.max_price_minor": "15000",
		"understood.required_attributes.0.key": "waterproof", "results.0.handle": "fjell-trail-gtx", "results.0.price_minor": "12000",
		`results.0.verdicts.#(key=="waterproof").outcome`: "satisfied", `results.0.verdicts.#(key=="waterproof").source`: "enrichment",
		`ruled_out.#(handle=="alpine-summit-gtx").verdicts.0.found`: "18000", "passes": "1", "degraded": "false", "relevance_judged": "true",
	} {
		if got := object.Get(path).String(); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if got := a.get("products.#.handle").String(); got != object.Get("results.#.handle").String() {
		t.Errorf("the products are %s, the results %s", got, object.Get("results.#.handle"))
	}
	if got := a.get(`messages.#(code=="ai.storeware.understood").content`).String(); got != `Read as "waterproof walking boots", filtered by at most £150.00, waterproof=true.` {
		t.Error(got)
	}
	if got := a.get(`messages.#(code=="ai.storeware.ruled_out").content`).String(); got != "4 further products matched the description but failed a stated constraint. The cheapest of them is £180.00." {
		t.Error(got)
	}

	none := agent.want(http.StatusOK, "POST", at, `{"query": "coffee machine"}`)
	if check(none).Get("results_count").Int() != 0 || !none.get(`messages.#(code=="ai.storeware.not_stocked")`).Exists() {
		t.Errorf("a coffee machine: %s", none.body)
	}

	// A conversation goes on under the id that the caller chose, and nowhere else.
	talk := func(query, id string) gjson.Result {
		return check(agent.want(http.StatusOK, "POST", at, `{"query": "`+query+`", "ai.storeware.shopping.answer": {"conversation": {"id": "`+id+`"}}}`))
	}
	talk("waterproof walking boots under £150", "c1")
	if again := talk("walking boots", "c1"); again.Get("understood.max_price_minor").Int() != 15000 || again.Get("understood.remembered.0.scope").String() != "conversation" || again.Get("conversation.id").String() != "c1" {
		t.Errorf("in the conversation: %s", again.Get("understood"))
	}
	if other := talk("walking boots", "c2"); other.Get("understood.remembered").Exists() {
		t.Errorf("in another one: %s", other.Get("understood"))
	}
	agent.want(http.StatusBadRequest, "POST", at, `{"query": "boots", "ai.storeware.shopping.answer": {"conversation": {"id": 7}}}`)

	// What is asked for apart from the words counts as much.
	argued := check(agent.want(http.StatusOK, "POST", at, `{"query": "walking boots", "filters": {"price": {"max": 15000}}, "context": {"intent": "a gift"},
		"ai.storeware.shopping.answer": {"required_attributes": [{"key": "waterproof", "value": "true"}], "excluded_attributes": [{"key": "colour", "value": "black"}], "in_stock": true}}`))
	if argued.Get("understood.max_price_minor").Int() != 15000 || argued.Get("understood.excluded_attributes.0.value").String() != "black" ||
		!argued.Get("understood.in_stock").Bool() || argued.Get("understood.context.0").String() != "a gift" {
		t.Errorf("understood: %s", argued.Get("understood"))
	}
}

func TestReadAndIndex(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash))
	server.agent("", key).awaitShop()
	if text := server.mustCommand("read", "not leather boots under £150"); !strings.Contains(text, "at most     £150.00") || !strings.Contains(text, "must not be material: leather") {
		t.Error(text)
	}
	read := server.mustCommand("read", "--json", "--shop", "shop.example", "boots under 150")
	if gjson.Get(read, "passes.0.noun").String() == "" || gjson.Get(read, "passes.0.max_price_minor").Int() != 15000 {
		t.Error(read)
	}
	catalogue := filepath.Join(t.TempDir(), "c.jsonl")
	if err := os.WriteFile(catalogue, []byte(`{"id":"1","handle":"vase","title":"Tall Vase","description":"","brand":"","category":"Home/Vases","price_minor":900,"currency":"GBP","in_stock":true,"attributes":{"glaze":"celadon"}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text := server.mustCommand("read", "--catalogue", catalogue, "a celadon vase"); !strings.Contains(text, "glaze: celadon") {
		t.Errorf("with the words of a catalogue: %s", text)
	}
	if _, _, err := server.command("read"); err == nil {
		t.Error("no question, and no complaint")
	}
	var state caddymodule.IndexState
	for state.Shop == "" || state.Search == "index" && !state.Ready {
		state = caddymodule.IndexState{}
		if err := json.Unmarshal([]byte(server.mustCommand("index", "--json")), &state); err != nil || state.Error != "" {
			t.Fatalf("%+v, %v", state, err)
		}
	}
	if text := server.mustCommand("index"); !strings.Contains(text, "shop.example") {
		t.Error(text)
	}
}

func TestFacts(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash))
	agent := server.agent("", key)
	agent.awaitShop()
	ask := func() gjson.Result {
		a := agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", `{"query": "enamel mug", "ai.storeware.shopping.answer": {"required_attributes": [{"key": "stackable_tower", "value": "true"}]}}`)
		return a.get(answerPath)
	}
	const mug = `ruled_out.#(handle=="enamel-camp-mug").verdicts.#(key=="stackable_tower").source`
	if source := ask().Get(mug).String(); source != "not_recorded" {
		t.Errorf("before: %s", ask())
	}
	if text := server.mustCommand("facts", "gaps"); !strings.Contains(text, "stackable_tower") {
		t.Error(text)
	}
	file := filepath.Join(t.TempDir(), "facts.csv")
	if err := os.WriteFile(file, []byte("product,key,value\nenamel-camp-mug,stackable tower,yes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text := server.mustCommand("facts", "import", file); !strings.Contains(text, "1 facts") {
		t.Error(text)
	}
	// A typo is told, and keeps nothing from being recorded.
	if err := os.WriteFile(file, []byte("product,key,value\nenamel-camp-mug,stackable tower,yes\nNOPE,vegan,false\nNOPE,weight,1 kg\nenamel-camp-mugg,vegan,true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, warning, err := server.command("facts", "import", file)
	if err != nil || !strings.Contains(text, "4 facts") || !strings.HasSuffix(strings.TrimSpace(warning), "id, handle or SKU: NOPE, enamel-camp-mugg") {
		t.Errorf("products that are not there: %v\n%s%s", err, text, warning)
	}
	v := ask().Get(`results.#(handle=="enamel-camp-mug").verdicts.#(key=="stackable_tower")`)
	if v.Get("outcome").String() != "satisfied" || v.Get("source").String() != "enrichment" || v.Get("found.0").String() != "yes" {
		t.Errorf("after: %s", ask())
	}
	if err := os.WriteFile(file, []byte("product,key,value\nenamel-camp-mug,,yes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := server.command("facts", "import", file); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a fact without a key: %v", err)
	}
}
