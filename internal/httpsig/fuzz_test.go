package httpsig

import (
	"errors"
	"net/http"
	"testing"

	"github.com/dunglas/httpsfv"
	"github.com/google/go-cmp/cmp"
)

// FuzzSignatureInput feeds both fields to the parser and the base builder. What
// is parsed must parse to the same again from its strict serialization, and no
// line of a base may come from within a value.
func FuzzSignatureInput(f *testing.F) {
	for _, seed := range [][2]string{
		{`sig1=("@method" "@authority" "@path");created=1618884473;keyid="k"`, "sig1=:AAAA:"},
		{`sig1=("@status" "content-digest";req "signature-agent";key="sig1");expires=1;nonce="n";tag="web-bot-auth"`, "sig1=:AAAA:"},
		{`a=("date";bs "ucp-agent";sf "@query-param";name="x"), b=()`, "a=:AAAA:, b=:AAAA:"},
		{`a=("x";tr), b=1, c`, "a=(:AAAA:), b=?0, c=:=:"},
		{transformInput, transformSignature},
		{`a=("x" "x");created=1.5;keyid=token`, "a"},
		{`a=("x";a=@1 %"f%c3%bc");b=:AAAA:`, `a=%"x"`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, input, signature string) {
		header := http.Header{"Signature-Input": {input}, "Signature": {signature}}
		candidates, err := parseSignatures(header)
		if err != nil {
			wantTyped(t, err)
			return
		}
		r := createCheckout()
		r.Header["Date"] = []string{"Tue, 20 Apr 2021 02:07:55 GMT"}
		for _, c := range candidates {
			if c.fault != nil {
				continue
			}
			again := parseOne(t, c.label+"="+c.params, c.label+"="+byteSequence(c.signature))
			if diff := cmp.Diff(c, again, cmp.AllowUnexported(candidate{}, component{})); diff != "" {
				t.Errorf("%s differs when parsed again (-first +again):\n%s", c.params, diff)
			}
			msg := message{request: r}
			base, err := signatureBase(msg, c.components, c.params)
			if err != nil {
				continue
			}
			lines := 1
			for _, b := range base {
				if b == '\n' {
					lines++
				}
			}
			if lines != len(c.components)+1 {
				t.Errorf("%d components make a base of %d lines:\n%s", len(c.components), lines, base)
			}
		}
	})
}

// FuzzVerifyRequest changes a signed request. It must not verify unless what
// it says is the same.
func FuzzVerifyRequest(f *testing.F) {
	original := signed(f, edSigner(f), createCheckout(), RequestOptions{})
	f.Add(original.Method, original.Authority, original.Target, original.Header.Get("Ucp-Agent"), original.Body)
	verifier := verifierOf(publicKeys(f)...)
	f.Fuzz(func(t *testing.T, method, authority, target, agent string, body []byte) {
		r := cloneRequest(original)
		r.Method, r.Authority, r.Target, r.Body = method, authority, target, body
		r.Header.Set("UCP-Agent", agent)
		_, err := verifier.VerifyRequest(t.Context(), r)
		if err != nil {
			wantTyped(t, err)
			return
		}
		same := r.Method == original.Method && r.authority() == original.authority() &&
			r.path() == original.path() && r.query() == original.query() &&
			trimOWS(agent) == original.Header.Get("Ucp-Agent") && string(body) == string(original.Body)
		if !same {
			t.Errorf("verifies though changed: %+v", r)
		}
	})
}

// FuzzContentDigest: only a field that holds the body's digest is accepted.
func FuzzContentDigest(f *testing.F) {
	body := []byte("body")
	for _, seed := range []string{
		ContentDigest(body), "sha-512=:AAAA:", "md5=:AAAA:, " + ContentDigest(body), `sha-256="x"`, "sha-256", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		if err := VerifyDigest([]string{field}, body); err != nil {
			wantTyped(t, err)
			return
		}
		dict, err := httpsfv.UnmarshalDictionary([]string{field})
		if err != nil {
			t.Fatalf("%q is accepted and is no dictionary", field)
		}
		_, has256 := dict.Get("sha-256")
		_, has512 := dict.Get("sha-512")
		if !has256 && !has512 {
			t.Errorf("%q is accepted and has no known digest", field)
		}
	})
}

// FuzzKeys: a key is usable or says why not, and a usable one can be published
// and read again.
func FuzzKeys(f *testing.F) {
	for _, seed := range []string{
		`[{"kid":"k","kty":"EC","crv":"P-256",` + eccX + `,` + eccY + `}]`,
		`[{"kid":"k","kty":"OKP","crv":"Ed25519",` + edX + `,"use":"sig","key_ops":["verify"],"alg":"EdDSA"}]`,
		`[{"kid":"k","kty":"RSA","n":"AQAB"},{"kid":7},{}]`, `[]`, `null`, `{}`, `[null]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, err := ParseKeys(data)
		if err != nil {
			return
		}
		for _, key := range keys {
			if (key.algorithm == "") != (key.fault != "") || (key.algorithm == "") != (key.public == nil) {
				t.Errorf("the key %+v is neither usable nor unusable", key)
			}
			if key.algorithm == "" {
				continue
			}
			out, err := PublicJWK(key.ID(), key.public)
			if err != nil {
				t.Fatal(err)
			}
			again, err := NewKey(out.KeyID, key.public)
			if err != nil || again.thumbprint != key.thumbprint {
				t.Errorf("the key %+v comes back as %+v, %v", key, again, err)
			}
		}
	})
}

// wantTyped fails unless err is one of the two that this package promises.
func wantTyped(t *testing.T, err error) {
	t.Helper()
	var refusal *Error
	if !errors.As(err, &refusal) && !errors.Is(err, ErrUnsigned) {
		t.Errorf("got the untyped error %v", err)
	}
}
