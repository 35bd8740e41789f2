package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/sjson"

	"github.com/storeware/caddy-storeware/internal/viewtest"
)

// viewOf reads the page that a tool names as its view, as a host of MCP Apps does.
func (d *desk) viewOf(tool string) string {
	d.t.Helper()
	listed := d.send(d.message("", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	uri := listed.json.Get(`result.tools.#(name=="` + tool + `")._meta.ui.resourceUri`).Str
	got := d.send(d.message("", `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"`+uri+`"}}`))
	page := got.json.Get("result.contents.0.text").Str
	if uri == "" || page == "" {
		d.t.Fatalf("%s has no view: %s", tool, got.text)
	}
	return page
}

// drawn is what a host shows of a call's result.
type drawn struct {
	tool, arguments string
	there, notThere []string
}

// What the tools return of the demo shop is drawn as it is, in the pages that they
// name, by a host that knows nothing but MCP Apps.
func TestResultsAreDrawn(t *testing.T) {
	d := newDesk(t)
	h := viewtest.OpenHost(t, map[string]string{"/search_products": d.viewOf("search_products"), "/get_product": d.viewOf("get_product")})
	show := func(tool string, result string) (int, string) {
		view := h.Show(viewtest.Object{
			"page": "/" + tool, "result": json.RawMessage(result),
			"capabilities": viewtest.Object{"message": viewtest.Object{"text": viewtest.Object{}}, "openLinks": viewtest.Object{}},
			"context":      viewtest.Object{"locale": "en-GB", "timeZone": "Europe/London"},
		})
		return view, h.Drawn(view)
	}
	// The conversation that one of them goes on with.
	d.must("scout", "search_products", `{"query":"walking boots under £150","conversation":{"id":"c"}}`)
	for name, want := range results {
		t.Run(name, func(t *testing.T) {
			result := d.call("scout", want.tool, want.arguments).json.Get("result").Raw
			view, got := show(want.tool, result)
			for _, text := range want.there {
				if !strings.Contains(got, text) {
					t.Errorf("%q is not in %q", text, got)
				}
			}
			for _, text := range append([]string{"undefined", "null", "NaN", "[object"}, want.notThere...) {
				if strings.Contains(got, text) {
					t.Errorf("%q is in %q", text, got)
				}
			}
			for _, violation := range h.Violations(view) {
				t.Error(violation)
			}
			h.Shoot("result-" + strings.ReplaceAll(name, " ", "-"))

			// A host that hands on the texts alone shows the same.
			texts, err := sjson.Delete(result, "structuredContent")
			if err != nil {
				t.Fatal(err)
			}
			if _, same := show(want.tool, texts); same != got {
				t.Errorf("of the texts %q is drawn, not %q", same, got)
			}
		})
	}
	h.Quiet()
}

// results are what there is to draw, by what is special about it.
var results = map[string]drawn{
	"evidence": {"search_products", `{"query":"waterproof walking boots under £150"}`, []string{
		"Understood as Waterproof walking boots up to £150.00 waterproof", "1 product meets all of it, 4 ruled out",
		"Prices and stock read live on 23 Aug 2026 at 15:31.", "Fjell Trail GTX £120.00 ✓ Meets: Within £150.00 £120.00, read live at 15:31",
		"✓ Meets: Waterproof recorded by the shop", "Alpine Summit GTX £180.00 ✕ Does not meet: £30.00 over £150.00",
	}, []string{"could not", "Tarn Wellington Boot"}},
	"not recorded": {"search_products", `{"query":"waterproof wellington boots"}`, []string{
		"Nothing meets all of it, 1 comes close", "Tarn Wellington Boot £64.00", "? Not known: Waterproof not among what the shop has recorded",
	}, nil},
	"several things": {"search_products", `{"query":"a waterproof jacket and warm gloves under £100"}`, []string{
		"Understood as 2 things Waterproof jacket and warm gloves up to £100.00", "Waterproof jacket waterproof Meets all of it Drizzle Rain Jacket £75.00 was £95.00",
		"Warm gloves warm Meets all of it Frostline Insulated Gloves", "£100.00 is held for each thing. Is it meant for all of them together?",
	}, nil},
	"not read": {"search_products", `{"query":"walking boots under $100"}`, []string{
		"Not fully understood Walking boots under $100", "none from its words was applied. Ask again", "could not be judged this time", "10 of 16 are shown.",
	}, []string{"Understood as", "Meets all of it", "listed above"}},
	"not read and limited": {"search_products", `{"query":"walking boots under $100","in_stock":true}`, []string{
		"Not fully understood Walking boots under $100 in stock", "What is listed above was asked for apart from them. Ask again",
	}, nil},
	"remembered": {"search_products", `{"query":"waterproof ones","conversation":{"id":"c"}}`, []string{
		"up to £150.00 from earlier in this conversation", "“walking boots” is from earlier in this conversation.", "“up to £150.00” was not said this time",
	}, nil},
	"less specific": {"search_products", `{"query":"a rust orange jacket"}`, []string{
		"Nothing meets all of it, 7 come close", "? Not known: Colour: rust orange recorded only as Rust",
		"The shop records “Harbour Waxed Jacket” as Rust. Is that the colour you meant? Yes, that will do",
		"✕ Does not meet: Colour: Yellow not rust orange, recorded by the shop",
	}, nil},
	"left out": {"search_products", `{"query":"jacket, not waterproof, without a hood"}`, []string{
		"Jacket not waterproof no hood", "Heather Softshell £95.00 ✓ Meets: Not waterproof recorded by the shop ✓ Meets: No hood recorded by the shop",
		"✕ Does not meet: Waterproof recorded by the shop, and not wanted", "? Not known: Hood not among",
	}, []string{"feature", "Feature", "as not hood"}},
	"nothing found": {"search_products", `{"query":"xylophone"}`, []string{"Understood as Xylophone Nothing was found."}, []string{"does not sell", "ask next"}},
	"not stocked": {"search_products", `{"query":"an espresso machine"}`, []string{
		"Understood as Espresso machine This shop does not sell anything of the kind.", "all are something else",
	}, []string{"ask next"}},
	"sold out": {"search_products", `{"query":"camp chair in stock"}`, []string{
		"Heron Camp Chair £89.00 Sold out ✕ Does not meet: Sold out stock read live at 15:31",
	}, nil},
	"a foreign currency": {"search_products", `{"query":"jacket","currency":"USD","max_price_minor":5000}`, []string{
		"7 products.", "This shop does not sell in USD; the price bounds were not applied.",
	}, []string{"Read as"}},
	"all there is": {"search_products", `{"limit":2}`, []string{"Understood as Everything 65 products.", "2 of 65 are shown. Show more"}, []string{"could not be judged"}},
	"a context":    {"search_products", `{"query":"warm hat","context":["for a wet week in Iceland"]}`, []string{"Context: for a wet week in Iceland", "Bothy Bobble Hat £25.00 ✓ Meets: Warm recorded by the shop"}, nil},
	"a mistake":    {"search_products", `{"query":7}`, []string{"No answer to show The arguments are not as the tool wants them: $.query must be a string"}, nil},
	"a product": {"get_product", `{"handle":"fjell-trail-gtx"}`, []string{
		"Skarn Fjell Trail GTX £120.00 In stock in 10 of 12 versions. Price and stock read live on 23 Aug 2026 at 15:31.", "Waterproof yes Material nubuck leather, Gore-Tex",
		"Weight 1120 g", "Category Footwear › Walking boots", "6, Slate £120.00 Sold out", "9, Slate £120.00 Only 2 left", "Which size and colour should it be?",
	}, []string{"of 12 versions. What"}},
	"a version": {"get_product", `{"sku":"FJL-9-SLATE"}`, []string{
		"Fjell Trail GTX £120.00 size: 9 colour: Slate Only 2 left.", "Is this the one? Put it in the basket",
	}, []string{"Tan £", "should it be"}},
	"half a choice": {"get_product", `{"handle":"fjell-trail-gtx","selected":[{"name":"Size","value":"9"}]}`, []string{
		"£120.00 size: 9 In stock.", "9, Slate £120.00 Only 2 left 2 of 12 versions.", "Which colour should it be?",
	}, nil},
	"no such version": {"get_product", `{"handle":"fjell-trail-gtx","selected":[{"name":"Size","value":"15"}]}`, []string{
		"No version of this product has all that was selected; these are all that there are.", "6, Tan £120.00",
	}, []string{"size: 15"}},
	"a sale":                {"get_product", `{"handle":"mill-lambswool-cardigan"}`, []string{"£99.00 to £110.00", "Rust, M £99.00 was £135.00 In stock", "Moss, M £110.00 In stock"}, nil},
	"a product sold out":    {"get_product", `{"handle":"heron-camp-chair"}`, []string{"Sold out. Price", "It is sold out. Look for something like it?"}, nil},
	"a product of the past": {"get_product", `{"handle":"pattern-88-oil-lamp"}`, []string{"No longer sold. Price", "It is no longer sold. Look for something like it?"}, nil},
	"a product that is not": {"get_product", `{"handle":"nothing"}`, []string{"No answer to show The shop has no product with this handle"}, nil},
}
