package caddymodule_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// modelKey is what the fake model wants to be called with.
const modelKey = "sk-of-the-model"

// model answers as an OpenAI-compatible endpoint does.
type model struct {
	mu     sync.Mutex
	claims string // what it says of whatever it is asked; empty: it does not answer
	status int
	calls  int
	words  string // that it was asked last
}

func (m *model) say(status int, claims string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.status, m.claims = status, claims
}

// heard returns how often it was asked, and what last.
func (m *model) heard() (int, string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls, m.words
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // what is missing is missed below
	m.mu.Lock()
	m.calls++
	m.words = gjson.GetBytes(body, `messages.#(role=="user").content`).String()
	status, claims := m.status, m.claims
	m.mu.Unlock()
	switch {
	case r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+modelKey || gjson.GetBytes(body, "model").String() != "small":
		w.WriteHeader(http.StatusUnauthorized)
	case status == 0:
		<-r.Context().Done()
	case status == http.StatusTemporaryRedirect:
		http.Redirect(w, r, "/elsewhere", status)
	case status != http.StatusOK:
		w.WriteHeader(status)
	default:
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": claims}}}})
	}
}

// openModel starts a model and a shop whose questions it reads, with more lines in
// the reader's block.
func openModel(t *testing.T, lines string) (*model, *agent) {
	t.Helper()
	m := new(model)
	endpoint := httptest.NewServer(m)
	t.Cleanup(endpoint.Close)
	t.Setenv("STOREWARE_TEST_MODEL_KEY", modelKey)
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	block := "reader openai {\nbase_url " + endpoint.URL + "/v1\nmodel small\napi_key {env.STOREWARE_TEST_MODEL_KEY}\n" + lines + "\n}\nname shop.example"
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash, "name shop.example", block))
	agent := server.agent("", key)
	agent.awaitShop()
	return m, agent
}

// understand asks for walking boots and returns what was understood.
func understand(a *agent) gjson.Result {
	a.t.Helper()
	return a.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", `{"query": "walking boots under £150, not black"}`).get(answerPath)
}

// claims are a model's, of boots that cost so much at most.
func claims(amount, denied string) string {
	return `{"language":"en","context":[],"passes":[{"noun":"boots","query":"boots","price":{"kind":"max","amounts":["` + amount +
		`"],"currency":"GBP"},"required":[],"excluded":[{"key":"colour","value":"` + denied + `"}],"in_stock":false}]}`
}

// TestReaderOpenAI: a model is believed what the words say, and nothing else; what
// it does not read is read by rules. Of its key nothing is written anywhere.
func TestReaderOpenAI(t *testing.T) {
	m, agent := openModel(t, "timeout 1s\nmax_failures 2\npause 1h")
	readings := func(outcome string) float64 {
		_, metrics := agent.server.adminGet("/metrics")
		return metricIn(t, string(metrics), `storeware_readings_total{outcome="`+outcome+`",reader="openai",shop="shop.example"}`)
	}
	read, failed := readings("ok"), readings("failed")
	m.say(http.StatusOK, claims("150", "black"))
	answer := understand(agent)
	// The rules would search for walking boots.
	if u := answer.Get("understood"); u.Get("query").String() != "boots" || u.Get("max_price_minor").Int() != 15000 ||
		u.Get("excluded_attributes.0.value").String() != "Black" && u.Get("excluded_attributes.0.value").String() != "black" || answer.Get("degraded").Bool() {
		t.Errorf("understood by the model: %s", u)
	}
	if _, words := m.heard(); words != "walking boots under £150, not black" {
		t.Errorf("the model was asked %q", words)
	}
	if text := agent.server.mustCommand("read", "--shop", "shop.example", "walking boots under £150, not black"); !strings.Contains(text, "search for  boots\n") {
		t.Errorf("storeware read: %s", text)
	}

	byRules := func(why string) {
		t.Helper()
		answer := understand(agent)
		if u := answer.Get("understood"); u.Get("query").String() != "walking boots" || u.Get("max_price_minor").Int() != 15000 || answer.Get("degraded").Bool() {
			t.Errorf("%s: %s", why, answer)
		}
	}
	for why, say := range map[string]string{
		"an amount that was not said":   claims("140", "black"),
		"a part of an amount":           claims("15", "black"),
		"a denial that was not said":    claims("150", "leather"),
		"no answer of the form":         `{"price": 150}`,
		"an answer that is not in JSON": "Boots, I think.",
	} {
		m.say(http.StatusOK, say)
		byRules(why)
		m.say(http.StatusOK, claims("150", "black")) // two failures in a row would open the breaker
		if query := understand(agent).Get("understood.query").String(); query != "boots" {
			t.Errorf("after %s: %s", why, query)
		}
	}
	m.say(http.StatusTemporaryRedirect, "")
	byRules("a redirect")
	before, _ := m.heard()
	m.say(0, "")
	byRules("no answer in time")
	byRules("left alone")
	if after, _ := m.heard(); after != before+1 {
		t.Errorf("%d calls of a model that is to be left alone after the first", after-before)
	}

	if read, failed := readings("ok")-read, readings("failed")-failed; read != 7 || failed != 8 {
		t.Errorf("counted are %v questions that were read and %v that were not, want 7 and 8", read, failed)
	}
	_, metrics := agent.server.adminGet("/metrics")
	_, config := agent.server.adminGet("/config/")
	log, err := os.ReadFile(filepath.Join(agent.server.dir, "caddy.log"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"log": log, "configuration": config, "metrics": metrics} {
		if bytes.Contains(text, []byte(modelKey)) {
			t.Errorf("the %s holds the model's key", name)
		}
	}
	for _, want := range []string{"the model did not read a question", "claims what was not said", "the model is not asked"} {
		if !bytes.Contains(log, []byte(want)) {
			t.Errorf("the log does not say: %s", want)
		}
	}
}

// TestReaderDegraded: an operator who would rather hear nothing than the rules.
func TestReaderDegraded(t *testing.T) {
	m, agent := openModel(t, "on_failure degraded")
	m.say(http.StatusServiceUnavailable, "")
	answer := understand(agent)
	if u := answer.Get("understood"); !answer.Get("degraded").Bool() || u.Get("max_price_minor").Type != gjson.Null || u.Get("query").String() != "walking boots under £150, not black" {
		t.Errorf("degraded: %s", answer)
	}
	m.say(http.StatusOK, claims("150", "black"))
	if answer := understand(agent); answer.Get("degraded").Bool() {
		t.Errorf("and then read: %s", answer)
	}
}

// TestReaderRules: the default has a name, too.
func TestReaderRules(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash, "name shop.example", "reader rules\nname shop.example"))
	agent := server.agent("", key)
	agent.awaitShop()
	if u := understand(agent).Get("understood"); u.Get("query").String() != "walking boots" || u.Get("max_price_minor").Int() != 15000 {
		t.Errorf("understood: %s", u)
	}
}
