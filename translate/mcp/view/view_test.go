package view

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/bojanz/currency"
	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/viewtest"
)

func pages() map[string]Page { return map[string]Page{"search": Search(), "product": Product()} }

// between returns what stands between two texts that are each there once.
func between(t *testing.T, s, from, to string) string {
	t.Helper()
	if strings.Count(s, from) != 1 || strings.Count(s, to) != 1 {
		t.Fatalf("%q and %q are not there once", from, to)
	}
	_, rest, _ := strings.Cut(s, from)
	inside, _, _ := strings.Cut(rest, to)
	return inside
}

func TestThePolicyAllowsTheStyleAndTheScriptAndNothingElse(t *testing.T) {
	for name, page := range pages() {
		style := between(t, page.HTML, "<style>", "</style>")
		script := between(t, page.HTML, "<script>", "</script>")
		got := between(t, page.HTML, `<meta http-equiv="Content-Security-Policy" content="`, `">
<meta name="viewport"`)
		want := "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'"
		if got != want {
			t.Errorf("%s: the policy is %q, want %q", name, got, want)
		}
		if strings.Contains(page.HTML, "{{") {
			t.Errorf("%s: a part is missing", name)
		}
		if strings.Contains(page.HTML, "\r") {
			t.Errorf("%s: a parser would read the carriage returns otherwise than they are hashed", name)
		}
	}
}

func TestAPageNamesNothingToFetchAndNoMarkupToMake(t *testing.T) {
	forbidden := regexp.MustCompile(`(?i)https?://|url\(|@import|@font-face|\bsrc=|\bhref=|<link|<img|<iframe|fetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|import\(|importScripts|innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function|\son[a-z]+=|style="`)
	for name, page := range pages() {
		if found := forbidden.FindAllString(page.HTML, -1); found != nil {
			t.Errorf("%s: %q", name, found)
		}
	}
}

func TestAPageIsSmall(t *testing.T) {
	for name, page := range pages() {
		if size := len(page.HTML); size > 48<<10 {
			t.Errorf("%s: %d bytes", name, size)
		}
	}
}

func TestAmountsHaveTheDigitsThatTheyAreCountedIn(t *testing.T) {
	digits := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^  (\d): "([A-Z ]+)",$`).FindAllStringSubmatch(wordsScript, -1) {
		for code := range strings.FieldsSeq(line[2]) {
			digits[code] = line[1]
		}
	}
	for _, code := range currency.GetCurrencyCodes() {
		want, _ := currency.GetDigits(code)
		got, there := digits[code]
		if !there {
			got = "2"
		}
		if got != string('0'+want) {
			t.Errorf("%s has %s digits, want %d", code, got, want)
		}
	}
}

func TestMeta(t *testing.T) {
	want := `{"openai/outputTemplate":"ui://storeware/search_products.html","ui":{"resourceUri":"ui://storeware/search_products.html"},"ui/resourceUri":"ui://storeware/search_products.html"}`
	if diff := cmp.Diff(want, viewtest.JSON(t, Search().ToolMeta())); diff != "" {
		t.Error(diff)
	}
	var resource struct {
		UI struct {
			CSP map[string][]string
		} `json:"ui"`
	}
	if err := json.Unmarshal([]byte(viewtest.JSON(t, Product().ResourceMeta())), &resource); err != nil {
		t.Fatal(err)
	}
	for name, origins := range resource.UI.CSP {
		if origins == nil || len(origins) != 0 {
			t.Errorf("%s is %v, want an empty list", name, origins)
		}
	}
	for name, page := range pages() {
		if !strings.HasPrefix(page.URI, "ui://") || page.Name == "" || page.Description == "" {
			t.Errorf("%s: %q, %q, %q", name, page.URI, page.Name, page.Description)
		}
	}
}
