package caddymodule_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/storeware/caddy-storeware/caddymodule"
)

// plainMap is the mapping of a shop that lists its products.
const plainMap = `currency GBP
list {
	GET   /products.json
	items products
}
product {
	id    id
	title title
	variants variants {
		id    id
		price price
	}
}
`

// provisioned returns the module that a line of upstream stands for, after
// Provision and Validate, or the error of either.
func provisioned(t *testing.T, text string) (caddymodule.Upstream, error) {
	t.Helper()
	d := caddyfile.NewTestDispenser(text)
	d.Next()
	info, err := caddy.GetModule("storeware.upstreams." + d.Val())
	if err != nil {
		t.Fatal(err)
	}
	d.Reset()
	module := info.New()
	if err := module.(caddyfile.Unmarshaler).UnmarshalCaddyfile(d); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := caddy.NewContext(caddy.Context{Context: context.WithoutCancel(t.Context())})
	t.Cleanup(cancel)
	if err := module.(caddy.Provisioner).Provision(ctx); err != nil {
		return nil, err
	}
	return module.(caddymodule.Upstream), module.(caddy.Validator).Validate()
}

// Two modules of equal fields are one shop, also when their values come from the
// environment or from a file; what differs is another shop.
func TestEqualUpstreamsAreOneShop(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"shop.map", "same.map", "other.map"} {
		text := plainMap
		if name == "other.map" {
			text = strings.Replace(text, "title title", "title name", 1)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("STOREWARE_TEST_KEY", "key")
	for name, test := range map[string]struct{ one, same, other string }{
		"woocommerce": {
			"woocommerce http://127.0.0.1:1 {\nconsumer_key key\nconsumer_secret secret\n}",
			"woocommerce http://127.0.0.1:1 {\nconsumer_secret secret\nconsumer_key {env.STOREWARE_TEST_KEY}\n}",
			"woocommerce http://127.0.0.1:1 {\nconsumer_key key\nconsumer_secret secret\npayment none\n}",
		},
		"woocommerce payments": {
			"woocommerce http://127.0.0.1:1 {\npayment key {\ntitle Card\n}\n}",
			"woocommerce http://127.0.0.1:1 {\npayment {env.STOREWARE_TEST_KEY} {\ntitle Card\n}\n}",
			"woocommerce http://127.0.0.1:1 {\npayment key\n}",
		},
		"shopify": {
			"shopify http://127.0.0.1:1 {\nprivate_token key\nproduct_url https://shop.example/{handle}?key\n}",
			"shopify http://127.0.0.1:1 {\nprivate_token {env.STOREWARE_TEST_KEY}\nproduct_url https://shop.example/{handle}?{env.STOREWARE_TEST_KEY}\n}",
			"shopify http://127.0.0.1:1 {\nprivate_token key\nadmin_token key\nproduct_url https://shop.example/{handle}?key\n}",
		},
		"medusa": {
			"medusa http://127.0.0.1:1 {\nkey key\nfact key\n}",
			"medusa http://127.0.0.1:1 {\nkey {env.STOREWARE_TEST_KEY}\nfact {env.STOREWARE_TEST_KEY}\n}",
			"medusa http://127.0.0.1:1 {\nkey key\nfact key\nregion reg_2\n}",
		},
		"mapped": {
			"mapped http://127.0.0.1:1 " + dir + "/shop.map",
			"mapped http://127.0.0.1:1 {\nmapping " + dir + "/shop.map\n}",
			"mapped http://127.0.0.1:2 " + dir + "/shop.map",
		},
		"mapped in a block": {
			"mapped http://127.0.0.1:1 {\nmapping {\n" + plainMap + "}\n}",
			"mapped http://127.0.0.1:1 {\nmapping {\n" + plainMap + "}\n}",
			"mapped http://127.0.0.1:1 {\nmapping {\n" + strings.Replace(plainMap, "title title", "title name", 1) + "}\n}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			prints := map[string]string{}
			for _, text := range []string{test.one, test.same, test.other} {
				module, err := provisioned(t, text)
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				if prints[text], err = caddymodule.Fingerprint(module); err != nil {
					t.Fatal(err)
				}
			}
			if prints[test.one] != prints[test.same] {
				t.Errorf("not one shop:\n%s\n%s", test.one, test.same)
			}
			if prints[test.one] == prints[test.other] {
				t.Errorf("one shop:\n%s\n%s", test.one, test.other)
			}
		})
	}
}

// A file that was changed is another mapping, and so another shop after a reload.
func TestChangedMappingIsAnotherShop(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.map")
	var prints []string
	for _, text := range []string{plainMap, plainMap, strings.Replace(plainMap, "title title", "title name", 1)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		module, err := provisioned(t, "mapped http://127.0.0.1:1 "+file)
		if err != nil {
			t.Fatal(err)
		}
		print, err := caddymodule.Fingerprint(module)
		if err != nil {
			t.Fatal(err)
		}
		prints = append(prints, print)
	}
	if prints[0] != prints[1] || prints[1] == prints[2] {
		t.Errorf("the fingerprints are %q", prints)
	}
}

// What only the values of placeholders and the file can tell is told before Caddy
// runs the configuration.
func TestUpstreamsAreValidated(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrong.map":  strings.Replace(plainMap, "price price", "prize price", 1),
		"secret.map": strings.Replace(plainMap, "items", "header X-Key {env.STOREWARE_TEST_UNSET}\n\titems", 1),
		"less.map":   strings.Replace(plainMap, "price price", "", 1),
		"shop.map":   plainMap,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("STOREWARE_TEST_WRONG", "wrong")
	for text, want := range map[string]string{
		"woocommerce {env.STOREWARE_TEST_WRONG}":                                                             "is no URL of a shop",
		"woocommerce http://127.0.0.1:1 {\npublic_url {env.STOREWARE_TEST_WRONG}\n}":                         "the public URL must begin with http",
		"woocommerce http://127.0.0.1:1 {\npublic_url https://shop.example/?x\n}":                            "the public URL must end with its path",
		"woocommerce http://127.0.0.1:1 {\ncheckout_path {env.STOREWARE_TEST_WRONG}\n}":                      "checkout_path",
		"woocommerce http://127.0.0.1:1 {\nconsumer_key k\nconsumer_secret {env.STOREWARE_TEST_UNSET}\n}":    "consumer_secret",
		"woocommerce http://127.0.0.1:1 {\npayment {env.STOREWARE_TEST_UNSET}\n}":                            "payments",
		"shopify http://127.0.0.1:1 {\npublic_token k\nversion {env.STOREWARE_TEST_WRONG}\n}":                `the version "wrong" is none`,
		"shopify http://127.0.0.1:1 {\npublic_token k\nproduct_url {env.STOREWARE_TEST_WRONG}/{handle}\n}":   "the product URL",
		"shopify http://127.0.0.1:1 {\npublic_token k\nmetafield a.b {env.STOREWARE_TEST_WRONG}\n}":          `the metafield "wrong"`,
		"medusa http://127.0.0.1:1 {\nkey {env.STOREWARE_TEST_UNSET}\n}":                                     "key",
		"medusa http://127.0.0.1:1 {\nkey k\ncheckout_url {env.STOREWARE_TEST_WRONG}\n}":                     "the checkout URL",
		"mapped http://127.0.0.1:1 " + dir + "/none.map":                                                     "reading the mapping",
		"mapped http://127.0.0.1:1 " + dir + "/wrong.map":                                                    dir + `/wrong.map:11: variants has no "prize"`,
		"mapped http://127.0.0.1:1 " + dir + "/secret.map":                                                   dir + "/secret.map:4: the environment has no STOREWARE_TEST_UNSET",
		"mapped http://127.0.0.1:1 " + dir + "/less.map":                                                     dir + "/less.map: product lacks variants, and in it price",
		"mapped " + dir + "/shop.map":                                                                        "the shop's URL is missing",
		"mapped {env.STOREWARE_TEST_WRONG} " + dir + "/shop.map":                                             "is no URL of a shop",
		"mapped http://127.0.0.1:1 {env.STOREWARE_TEST_WRONG}/shop.map":                                      "wrong/shop.map",
		"vendure http://127.0.0.1:1 {\npayment {env.STOREWARE_TEST_UNSET}\n}":                                "payments",
		"vendure http://127.0.0.1:1 {\nproduct_url https://shop.example/{env.STOREWARE_TEST_WRONG}/{sku}\n}": "",
	} {
		if _, err := provisioned(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot %v, want %q", text, err, want)
		}
	}
}

func TestOneMappingOnly(t *testing.T) {
	config := []byte(`{"url": "http://127.0.0.1:1", "mapping_file": "shop.map", "mapping": {"currency": ["GBP"]}}`)
	var m caddymodule.Mapped
	if err := caddy.StrictUnmarshalJSON(config, &m); err != nil {
		t.Fatal(err)
	}
	if err := m.Provision(caddy.Context{}); err == nil || !strings.Contains(err.Error(), "leave one out") {
		t.Errorf("got %v", err)
	}
}
