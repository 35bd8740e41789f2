package httpsig

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/lestrrat-go/jwx/v3/jwk"
)

// MaxKeys is how many keys a published set may have.
const MaxKeys = 64

// JWK is a public signing key as UCP's profile publishes it in keys[]
// (signatures.md, "Key Format"; schemas/profile.json, jwk_public_key).
type JWK struct {
	KeyID     string `json:"kid"`
	KeyType   string `json:"kty"`         // EC or OKP
	Curve     string `json:"crv"`         // P-256 or Ed25519
	X         string `json:"x"`           // base64url
	Y         string `json:"y,omitempty"` // base64url, EC only
	Use       string `json:"use,omitempty"`
	Algorithm string `json:"alg,omitempty"`
}

// PublicJWK renders an *ecdsa.PublicKey on P-256 or an ed25519.PublicKey for
// publication.
func PublicJWK(id string, public crypto.PublicKey) (JWK, error) {
	algorithm, err := algorithmOf(public)
	if err != nil {
		return JWK{}, err
	}
	out := JWK{KeyID: id, Use: "sig", Algorithm: string(algorithm)}
	switch key := public.(type) {
	case *ecdsa.PublicKey:
		point, err := key.Bytes() // 0x04, x and y
		if err != nil {
			return JWK{}, fmt.Errorf("encoding the EC key: %w", err)
		}
		half := len(point) / 2
		out.KeyType, out.Curve = "EC", "P-256"
		out.X = base64.RawURLEncoding.EncodeToString(point[1 : 1+half])
		out.Y = base64.RawURLEncoding.EncodeToString(point[1+half:])
	case ed25519.PublicKey:
		out.KeyType, out.Curve = "OKP", "Ed25519"
		out.X = base64.RawURLEncoding.EncodeToString(key)
	}
	return out, nil
}

// ParseKeys reads a JSON array of JWKs, such as the keys[] of a UCP profile.
// The vocabulary is open: a key that cannot be used for verification stays in
// the result as unusable, and one without a kid, which no signature can name,
// is left out. Only JSON that is no array of objects, or one of more than
// [MaxKeys], is an error. The caller bounds the size of data.
func ParseKeys(data []byte) ([]Key, error) {
	var entries []json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("reading the key set: %w", err)
	}
	if len(entries) > MaxKeys {
		return nil, fmt.Errorf("the key set has %d keys, more than %d", len(entries), MaxKeys)
	}
	keys := make([]Key, 0, len(entries))
	for i, entry := range entries {
		if len(entry) == 0 || entry[0] != '{' {
			return nil, fmt.Errorf("entry %d of the key set is not an object", i)
		}
		if key := parseKey(entry); key.id != "" {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// publicMembers are the members of a JWK that decide how it can be used.
type publicMembers struct {
	KeyID     string    `json:"kid"`
	KeyType   string    `json:"kty"`
	Curve     string    `json:"crv"`
	X         string    `json:"x"`
	Y         string    `json:"y"`
	Use       string    `json:"use"`
	Ops       *[]string `json:"key_ops"`
	Algorithm string    `json:"alg"`
}

// privateMembers must never appear in a published key (RFC 7518 section 6).
type privateMembers struct {
	D, P, Q, DP, DQ, QI, Oth, K json.RawMessage
}

func (m *privateMembers) any() bool {
	for _, member := range []json.RawMessage{m.D, m.P, m.Q, m.DP, m.DQ, m.QI, m.Oth, m.K} {
		if member != nil {
			return true
		}
	}
	return false
}

// parseKey reads one JWK object.
func parseKey(entry json.RawMessage) Key {
	var m publicMembers
	err := json.Unmarshal(entry, &m)
	key := Key{id: m.KeyID}
	if err != nil {
		return key.unusable(KeyNotFound, "the published key has a member of a wrong type")
	}
	var private privateMembers
	if err := json.Unmarshal(entry, &private); err != nil || private.any() {
		return key.unusable(KeyNotFound, "the published key holds private members")
	}
	if m.Use == "enc" || m.Ops != nil && !slices.Contains(*m.Ops, "verify") {
		return key.unusable(KeyNotFound, "the published key is not one for verifying signatures")
	}
	algorithm, known := map[[2]string]Algorithm{
		{"EC", "P-256"}:    ES256,
		{"OKP", "Ed25519"}: EdDSA,
	}[[2]string{m.KeyType, m.Curve}]
	if !known {
		return key.unusable(AlgorithmUnsupported, "only keys with kty EC and crv P-256, or OKP and Ed25519, are supported")
	}
	if m.Algorithm != "" && m.Algorithm != string(algorithm) {
		return key.unusable(AlgorithmUnsupported, "the published key's alg does not fit its crv")
	}
	public, err := m.public()
	if err != nil {
		return key.unusable(KeyNotFound, "the published key is malformed")
	}
	usable, err := NewKey(m.KeyID, public)
	if err != nil {
		return key.unusable(KeyNotFound, "the published key is malformed")
	}
	return usable
}

func (k Key) unusable(code Code, reason string) Key {
	k.faultCode, k.fault = code, reason
	return k
}

// public builds the key from its defining members alone, so that nothing else
// in the entry can spoil it.
func (m *publicMembers) public() (crypto.PublicKey, error) {
	data, err := json.Marshal(JWK{KeyType: m.KeyType, Curve: m.Curve, X: m.X, Y: m.Y})
	if err != nil {
		return nil, err
	}
	parsed, err := jwk.ParseKey(data)
	if err != nil {
		return nil, err
	}
	var key any
	if err := jwk.Export(parsed, &key); err != nil {
		return nil, err
	}
	return key, nil
}
