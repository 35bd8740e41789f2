package agents_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/agents"
)

// spki returns a public key in PEM.
func spki(t *testing.T, key any) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

func ecdsaKey(t *testing.T, curve elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestPublicKey(t *testing.T) {
	ed, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p256 := ecdsaKey(t, elliptic.P256())
	for name, key := range map[string]interface{ Equal(crypto.PublicKey) bool }{
		"Ed25519": ed,
		"P-256":   &p256.PublicKey,
	} {
		got, err := agents.Registration{PublicKeyPEM: spki(t, key)}.PublicKey()
		if err != nil || !key.Equal(got) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, key)
		}
	}
	if got, err := (agents.Registration{}).PublicKey(); got != nil || err != nil {
		t.Errorf("no key: got %v, %v", got, err)
	}

	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(p256)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"RSA":           spki(t, small.Public()),
		"P-384":         spki(t, ecdsaKey(t, elliptic.P384()).Public()),
		"a private key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
		"mislabelled":   string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: private})),
		"two keys":      spki(t, ed) + spki(t, ed),
		"no PEM":        "MCowBQYDK2VwAyEA",
		"too long":      strings.Repeat(" ", 4096) + spki(t, ed),
	} {
		if got, err := (agents.Registration{PublicKeyPEM: text}).PublicKey(); !errors.Is(err, agents.ErrInvalid) {
			t.Errorf("%s: got %v, %v, want ErrInvalid", name, got, err)
		}
	}
}

func TestCheckProfile(t *testing.T) {
	bound := agents.Agent{Registration: agents.Registration{ProfileURL: "https://agent.example/profile?v=1"}}
	for profile, want := range map[string]error{
		"https://agent.example/profile?v=1":           nil,
		"HTTPS://AGENT.example:443/profile?v=1":       nil,
		"https://agent.example/profile?v=1#keys":      nil,
		"https://agent.example/profile?v=2":           agents.ErrProfileConflict,
		"https://agent.example/profile":               agents.ErrProfileConflict,
		"https://agent.example/Profile?v=1":           agents.ErrProfileConflict,
		"https://agent.example:8443/profile?v=1":      agents.ErrProfileConflict,
		"http://agent.example/profile?v=1":            agents.ErrProfileConflict,
		"https://agent.example.evil.test/profile?v=1": agents.ErrProfileConflict,
		"https://evil.test/https://agent.example/":    agents.ErrProfileConflict,
		"not a URL": agents.ErrProfileConflict,
		"":          agents.ErrProfileConflict,
	} {
		if err := bound.CheckProfile(profile); !errors.Is(err, want) {
			t.Errorf("CheckProfile(%q) = %v, want %v", profile, err, want)
		}
	}
	if err := (agents.Agent{}).CheckProfile("https://any.example/"); err != nil {
		t.Errorf("an agent bound to no profile: %v", err)
	}
}
