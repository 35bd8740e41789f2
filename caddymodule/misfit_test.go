package caddymodule_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// log is what Caddy has logged.
func (c *caddyServer) log() string {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, "caddy.log"))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// TestWrongSystem: a shop that is taken for one of another system is told as that at
// the start and by the doctor, and agents hear that it is away, as long as it is.
func TestWrongSystem(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	for system, block := range map[string]string{
		"Medusa":      "upstream medusa SHOP {\nkey pk_1\n}",
		"WooCommerce": "upstream woocommerce SHOP",
		"Vendure":     "upstream vendure SHOP",
	} {
		t.Run(system, func(t *testing.T) {
			server := startCaddy(t, fill(strings.Replace(withAdmin, "upstream demo SHOP", block, 1), "SHOP", house.url(), "HASH", hash))
			wantAway(t, server.agent("", key).do("POST", "/api/ucp/v1/catalog/search", `{"query": "boots"}`))
			told := regexp.MustCompile(`this does not look like a ` + system + ` shop \((GET|POST) /[-/a-z]+ was answered with 40[45]\): is the address right, and the system\?`)
			if got := found(server.examine(), "shop"); !told.MatchString(got) || !strings.Contains(got, "the word after upstream names its system") {
				t.Errorf("the doctor says %q, want %s", got, told)
			}
			if log := server.log(); !told.MatchString(log) || !strings.Contains(log, "what answers is not the shop") || strings.Contains(log, "the shop is away") {
				t.Errorf("the log does not say %s:\n%s", told, log)
			}
		})
	}
}

// TestMisfit: settings that the shop contradicts are told at the start and by the
// doctor, who also tells what may have been forgotten.
func TestMisfit(t *testing.T) {
	answers := map[string]string{
		"Shop":     `{"data":{"activeChannel":{"code":"fell","defaultLanguageCode":"en","defaultCurrencyCode":"GBP"}}}`,
		"Payments": `{"data":{"activePaymentMethods":[{"code":"test-card","name":"Card"}]}}`,
		"Channel":  `{"data":{"activeChannel":{"token":"fell"}}}`,
	}
	vendure := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		var asked struct{ OperationName string }
		if err != nil || json.Unmarshal(text, &asked) != nil {
			http.Error(w, "what?", http.StatusBadRequest)
			return
		}
		answer := answers[asked.OperationName]
		if answer == "" {
			answer = `{"errors":[{"message":"no","extensions":{"code":"FORBIDDEN"}}],"data":null}`
		}
		io.WriteString(w, answer)
	}))
	t.Cleanup(vendure.Close)
	_, hash := newKey()
	for name, test := range map[string]struct {
		block  string
		log    []string // in the log and told by the doctor
		doctor []string // told by the doctor alone
	}{
		"a payment, a channel and a key": {
			"payment dummy\nchannel nope\nadmin_key wrong",
			[]string{"payment names dummy, which the shop does not have: it has test-card", "channel is the token of no channel", "admin_key is refused"},
			nil,
		},
		"a page without a key": {"checkout_url https://shop.example/checkout/{order}", nil, []string{"checkout_url is set without admin_key"}},
		"all is right":         {"payment test-card\nchannel fell", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			caddyfile := strings.Replace(withAdmin, "upstream demo SHOP", "upstream vendure SHOP {\n"+test.block+"\n}", 1)
			server := startCaddy(t, fill(strings.Replace(caddyfile, "reverse_proxy SHOP", "", 1), "SHOP", vendure.URL, "HASH", hash))
			var told []string
			for _, f := range server.examine().Findings {
				switch f.Check {
				case "shop settings":
					told = append(told, f.Found)
				case "front page":
					if f.Status != "ok" || !strings.Contains(f.Found, "reverse_proxy") {
						t.Errorf("a shop without pages: %+v", f)
					}
				}
			}
			log := server.log()
			for _, want := range test.log {
				if !strings.Contains(log, want) {
					t.Errorf("the log does not say %q", want)
				}
			}
			if got := strings.Count(log, "the configuration does not fit the shop"); got != len(test.log) {
				t.Errorf("%d warnings at the start, want %d:\n%s", got, len(test.log), log)
			}
			want := append(test.log, test.doctor...)
			if len(told) != len(want) {
				t.Fatalf("the doctor says %q, want %q", told, want)
			}
			for i := range want {
				if !strings.HasPrefix(told[i], want[i]) {
					t.Errorf("the doctor says %q, want %q", told[i], want[i])
				}
			}
		})
	}
}
