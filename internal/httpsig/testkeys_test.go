package httpsig

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"slices"
	"testing"
	"time"
)

// The test keys of RFC 9421 Appendix B.1, both public knowledge.
const (
	rfcECC = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIFKbhfNZfpDsW43+0+JjUr9K+bTeuxopu653+hBaXGA7oAoGCCqGSM49
AwEHoUQDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM
4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
-----END EC PRIVATE KEY-----`
	rfcEd25519 = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----`
)

func eccKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	block, _ := pem.Decode([]byte(rfcECC))
	key, err := x509.ParseECPrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func edKey(t testing.TB) ed25519.PrivateKey {
	t.Helper()
	block, _ := pem.Decode([]byte(rfcEd25519))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return key.(ed25519.PrivateKey)
}

// testNow is when the tests take place.
func testNow() time.Time { return time.Date(2026, 8, 25, 12, 0, 0, 0, time.UTC) }

func eccSigner(t testing.TB) *Signer {
	t.Helper()
	signer, err := NewSigner(eccKey(t), "ecc", testNow)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

func edSigner(t testing.TB) *Signer {
	t.Helper()
	signer, err := NewSigner(edKey(t), "ed", testNow)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// publicKeys are the keys of both signers.
func publicKeys(t testing.TB) []Key {
	t.Helper()
	ecc, err := NewKey("ecc", eccKey(t).Public())
	if err != nil {
		t.Fatal(err)
	}
	ed, err := NewKey("ed", edKey(t).Public())
	if err != nil {
		t.Fatal(err)
	}
	return []Key{ecc, ed}
}

// verifierOf knows these keys and no others.
func verifierOf(keys ...Key) *Verifier {
	return &Verifier{
		Keys: func(context.Context, string, bool) ([]Key, error) { return keys, nil },
		Now:  testNow,
	}
}

// createCheckout is a request with everything that UCP wants covered.
func createCheckout() *Request {
	return &Request{
		Method:    "POST",
		Scheme:    "https",
		Authority: "shop.example",
		Target:    "/api/ucp/v1/checkout-sessions?dry=1",
		Header: http.Header{
			"Content-Type":    {"application/json"},
			"Ucp-Agent":       {`profile="https://agent.example/.well-known/ucp"`},
			"Idempotency-Key": {"550e8400-e29b-41d4-a716-446655440000"},
		},
		Body: []byte(`{"line_items":[{"item":{"id":"item_123"},"quantity":2}]}`),
	}
}

// signed signs r and returns it.
func signed(t testing.TB, s *Signer, r *Request, options RequestOptions) *Request {
	t.Helper()
	if err := s.SignRequest(r, options); err != nil {
		t.Fatal(err)
	}
	return r
}

// cloneRequest is a deep copy.
func cloneRequest(r *Request) *Request {
	c := *r
	c.Header = r.Header.Clone()
	c.Body = slices.Clone(r.Body)
	return &c
}
