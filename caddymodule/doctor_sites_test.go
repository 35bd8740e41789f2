package caddymodule_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/caddymodule/doctor"
	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// selfSigned writes a certificate of its own for a name, and returns it.
func selfSigned(t *testing.T, dir, name string, from, until time.Time) *x509.Certificate {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, DNSNames: []string{name},
		NotBefore: from, NotAfter: until, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "PRIVATE KEY", Bytes: encoded},
	} {
		if err := os.WriteFile(filepath.Join(dir, file), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

// options are those of an examination without the command. Its keys are those of
// the test's agent, which is bound to no profile.
func (c *caddyServer) options(key secret.String) doctor.Options {
	return doctor.Options{Now: time.Now, Key: func(context.Context, string) (doctor.Key, error) {
		return doctor.Key{Secret: key, Profile: profileURL}, nil
	}}
}

func TestDoctorChecksTheCertificate(t *testing.T) {
	now := time.Now()
	day := 24 * time.Hour
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	for name, test := range map[string]struct {
		name        string
		from, until time.Time
		trusted     bool
		status      doctor.Status
		text        string
	}{
		"good":         {"shop.invalid", now.Add(-day), now.Add(90 * day), true, doctor.OK, "for (89|90) days"},
		"expired":      {"shop.invalid", now.Add(-90 * day), now.Add(-day), true, doctor.Failure, "has expired"},
		"of tomorrow":  {"shop.invalid", now.Add(day), now.Add(90 * day), true, doctor.Failure, "not valid before.*clock"},
		"of others":    {"shop.invalid", now.Add(-day), now.Add(90 * day), false, doctor.Failure, "do not trust"},
		"another name": {"other.invalid", now.Add(-day), now.Add(90 * day), true, doctor.Failure, "is not good for shop.invalid"},
		"ends soon":    {"shop.invalid", now.Add(-85 * day), now.Add(5 * day), true, doctor.Warning, "in [45] days"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			certificate := selfSigned(t, dir, test.name, test.from, test.until)
			caddyfile := strings.NewReplacer(
				":PORT {", "https://shop.invalid:PORT {\ntls "+dir+"/cert.pem "+dir+"/key.pem",
				"GLOBAL", "GLOBAL\nauto_https disable_redirects\nskip_install_trust\nhttps_port PORT\nhttp_port ADMIN\ndefault_sni "+test.name,
			).Replace(site)
			server := startCaddy(t, fill(caddyfile, "SHOP", house.url(), "HASH", hash))
			config, err := doctor.ReadConfig(server.adapt(fill(caddyfile, "SHOP", house.url(), "HASH", hash)), "127.0.0.1")
			if err != nil {
				t.Fatal(err)
			}
			o := server.options(key)
			o.Roots = x509.NewCertPool()
			if test.trusted {
				o.Roots.AddCert(certificate)
			}
			report := doctor.Examine(t.Context(), config, o)
			i := slices.IndexFunc(report.Findings, func(f doctor.Finding) bool { return f.Check == "tls" })
			if i < 0 || report.Findings[i].Status != test.status || !regexp.MustCompile(test.text).MatchString(report.Findings[i].Found+report.Findings[i].Advice) {
				t.Errorf("findings: %+v", report.Findings)
			}
			// Whatever the certificate, everything else is examined.
			if got := outcome(report)["basket"]; got != doctor.OK {
				t.Errorf("the basket is %q", got)
			}
		})
	}
}

// Clocks that differ are found, in either direction, and do not make signatures
// look bad.
func TestDoctorComparesClocks(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)
	config, err := doctor.ReadConfig(server.adapt(caddyfile), "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	for text, off := range map[string]time.Duration{"ahead": -2 * time.Hour, "behind": 5 * time.Minute} {
		o := server.options(key)
		o.Now = func() time.Time { return time.Now().Add(off) }
		report := doctor.Examine(t.Context(), config, o)
		// Nobody says what only Caddy knows.
		wantBad(t, report, map[string]doctor.Status{"configuration": doctor.Warning, "clock": doctor.Failure})
		if got := found(report, "clock"); !strings.Contains(got, text) {
			t.Errorf("found %q, want that it is %s", got, text)
		}
	}
}

// Without an admin API a key comes from the environment.
func TestDoctorWithAdminOff(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)
	file := filepath.Join(server.dir, "config.json")
	if err := os.WriteFile(file, server.adapt(caddyfile), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := server.examine("--config", file)
	wantBad(t, missing, map[string]doctor.Status{"configuration": doctor.Warning, "key": doctor.Failure})
	if got := found(missing, "key"); !strings.Contains(got, "STOREWARE_AGENT_KEY") {
		t.Errorf("found %q", got)
	}
	t.Setenv("STOREWARE_AGENT_KEY", key.Reveal())
	wantBad(t, server.examine("--config", file), map[string]doctor.Status{"configuration": doctor.Warning})
	t.Setenv("STOREWARE_AGENT_KEY", agents.NewKey().Reveal())
	wantBad(t, server.examine("--config", file), map[string]doctor.Status{"configuration": doctor.Warning, "key": doctor.Failure})
}

// An examination that is interrupted gives up its basket and its key.
func TestDoctorIsInterrupted(t *testing.T) {
	house := openHouse(t, shop.Options{})
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	writes := make(chan string, 100)
	house.close()
	house.watch = func(r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/basket") && r.Method != http.MethodGet {
			writes <- r.Method
			interrupt()
		}
	}
	house.open()
	key, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)
	config, err := doctor.ReadConfig(server.adapt(caddyfile), "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	released := 0
	o := server.options(key)
	o.Key = func(context.Context, string) (doctor.Key, error) {
		return doctor.Key{Secret: key, Profile: profileURL, Release: func() error { released++; return nil }}, nil
	}
	doctor.Examine(ctx, config, o)
	if released != 1 {
		t.Errorf("the key was released %d times", released)
	}
	close(writes)
	var last string
	for method := range writes {
		last = method
	}
	if last != http.MethodPut {
		t.Errorf("the last write to the shop was %s, want the one that empties the basket", last)
	}
}

// Several shops are examined one after the other, each at all of its sites.
func TestDoctorOfSeveralShops(t *testing.T) {
	one, two := openHouse(t, shop.Options{}), openHouse(t, shop.Options{Currency: "JPY"})
	_, hash := newKey()
	caddyfile := strings.Replace(twoShops, "GLOBAL", "GLOBAL\nadmin 127.0.0.1:ADMIN", 1)
	server := startCaddy(t, fill(caddyfile, "ONE", one.url(), "TWO", two.url(), "HASH1", hash, "HASH2", hash))
	two.close()
	report := server.examine()
	sites := map[string]doctor.Status{}
	for _, f := range report.Findings {
		if f.Check == "profile" {
			sites[strings.TrimSuffix(f.Site, regexp.MustCompile(`:\d+$`).FindString(f.Site))] = f.Status
		}
		if f.Check == "shop" && (f.Status == doctor.OK) != (f.Shop == "one.example") {
			t.Errorf("%s: %s", f.Shop, f.Found)
		}
	}
	want := map[string]doctor.Status{"http://one.example": doctor.OK, "http://www.one.example": doctor.OK, "http://two.example": doctor.OK}
	if diff := cmp.Diff(want, sites); diff != "" {
		t.Errorf("profiles (-want +got):\n%s", diff)
	}
}
