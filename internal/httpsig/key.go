package httpsig

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/lestrrat-go/jwx/v3/jwk"
)

// Algorithm is a signature algorithm by its JWA name.
type Algorithm string

// The supported algorithms.
const (
	ES256 Algorithm = "ES256" // ECDSA on P-256 with SHA-256
	EdDSA Algorithm = "EdDSA" // Ed25519
)

// registered is the algorithm's name in the registry of RFC 9421, which an
// "alg" parameter would carry.
func (a Algorithm) registered() string {
	if a == ES256 {
		return "ecdsa-p256-sha256"
	}
	return "ed25519"
}

// Key is a published key, usable for verification or not: a key of an unknown
// kind is kept, so that a signature by it is refused as algorithm_unsupported
// and not as key_not_found. [NewKey] and [ParseKeys] make keys.
type Key struct {
	id         string
	algorithm  Algorithm        // empty when unusable
	public     crypto.PublicKey // *ecdsa.PublicKey or ed25519.PublicKey
	thumbprint string

	faultCode Code // set when unusable
	fault     string
}

// NewKey is a usable key: an *ecdsa.PublicKey on P-256 or an ed25519.PublicKey.
func NewKey(id string, public crypto.PublicKey) (Key, error) {
	algorithm, err := algorithmOf(public)
	if err != nil {
		return Key{}, err
	}
	thumbprint, err := Thumbprint(public)
	if err != nil {
		return Key{}, err
	}
	return Key{id: id, algorithm: algorithm, public: public, thumbprint: thumbprint}, nil
}

// ID is the key's kid.
func (k Key) ID() string { return k.id }

// Algorithm is how the key verifies; empty when it is unusable.
func (k Key) Algorithm() Algorithm { return k.algorithm }

// verify checks a signature of rawSize bytes with a usable key.
func (k Key) verify(base, signature []byte) bool {
	switch public := k.public.(type) {
	case *ecdsa.PublicKey:
		return verifyES256(public, base, signature)
	case ed25519.PublicKey:
		return ed25519.Verify(public, base, signature)
	}
	return false
}

// Keys finds the published keys of the message's signer, for instance those in
// the profile that its UCP-Agent field names. It may return more keys than the
// one asked for. With refresh it must look past its cache; a [Verifier] asks
// for that once per message at most, when keyID was not among the keys it got
// before. The source itself bounds how often it really fetches: UCP allows one
// forced refresh per minute and origin.
type Keys func(ctx context.Context, keyID string, refresh bool) ([]Key, error)

// algorithmOf says how a public key verifies.
func algorithmOf(public crypto.PublicKey) (Algorithm, error) {
	switch key := public.(type) {
	case *ecdsa.PublicKey:
		if key.Curve != elliptic.P256() {
			return "", errors.New("the EC key is not on P-256")
		}
		return ES256, nil
	case ed25519.PublicKey:
		if len(key) != ed25519.PublicKeySize {
			return "", errors.New("the Ed25519 key has a wrong length")
		}
		return EdDSA, nil
	}
	return "", fmt.Errorf("a %T cannot sign or verify messages", public)
}

// Thumbprint is the RFC 7638 SHA-256 thumbprint of a public key, in base64url:
// a good kid, and the one that Web Bot Auth demands.
func Thumbprint(public crypto.PublicKey) (string, error) {
	key, err := jwk.Import(public)
	if err != nil {
		return "", fmt.Errorf("importing the public key: %w", err)
	}
	sum, err := key.Thumbprint(crypto.SHA256)
	if err != nil {
		return "", fmt.Errorf("computing the key's thumbprint: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(sum), nil
}
