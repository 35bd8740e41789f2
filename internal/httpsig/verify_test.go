package httpsig

import (
	"context"
	"crypto"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// wantRefusal fails unless err is an Error with this code whose text holds
// reason.
func wantRefusal(t *testing.T, err error, code Code, reason string) {
	t.Helper()
	var refusal *Error
	if !errors.As(err, &refusal) {
		t.Fatalf("got error %v, want an Error with code %s", err, code)
	}
	if refusal.Code != code || !strings.Contains(refusal.Error(), reason) {
		t.Errorf("got %s: %v, want %s: …%s…", refusal.Code, refusal, code, reason)
	}
}

func TestVerifyRequest(t *testing.T) {
	for name, signer := range map[string]*Signer{"ecc": eccSigner(t), "ed": edSigner(t)} {
		t.Run(name, func(t *testing.T) {
			r := signed(t, signer, createCheckout(), RequestOptions{Nonce: "n", Lifetime: time.Hour})
			got, err := verifierOf(publicKeys(t)...).VerifyRequest(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			want := Verified{
				Label: "sig1", Created: testNow(), Expires: testNow().Add(time.Hour),
				Components: []string{
					`"@method"`, `"@authority"`, `"@path"`, `"@query"`,
					`"ucp-agent"`, `"idempotency-key"`, `"content-digest"`, `"content-type"`,
				},
			}
			if got.Key.ID() != name {
				t.Errorf("verified by %q, want %q", got.Key.ID(), name)
			}
			got.Key = Key{}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(Key{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestVerifyPlainGet is the specification's GET example: no body, no query, no
// field to cover, no created.
func TestVerifyPlainGet(t *testing.T) {
	r := &Request{Method: "GET", Scheme: "https", Authority: "shop.example", Target: "/checkout-sessions/chk_123", Header: http.Header{}}
	params := `("@method" "@authority" "@path");keyid="ecc"`
	base := "\"@method\": GET\n\"@authority\": shop.example\n\"@path\": /checkout-sessions/chk_123\n\"@signature-params\": " + params
	raw, err := signES256(eccKey(t), []byte(base))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Signature-Input", "sig1="+params)
	r.Header.Set("Signature", "sig1="+byteSequence(raw[:]))
	if _, err := verifierOf(publicKeys(t)...).VerifyRequest(t.Context(), r); err != nil {
		t.Error(err)
	}
}

func TestUnsigned(t *testing.T) {
	verifier := verifierOf(publicKeys(t)...)
	if _, err := verifier.VerifyRequest(t.Context(), createCheckout()); !errors.Is(err, ErrUnsigned) {
		t.Errorf("request: got %v, want ErrUnsigned", err)
	}
	if _, err := verifier.VerifyResponse(t.Context(), found()); !errors.Is(err, ErrUnsigned) {
		t.Errorf("response: got %v, want ErrUnsigned", err)
	}
}

// TestRefusals signs a good request and spoils it.
func TestRefusals(t *testing.T) {
	replace := func(field, old, new string) func(*Request) {
		return func(r *Request) {
			r.Header.Set(field, strings.ReplaceAll(r.Header.Get(field), old, new))
		}
	}
	remove := func(field string) func(*Request) { return func(r *Request) { r.Header.Del(field) } }
	set := func(field, value string) func(*Request) { return func(r *Request) { r.Header.Set(field, value) } }
	uncover := func(component string) func(*Request) { return replace("Signature-Input", ` "`+component+`"`, "") }
	tests := []struct {
		name   string
		spoil  func(*Request)
		code   Code
		reason string
	}{
		{"no Signature", remove("Signature"), SignatureMissing, "Signature field is missing"},
		{"no Signature-Input", remove("Signature-Input"), SignatureMissing, "Signature-Input field is missing"},
		{"empty Signature-Input", set("Signature-Input", ""), SignatureMissing, "Signature-Input field is missing"},
		{"another label", replace("Signature", "sig1=", "sig2="), SignatureMissing, "no member for it"},
		{"malformed Signature-Input", set("Signature-Input", "sig1=("), SignatureInvalid, "not a structured dictionary"},
		{"malformed Signature", set("Signature", "sig1=:"), SignatureInvalid, "not a structured dictionary"},
		{"Signature-Input is an item", set("Signature-Input", `sig1="@method"`), SignatureInvalid, "not an inner list"},
		{"Signature is a string", set("Signature", `sig1="AAAA"`), SignatureInvalid, "not a byte sequence"},
		{"Signature is a list", set("Signature", `sig1=(:AAAA:)`), SignatureInvalid, "not a byte sequence"},
		{"keyid is a token", replace("Signature-Input", `keyid="ecc"`, `keyid=ecc`), SignatureInvalid, "parameter keyid"},
		{"keyid is huge", replace("Signature-Input", `"ecc"`, `"`+strings.Repeat("k", maxKeyID+1)+`"`), SignatureInvalid, "parameter keyid"},
		{"created is a string", replace("Signature-Input", "created=1787659200", `created="now"`), SignatureInvalid, "parameter created"},
		{"created is a decimal", replace("Signature-Input", "created=1787659200", "created=1787659200.5"), SignatureInvalid, "parameter created"},
		{"an unknown component parameter", replace("Signature-Input", `"@path"`, `"@path";x`), SignatureInvalid, "parameter x"},
		{"a trailer", replace("Signature-Input", `"content-type"`, `"content-type";tr`), SignatureInvalid, "trailer"},
		{"a component twice", replace("Signature-Input", `"@path"`, `"@path" "@path"`), SignatureInvalid, "twice"},
		{"too much Signature-Input", set("Signature-Input", "sig1=("+strings.Repeat(`"a" `, maxFieldBytes/4)+")"), SignatureInvalid, "longer than"},
		{"too many components", set("Signature-Input", "sig1=("+strings.Repeat(`"a" `, maxComponents)+`"b")`), SignatureInvalid, "more than"},
		{"too many signatures", set("Signature-Input", "a=(),b=(),c=(),d=(),e=(),f=(),g=(),h=(),i=()"), SignatureInvalid, "more than"},
		{"another purpose", replace("Signature-Input", ";keyid", `;tag="payment";keyid`), SignatureInvalid, "tag"},

		{"no keyid", replace("Signature-Input", `;keyid="ecc"`, ""), KeyNotFound, "no keyid"},
		{"unknown keyid", replace("Signature-Input", `"ecc"`, `"other"`), KeyNotFound, "not published"},
		{"web-bot-auth without a thumbprint", replace("Signature-Input", ";keyid", `;tag="web-bot-auth";keyid`), SignatureInvalid, "thumbprint"},
		{"a foreign alg", replace("Signature-Input", ";keyid", `;alg="rsa-pss-sha512";keyid`), AlgorithmUnsupported, "alg"},

		{"method not covered", replace("Signature-Input", `"@method" `, ""), SignatureInvalid, "cover @method"},
		{"authority not covered", uncover("@authority"), SignatureInvalid, "cover @authority"},
		{"path not covered", uncover("@path"), SignatureInvalid, "cover @path"},
		{"query not covered", uncover("@query"), SignatureInvalid, "cover @query"},
		{"ucp-agent not covered", uncover("ucp-agent"), SignatureInvalid, "cover ucp-agent"},
		{"idempotency-key not covered", uncover("idempotency-key"), SignatureInvalid, "cover idempotency-key"},
		{"content-digest not covered", uncover("content-digest"), SignatureInvalid, "cover content-digest"},
		{"content-type not covered", uncover("content-type"), SignatureInvalid, "cover content-type"},
		{"signature-agent added", set("Signature-Agent", `sig1="https://agent.example"`), SignatureInvalid, "cover signature-agent"},
		{"ucp-agent covered in part", replace("Signature-Input", `"ucp-agent"`, `"ucp-agent";key="profile"`), SignatureInvalid, "cover ucp-agent"},
		{"path covered as that of a request before", replace("Signature-Input", `"@path"`, `"@path";req`), SignatureInvalid, "cover @path"},

		{"created in the future", replace("Signature-Input", "1787659200", "1787659261"), SignatureInvalid, "future"},
		{"expired", replace("Signature-Input", ";keyid", ";expires=1787659139;keyid"), SignatureInvalid, "expired"},

		{"another body", func(r *Request) { r.Body = append(r.Body, ' ') }, DigestMismatch, "content-digest"},
		{"another digest", set("Content-Digest", "sha-256=:AAAA:"), DigestMismatch, "content-digest"},
		{"no digest", remove("Content-Digest"), DigestMismatch, "content-digest"},
		{"a second, wrong digest", func(r *Request) {
			r.Header.Set("Content-Digest", r.Header.Get("Content-Digest")+", sha-512=:AAAA:")
		}, DigestMismatch, "sha-512"},

		{"a covered field removed", replace("Signature-Input", `"@path"`, `"@path" "absent"`), SignatureInvalid, "cannot be built"},
		{"a short signature", set("Signature", "sig1=:AAAA:"), SignatureInvalid, "3 bytes instead of 64"},
		{"a signature in DER", func(r *Request) {
			der, err := eccKey(t).Sign(nil, make([]byte, 32), crypto.SHA256)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Signature", "sig1="+byteSequence(der))
		}, SignatureInvalid, "DER"},
		{"another key", replace("Signature-Input", `"ecc"`, `"ed"`), SignatureInvalid, "does not verify"},
		{"r and s of zero", set("Signature", "sig1="+byteSequence(make([]byte, 64))), SignatureInvalid, "does not verify"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := signed(t, eccSigner(t), createCheckout(), RequestOptions{})
			test.spoil(r)
			_, err := verifierOf(publicKeys(t)...).VerifyRequest(t.Context(), r)
			wantRefusal(t, err, test.code, test.reason)
		})
	}
}

// TestClockSkew: a minute either way is forgiven, and age alone is no fault.
func TestClockSkew(t *testing.T) {
	tests := []struct {
		name    string
		offset  time.Duration // of the verifier's clock
		life    time.Duration
		refused bool
	}{
		{"the verifier is a minute slow", -clockSkew, 0, false},
		{"the verifier is slower", -clockSkew - time.Second, 0, true},
		{"a year later", 365 * 24 * time.Hour, 0, false},
		{"a minute after the end", time.Hour + clockSkew, time.Hour, false},
		{"later", time.Hour + clockSkew + time.Second, time.Hour, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := signed(t, eccSigner(t), createCheckout(), RequestOptions{Lifetime: test.life})
			verifier := verifierOf(publicKeys(t)...)
			verifier.Now = func() time.Time { return testNow().Add(test.offset) }
			if _, err := verifier.VerifyRequest(t.Context(), r); (err != nil) != test.refused {
				t.Errorf("got error %v, want one: %v", err, test.refused)
			}
		})
	}
}

// TestSeveralSignatures: one good signature is enough, wherever it stands, and
// of bad ones the most advanced is reported.
func TestSeveralSignatures(t *testing.T) {
	stranger, err := NewSigner(eccKey(t), "stranger", testNow)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		sign  func(*Request)
		label string // of the signature that verifies; empty for none
		code  Code
	}{
		{"an unknown key first", func(r *Request) {
			signed(t, stranger, r, RequestOptions{Label: "a"})
			signed(t, eccSigner(t), r, RequestOptions{Label: "b"})
		}, "b", ""},
		{"too little covered first", func(r *Request) {
			signed(t, eccSigner(t), r, RequestOptions{Label: "proxy", Components: []string{"@authority"}})
			signed(t, edSigner(t), r, RequestOptions{Label: "agent"})
		}, "agent", ""},
		{"another purpose first", func(r *Request) {
			signed(t, eccSigner(t), r, RequestOptions{Label: "a", Tag: "payment"})
			signed(t, eccSigner(t), r, RequestOptions{Label: "b"})
		}, "b", ""},
		{"a malformed one first", func(r *Request) {
			signed(t, eccSigner(t), r, RequestOptions{Label: "b"})
			r.Header.Set("Signature-Input", `a=("@path";tr), `+r.Header.Get("Signature-Input"))
		}, "b", ""},
		{"all bad", func(r *Request) {
			signed(t, stranger, r, RequestOptions{Label: "a"})
			signed(t, eccSigner(t), r, RequestOptions{Label: "b"})
			signed(t, eccSigner(t), r, RequestOptions{Label: "c", Tag: "payment"})
			r.Body = []byte("another")
		}, "", DigestMismatch},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := createCheckout()
			test.sign(r)
			got, err := verifierOf(publicKeys(t)...).VerifyRequest(t.Context(), r)
			if test.label == "" {
				wantRefusal(t, err, test.code, "")
				return
			}
			if err != nil || got.Label != test.label {
				t.Errorf("got %q, %v, want %q", got.Label, err, test.label)
			}
		})
	}
}

// TestKeySource follows what is asked of it.
func TestKeySource(t *testing.T) {
	type call struct {
		KeyID   string
		Refresh bool
	}
	keys := publicKeys(t)
	unreachable := errors.New("profile unreachable")
	tests := []struct {
		name   string
		source func(call) ([]Key, error)
		calls  []call
		check  func(*testing.T, error)
	}{
		{
			"known at once", func(call) ([]Key, error) { return keys, nil },
			[]call{{"ecc", false}},
			func(t *testing.T, err error) {
				if err != nil {
					t.Error(err)
				}
			},
		},
		{
			"known after a refresh", func(c call) ([]Key, error) {
				if c.Refresh {
					return keys, nil
				}
				return keys[1:], nil
			},
			[]call{{"ecc", false}, {"ecc", true}},
			func(t *testing.T, err error) {
				if err != nil {
					t.Error(err)
				}
			},
		},
		{
			"never known: one refresh for two signatures", func(call) ([]Key, error) { return nil, nil },
			[]call{{"ecc", false}, {"ecc", true}, {"ed", false}},
			func(t *testing.T, err error) { wantRefusal(t, err, KeyNotFound, "not published") },
		},
		{
			"out of reach", func(call) ([]Key, error) { return nil, unreachable },
			[]call{{"ecc", false}},
			func(t *testing.T, err error) {
				if !errors.Is(err, unreachable) {
					t.Errorf("got %v, want the source's error", err)
				}
			},
		},
		{
			"out of reach on refresh", func(c call) ([]Key, error) {
				if c.Refresh {
					return nil, unreachable
				}
				return nil, nil
			},
			[]call{{"ecc", false}, {"ecc", true}},
			func(t *testing.T, err error) {
				if !errors.Is(err, unreachable) {
					t.Errorf("got %v, want the source's error", err)
				}
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := signed(t, eccSigner(t), createCheckout(), RequestOptions{})
			signed(t, edSigner(t), r, RequestOptions{Label: "sig2"})
			var calls []call
			verifier := &Verifier{Now: testNow, Keys: func(_ context.Context, id string, refresh bool) ([]Key, error) {
				calls = append(calls, call{id, refresh})
				return test.source(calls[len(calls)-1])
			}}
			_, err := verifier.VerifyRequest(t.Context(), r)
			test.check(t, err)
			if diff := cmp.Diff(test.calls, calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWebBotAuth is the dual-audience signature of signatures.md.
func TestWebBotAuth(t *testing.T) {
	thumbprint, err := Thumbprint(edKey(t).Public())
	if err != nil {
		t.Fatal(err)
	}
	signer, err := NewSigner(edKey(t), thumbprint, testNow)
	if err != nil {
		t.Fatal(err)
	}
	key, err := NewKey(thumbprint, edKey(t).Public())
	if err != nil {
		t.Fatal(err)
	}
	components := func(agent string) []string {
		return []string{"@method", "@authority", "@path", "@query", agent, "ucp-agent", "idempotency-key", "content-digest", "content-type"}
	}
	tests := []struct {
		agent   string
		refused bool
	}{
		{`"signature-agent";key="sig1"`, false},
		{`signature-agent`, false},
		{`"signature-agent";key="sig2"`, true},
		{`"signature-agent";sf`, false},
	}
	for _, test := range tests {
		t.Run(test.agent, func(t *testing.T) {
			r := createCheckout()
			r.Header.Set("Signature-Agent", `sig1="https://agent.example/.well-known/ucp";type=jwks_uri, sig2="https://other.example"`)
			signed(t, signer, r, RequestOptions{
				Components: components(test.agent), Lifetime: time.Hour, Nonce: "bm9uY2U", Tag: "web-bot-auth",
			})
			got, err := verifierOf(key).VerifyRequest(t.Context(), r)
			if test.refused {
				wantRefusal(t, err, SignatureInvalid, "cover signature-agent")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got.Tag != "web-bot-auth" {
				t.Errorf("Tag = %q", got.Tag)
			}
		})
	}
}

func TestCodes(t *testing.T) {
	tests := map[Code][2]int{
		"signature_missing":     {401, -32000},
		"signature_invalid":     {401, -32000},
		"key_not_found":         {401, -32000},
		"digest_mismatch":       {400, -32600},
		"algorithm_unsupported": {400, -32600},
	}
	for code, want := range tests {
		if got := [2]int{code.HTTPStatus(), code.JSONRPC()}; got != want {
			t.Errorf("%s: got %v, want %v", code, got, want)
		}
	}
}

func TestErrorText(t *testing.T) {
	err := &Error{Code: SignatureInvalid, Label: "sig1", KeyID: "k", Reason: "it has expired", Err: errors.New("cause")}
	if got, want := err.Error(), `signature "sig1" by key "k": it has expired: cause`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
