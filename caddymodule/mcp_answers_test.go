package caddymodule_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/storeware/caddy-storeware/translate/answer/schema"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// told is what a surface says to a search.
type told struct {
	// answer has the fields of the answers page; it is absent where the surface
	// says only messages.
	answer   gjson.Result
	messages map[string]string // by their codes, without what all begin with
	handles  string            // of the products
}

// surfaces are the four ways to ask that the answers page names.
func surfaces(a *agent, plainProfile string) map[string]func(query string) told {
	const searchPath = "/api/ucp/v1/catalog/search"
	read := func(answer, messages, handles gjson.Result) told {
		out := told{answer: answer, messages: map[string]string{}, handles: handles.Raw}
		for _, m := range messages.Array() {
			out.messages[strings.TrimPrefix(m.Get("code").Str, "ai.storeware.")] = m.Get("content").Str
		}
		return out
	}
	over := func(content gjson.Result) told {
		return read(content.Get(answerPath), content.Get("messages"), content.Get("products.#.handle"))
	}
	return map[string]func(string) told{
		"REST with the extension": func(query string) told {
			got := a.want(http.StatusOK, "POST", searchPath, fmt.Sprintf(`{"query":%q}`, query))
			return over(gjson.ParseBytes(got.body))
		},
		"REST without it": func(query string) told {
			got := a.want(http.StatusOK, "POST", searchPath, fmt.Sprintf(`{"query":%q}`, query), "UCP-Agent", `profile="`+plainProfile+`"`)
			return over(gjson.ParseBytes(got.body))
		},
		"UCP's MCP": func(query string) told {
			got := a.want(http.StatusOK, "POST", mcpPath, toolCall(1, "search_catalog", fmt.Sprintf(`"catalog":{"query":%q}`, query)))
			return over(got.get("result.structuredContent"))
		},
		"the shop's MCP": func(query string) told {
			got := a.own(1, "search_products", fmt.Sprintf(`{"query":%q}`, query))
			return read(got, got.Get("messages"), got.Get("results.#.handle"))
		},
	}
}

// page is an example of the answers page: what is asked, and what is said to it.
type page struct {
	query string
	// fields are values of the answer by their paths. A value that begins with >
	// is a bound.
	fields   map[string]string
	messages map[string]string
	products string
}

func pages() map[string]page {
	const boots = `Read as "waterproof walking boots", filtered by at most `
	return map[string]page{
		"the example": {
			query:    "waterproof walking boots under £150, for a wet week in Iceland",
			products: `["fjell-trail-gtx"]`,
			fields: map[string]string{
				"understood.query": "waterproof walking boots", "understood.max_price_minor": "15000", "understood.min_price_minor": "",
				"understood.required_attributes.0": `{"key":"waterproof","value":"true"}`, "understood.context": `["for a wet week in Iceland"]`,
				"understood.remembered": "", "degraded": "false", "currency": "GBP", "passes": "1", "relevance_judged": "true",
				"understood.required_attributes.#": "1", "ruled_out_count": "4", "cheapest_ruled_out_minor": "18000", "unrelated_count": "21", "results.0.handle": "fjell-trail-gtx", "results.0.price_minor": "12000",
				`results.0.verdicts.#(key=="waterproof")`:                                      `{"constraint":"attribute","outcome":"satisfied","key":"waterproof","wanted":"true","found":["true"],"source":"enrichment"}`,
				`ruled_out.#(handle=="alpine-summit-gtx").title`:                               "Alpine Summit GTX",
				`ruled_out.#(handle=="alpine-summit-gtx").price_minor`:                         "18000",
				`ruled_out.#(handle=="alpine-summit-gtx").verdicts.#(constraint=="max_price")`: `{"constraint":"max_price","outcome":"failed","wanted":15000,"found":18000,"source":"live_price"}`,
			},
			messages: map[string]string{
				"understood": boots + "£150.00, waterproof=true.",
				"ruled_out":  "4 further products matched the description but failed a stated constraint. The cheapest of them is £180.00.",
			},
		},
		"something close": {
			query:    "waterproof walking boots under £50",
			products: `[]`,
			fields:   map[string]string{"results": "[]", "ruled_out_count": "5", "cheapest_ruled_out_minor": "12000"},
			messages: map[string]string{
				"understood": boots + "£50.00, waterproof=true.",
				"ruled_out":  "5 further products matched the description but failed a stated constraint. The cheapest of them is £120.00.",
			},
		},
		"not stocked": {
			query:    "coffee machine",
			products: `[]`,
			fields:   map[string]string{"results": "[]", "ruled_out_count": "0", "cheapest_ruled_out_minor": "", "unrelated_count": ">0"},
			messages: map[string]string{"understood": `Read as "coffee machine".`, "not_stocked": `This shop does not sell anything of the kind: "coffee machine".`},
		},
		"nothing at all": {
			query:    "xylophone",
			products: `[]`,
			fields:   map[string]string{"results": "[]", "ruled_out": "[]", "ruled_out_count": "0", "unrelated_count": "0"},
			messages: map[string]string{"understood": `Read as "xylophone".`},
		},
		"two things at once": {
			query: "a waterproof jacket and warm gloves under £100",
			fields: map[string]string{
				"passes": "2", "understood.passes.#": "2", "understood.max_price_minor": "10000", "understood.required_attributes": "[]",
				"understood.passes.0.required_attributes.#.key": `["waterproof"]`, "understood.passes.1.required_attributes.#.key": `["warm"]`,
				"understood.passes.0.max_price_minor": "10000", "understood.passes.1.max_price_minor": "10000",
				`results.#(pass==0).verdicts.#(key=="warm")`: "", `results.#(pass==1).verdicts.#(key=="waterproof")`: "",
				`results.#(pass==0).price_minor`: ">0", `results.#(pass==1).price_minor`: ">0",
			},
			messages: map[string]string{
				"understood": `Read as 2 things: "waterproof jacket", filtered by at most £100.00, waterproof=true; "warm gloves", filtered by at most £100.00, warm=true.`,
				"ruled_out":  "6 further products matched the description but failed a stated constraint. The cheapest of them is £18.00.",
			},
		},
		"recorded less specifically": {
			query:    "a rust orange fleece",
			products: `[]`,
			fields: map[string]string{
				`ruled_out.#(handle=="ember-fleece").verdicts.#(constraint=="attribute")`: `{"constraint":"attribute","outcome":"not_assessed","key":"colour","wanted":"rust orange","found":["rust"],"source":"enrichment"}`,
			},
			messages: map[string]string{
				"understood": `Read as "rust orange fleece", filtered by colour=rust orange.`,
				"ruled_out":  "3 further products matched the description but failed a stated constraint. The cheapest of them is £26.00.",
			},
		},
		"nobody recorded it": {
			query:    "waterproof wellington boots under £100",
			products: `[]`,
			fields: map[string]string{
				`ruled_out.#(handle=="tarn-wellington-boot").verdicts.#(key=="waterproof")`: `{"constraint":"attribute","outcome":"not_assessed","key":"waterproof","wanted":"true","source":"not_recorded"}`,
			},
			messages: map[string]string{
				"understood": `Read as "waterproof wellington boots", filtered by at most £100.00, waterproof=true.`,
				"ruled_out":  "1 further product matched the description but failed a stated constraint. It is £64.00.",
			},
		},
		"what is in stock": {
			query: "boots in stock",
			fields: map[string]string{
				"understood.in_stock": "true", `results.0.verdicts.#(constraint=="in_stock").outcome`: "satisfied", `results.0.verdicts.#(constraint=="in_stock").source`: "inventory",
			},
			messages: map[string]string{"understood": `Read as "boots", filtered by in stock.`},
		},
		"unreadable": {
			query:    "walking boots under $100", // whose rate nobody here knows
			fields:   map[string]string{"degraded": "true", "understood.max_price_minor": "", "understood.required_attributes": "[]"},
			messages: map[string]string{"understood": `Searched for "walking boots under $100" as it stands: its constraints could not be read, so none of them was applied.`},
		},
	}
}

// TestTheAnswersPage replays the examples of the answers page at the demo shop, which
// has the same products, on each surface that the page names: the shop's own MCP
// server says everything, UCP's REST the same under a key where the platform declares
// the extension, and messages are said everywhere.
func TestTheAnswersPage(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	const plainURL = "https://agent.example/plain.json"
	declared, err := os.ReadFile("demo/agent.json")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := sjson.DeleteBytes(declared, "ucp.capabilities."+answerPath)
	if err != nil || len(plain) == len(declared) {
		t.Fatalf("the platform's profile does not declare %s: %v", schema.Name, err)
	}
	file := filepath.Join(t.TempDir(), "plain.json")
	if err := os.WriteFile(file, plain, 0o600); err != nil {
		t.Fatal(err)
	}
	server := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash, "profile_file", "profile_file "+plainURL+" "+file+"\n\t\tprofile_file"))
	agent := server.agent("", key)
	agent.awaitShop()
	for name, page := range pages() {
		for surface, ask := range surfaces(agent, plainURL) {
			t.Run(name+"/"+surface, func(t *testing.T) {
				got := ask(page.query)
				if whole := surface == "REST with the extension" || surface == "the shop's MCP"; got.answer.Exists() != whole {
					t.Fatalf("there is an answer: %v", got.answer.Exists())
				}
				page.check(t, got)
			})
		}
	}
	t.Run("remembered", func(t *testing.T) {
		talk := `{"query":%q,"conversation":{"id":"one"}}`
		agent.own(1, "search_products", fmt.Sprintf(talk, "waterproof walking boots under £150"))
		again := agent.own(1, "search_products", fmt.Sprintf(talk, "walking boots under £200"))
		if got := again.Get(`understood.remembered.#(key=="waterproof")`).Raw; got != `{"scope":"conversation","constraint":"attribute","key":"waterproof","wanted":"true"}` {
			t.Errorf("remembered is %s", again.Get("understood").Raw)
		}
		if again.Get("understood.max_price_minor").Int() != 20000 || again.Get(`understood.remembered.#(constraint=="max_price")`).Exists() {
			t.Errorf("what is said now does not come first: %s", again.Get("understood").Raw)
		}
	})
}

// check compares what was told with a page.
func (p page) check(t *testing.T, got told) {
	t.Helper()
	if p.products != "" && got.handles != p.products {
		t.Errorf("the products are %s", got.handles)
	}
	for code, content := range got.messages {
		if want, ok := p.messages[code]; !ok || content != want {
			t.Errorf("%s: %q, want %q", code, content, want)
		}
	}
	if len(got.messages) != len(p.messages) {
		t.Errorf("the messages are %q", got.messages)
	}
	if !got.answer.Exists() {
		return
	}
	for path, want := range p.fields {
		value := got.answer.Get(path)
		if bound, ok := strings.CutPrefix(want, ">"); ok {
			if least := gjson.Parse(bound).Int(); value.Type != gjson.Number || value.Int() <= least {
				t.Errorf("%s is %s, want more than %d", path, value.Raw, least)
			}
		} else if value.String() != want {
			t.Errorf("%s is %s, want %s", path, value.Raw, want)
		}
	}
}
