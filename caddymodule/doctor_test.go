package caddymodule_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/caddymodule/doctor"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// examine runs the command doctor, and checks that its exit fits what it reports.
func (c *caddyServer) examine(arguments ...string) *doctor.Report {
	c.t.Helper()
	out, prose, err := c.command(append([]string{"doctor", "--json"}, arguments...)...)
	var report doctor.Report
	if decodeErr := json.Unmarshal([]byte(out), &report); decodeErr != nil {
		c.t.Fatalf("the report: %v\n%v\n%s%s", decodeErr, err, out, prose)
	}
	if failed := err != nil; failed == report.OK || failed != (report.Count(doctor.Failure) > 0) {
		c.t.Errorf("the command ended with %v, and the report says ok=%v with %d failures", err, report.OK, report.Count(doctor.Failure))
	}
	if strings.Contains(out, "swa_") {
		c.t.Errorf("the report shows a key:\n%s", out)
	}
	return &report
}

// outcome is what became of each check, the worst if there are several.
func outcome(r *doctor.Report) map[string]doctor.Status {
	rank := map[doctor.Status]int{"": 0, doctor.OK: 1, doctor.Warning: 2, doctor.Failure: 3}
	worst := map[string]doctor.Status{}
	for _, f := range r.Findings {
		if rank[f.Status] > rank[worst[f.Check]] {
			worst[f.Check] = f.Status
		}
	}
	return worst
}

// bad are the checks that went otherwise than well.
func bad(r *doctor.Report) map[string]doctor.Status {
	worst := outcome(r)
	maps.DeleteFunc(worst, func(_ string, s doctor.Status) bool { return s == doctor.OK })
	return worst
}

// wantBad fails the test unless these checks and no others went otherwise than
// well, and each says what to do.
func wantBad(t *testing.T, r *doctor.Report, want map[string]doctor.Status) {
	t.Helper()
	if diff := cmp.Diff(want, bad(r)); diff != "" {
		t.Errorf("checks that did not go well (-want +got):\n%s", diff)
	}
	for _, f := range r.Findings {
		if f.Status != doctor.OK && f.Advice == "" {
			t.Errorf("%s: %q comes without advice", f.Check, f.Found)
		}
	}
	if t.Failed() {
		var text bytes.Buffer
		if err := r.Write(&text); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s", &text)
	}
}

// found returns what a check found, with its advice.
func found(r *doctor.Report, check string) string {
	for _, f := range r.Findings {
		if f.Check == check && f.Status != doctor.OK {
			return f.Found + " → " + f.Advice
		}
	}
	return ""
}

// A healthy shop has nothing but good findings, and is left as it was.
func TestDoctor(t *testing.T) {
	house := openHouse(t, shop.Options{})
	basketTokens := make(chan string, 100)
	house.close()
	house.watch = func(r *http.Request) {
		if token := r.Header.Get("Basket-Token"); token != "" {
			basketTokens <- token
		}
	}
	house.open()
	_, hash := newKey()
	server := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash))
	report := server.examine()
	wantBad(t, report, map[string]doctor.Status{})
	want := []string{
		"configuration", "state", "storage", "shop", "agents", "contact", "connection", "tls", "keys", "profile",
		"front page", "access log", "pages", "search", "product pages", "pictures", "basket", "totals", "checkout page", "signature", "clock",
	}
	var got []string
	for _, f := range report.Findings {
		got = append(got, f.Check)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}

	if n := house.orders(); n != 0 {
		t.Errorf("the shop has %d orders", n)
	}
	look, err := http.NewRequestWithContext(t.Context(), http.MethodGet, house.url()+"/api/basket", nil)
	if err != nil {
		t.Fatal(err)
	}
	look.Header.Set("Basket-Token", <-basketTokens)
	left, err := http.DefaultClient.Do(look)
	if err != nil {
		t.Fatal(err)
	}
	defer left.Body.Close()
	basket, err := io.ReadAll(left.Body)
	if err != nil {
		t.Fatal(err)
	}
	if lines := gjson.GetBytes(basket, "lines"); left.StatusCode != http.StatusOK || !lines.IsArray() || len(lines.Array()) != 0 {
		t.Errorf("the basket in the shop is left as: HTTP %d %s", left.StatusCode, basket)
	}
	if listed := server.mustCommand("agent", "list"); strings.Contains(listed, "doctor") {
		t.Errorf("the agents after the examination:\n%s", listed)
	}

	text := server.mustCommand("doctor", "--shop", "shop.example")
	if lines := strings.Count(text, "\n"); lines != len(want)+1 || !strings.HasSuffix(text, "21 checks are fine, 0 warnings, 0 failures\n") {
		t.Errorf("for people it has %d lines:\n%s", lines, text)
	}
	wantBad(t, server.examine("--shop", "other"), map[string]doctor.Status{"configuration": doctor.Failure})
}

// What breaks is found, one thing at a time.
func TestDoctorFinds(t *testing.T) {
	for name, test := range map[string]struct {
		caddyfile func(string) string
		harm      func(*testing.T, *house, *caddyServer)
		want      map[string]doctor.Status
		check     string // whose text
		text      string // matches this
	}{
		"a shop that is down": {
			harm:  func(_ *testing.T, h *house, _ *caddyServer) { h.close() },
			want:  map[string]doctor.Status{"shop": doctor.Failure, "search": doctor.Failure, "pages": doctor.Warning},
			check: "shop", text: `does not answer.*see that the shop runs`,
		},
		"wrong credentials": {
			harm: func(t *testing.T, h *house, _ *caddyServer) {
				h.fault(t, `{"kind": "status", "status": 401}`)
			},
			want:  map[string]doctor.Status{"shop": doctor.Failure, "search": doctor.Failure, "pages": doctor.Warning},
			check: "shop", text: `refuses our credentials.*see the keys in the upstream block`,
		},
		"orders that are not shown": {
			harm: func(t *testing.T, h *house, _ *caddyServer) {
				h.fault(t, `{"kind": "status", "status": 403, "path": "/api/orders"}`)
			},
			want:  map[string]doctor.Status{"orders": doctor.Failure},
			check: "orders", text: `refuses to show orders.*rights`,
		},
		"baskets that do not work": {
			harm: func(t *testing.T, h *house, _ *caddyServer) {
				h.fault(t, `{"kind": "html", "path": "/api/basket"}`)
			},
			want:  map[string]doctor.Status{"basket": doctor.Failure},
			check: "basket", text: `is refused: HTTP 50[23]`,
		},
		"keys that are gone from the storage": {
			harm: func(t *testing.T, _ *house, c *caddyServer) {
				removed := 0
				err := filepath.WalkDir(filepath.Join(c.dir, "caddy"), func(path string, d fs.DirEntry, err error) error {
					if err == nil && !d.IsDir() && strings.Contains(path, "shop.example") {
						removed++
						return os.Remove(path)
					}
					return err
				})
				if err != nil || removed != 1 {
					t.Fatalf("%d files were removed: %v", removed, err)
				}
			},
			want:  map[string]doctor.Status{"keys": doctor.Failure},
			check: "keys", text: `cannot be read from Caddy's storage.*restore`,
		},
		"an old profile that is still served": {
			harm: func(t *testing.T, h *house, c *caddyServer) {
				old := c.agent("", noKey).want(http.StatusOK, "GET", "/.well-known/ucp", "")
				if err := os.WriteFile(filepath.Join(c.dir, "old.json"), old.body, 0o600); err != nil {
					t.Fatal(err)
				}
				revoked, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/storeware/keys/revoke?kid=%s", c.admin, old.get("keys.0.kid")), "", nil)
				if err != nil {
					t.Fatal(err)
				}
				defer revoked.Body.Close()
				if revoked.StatusCode != http.StatusOK {
					t.Fatalf("revoking the key: HTTP %d", revoked.StatusCode)
				}
				c.load(fill(strings.Replace(withAdmin, ":PORT {", `:PORT {
	rewrite /.well-known/ucp /old.json
	handle /old.json {
		root DIR
		header Cache-Control "public, max-age=60"
		file_server
	}`, 1), "SHOP", h.url()+" {\npublic_url http://127.0.0.1:PORT\n}", "HASH", "sha256:"+strings.Repeat("1", 64), "reverse_proxy SHOP", "reverse_proxy "+h.url()))
			},
			want:  map[string]doctor.Status{"keys": doctor.Failure, "signature": doctor.Failure},
			check: "keys", text: `does not publish the key.*an old profile is served`,
		},
		"a site that changes signed answers": {
			caddyfile: func(c string) string {
				return strings.Replace(c, ":PORT {", ":PORT {\nheader >Content-Type application/octet-stream", 1)
			},
			want:  map[string]doctor.Status{"signature": doctor.Failure},
			check: "signature", text: `does not verify.*changes its answers`,
		},
		"a profile that is redirected": {
			caddyfile: func(c string) string {
				return strings.Replace(c, ":PORT {", ":PORT {\nredir /.well-known/ucp /elsewhere", 1)
			},
			want:  map[string]doctor.Status{"profile": doctor.Failure},
			check: "profile", text: `HTTP 302 and leads to /elsewhere`,
		},
		"a state that is down": {
			caddyfile: func(c string) string {
				return strings.Replace(c, "state file DIR/state.db", "state redis redis://127.0.0.1:1", 1)
			},
			want: map[string]doctor.Status{
				"state": doctor.Failure, "storage": doctor.Warning, "agents": doctor.Failure, "basket": doctor.Failure,
			},
			check: "state", text: `cannot be reached.*see that the Redis runs`,
		},
		"what an operator forgets": {
			caddyfile: func(c string) string {
				c = regexp.MustCompile(`(?m)^\t\t(contact|agent) .*\n`).ReplaceAllString(c, "")
				return strings.Replace(c, ":PORT {", ":PORT {\nlog {\noutput file DIR/access.log\n}", 1)
			},
			want:  map[string]doctor.Status{"agents": doctor.Warning, "contact": doctor.Warning, "access log": doctor.Warning},
			check: "access log", text: `to the log log0 → .*X-Api-Key delete`,
		},
		"the log of the example": {
			caddyfile: func(c string) string {
				return strings.Replace(c, ":PORT {", ":PORT {\n"+logOfExample(t), 1)
			},
			want: map[string]doctor.Status{},
		},
		"a reverse_proxy that was forgotten": {
			caddyfile: func(c string) string { return strings.Replace(c, "reverse_proxy SHOP", "", 1) },
			want: map[string]doctor.Status{
				"front page": doctor.Warning, "pages": doctor.Warning,
				"product pages": doctor.Failure, "pictures": doctor.Failure, "checkout page": doctor.Failure,
			},
			check: "front page", text: `nothing serves the shop's own pages → add reverse_proxy`,
		},
		"a page that is not there": {
			caddyfile: func(c string) string { return strings.Replace(c, "contact", "page faq /no-such-page\ncontact", 1) },
			want:      map[string]doctor.Status{"pages": doctor.Warning},
			check:     "pages", text: `faq at /no-such-page \(HTTP 404\)`,
		},
		"a shop without pages of its own": {
			caddyfile: func(c string) string { return strings.Replace(c, "upstream demo", "upstream pageless", 1) },
			want:      map[string]doctor.Status{"checkout page": doctor.Warning},
			check:     "checkout page", text: `set checkout_url`,
		},
		"a shop where nobody can order": {
			caddyfile: func(c string) string {
				return strings.Replace(c, "upstream demo SHOP", "upstream pageless SHOP {\npublic_url "+viewOnly+"\n}", 1)
			},
			want: map[string]doctor.Status{
				"checkout page": doctor.Warning, "product pages": doctor.Warning, "pictures": doctor.Warning,
			},
			check: "checkout page", text: `nobody can order: .*no checkout is declared`,
		},
		"pages of products that are not there": {
			harm: func(t *testing.T, h *house, _ *caddyServer) {
				h.fault(t, `{"kind": "status", "status": 404, "path": "/products/"}`)
			},
			want:  map[string]doctor.Status{"product pages": doctor.Failure},
			check: "product pages", text: `/products/.* is answered with HTTP 404 → set public_url`,
		},
		"a basket's page that fails": {
			harm: func(t *testing.T, h *house, _ *caddyServer) {
				h.fault(t, `{"kind": "status", "status": 500, "path": "/basket/"}`)
			},
			want:  map[string]doctor.Status{"checkout page": doctor.Failure},
			check: "checkout page", text: `^the one at http://127\.0\.0\.1:\d+ is answered with HTTP 500 → set public_url`,
		},
		"pages and pictures that nobody outside can open": {
			caddyfile: func(c string) string {
				c = strings.Replace(c, "demo SHOP", "demo SHOP {\npublic_url http://localhost:PORT\n}", 1)
				return strings.Replace(c, ":PORT {", "http://shop.invalid:PORT {", 1)
			},
			want: map[string]doctor.Status{
				"tls": doctor.Failure, "dns": doctor.Warning,
				"product pages": doctor.Warning, "pictures": doctor.Warning, "checkout page": doctor.Warning,
			},
			check: "pictures", text: `http://localhost:\d+/.* nobody outside can open it → set public_url`,
		},
		"plain http, and a name that leads nowhere": {
			caddyfile: func(c string) string { return strings.Replace(c, ":PORT {", "http://shop.invalid:PORT {", 1) },
			want:      map[string]doctor.Status{"tls": doctor.Failure, "dns": doctor.Warning},
			check:     "tls", text: `plain http.*leave http:// out`,
		},
		"a proxy in front": {
			caddyfile: func(c string) string {
				c = strings.Replace(c, "GLOBAL", "GLOBAL\nservers {\ntrusted_proxies static private_ranges\n}", 1)
				return strings.Replace(c, ":PORT {", "http://shop.invalid:PORT {", 1)
			},
			want:  map[string]doctor.Status{"dns": doctor.Warning},
			check: "dns", text: `leads nowhere`,
		},
		"a proxy elsewhere": {
			caddyfile: func(c string) string {
				c = strings.Replace(c, "GLOBAL", "GLOBAL\nservers {\ntrusted_proxies static 192.0.2.1/32\n}", 1)
				return strings.Replace(c, ":PORT {", "http://shop.invalid:PORT {", 1)
			},
			want:  map[string]doctor.Status{"tls": doctor.Warning, "dns": doctor.Warning},
			check: "tls", text: `does not trust this machine`,
		},
		"no certificate": {
			caddyfile: func(c string) string {
				c = strings.Replace(c, "GLOBAL", "GLOBAL\nauto_https off", 1)
				return strings.Replace(c, ":PORT {", "https://shop.invalid:PORT {", 1)
			},
			want:  map[string]doctor.Status{"tls": doctor.Failure, "dns": doctor.Warning},
			check: "tls", text: `no certificate for shop.invalid`,
		},
		"nothing to examine": {
			caddyfile: func(string) string { return "{\nGLOBAL\nadmin 127.0.0.1:ADMIN\n}\n:PORT {\nrespond x\n}" },
			want:      map[string]doctor.Status{"configuration": doctor.Failure},
			check:     "configuration", text: `add storeware`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			house := openHouse(t, shop.Options{})
			_, hash := newKey()
			caddyfile := withAdmin
			if test.caddyfile != nil {
				caddyfile = test.caddyfile(caddyfile)
			}
			// The shop's pages are those of the site.
			if !strings.Contains(caddyfile, "public_url") {
				caddyfile = strings.Replace(caddyfile, "demo SHOP", "demo SHOP {\npublic_url "+siteOf(caddyfile)+"\n}", 1)
			}
			server := startCaddy(t, fill(caddyfile, "SHOP", house.url(), "HASH", hash))
			if test.harm != nil {
				test.harm(t, house, server)
			}
			report := server.examine()
			wantBad(t, report, test.want)
			if got := found(report, test.check); !regexp.MustCompile(test.text).MatchString(got) {
				t.Errorf("%s: found %q, want %q", test.check, got, test.text)
			}
		})
	}
}

// siteOf returns the address at which people reach the site of a Caddyfile.
func siteOf(caddyfile string) string {
	switch {
	case !strings.Contains(caddyfile, "shop.invalid"):
		return "http://127.0.0.1:PORT"
	case strings.Contains(caddyfile, "private_ranges"):
		return "https://shop.invalid"
	}
	return "http://shop.invalid:PORT"
}

// fault makes the shop misbehave from now on.
func (h *house) fault(t *testing.T, fault string) {
	t.Helper()
	response, err := http.Post(h.url()+"/api/faults", "application/json", strings.NewReader(fault))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusNoContent {
		t.Fatalf("setting a fault: HTTP %d", response.StatusCode)
	}
}

// Sums that are wrong are found out. The module itself makes every sum come out,
// so that somebody on the way has to change it.
func TestDoctorAddsUp(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)
	config, err := doctor.ReadConfig(server.adapt(caddyfile), "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ path, text string }{
		"the total":           {"totals.#(type==\"total\").amount", `the basket comes to \d+, and its total is \d+`},
		"the subtotal":        {"totals.#(type==\"subtotal\").amount", `the lines come to \d+, and the basket's subtotal`},
		"the total of a line": {"line_items.0.totals.#(type==\"total\").amount", `line 1 comes to`},
	} {
		t.Run(name, func(t *testing.T) {
			meddler := httptest.NewServer(&httputil.ReverseProxy{
				Rewrite: func(r *httputil.ProxyRequest) {
					r.Out.URL.Scheme, r.Out.URL.Host = "http", config.Sites[0].Address
				},
				ModifyResponse: func(r *http.Response) error { return meddle(r, test.path) },
			})
			t.Cleanup(meddler.Close)
			meddled := *config
			meddled.Sites = slices.Clone(config.Sites)
			meddled.Sites[0].Address = strings.TrimPrefix(meddler.URL, "http://")
			report := doctor.Examine(t.Context(), &meddled, server.options(key))
			wantBad(t, report, map[string]doctor.Status{
				"configuration": doctor.Warning, "totals": doctor.Failure, "signature": doctor.Failure,
			})
			if got := found(report, "totals"); !regexp.MustCompile(test.text).MatchString(got) {
				t.Errorf("found %q, want %q", got, test.text)
			}
		})
	}
}

// meddle adds 1 to an amount in the answer about a new basket.
func meddle(r *http.Response, path string) error {
	if r.Request.Method != http.MethodPost || !strings.HasSuffix(r.Request.URL.Path, "/carts") {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	amount := gjson.GetBytes(body, path)
	body = slices.Concat(body[:amount.Index], []byte(strconv.FormatInt(amount.Int()+1, 10)), body[amount.Index+len(amount.Raw):])
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return nil
}
