package httpsig_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	remitly "github.com/remitly-oss/httpsig-go"
	"github.com/remitly-oss/httpsig-go/keyman"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

const checkoutBody = `{"line_items":[{"item":{"id":"item_123"},"quantity":2}]}`

// newCheckout is a client's request with all that UCP wants covered.
func newCheckout(t *testing.T) *http.Request {
	t.Helper()
	r, err := http.NewRequest("POST", "https://shop.example/api/ucp/v1/checkout-sessions?dry=1", strings.NewReader(checkoutBody))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("UCP-Agent", `profile="https://agent.example/.well-known/ucp"`)
	r.Header.Set("Idempotency-Key", "550e8400-e29b-41d4-a716-446655440000")
	return r
}

// freshKeys makes a key for each algorithm, under its name in RFC 9421.
func freshKeys(t *testing.T) map[string]crypto.Signer {
	t.Helper()
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]crypto.Signer{"ecdsa-p256-sha256": ec, "ed25519": ed}
}

// verifierFor knows one key, as "kid".
func verifierFor(t *testing.T, key crypto.Signer) *httpsig.Verifier {
	t.Helper()
	known, err := httpsig.NewKey("kid", key.Public())
	if err != nil {
		t.Fatal(err)
	}
	return &httpsig.Verifier{
		Keys: func(context.Context, string, bool) ([]httpsig.Key, error) { return []httpsig.Key{known}, nil },
		Now:  time.Now,
	}
}

// TestRemitlyVerifiesUs: remitly-oss/httpsig-go accepts our signed requests.
// It knows no ";req" and so cannot judge our responses; node does that.
func TestRemitlyVerifiesUs(t *testing.T) {
	for algorithm, key := range freshKeys(t) {
		t.Run(algorithm, func(t *testing.T) {
			signer, err := httpsig.NewSigner(key, "kid", time.Now)
			if err != nil {
				t.Fatal(err)
			}
			r := newCheckout(t)
			if err := signer.SignRequest(httpsig.RequestOf(r, []byte(checkoutBody)), httpsig.RequestOptions{}); err != nil {
				t.Fatal(err)
			}
			keys := keyman.NewKeyFetchInMemory(map[string]remitly.KeySpec{
				"kid": {KeyID: "kid", Algo: remitly.Algorithm(algorithm), PubKey: key.Public()},
			})
			profile := remitly.VerifyProfile{
				SignatureLabel:    "sig1",
				AllowedAlgorithms: []remitly.Algorithm{remitly.Algorithm(algorithm)},
				RequiredFields: remitly.Fields("@method", "@authority", "@path", "@query",
					"ucp-agent", "idempotency-key", "content-digest", "content-type"),
				RequiredMetadata: []remitly.Metadata{remitly.MetaCreated, remitly.MetaKeyID},
			}
			result, err := remitly.Verify(r, keys, profile)
			if err != nil || !result.Verified {
				t.Errorf("remitly refuses it: %v\nSignature-Input: %s", err, r.Header.Get("Signature-Input"))
			}
			r.Header.Set("Idempotency-Key", "another")
			if _, err := remitly.Verify(r, keys, profile); err == nil {
				t.Error("remitly accepts a changed request, so this test shows nothing")
			}
		})
	}
}

// TestWeVerifyRemitly: we accept the requests and responses that
// remitly-oss/httpsig-go signs.
func TestWeVerifyRemitly(t *testing.T) {
	for algorithm, key := range freshKeys(t) {
		t.Run(algorithm, func(t *testing.T) {
			sign := func(fields ...string) *remitly.Signer {
				signer, err := remitly.NewSigner(remitly.SigningProfile{
					Algorithm: remitly.Algorithm(algorithm),
					Fields:    remitly.Fields(fields...),
					Metadata:  []remitly.Metadata{remitly.MetaCreated, remitly.MetaExpires, remitly.MetaNonce, remitly.MetaKeyID},
				}, remitly.SigningKey{Key: key, MetaKeyID: "kid"})
				if err != nil {
					t.Fatal(err)
				}
				return signer
			}
			verifier := verifierFor(t, key)

			r := newCheckout(t)
			if err := sign("@method", "@authority", "@path", "@query",
				"ucp-agent", "idempotency-key", "content-digest", "content-type").Sign(r); err != nil {
				t.Fatal(err)
			}
			if _, err := verifier.VerifyRequest(t.Context(), httpsig.RequestOf(r, []byte(checkoutBody))); err != nil {
				t.Errorf("request: %v", err)
			}

			body := []byte(`{"id":"chk_123"}`)
			resp := &http.Response{
				StatusCode: 201,
				Header: http.Header{
					"Content-Type":   {"application/json"},
					"Content-Digest": {httpsig.ContentDigest(body)},
				},
				Body: io.NopCloser(bytes.NewReader(body)),
			}
			if err := sign("@status", "content-digest", "content-type").SignResponse(resp); err != nil {
				t.Fatal(err)
			}
			view := &httpsig.Response{Status: resp.StatusCode, Header: resp.Header, Body: body}
			if _, err := verifier.VerifyResponse(t.Context(), view); err != nil {
				t.Errorf("response: %v", err)
			}
		})
	}
}
