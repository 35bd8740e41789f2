package httpsig

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"flag"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// found is an answer with a body to a request with a port, a capital letter
// and an escaped path.
func found() *Response {
	return &Response{
		Status: 200,
		Header: http.Header{"Content-Type": {"application/json"}, "Cache-Control": {"no-transform"}},
		Body:   []byte(`{"products":[{"id":"fjell-trail-gtx","price":{"amount":12000,"currency":"GBP"}}]}`),
		Request: &Request{
			Method: "POST", Scheme: "https", Authority: "Shop.Example:443",
			Target: "/api/ucp/v1/catalog/search%2Fall?page=2",
		},
	}
}

// dump is a response as it would travel, with its header in order.
func dump(t testing.TB, resp *Response) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", resp.Status, http.StatusText(resp.Status))
	if err := resp.Header.Write(&b); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "\r\n%s", resp.Body)
	return b.Bytes()
}

// TestSignedResponsesAreGolden pins whole signed answers to the byte: key,
// clock and RFC 6979 leave nothing to chance.
func TestSignedResponsesAreGolden(t *testing.T) {
	gone := found()
	gone.Status, gone.Body, gone.Header = 404, nil, http.Header{}
	head := found()
	head.Body = nil
	for name, resp := range map[string]*Response{"found": found(), "bodiless": gone, "head": head} {
		t.Run(name, func(t *testing.T) {
			if err := eccSigner(t).SignResponse(resp); err != nil {
				t.Fatal(err)
			}
			got := dump(t, resp)
			path := filepath.Join("testdata", "golden", name+".http")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSignedResponsesVerifyIndependently checks both signatures over bases
// written out by hand, with crypto/ecdsa alone: signer and verifier of this
// package cannot agree on a mistake here.
func TestSignedResponsesVerifyIndependently(t *testing.T) {
	resp := found()
	if err := eccSigner(t).SignResponse(resp); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(resp.Body)
	digest := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	if got := resp.Header.Get("Content-Digest"); got != digest {
		t.Errorf("Content-Digest = %s, want %s", got, digest)
	}
	for label, req := range map[string]string{"sig1": "", "sig2": ";req"} {
		params := `("@status" "@authority"` + req + ` "@path"` + req + ` "content-digest" "content-type");created=1787659200;keyid="ecc"`
		if input := resp.Header.Get("Signature-Input"); !strings.Contains(input, label+"="+params) {
			t.Errorf("Signature-Input = %s lacks %s=%s", input, label, params)
		}
		base := `"@status": 200` + "\n" +
			`"@authority"` + req + `: shop.example` + "\n" +
			`"@path"` + req + `: /api/ucp/v1/catalog/search%2Fall` + "\n" +
			`"content-digest": ` + digest + "\n" +
			`"content-type": application/json` + "\n" +
			`"@signature-params": ` + params
		match := regexp.MustCompile(label + "=:([^:]*):").FindStringSubmatch(resp.Header.Get("Signature"))
		if match == nil || len(match[1]) != 88 {
			t.Fatalf("Signature = %s has no 88 base64 characters for %s", resp.Header.Get("Signature"), label)
		}
		raw, err := base64.StdEncoding.DecodeString(match[1])
		if err != nil {
			t.Fatal(err)
		}
		hash := sha256.Sum256([]byte(base))
		r, s := new(big.Int).SetBytes(raw[:32]), new(big.Int).SetBytes(raw[32:])
		if !ecdsa.Verify(&eccKey(t).PublicKey, hash[:], r, s) {
			t.Errorf("%s does not verify over\n%s", label, base)
		}
	}
}

// TestSigningReplacesOldFields: an upstream's own digest and signatures must
// not survive.
func TestSigningReplacesOldFields(t *testing.T) {
	resp := found()
	resp.Body = nil
	for _, field := range []string{"Content-Digest", "Signature-Input", "Signature"} {
		resp.Header.Set(field, "stale")
	}
	if err := eccSigner(t).SignResponse(resp); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(dump(t, resp), []byte("stale")) {
		t.Errorf("a stale field is left:\n%s", dump(t, resp))
	}
}

// TestRawFromDERKeepsLeadingZeros signs often enough to meet short integers.
func TestRawFromDERKeepsLeadingZeros(t *testing.T) {
	key := eccKey(t)
	for i := range 2000 {
		base := fmt.Appendf(nil, "message %d", i)
		raw, err := signES256(key, base)
		if err != nil {
			t.Fatal(err)
		}
		if !verifyES256(&key.PublicKey, base, raw[:]) {
			t.Fatalf("message %d: signature %x does not verify", i, raw)
		}
	}
}

func TestRawFromDERRefuses(t *testing.T) {
	long := append([]byte{0x30, 37, 0x02, 33, 1}, make([]byte, 34)...)
	for _, der := range [][]byte{
		nil,
		{0x30},
		{0x30, 0},
		{0x31, 6, 2, 1, 1, 2, 1, 1},
		{0x30, 7, 2, 1, 1, 2, 1, 1},
		{0x30, 6, 3, 1, 1, 2, 1, 1},
		{0x30, 6, 2, 9, 1, 2, 1, 1},
		{0x30, 3, 2, 1, 1},
		{0x30, 7, 2, 1, 1, 2, 1, 1, 0},
		long[:39],
	} {
		if raw, err := rawFromDER(der); err == nil {
			t.Errorf("%x: got %x, want an error", der, raw)
		}
	}
}

func TestNewSignerRefuses(t *testing.T) {
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewSigner(p384, "kid", testNow); err == nil {
		t.Error("a P-384 key was accepted")
	}
	for _, id := range []string{"", "a\nb", "a\tb", "caf\xe9", strings.Repeat("k", maxKeyID+1)} {
		if _, err := NewSigner(eccKey(t), id, testNow); err == nil {
			t.Errorf("key id %q was accepted", id)
		}
	}
	signer, err := NewSigner(eccKey(t), `odd "\ kid`, testNow)
	if err != nil {
		t.Fatal(err)
	}
	if signer.KeyID() != `odd "\ kid` {
		t.Errorf("KeyID = %q", signer.KeyID())
	}
	resp := found()
	if err := signer.SignResponse(resp); err != nil {
		t.Fatal(err)
	}
	if got, err := parseSignatures(resp.Header); err != nil || got[0].keyID != `odd "\ kid` {
		t.Errorf("the key id comes back as %+v, %v", got, err)
	}
}

// TestSignerHidesItsKey: no printing verb may show key material.
func TestSignerHidesItsKey(t *testing.T) {
	ecc, err := eccKey(t).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, signer := range []*Signer{eccSigner(t), edSigner(t)} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
			text := fmt.Sprintf(verb, *signer)
			for _, secret := range [][]byte{ecc, edKey(t).Seed()} {
				decimal := strings.Trim(fmt.Sprint(secret), "[]")
				if strings.Contains(text, decimal) || strings.Contains(text, hex.EncodeToString(secret)) ||
					strings.Contains(text, new(big.Int).SetBytes(secret).String()) {
					t.Errorf("%s shows the private key: %s", verb, text)
				}
			}
		}
	}
}

func TestSignResponseRefuses(t *testing.T) {
	tests := map[string]func(*Response){
		"no request":                  func(r *Response) { r.Request = nil },
		"no status":                   func(r *Response) { r.Status = 0 },
		"a body without a type":       func(r *Response) { r.Header.Del("Content-Type") },
		"a type with a line break":    func(r *Response) { r.Header.Set("Content-Type", "a\nb") },
		"an authority beyond ASCII":   func(r *Response) { r.Request.Authority = "caf\xe9" },
		"an authority with a break":   func(r *Response) { r.Request.Authority = "a\n\"@path\": /" },
		"a status of too many digits": func(r *Response) { r.Status = 1000 },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			resp := found()
			spoil(resp)
			if err := eccSigner(t).SignResponse(resp); err == nil {
				t.Errorf("signed: %v", resp.Header)
			}
		})
	}
}
