package agents

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/storeware/caddy-storeware/internal/secret"
)

// An agent key is "swa_", 32 random letters and digits (190 bits), and a checksum
// of all that: the CRC-32 (IEEE) in base 62, in 6 digits. The fixed form lets
// secret scanners find lost keys (`swa_[0-9A-Za-z]{38}`) and lets a mistyped key
// be told apart without a look-up.
const (
	keyPrefix      = "swa_"
	keyRandom      = 32
	keyChecksum    = 6
	keyLength      = len(keyPrefix) + keyRandom + keyChecksum
	base62         = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	hashPrefix     = "sha256:"
	acceptedRandom = 256 - 256%len(base62)
)

// NewKey returns a new random agent key.
func NewKey() secret.String {
	key := make([]byte, 0, keyLength)
	key = append(key, keyPrefix...)
	var buffer [keyRandom]byte
	for len(key) < len(keyPrefix)+keyRandom {
		// It never fails (crypto/rand, since Go 1.24).
		rand.Read(buffer[:])
		for _, b := range buffer {
			// The bytes beyond the last multiple of 62 would favour some digits.
			if int(b) < acceptedRandom && len(key) < len(keyPrefix)+keyRandom {
				key = append(key, base62[int(b)%len(base62)])
			}
		}
	}
	return secret.New(string(key) + checksum(string(key)))
}

// isKey reports whether s has the form of a key and the right checksum.
func isKey(s string) bool {
	if len(s) != keyLength || !strings.HasPrefix(s, keyPrefix) {
		return false
	}
	body, sum := s[:keyLength-keyChecksum], s[keyLength-keyChecksum:]
	return strings.Trim(body[len(keyPrefix):], base62) == "" && sum == checksum(body)
}

// checksum returns the last digits of the key that begins with body.
func checksum(body string) string {
	var digits [keyChecksum]byte
	rest := crc32.ChecksumIEEE([]byte(body))
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = base62[rest%uint32(len(base62))]
		rest /= uint32(len(base62))
	}
	return string(digits[:])
}

// Hash is the SHA-256 of a key. Its text is "sha256:" and 64 hexadecimal digits.
type Hash [sha256.Size]byte

// HashKey returns the hash under which a key is kept.
func HashKey(key secret.String) Hash { return sha256.Sum256([]byte(key.Reveal())) }

// ParseHash reads the text of a hash. The error wraps ErrInvalid, and does not
// repeat the text, lest someone gave the key itself.
func ParseHash(text string) (Hash, error) {
	digits, ok := strings.CutPrefix(text, hashPrefix)
	var h Hash
	if !ok || len(digits) != hex.EncodedLen(len(h)) {
		return Hash{}, fmt.Errorf("key hash is not %q and %d hexadecimal digits: %w", hashPrefix, hex.EncodedLen(len(h)), ErrInvalid)
	}
	if _, err := hex.Decode(h[:], []byte(digits)); err != nil {
		return Hash{}, fmt.Errorf("key hash is not hexadecimal: %w", ErrInvalid)
	}
	return h, nil
}

// String returns the text of the hash.
func (h Hash) String() string { return hashPrefix + hex.EncodeToString(h[:]) }

// MarshalText implements encoding.TextMarshaler.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hash) UnmarshalText(text []byte) (err error) {
	*h, err = ParseHash(string(text))
	return err
}
