package caddymodule_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/tidwall/gjson"
)

// otherUpstreams takes the blocks of upstream that are behind # out of the example,
// and returns them without the #.
func otherUpstreams(example string) (rest string, blocks []string) {
	behind := regexp.MustCompile(`(?m)^\t\t# upstream .*\{\n(?:\t\t#.*\n)*?\t\t# \}\n`)
	for _, block := range behind.FindAllString(example, -1) {
		blocks = append(blocks, regexp.MustCompile(`(?m)^\t\t# ?`).ReplaceAllString(block, "\t\t"))
	}
	return behind.ReplaceAllString(example, ""), blocks
}

// Each upstream that the example has behind # is one that Caddy takes in place of
// the one that it has, and together they have every field of every shop system.
func TestExampleUpstreams(t *testing.T) {
	content, err := os.ReadFile("../Caddyfile.example")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "shop.map"), []byte(plainMap), 0o600); err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("/var/log/caddy", dir, "/var/lib", dir, "/etc/storeware", dir).Replace(string(content))
	for _, name := range regexp.MustCompile(`\{env\.(\w+)\}`).FindAllStringSubmatch(text, -1) {
		t.Setenv(name[1], "value")
	}
	rest, blocks := otherUpstreams(text)
	first := regexp.MustCompile(`(?ms)^\t\tupstream .*?^\t\t\}\n`)
	vendure := regexp.MustCompile(`(?m)^(\t{3})# ((?:channel|payment|admin_key|admin_url|decimals|timeout|max_concurrent) .*)$`).
		ReplaceAllString(first.FindString(rest), "$1$2")

	set := map[string][]string{} // the fields that are set, by system
	for _, block := range append(blocks, vendure) {
		config, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(first.ReplaceAllLiteralString(rest, block)), map[string]any{"filename": "Caddyfile"})
		if err != nil {
			t.Errorf("%s\n%v", block, err)
			continue
		}
		if err := validate(config); err != nil {
			t.Errorf("%s\n%v", block, err)
		}
		upstream := gjson.GetBytes(config, `apps.http.servers.srv0.routes.0.handle.0.routes.#.handle|@flatten|#(handler=="storeware").upstream`)
		system := upstream.Get("system").String()
		upstream.ForEach(func(name, _ gjson.Result) bool {
			set[system] = append(set[system], name.String())
			return true
		})
	}
	for _, module := range caddy.GetModules("storeware.upstreams") {
		system := module.ID.Name()
		if system == "demo" || system == "pageless" {
			continue
		}
		for _, field := range reflect.VisibleFields(reflect.TypeOf(module.New()).Elem()) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			// Shops have one of the two tokens.
			if name != "" && name != "public_token" && !slices.Contains(set[system], name) {
				t.Errorf("the example does not set %s of %s", name, system)
			}
		}
	}
}

// What an operator reads in the pages of the adapters is taken, too.
func TestDocumentedUpstreams(t *testing.T) {
	for _, name := range []string{"EVERSHOP_STAFF", "EVERSHOP_PASSWORD"} {
		t.Setenv(name, "value") // for the mapping
	}
	block := regexp.MustCompile(`(?m)^//\tupstream .*[^{]\n|^//\tupstream .*\{\n(?://\t\t.*\n)*//\t\}\n`)
	for _, system := range []string{"woocommerce", "shopify", "medusa", "mapped"} {
		text, err := os.ReadFile("../upstream/" + system + "/doc.go")
		if err != nil {
			t.Fatal(err)
		}
		taken := 0
		for _, found := range block.FindAllString(string(text), -1) {
			if strings.Contains(found, "...\n") { // left out what a mapping needs
				continue
			}
			found = strings.NewReplacer("//\t", "", "/etc/storeware", "../upstream/mapped/examples").Replace(found)
			for _, name := range regexp.MustCompile(`\{env\.(\w+)\}`).FindAllStringSubmatch(found, -1) {
				t.Setenv(name[1], "value")
			}
			config := adapted(t, "shop.example.com {\nstoreware {\n"+found+"}\n}\n")
			if !strings.HasPrefix(config, "{") {
				t.Errorf("%s\n%s", found, config)
			} else if err := validate([]byte(config)); err != nil {
				t.Errorf("%s\n%v", found, err)
			}
			taken++
		}
		if taken == 0 {
			t.Errorf("%s shows no upstream", system)
		}
	}
}
