package basket

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// idPrefix says what an id is to a person who reads it in a log.
const idPrefix = "bsk_"

// idEncoding writes random bytes in small letters and digits.
var idEncoding = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// randomName returns 160 random bits: more than anybody guesses.
func randomName() string {
	var b [20]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	return idEncoding.EncodeToString(b[:])
}

// validID reports whether id could be one of ours. It keeps what a stranger
// wrote out of the keys of the store.
func validID(id string) bool {
	name, ok := strings.CutPrefix(id, idPrefix)
	if !ok || len(name) != 32 {
		return false
	}
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < '2' || c > '9') {
			return false
		}
	}
	return true
}
