package caddymodule_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/storeware/caddy-storeware/caddymodule"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
	"github.com/storeware/caddy-storeware/upstream/mapped"
)

// mapCheck runs storeware map check.
func mapCheck(t *testing.T, arguments ...string) (report string, err error) {
	t.Helper()
	for _, known := range caddymodule.Commands() {
		if known.Name != "map" {
			continue
		}
		cmd := &cobra.Command{Use: known.Name, SilenceUsage: true, SilenceErrors: true}
		known.CobraFunc(cmd)
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		cmd.SetArgs(append([]string{"check"}, arguments...))
		err = cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	t.Fatal("there is no command map")
	return "", nil
}

// demoMap writes the mapping of the demo shop into a file, with a text replaced.
func demoMap(t *testing.T, old, replacement string) (file string) {
	t.Helper()
	text, err := os.ReadFile("testdata/map/demo.map")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("the mapping has no %q", old)
	}
	file = filepath.Join(t.TempDir(), "demo.map")
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, replacement, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// The report shows each field with what it came to.
func TestMapCheck(t *testing.T) {
	house := openHouse(t, shop.Options{})
	report, err := mapCheck(t, "testdata/map/demo.map", "--url", house.url(), "--deliver-to", "street=1 High Street,city=Kendal,postal_code=LA9 4ND,country=GB")
	if err != nil {
		t.Errorf("%v\n%s", err, report)
	}
	for _, want := range []string{
		`✓ list: 65 products, the first is "Fjell Trail GTX"`, "✓ search: ", "✓ look-up by sku: ", "✓ basket: one piece costs £120.00",
		"testdata/map/demo.map:38  product.title ", "Fjell Trail GTX", "testdata/map/demo.map:47  product.variants.price ",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if house.orders() != 0 {
		t.Error("the shop has an order")
	}
	// The mapping may say where the shop is.
	if report, err := mapCheck(t, demoMap(t, "currency GBP", "api "+house.url()+"\ncurrency GBP")); err != nil {
		t.Errorf("without --url: %v\n%s", err, report)
	}
}

// A path that finds nothing is shown with its line; where the shop cannot do without
// it, the command fails.
func TestMapCheckFindsWrongPaths(t *testing.T) {
	house := openHouse(t, shop.Options{})
	optional := demoMap(t, "brand       brand", "brand       maker")
	report, err := mapCheck(t, optional, "--url", house.url())
	if line := lineWith(report, optional+":40 "); err != nil || !strings.Contains(line, "maker") || !strings.Contains(line, "✗ found nothing") {
		t.Errorf("%v, and the line is %q", err, line)
	}
	for old, test := range map[string]struct{ replacement, line, want string }{
		"price        price": {"price        cost", ":47 ", "cost          ✗ found nothing"},
		"total        total": {"total        sum", ":62 ", "sum           ✗ found nothing"},
		"items products":     {"items goods", ":13: ", "there is no list of products there"},
	} {
		file := demoMap(t, old, test.replacement)
		report, err := mapCheck(t, file, "--url", house.url())
		line := lineWith(report, file+test.line)
		if !errors.Is(err, mapped.ErrMapping) || !strings.Contains(line, test.want) {
			t.Errorf("%s: %v, and the line is %q in\n%s", test.replacement, err, line, report)
		}
	}
	report, err = mapCheck(t, demoMap(t, "/api/products", "/api/goods"), "--url", house.url())
	if !errors.Is(err, mapped.ErrMapping) || !strings.Contains(report, "✗ list: ") {
		t.Errorf("a wrong address: %v\n%s", err, report)
	}
	if strings.Contains(report, "found nothing") || !strings.Contains(report, "Nothing was tried of ") || !strings.Contains(report, "    GET "+house.url()+"/api/goods?") {
		t.Errorf("where nothing was tried the report is\n%s", report)
	}
	t.Setenv("STOREWARE_TEST_KEY", "open sesame")
	report, err = mapCheck(t, demoMap(t, "/api/products", "/api/products/{env.STOREWARE_TEST_KEY}"), "--url", house.url())
	if err == nil || strings.Contains(report, "sesame") || !strings.Contains(report, "/api/products/%5Bredacted%5D") {
		t.Errorf("%v, with a secret in the path:\n%s", err, report)
	}
}

// lineWith is what follows a word in a text, up to the end of its line.
func lineWith(text, word string) string {
	_, after, found := strings.Cut(text, word)
	if !found {
		return ""
	}
	line, _, _ := strings.Cut(after, "\n")
	return line
}

// What is wrong before anything is sent is told with its line and what would be
// right.
func TestMapCheckRefuses(t *testing.T) {
	wrong := demoMap(t, "handle      handle", "handel      handle")
	secret := demoMap(t, "currency GBP", "currency GBP\nheader X-Key {env.STOREWARE_TEST_UNSET}")
	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{[]string{wrong, "--url", "http://127.0.0.1:1"}, wrong + `:37: product has no "handel"; it may have: `},
		{[]string{secret, "--url", "http://127.0.0.1:1"}, secret + ":6: the environment has no STOREWARE_TEST_UNSET"},
		{[]string{"testdata/map/none.map"}, "reading the mapping: open testdata/map/none.map"},
		{[]string{"testdata/map/demo.map"}, "where is the shop?"},
		{[]string{"testdata/map/demo.map", "--url", "shop.example.com"}, `--url: "shop.example.com" is no URL of a shop`},
		{[]string{"testdata/map/demo.map", "--url", "http://127.0.0.1:1", "--deliver-to", "zip=1"}, `an address has no "zip": it may have city, company, `},
		{nil, "accepts 1 arg(s)"},
	} {
		if _, err := mapCheck(t, test.arguments...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.arguments, err, test.want)
		}
	}
}
