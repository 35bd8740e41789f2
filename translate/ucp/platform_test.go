package ucp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/spectest"
)

// wholeProfile is a platform's profile with everything that one may have.
const wholeProfile = `{
	"ucp": {
		"version": "2026-08-25", "status": "success", "map_order": {"capabilities": ["dev.ucp.shopping.checkout"]},
		"services": {"dev.ucp.shopping": [
			{"version": "2026-08-25", "transport": "rest", "spec": "https://ucp.dev/s", "schema": "https://ucp.dev/r.json", "endpoint": "https://platform.example/ucp"},
			{"version": "2026-08-25", "transport": "a2a", "spec": "https://ucp.dev/s", "id": "a2a", "config": {}}]},
		"capabilities": {
			"dev.ucp.shopping.checkout": [{"version": "2026-08-25", "spec": "https://ucp.dev/s", "schema": "https://ucp.dev/2026-08-25/schemas/shopping/checkout.json"}],
			"dev.ucp.shopping.discount": [{"version": "2026-08-25", "spec": "https://ucp.dev/s", "schema": "https://ucp.dev/2026-08-25/schemas/shopping/discount.json",
				"extends": ["dev.ucp.shopping.checkout", "dev.ucp.shopping.cart"]}],
			"dev.ucp.shopping.order": [{"version": "2026-08-25", "spec": "https://ucp.dev/s", "schema": "https://ucp.dev/2026-08-25/schemas/shopping/order.json",
				"config": {"webhook_url": "https://platform.example/hook"}}],
			"com.example.gift": [
				{"version": "2026-01-01", "spec": "https://docs.example/s", "schema": "https://example.com/g.json", "extends": "dev.ucp.shopping.checkout"},
				{"version": "2026-02-02", "spec": "https://docs.example/s", "schema": "https://evil.example/g.json", "extends": "dev.ucp.shopping.checkout"}]},
		"payment_handlers": {"com.example.pay": [{"id": "p", "version": "2026-01-01", "spec": "https://example.com/s", "schema": "https://example.com/p.json",
			"available_instruments": [{"type": "card", "constraints": {}}], "config": {}}]}},
	"keys": [
		{"kid": "es", "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4", "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM", "use": "sig", "alg": "ES256"},
		{"kid": "ed", "kty": "OKP", "crv": "Ed25519", "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"},
		{"kid": "later", "kty": "AKP", "alg": "ML-DSA-44", "pub": "x"}]
}`

func TestParsePlatform(t *testing.T) {
	platform, err := ParsePlatform([]byte(wholeProfile))
	if err != nil {
		t.Fatal(err)
	}
	if platform.Version != Release {
		t.Errorf("version %q", platform.Version)
	}
	want := map[Capability][]string{
		CapabilityCheckout: {Release},
		CapabilityDiscount: {Release},
		CapabilityOrder:    {Release},
		"com.example.gift": {"2026-01-01"}, // the other is published by somebody else
	}
	if diff := cmp.Diff(want, platform.Capabilities); diff != "" {
		t.Errorf("capabilities (-want +got):\n%s", diff)
	}
	var kids []string
	for _, key := range platform.Keys {
		kids = append(kids, key.ID())
	}
	if got := fmt.Sprint(kids); got != "[es ed later]" {
		t.Errorf("keys %s", got)
	}
}

func TestParsePlatformRefuses(t *testing.T) {
	for name, test := range map[string]struct{ old, new, want string }{
		"no JSON":              {`"keys"`, `keys`, "must be JSON"},
		"no version":           {`"version": "2026-08-25", "status"`, `"status"`, "$.ucp.version is missing"},
		"a version of no date": {`"version": "2026-08-25", "status"`, `"version": "draft", "status"`, "$.ucp.version must be a date"},
		"no services":          {`"services"`, `"servants"`, "$.ucp.services is missing"},
		"no handlers":          {`"payment_handlers"`, `"handlers"`, "$.ucp.payment_handlers is missing"},
		"no schema":            {`"schema": "https://ucp.dev/r.json", `, ``, "$.ucp.services['dev.ucp.shopping'][0].schema is missing"},
		"no such transport":    {`"a2a", "spec"`, `"fax", "spec"`, "transport must be one of rest, mcp, a2a, embedded"},
		"a name of no domain":  {`"com.example.gift"`, `"gift"`, "$.ucp.capabilities.gift must be a reverse domain name"},
		"a capability alone":   {`"dev.ucp.shopping.order": [{`, `"dev.ucp.shopping.order": {"a": [{`, "must be"},
		"a private key":        {`"use": "sig"`, `"d": "secret"`, "$.keys[0].d must not be published"},
		"a key without y":      {`"y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM", `, ``, "$.keys[0].y is missing"},
		"an alg of another":    {`"alg": "ES256"`, `"alg": "ES384"`, `$.keys[0].alg must be "ES256"`},
		"a key without kid":    {`"kid": "ed", `, ``, "$.keys[1].kid is missing"},
		"something twice":      {`"status": "success"`, `"status": "success", "status": "success"`, "$.ucp.status must be there once"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(wholeProfile, test.old, test.new, 1)
			if text == wholeProfile {
				t.Fatal("nothing replaced")
			}
			_, err := ParsePlatform([]byte(text))
			var invalid *Invalid
			if !errors.As(err, &invalid) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	var invalid *Invalid
	if _, err := ParsePlatform(make([]byte, MaxProfile+1)); !errors.As(err, &invalid) {
		t.Errorf("a large profile: %v", err)
	}
	keys := strings.Repeat(`{"kid":"a","kty":"b"},`, 64)
	if _, err := ParsePlatform([]byte(strings.Replace(wholeProfile, `"keys": [`, `"keys": [`+keys, 1))); !errors.As(err, &invalid) {
		t.Errorf("67 keys: %v", err)
	}
}

// The profiles that the schemas refuse we refuse, and we accept what they accept.
// Spectest knows rules of the prose besides, of which those about a platform's
// entries exclude the entry and not the profile.
func TestParsePlatformAgreesWithTheSchemas(t *testing.T) {
	spec := spectest.Open(t, Release)
	rapid.Check(t, func(t *rapid.T) {
		var profile any
		if err := json.Unmarshal([]byte(wholeProfile), &profile); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 2).Draw(t, "mutations") {
			profile = mutate(t, profile)
		}
		body, err := json.Marshal(profile)
		if err != nil {
			t.Fatal(err)
		}
		theirs := exceptEntryRules(spec.Profile(spectest.Platform, body))
		_, ours := ParsePlatform(body)
		if (ours == nil) != (theirs == nil) {
			t.Fatalf("%s\nwe say:       %v\nschemas say: %v", body, ours, theirs)
		}
	})
}

// exceptEntryRules drops what spectest has against a profile that does not make
// it malformed: an entry's authority, its version, its parents, what a handler
// or a capability of its own asks for, and keys of the same name.
func exceptEntryRules(err error) error {
	var problems spectest.Problems
	if !errors.As(err, &problems) {
		return err
	}
	problems = slices.DeleteFunc(problems, func(p spectest.Problem) bool {
		if strings.HasSuffix(p.At, "/constraints") {
			return !strings.Contains(p.Text, "want object")
		}
		if strings.Contains(p.At, "/constraints/") || strings.Contains(p.At, "/config/") {
			return true
		}
		for _, rule := range []string{"is not under the authority of", "does not extend", "want \"2026-08-25\"", "ends in a slash", "stands twice"} {
			if strings.Contains(p.Text, rule) {
				return true
			}
		}
		return false
	})
	if len(problems) == 0 {
		return nil
	}
	return problems
}

// The table of overview, "Derivation algorithm", and what surrounds it.
func TestHasAuthority(t *testing.T) {
	for _, test := range []struct {
		name, schema string
		want         bool
	}{
		{"dev.ucp.shopping.checkout", "https://ucp.dev/x.json", true},
		{"dev.ucp.shopping.checkout", "https://shopping.ucp.dev/x.json", true},
		{"com.example.payments.installments", "https://example.com/x.json", true},
		{"com.example.pay", "https://pay.example.com/x.json", true},
		{"com.example.pay", "https://example.com/x.json", true},
		{"com.example.pay", "https://EXAMPLE.com.:8443/x.json", true},
		{"com.example.pay", "https://evil.example/x.json", false},
		{"dev.ucp.shopping.checkout", "https://evil.example/x.json", false},
		{"com.examplecorp.pay", "https://example.com/x.json", false},
		{"com.example.pay", "https://cdn.example.com/x.json", false},
		{"dev.ucp.shopping.checkout", "https://ucp.dev@evil.example/x.json", false},
		{"dev.ucp.shopping.checkout", "https://user@ucp.dev/x.json", false},
		{"dev.ucp.shopping.checkout", "http://ucp.dev/x.json", false},
		{"dev.ucp.shopping.checkout", "https://dev/x.json", false},
		{"10.113.0.203.x", "https://203.0.113.10/x.json", false},
		{"localhost.x", "https://localhost/x.json", false},
		{"com.example.pay", "https://example..com/x.json", false},
		{"com.example.pay", "://", false},
	} {
		if got := hasAuthority(test.name, test.schema); got != test.want {
			t.Errorf("hasAuthority(%q, %q) = %v", test.name, test.schema, got)
		}
	}
}

func FuzzParsePlatform(f *testing.F) {
	f.Add([]byte(wholeProfile))
	f.Add([]byte(`{"ucp":{"version":"2026-08-25","services":{},"payment_handlers":{}}}`))
	f.Add([]byte(`{"ucp":{"version":"2026-08-25","services":{},"payment_handlers":{},"capabilities":{"a.b":[]}},"keys":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		platform, err := ParsePlatform(text)
		if err != nil {
			var invalid *Invalid
			if !errors.As(err, &invalid) {
				t.Errorf("an error without a reason: %v", err)
			}
			return
		}
		if platform.Version == "" {
			t.Error("a profile without a version")
		}
		for name, versions := range maps.All(platform.Capabilities) {
			if name == "" || len(versions) == 0 {
				t.Errorf("%q has versions %v", name, versions)
			}
		}
	})
}
