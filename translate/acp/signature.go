package acp

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"time"
)

// window is how far the time of a signature may be from now, either side.
const window = 300 * time.Second

// es256Size is the length of a signature with ES256, r and s, in bytes.
const es256Size = 64

// verify checks the signature of a request. An agent whose public key is
// registered must sign, and one without a key cannot.
//
// What is signed is the time, the method, the path and the body as it was sent,
// each on a line of its own: "timestamp\nmethod\npath\nbody". The signature is in
// base64url, made with Ed25519 or with ES256 as the raw r and s.
func (x *exchange) verify() error {
	key, err := x.agent.PublicKey()
	if err != nil {
		return fmt.Errorf("reading the agent's public key: %w", err)
	}
	if key == nil {
		x.event.Signature = "none"
		return nil
	}
	signature, stamp := x.request.Header.Get("Signature"), x.request.Header.Get("Timestamp")
	if signature == "" || stamp == "" {
		return x.unsigned(SignatureMissing, "Signature", "This agent key has a public key registered, and so every request must be signed: send Signature and Timestamp")
	}
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return x.unsigned(TimestampOutside, "Timestamp", "Timestamp must be a time of RFC 3339")
	}
	if off := x.Now().Sub(at); off.Abs() > window {
		return x.unsigned(TimestampOutside, "Timestamp", "Timestamp must be within 300 seconds of now")
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(signature, "="))
	message := fmt.Appendf(nil, "%s\n%s\n%s\n%s", stamp, x.request.Method, x.request.URL.EscapedPath(), x.body)
	if err != nil || !signs(key, message, raw) {
		return x.unsigned(SignatureInvalid, "Signature", "The signature is none of this agent key's over this request")
	}
	x.event.Signature, x.signed = "valid", message
	return nil
}

// unsigned is the refusal of a request that is not signed as it must be.
func (x *exchange) unsigned(code Code, param, text string) *Refusal {
	x.event.Signature = string(code)
	return refuse(http.StatusUnauthorized, code, param, "%s", text)
}

// signs reports whether a signature over a message is the key's.
func signs(key crypto.PublicKey, message, signature []byte) bool {
	switch key := key.(type) {
	case ed25519.PublicKey:
		return ed25519.Verify(key, message, signature)
	case *ecdsa.PublicKey:
		if len(signature) != es256Size {
			return false
		}
		digest := sha256.Sum256(message)
		r, s := new(big.Int).SetBytes(signature[:es256Size/2]), new(big.Int).SetBytes(signature[es256Size/2:])
		return ecdsa.Verify(key, digest[:], r, s)
	}
	return false
}

// signedKey names what was signed. It is not the signature: one of ES256 can be
// changed into another one of the same message.
func signedKey(message []byte) string {
	sum := sha256.Sum256(message)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
