package mapped

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
)

// field reads one line of a mapping's block.
func field(t testing.TB, line string) Value {
	t.Helper()
	tokens, err := Tokens("f", line)
	if err != nil {
		t.Fatal(err)
	}
	var p parser
	v, ok := p.readValue(Position{"f", 1}, "field", tokens)
	if !ok {
		t.Fatalf("%s: %v", line, p.faults)
	}
	return v
}

// sent reads one line that writes a value.
func sent(t testing.TB, line string) Setting {
	t.Helper()
	tokens, err := Tokens("f", "set "+line)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := directives(tokens)
	if err != nil {
		t.Fatal(err)
	}
	var p parser
	var all []Setting
	p.setting(&all)(lines[0])
	if len(all) != 1 {
		t.Fatalf("%s: %v", line, p.faults)
	}
	return all[0]
}

func tables() map[string]map[string]string {
	return map[string]map[string]string{
		"in": {"Y": "in_stock", "N": "out_of_stock"}, "out": {"in_stock": "Y", "out_of_stock": "N"}, "rest": {"a": "1", "*": "else"},
	}
}

func testReader() *reader {
	return &reader{tables: tables(), usual: "GBP", site: &url.URL{Scheme: "https", Host: "shop.example", Path: "/"}}
}

// TestWords: what a value comes to.
func TestWords(t *testing.T) {
	const answer = `{
		"name": "Cap", "empty": "", "none": null, "no": false, "zero": 0, "price": 12.50, "tags": ["a", "b"], "deep": [[{"t": "x"}], [{"t": "y"}]],
		"csv": "a, b ,,c", "state": "Y", "first": "Gil", "last": "Hartley", "maker": 2, "makers": [{"id": 1, "n": "One"}, {"id": 2, "n": "Two"}],
		"big": 12345678901234567890, "item": {"up": 1}
	}`
	for line, want := range map[string]string{
		"name":                                 "Cap",
		"nowhere":                              "",
		"empty or none or name":                "Cap",
		"nowhere default x":                    "x",
		"no":                                   "false",
		"zero":                                 "0",
		"price":                                "12.50",
		"big":                                  "12345678901234567890",
		"tags":                                 "a, b",
		`tags join " / "`:                      "a / b",
		"deep.#.#.t":                           "x, y",
		"csv split ,":                          "a, b, c",
		`csv split , join |`:                   "a|b|c",
		"state table in":                       "in_stock",
		"name table in":                        "",
		"name table in default unknown":        "unknown",
		"name table rest":                      "else",
		"state is Y J":                         "true",
		"state is N":                           "false",
		"nowhere is Y":                         "",
		"name upper":                           "CAP",
		"name lower":                           "cap",
		"maker via makers id n":                "Two",
		"name via makers id n":                 "",
		`"{first} {last}"`:                     "Gil Hartley",
		`"{nowhere} {none}"`:                   "",
		`"{nowhere} {none}" or literal nobody`: "nobody",
		`"{first} {nowhere}"`:                  "Gil",
		"literal shipped":                      "shipped",
		"item":                                 "",
		"^name":                                "",
	} {
		if got := testReader().word(scope{Result: gjson.Parse(answer)}, field(t, line)); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
	whole := scope{Result: gjson.Parse(answer)}
	if got := testReader().word(whole.inner(whole.get("item")), field(t, `"{^name} {up}"`)); got != "Cap 1" {
		t.Errorf("a path that steps up: got %q", got)
	}
	item := whole.inner(whole.get("item"))
	if got := testReader().word(item.inner(item.get("up")), field(t, `"{^^name} {^up}"`)); got != "Cap 1" {
		t.Errorf("a path that steps up twice: got %q", got)
	}
}

// TestReadings: what texts, addresses, times, truths and numbers are made of.
func TestReadings(t *testing.T) {
	s := func(json string) scope { return scope{Result: gjson.Parse(json)} }
	r, v := testReader(), field(t, "v")
	for in, want := range map[string]string{
		`{"v": "<p>One &amp; two</p><p>three<br>four</p><script>no()</script>"}`: "One & two\nthree\nfour",
		`{"v": "a &amp;lt; b"}`: "a < b", `{"v": "2 < 3"}`: "2 < 3", `{"v": " a \n\n b\u0000 "}`: "a\nb", `{"v": "AT&T"}`: "AT&T",
	} {
		if got := r.text(s(in), v); got != want {
			t.Errorf("the text of %s is %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		`{"v": "/p/1"}`: "https://shop.example/p/1", `{"v": "//cdn.example/1"}`: "https://cdn.example/1", `{"v": "http://x/1"}`: "http://x/1",
		`{"v": "javascript:alert(1)"}`: "", `{"v": "data:text/html,x"}`: "", `{"v": ":"}`: "", `{"v": ""}`: "",
	} {
		if got := r.address(s(in), v); got != want {
			t.Errorf("the address of %s is %q, want %q", in, got, want)
		}
	}
	want := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, in := range []string{
		`{"v": "2026-11-30T12:00:00Z"}`, `{"v": "2026-11-30T13:00:00.000+01:00"}`, `{"v": "2026-11-30 12:00:00"}`, `{"v": "2026-11-30T12:00:00"}`,
		`{"v": 1796040000}`, `{"v": "1796040000000"}`,
	} {
		if got := r.time(s(in), v); !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("the time of %s is %v, want %v", in, got, want)
		}
	}
	for in, want := range map[string]bool{`{"v": true}`: true, `{"v": "yes"}`: true, `{"v": 1}`: true, `{"v": 0}`: false, `{"v": false}`: false, `{"v": null}`: false, `{}`: false} {
		if got := r.yes(s(in), v); got != want {
			t.Errorf("%s is %v, want %v", in, got, want)
		}
	}
	for in, want := range map[string]int64{`{"v": 3}`: 3, `{"v": "3"}`: 3, `{"v": 3.0}`: 3, `{"v": 3.5}`: -1, `{"v": "x"}`: -1, `{}`: -1} {
		got, ok := r.number(s(in), v)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("the number of %s is %d, want %d", in, got, want)
		}
	}
}

// TestAmounts: money is read exactly from what shops write.
func TestAmounts(t *testing.T) {
	for _, test := range []struct {
		number   string
		scale    Scale
		currency money.Currency
		want     int64
	}{
		{"12.5", ScaleMajor, "GBP", 1250},
		{"12.50", "", "GBP", 1250},
		{"274.5500", ScaleMajor, "GBP", 27455},
		{"1.0e1", ScaleMajor, "GBP", 1000},
		{"1250", ScaleMinor, "GBP", 1250},
		{"829.1666", ScaleMinor, "GBP", 829},
		{"1250", ScaleMinor, "JPY", 1250},
		{"1250", ScaleMinor, "KWD", 1250},
		{"1250", ScaleHundredths, "JPY", 13},
		{"1200", ScaleHundredths, "JPY", 12},
		{"1250", ScaleHundredths, "KWD", 12500},
		{"-5", ScaleMajor, "GBP", -500},
		{"0.29", ScaleMajor, "GBP", 29},
		{"1.005", ScaleMajor, "GBP", 101},
	} {
		got, err := readAmount(test.number, test.scale, test.currency)
		if err != nil || got.Minor != test.want {
			t.Errorf("%s %s %s: got %v, %v, want %d", test.number, test.scale, test.currency, got, err, test.want)
		}
	}
	for _, bad := range []string{"", "abc", "1,250.00", "£5", "1e", "1e99999", "NaN"} {
		for _, scale := range []Scale{ScaleMajor, ScaleMinor, ScaleHundredths} {
			if got, err := readAmount(bad, scale, "GBP"); err == nil {
				t.Errorf("%q %s is %v", bad, scale, got)
			}
		}
	}
}

// A value that is written and read again is the same.

func TestAmountsInAndOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := money.Amount{
			Minor:    rapid.Int64Range(-1_000_000_000_000, 1_000_000_000_000).Draw(t, "minor"),
			Currency: rapid.SampledFrom([]money.Currency{"GBP", "JPY", "KWD", "CLF", "EUR"}).Draw(t, "currency"),
		}
		scale := rapid.SampledFrom([]Scale{"", ScaleMajor, ScaleMinor, ScaleHundredths}).Draw(t, "scale")
		text, err := writeAmount(want, scale)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAmount(text, scale, want.Currency)
		if err != nil || got != want {
			t.Fatalf("%v is written %q in %q and read as %v, %v", want, text, scale, got, err)
		}
	})
}

func TestTextsInAndOut(t *testing.T) {
	path := rapid.StringMatching(`[a-z]{1,5}(\.[a-z]{1,5}|\.0){0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		at := path.Draw(t, "path")
		want := strings.TrimSpace(rapid.String().Draw(t, "text"))
		w := &writer{names: names{texts: map[string]any{"code": want}}}
		body, err := w.set("{}", []Setting{{Name: at, Value: Value{From: []Source{{Text: "{code}"}}}}})
		if err != nil {
			t.Fatal(err)
		}
		if !gjson.Valid(body) {
			t.Fatalf("what is sent is no JSON: %s", body)
		}
		got := testReader().word(scope{Result: gjson.Parse(body)}, Value{From: []Source{{Path: at}}})
		if got != strings.ToValidUTF8(want, "\ufffd") {
			t.Fatalf("%q at %s is %q in %s", want, at, got, body)
		}
	})
}

func TestTablesInAndOut(t *testing.T) {
	for word, ours := range tables()["in"] {
		w := &writer{tables: tables(), names: names{texts: map[string]any{"code": ours}}}
		body, err := w.set("{}", []Setting{sent(t, "a.b {code} table out")})
		if err != nil {
			t.Fatal(err)
		}
		if got := gjson.Get(body, "a.b").String(); got != word {
			t.Errorf("%s is written %q, want %q", ours, got, word)
		}
		if got := testReader().word(scope{Result: gjson.Parse(body)}, field(t, "a.b table in")); got != ours {
			t.Errorf("%s comes back as %q", ours, got)
		}
	}
}

func TestNamesInAndOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.StringMatching(`[^{}]{0,5}`).Draw(t, "before")
		after := rapid.StringMatching(`[^{}]{0,5}`).Draw(t, "after")
		want := rapid.StringN(1, 20, -1).Draw(t, "value")
		template := before + "{id}" + after
		text, found := fill(template, func(string) string { return want })
		got, ok := unfill(template, text)
		if !found || !ok || got != want {
			t.Fatalf("%q in %q is %q, and %q (%v) out of it", want, template, text, got, ok)
		}
	})
}

// TestSent: what a request carries, and as what.
func TestSent(t *testing.T) {
	n := names{
		texts: map[string]any{
			"quantity": int64(3), "sku": "A-1", "keys": []string{"a", "b"}, "total": money.Amount{Minor: 1250, Currency: "GBP"}, "empty": "", "first": "Gil", "last": "", "json": `{"x": 1}`,
		},
		trees: map[string]gjson.Result{"variant": gjson.Parse(`{"id": 7, "opts": {"a": [1, 2]}, "name": "x"}`)},
	}
	for line, want := range map[string]string{
		"a {quantity}":         `{"a":3}`,
		"a {quantity} as text": `{"a":"3"}`,
		"a {sku}":              `{"a":"A-1"}`,
		"a.b.c {sku} lower":    `{"a":{"b":{"c":"a-1"}}}`,
		"a.0.b {sku}":          `{"a":[{"b":"A-1"}]}`,
		"a {keys}":             `{"a":["a","b"]}`,
		"a {keys} join |":      `{"a":"a|b"}`,
		"a {total}":            `{"a":12.50}`,
		"a {total} minor":      `{"a":1250}`,
		`a "{total} pounds"`:   `{"a":"12.50 pounds"}`,
		"a {empty}":            `{}`,
		"a {empty} default x":  `{"a":"x"}`,
		"a {empty} or {sku}":   `{"a":"A-1"}`,
		`a "{first} {last}"`:   `{"a":"Gil"}`,
		`a "{empty} {last}"`:   `{}`,
		"a {variant.id}":       `{"a":7}`,
		"a {variant.opts}":     `{"a":{"a": [1, 2]}}`,
		`a "no. {variant.id}"`: `{"a":"no. 7"}`,
		"a {variant.nowhere}":  `{}`,
		"a true as number":     `{"a":true}`,
		"a 5 as number":        `{"a":5}`,
		"a {json} as json":     `{"a":{"x": 1}}`,
		"a {sku} table rest":   `{"a":"else"}`,
		"a {sku} table out":    `{}`,
		"a fixed":              `{"a":"fixed"}`,
		"items.#.sku {sku}":    `{}`,
	} {
		w := &writer{tables: tables(), names: n}
		got, err := w.set("{}", []Setting{sent(t, line)})
		if err != nil || got != want {
			t.Errorf("set %s: got %s, %v, want %s", line, got, err, want)
		}
	}
	for _, line := range []string{"a {sku} as number", "a {sku} as json"} {
		w := &writer{names: n}
		if got, err := w.set("{}", []Setting{sent(t, line)}); err == nil {
			t.Errorf("set %s: got %s and no error", line, got)
		}
	}
	w := &writer{names: n}
	var body string
	for i := range 2 {
		var err error
		if body, err = w.setLine(body, i, []Setting{sent(t, "items.#.sku {sku}"), sent(t, "items.#.n {quantity}"), sent(t, "x {sku}")}); err != nil {
			t.Fatal(err)
		}
	}
	if want := `{"items":[{"sku":"A-1","n":3},{"sku":"A-1","n":3}]}`; body != want {
		t.Errorf("two lines: got %s, want %s", body, want)
	}
}

// TestPlaceholders: which braces are placeholders.
func TestPlaceholders(t *testing.T) {
	for template, want := range map[string][]string{
		"": nil, "a": nil, "{a}": {"a"}, "x{a}y{b.c}z": {"a", "b.c"}, "{": nil, "}": nil, "{}": nil, "{a{b}": {"b"}, "a}b{c": nil, "{{a}}": {"a"},
	} {
		got := placeholders(template)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", template, diff)
		}
		same, _ := fill(template, func(name string) string { return "{" + name + "}" })
		if same != template {
			t.Errorf("%q filled with its own names is %q", template, same)
		}
	}
}

// TestRefusalsMatch: how a rule is met.
func TestRefusalsMatch(t *testing.T) {
	const answer = `{"error": {"code": "too_few", "text": "There are too few"}, "codes": ["a", "b"], "ok": false, "none": null}`
	rule := func(line string) Refusal {
		tokens, err := Tokens("f", "refuse out_of_stock "+line)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := directives(tokens)
		if err != nil {
			t.Fatal(err)
		}
		var p parser
		var all []Refusal
		p.refusal(&all)(lines[0])
		if len(all) != 1 {
			t.Fatalf("%s: %v", line, p.faults)
		}
		return all[0]
	}
	for line, want := range map[string]bool{
		"status 409": true, "status 400 409": true, "status 400": false, "error.code is too_few": true, "error.code is x too_few": true,
		"error.code is too": false, "error.text has few": true, "error.text has x few": true, "error.text has Few": false,
		"error there": true, "error missing": false, "nowhere there": false, "nowhere missing": true, "none missing": true, "ok is false": true,
		"codes is b": true, "status 400 error there": false, "status 409 error there": true,
	} {
		if got := rule(line).matches(409, gjson.Parse(answer)); got != want {
			t.Errorf("refuse out_of_stock %s: %v, want %v", line, got, want)
		}
	}
	if codes := refusalCodes(); len(codes) != len(slices.Compact(slices.Sorted(slices.Values(codes)))) {
		t.Errorf("a code of a refusal stands there twice: %v", codes)
	}
}
