package httpsig

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	eccX = `"x":"qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA"`
	eccY = `"y":"Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0"`
	edX  = `"x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"`
)

func TestParseKeys(t *testing.T) {
	const missing = Code("missing") // not in the result
	tests := []struct {
		name  string
		jwk   string
		fault Code // empty for a usable key
	}{
		{"EC", `{"kid":"k","kty":"EC","crv":"P-256",` + eccX + `,` + eccY + `}`, ""},
		{"EC, all members", `{"kid":"k","kty":"EC","crv":"P-256",` + eccX + `,` + eccY + `,"use":"sig","alg":"ES256","key_ops":["verify"],"x5c":[1],"note":{}}`, ""},
		{"OKP", `{"kid":"k","kty":"OKP","crv":"Ed25519",` + edX + `}`, ""},
		{"OKP, all members", `{"kid":"k","kty":"OKP","crv":"Ed25519",` + edX + `,"use":"sig","alg":"EdDSA"}`, ""},
		{"RSA", `{"kid":"k","kty":"RSA","n":"AQAB","e":"AQAB"}`, AlgorithmUnsupported},
		{"P-384", `{"kid":"k","kty":"EC","crv":"P-384",` + eccX + `,` + eccY + `}`, AlgorithmUnsupported},
		{"X25519", `{"kid":"k","kty":"OKP","crv":"X25519",` + edX + `}`, AlgorithmUnsupported},
		{"Ed25519 as EC", `{"kid":"k","kty":"EC","crv":"Ed25519",` + edX + `}`, AlgorithmUnsupported},
		{"a kty of the future", `{"kid":"k","kty":"AKP","alg":"ML-DSA-65","pub":"AA"}`, AlgorithmUnsupported},
		{"no kty", `{"kid":"k"}`, AlgorithmUnsupported},
		{"alg of another curve", `{"kid":"k","kty":"EC","crv":"P-256",` + eccX + `,` + eccY + `,"alg":"ES384"}`, AlgorithmUnsupported},
		{"alg of another family", `{"kid":"k","kty":"OKP","crv":"Ed25519",` + edX + `,"alg":"ES256"}`, AlgorithmUnsupported},
		{"for encryption", `{"kid":"k","kty":"EC","crv":"P-256",` + eccX + `,` + eccY + `,"use":"enc"}`, KeyNotFound},
		{"for signing only", `{"kid":"k","kty":"EC","crv":"P-256",` + eccX + `,` + eccY + `,"key_ops":["sign"]}`, KeyNotFound},
		{"for nothing", `{"kid":"k","kty":"EC","crv":"P-256",` + eccX + `,` + eccY + `,"key_ops":[]}`, KeyNotFound},
		{"private", `{"kid":"k","kty":"OKP","crv":"Ed25519",` + edX + `,"d":"AA"}`, KeyNotFound},
		{"symmetric", `{"kid":"k","kty":"oct","k":"AA"}`, KeyNotFound},
		{"off the curve", `{"kid":"k","kty":"EC","crv":"P-256",` + eccX + `,` + strings.Replace(eccX, "x", "y", 1) + `}`, KeyNotFound},
		{"no y", `{"kid":"k","kty":"EC","crv":"P-256",` + eccX + `}`, KeyNotFound},
		{"x not base64url", `{"kid":"k","kty":"OKP","crv":"Ed25519","x":"!"}`, KeyNotFound},
		{"x too short", `{"kid":"k","kty":"OKP","crv":"Ed25519","x":"AAAA"}`, KeyNotFound},
		{"x a number", `{"kid":"k","kty":"OKP","crv":"Ed25519","x":7}`, KeyNotFound},
		{"no kid", `{"kty":"OKP","crv":"Ed25519",` + edX + `}`, missing},
		{"kid a number", `{"kid":7,"kty":"OKP","crv":"Ed25519",` + edX + `}`, missing},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			keys, err := ParseKeys([]byte("[" + test.jwk + "]"))
			if err != nil {
				t.Fatal(err)
			}
			if test.fault == missing {
				if len(keys) != 0 {
					t.Errorf("got %+v, want no key", keys)
				}
				return
			}
			if len(keys) != 1 || keys[0].ID() != "k" || keys[0].faultCode != test.fault ||
				(keys[0].Algorithm() == "") != (test.fault != "") {
				t.Errorf("got %+v, want fault %q", keys, test.fault)
			}
		})
	}
}

func TestParseKeysRefuses(t *testing.T) {
	for _, set := range []string{
		``, `{}`, `{"keys":[]}`, `[1]`, `["k"]`, `[null]`, `[[]]`, `[{}`,
		`[` + strings.Repeat(`{},`, MaxKeys) + `{}]`,
	} {
		if keys, err := ParseKeys([]byte(set)); err == nil {
			t.Errorf("%.40s: got %+v, want an error", set, keys)
		}
	}
	for _, set := range []string{`[]`, `null`, `[` + strings.Repeat(`{},`, MaxKeys-1) + `{}]`} {
		if _, err := ParseKeys([]byte(set)); err != nil {
			t.Errorf("%.40s: %v", set, err)
		}
	}
}

// TestUnusableKeys: a signature by such a key is refused for what is wrong
// with the key, and a usable key of the same kid is preferred.
func TestUnusableKeys(t *testing.T) {
	r := signed(t, eccSigner(t), createCheckout(), RequestOptions{})
	ecc := `{"kid":"ecc","kty":"EC","crv":"P-256",` + eccX + `,` + eccY + `}`
	tests := []struct {
		name string
		set  string
		code Code // empty when it verifies
	}{
		{"usable", ecc, ""},
		{"an unknown one of the same name first", `{"kid":"ecc","kty":"RSA"},` + ecc, ""},
		{"an unknown one of the same name last", ecc + `,{"kid":"ecc","kty":"RSA"}`, ""},
		{"unknown", `{"kid":"ecc","kty":"RSA"}`, AlgorithmUnsupported},
		{"malformed", `{"kid":"ecc","kty":"EC","crv":"P-256","x":"AA","y":"AA"}`, KeyNotFound},
		{"others only", `{"kid":"ed","kty":"OKP","crv":"Ed25519",` + edX + `}`, KeyNotFound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			keys, err := ParseKeys([]byte("[" + test.set + "]"))
			if err != nil {
				t.Fatal(err)
			}
			_, err = verifierOf(keys...).VerifyRequest(t.Context(), r)
			if test.code == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantRefusal(t, err, test.code, "")
		})
	}
}

// TestThumbprint pins the worked example of RFC 8037 Appendix A.3 and the
// example key of signatures.md, which is the Ed25519 key of RFC 9421.
func TestThumbprint(t *testing.T) {
	keys, err := ParseKeys([]byte(`[
		{"kid":"rfc8037","kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},
		{"kid":"ucp","kty":"OKP","crv":"Ed25519",` + edX + `}]`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"}
	if got := []string{keys[0].thumbprint, keys[1].thumbprint}; !cmp.Equal(want, got) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPublicJWK(t *testing.T) {
	tests := map[string]struct {
		id     string
		public any
		want   string
	}{
		"EC":  {"ecc", eccKey(t).Public(), `{"kid":"ecc","kty":"EC","crv":"P-256",` + eccX + `,` + eccY + `,"use":"sig","alg":"ES256"}`},
		"OKP": {"ed", edKey(t).Public(), `{"kid":"ed","kty":"OKP","crv":"Ed25519",` + edX + `,"use":"sig","alg":"EdDSA"}`},
	}
	schema := jwkSchema(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := PublicJWK(test.id, test.public)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if back, err := ParseKeys(fmt.Appendf(nil, "[%s]", got)); err != nil || len(back) != 1 || back[0].Algorithm() == "" {
				t.Errorf("it comes back as %+v, %v", back, err)
			}
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(got)))
			if err != nil {
				t.Fatal(err)
			}
			if schema == nil {
				t.Skip("SKIPPED: ../shared/specs is absent, so the profile schema was not asked")
			}
			if err := schema.Validate(value); err != nil {
				t.Error(err)
			}
		})
	}
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := PublicJWK("k", p384.Public()); err == nil {
		t.Errorf("a P-384 key was rendered: %+v", out)
	}
}

// jwkSchema is what UCP's profile schema says of a published key; nil where
// the specification is not at hand.
func jwkSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	path, err := filepath.Abs("../../../shared/specs/ucp/2026-08-25/schemas/profile.json")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	profile, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	definitions, _ := profile.(map[string]any)["$defs"].(map[string]any)
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("jwk.json", definitions["jwk_public_key"]); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("jwk.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
