package mapped_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storeware/caddy-storeware/upstream/mapped"
)

// TestFaults: an error names the line, and says what would be right.
func TestFaults(t *testing.T) {
	const list = "currency GBP\nlist {\n\tGET /p\n\titems p\n}\nproduct {\n\tid i\n\ttitle t\n\tvariants @this {\n\t\tid i\n\t\tprice p\n\t}\n}\n"
	for _, test := range []struct{ name, text, want string }{
		{"an unknown word", "nmae Shop\n", `m:1: a mapping has no "nmae"; it may have: add_code`},
		{"an unknown field", "\n\nproduct {\n\tidd x\n}\n", `m:4: product has no "idd"; it may have: attribute`},
		{"a field twice", "product {\n\tid a\n\tid b\n}\n", "m:3: id is mapped already, at m:2"},
		{"an operation that is none", "product {\n\tid a plus b\n}\n", `m:2: "plus" cannot stand there; write: id <path>`},
		{"an operation without its word", "product {\n\tid a table\n}\n", "m:2: table wants 1 more after it"},
		{"a quote that is not closed", "name \"Shop\nlanguage en\n", `m:1: the quote " is not closed`},
		{"a block that is not closed", "list {\n\tGET /\n", "m:1: the block of list is not closed"},
		{"a brace too many", "name Shop\n}\n", "m:2: this } closes no block"},
		{"a block without a name", "{\n}\n", "m:1: a block needs a name before its {"},
		{"a brace on the line of something else", "list {\n\tGET / }\n", "m:2: the } that closes a block stands on a line of its own"},
		{"something after a brace", "list {\n\tGET /\n} x\n", "m:3: nothing may follow a } on its line"},
		{"a heredoc", "name <<END\n", "m:1: text of several lines stands in `backticks` here, not after <<"},
		{"a currency that is none", "currency PND\n", `m:1: "PND" is no ISO 4217 code, such as GBP`},
		{"a country that is none", "country uk\n", `m:1: "uk" is no ISO 3166-1 alpha-2 code, such as GB`},
		{"a choice of words", "tax net\n", "m:1: write: tax included|excluded|unknown"},
		{"a number out of bounds", "list {\n\tsize 0\n}\n", "m:2: write: size <a number from 1 to 1000>"},
		{"a duration that is none", "settles soon\n", "m:1: write: settles <a duration, such as 10m>"},
		{"a refusal's code", "refuse nope status 400\n", `m:1: "nope" is no code of a refusal; write one of: address_refused`},
		{"a refusal of nothing", "refuse busy status\n", "m:1: write: refuse <code>"},
		{"a refusal's test", "refuse busy error.code eq 1\n", "m:1: write: refuse <code>"},
		{"two requests", "list {\n\tGET /a\n\tPOST /b\n}\n", "m:3: this block has a request already: GET /a"},
		{"two blocks", list + "list {\n}\n", "m:14: there is a list already, at m:2"},
		{"a need that is none", "needs luck\n", `m:1: a shop cannot need "luck"; write some of: address, city`},

		{"no currency", strings.TrimPrefix(list, "currency GBP\n"), "the mapping lacks the shop's currency; write: currency GBP"},
		{"no list", "currency GBP\n", "the mapping lacks list"},
		{"a placeholder that is none", list + "search {\n\tGET /s\n\tquery q {wrods}\n\titems p\n}\n", "m:16: {wrods} stands for nothing here; there are: {agent}"},
		{"a kept value that is none", list + "header A {keep.b}\n", "m:14: there is no keep b"},
		{"a kept value of another", list + "keep a {\n\tGET /a\n\tvalue v\n}\nkeep b {\n\tGET /{keep.a}\n\tvalue v\n}\n", "m:18: a kept value cannot be made of another one"},
		{"a path that ends with a slash", strings.Replace(list, "GET /p", "GET /p/", 1), "m:2: a path does not end with /"},
		{"a table that is none", strings.Replace(list, "price p", "price p table x", 1), `m:11: there is no table "x"; write: table x {`},
		{"a fragment that is none", strings.Replace(list, "GET /p", "graphql /p {a} f", 1), `m:2: there is no fragment "f"`},
		{"a path with parameters", strings.Replace(list, "GET /p", "GET /p?a=b", 1), "m:2: a path begins with / and holds no ?"},
		{"a GET with a body", strings.Replace(list, "GET /p", "GET /p\n\tset a b", 1), "m:2: a GET has no body"},
		{"a body that is no JSON", strings.Replace(list, "GET /p", "POST /p\n\tbody `{`", 1), "m:2: the body is no JSON object"},
		{"a header's name", list + "header \"a b\" c\n", `m:14: "a b" is no name of a header`},
		{"a request that is missing", list + "search {\n\titems p\n}\n", "m:14: search lacks its request; write: GET|POST"},
		{"a search without words", list + "search {\n\tGET /s\n\titems p\n}\n", "m:14: search does not send {words}"},
		{"a look-up without a name", list + "lookup id {\n\tGET /s\n\titems p\n}\n", "m:14: lookup id sends neither {key} nor {keys}"},
		{"a basket that nothing fills", list + "add_line {\n\tPOST /b\n}\n", "m:14: add_line is of no use without basket"},
		{"a page for lines without a line", list + "hand_off https://x/{lines}\n", "m:14: {lines} needs to know what stands for a line"},
		{"a page that is none", list + "hand_off /cart\n", "m:14: hand_off must begin with http:// or https:// and a host"},
		{"a site that is none", list + "site shop.example\n", `site "shop.example" does not begin with http:// or https://`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := mapped.Parse("m", test.text)
			var fault *mapped.Fault
			if !errors.As(err, &fault) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the fault is\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

// TestFaultsOfBlocks: what would lead to baskets that cannot be ended is told
// before the shop is ever called.
func TestFaultsOfBlocks(t *testing.T) {
	for _, test := range []struct {
		name   string
		change []func(string) string
		want   string
	}{
		{"an order that cannot be found again", []func(string) string{without("recover")}, "when an answer to place is lost, nobody knows what was ordered"},
		{"codes that stay for ever", []func(string) string{without("remove_code")}, "codes have to be taken off again: map remove_code"},
		{"delivery that cannot be chosen", []func(string) string{without("choose_delivery")}, "delivery is of no use without choose_delivery"},
		{"lines that stay for ever", []func(string) string{without("remove_line", "change_line")}, "lines have to be taken out: map remove_line or change_line"},
		{"a basket that never begins", []func(string) string{without("create_basket")}, "a basket has to begin: map create_basket, or write: session cookie"},
		{"no way to pay", []func(string) string{replacing(t, "payment  card Card\n", "")}, `a way to pay is missing; write: payment cod "Cash on delivery"`},
		{"an order without a number", []func(string) string{replacing(t, "\tid    number\n", "")}, "place lacks id"},
		{"lines without a price", []func(string) string{replacing(t, "\t\tunit     each\n", ""), replacing(t, "\t\tsubtotal sum\n", "")}, "basket lacks unit or subtotal in lines"},
		{"a variable that the environment has not", nil, "the environment has no HOME_KEY"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/home.map")
			if err != nil {
				t.Fatal(err)
			}
			changed := string(text)
			for _, c := range test.change {
				changed = c(changed)
			}
			m, err := mapped.Parse("home.map", changed)
			if err == nil {
				_, err = mapped.New(mapped.Config{Mapping: m, Client: clientAt(t, "http://127.0.0.1:1"), Env: func(string) (string, bool) { return "", false }})
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "home.map:") && len(test.change) == 1 && !strings.Contains(test.want, "lacks") {
				t.Errorf("the fault is\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

// TestMappingsAreJSON: a mapping is the same when it was written as JSON and read
// again, lines and all.
func TestMappingsAreJSON(t *testing.T) {
	files, err := filepath.Glob("examples/*.map")
	if err != nil || len(files) != 3 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, file := range append(files, "testdata/home.map") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := mapped.Parse(file, string(text))
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := new(mapped.Mapping)
		if err := json.Unmarshal(encoded, got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s as JSON (-want +got):\n%s", file, diff)
		}
		if err := got.Validate(); err != nil {
			t.Errorf("%s as JSON: %v", file, err)
		}
	}
}

// TestTokens: words, quotes, comments and lines are those of a Caddyfile.
func TestTokens(t *testing.T) {
	const text = "\ufeffname \"Fell & \\\"Ford\\\"\" # a comment\n\n" +
		"site\thttps://x/#y \\\n  more\r\n" +
		"doc `a \"b\"\n{c}` next\n\"\" last"
	type word struct {
		Text   string
		Line   int
		Quoted bool
	}
	want := []word{
		{"name", 1, false},
		{`Fell & "Ford"`, 1, true},
		{"site", 3, false},
		{"https://x/#y", 3, false},
		{"more", 3, false},
		{"doc", 5, false},
		{"a \"b\"\n{c}", 5, true},
		{"next", 6, false},
		{"", 7, true},
		{"last", 7, false},
	}
	tokens, err := mapped.Tokens("f", text)
	if err != nil {
		t.Fatal(err)
	}
	var got []word
	for _, token := range tokens {
		got = append(got, word{token.Text, token.At.Line, token.Quoted})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
}

// FuzzParse: no text makes the reader fail otherwise than with faults that have a
// place, and what it takes is a mapping that a shop can be made of.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("examples/*.map")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, "testdata/home.map") {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, seed := range []string{"", "{", "}", "a {\n}\n", "\"", "`", "\\\n", "name \"\\", "list {\n GET /{\n", "table t {\n\"\" \"\"\n}", "refuse busy status 429 a is"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := mapped.Parse("f", text)
		if err != nil {
			var fault *mapped.Fault
			if !errors.As(err, &fault) {
				t.Fatalf("%T %v is no fault", err, err)
			}
			return
		}
		shop, err := mapped.New(mapped.Config{Mapping: m, Client: clientAt(t, "http://127.0.0.1:1"), Env: func(string) (string, bool) { return "x", true }})
		if err != nil {
			t.Fatalf("a mapping that was read makes no shop: %v", err)
		}
		shop.Close()
	})
}
