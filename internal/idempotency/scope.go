package idempotency

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// Scope is what an idempotency key belongs to: the same key of another agent,
// for another operation or on another resource is another key.
type Scope struct {
	Agent     string // who calls; never empty
	Operation string // what is called, such as "complete_checkout"; never empty
	Resource  string // on what, such as the id of a checkout; may be empty
	Key       string // the caller's key: opaque, 1 to MaxKey bytes
}

// Fingerprint identifies a payload.
type Fingerprint [sha256.Size]byte

// Sum returns the fingerprint of a payload in a form that is the same for every
// retry: without what a retry may change, such as a JSON-RPC id.
func Sum(canonical []byte) Fingerprint { return sha256.Sum256(canonical) }

// storeKey returns the key of the record, which reveals none of the parts.
func (s Scope) storeKey() (string, error) {
	if len(s.Key) == 0 || len(s.Key) > MaxKey {
		return "", ErrKey
	}
	if s.Agent == "" || s.Operation == "" {
		return "", errors.New("idempotency: a scope needs an agent and an operation")
	}
	hash := sha256.New()
	for _, part := range []string{s.Agent, s.Operation, s.Resource, s.Key} {
		// The lengths keep ("ab", "c") and ("a", "bc") apart.
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		hash.Write([]byte(part))
	}
	return "idempotency/" + base64.RawURLEncoding.EncodeToString(hash.Sum(nil)), nil
}
