package httpsig

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/sha256"
	"encoding/asn1"
	"errors"
	"math/big"
)

// rawSize is the length in bytes of both kinds of signature: r||s on P-256
// and R||S on edwards25519.
const rawSize = 64

// signES256 signs deterministically (RFC 6979) and gives r||s, each of 32
// bytes, big-endian (RFC 9421 section 3.3.4).
func signES256(key *ecdsa.PrivateKey, base []byte) ([rawSize]byte, error) {
	digest := sha256.Sum256(base)
	der, err := key.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		return [rawSize]byte{}, err
	}
	return rawFromDER(der)
}

// rawFromDER turns SEQUENCE { INTEGER r, INTEGER s }, as crypto/ecdsa writes it
// for P-256, into r||s. It does so by hand to stay free of reflection.
func rawFromDER(der []byte) ([rawSize]byte, error) {
	var raw [rawSize]byte
	// At most 70 bytes follow, so every length has the short form.
	if len(der) < 2 || der[0] != 0x30 || int(der[1]) != len(der)-2 {
		return raw, errors.New("the ECDSA signature is not a DER sequence")
	}
	rest := der[2:]
	for half := range 2 {
		if len(rest) < 2 || rest[0] != 0x02 || int(rest[1]) > len(rest)-2 {
			return raw, errors.New("the ECDSA signature does not hold two DER integers")
		}
		n := rest[2 : 2+rest[1]]
		rest = rest[2+rest[1]:]
		for len(n) > 0 && n[0] == 0 { // the sign octet
			n = n[1:]
		}
		if len(n) > rawSize/2 {
			return raw, errors.New("the ECDSA signature is not one on P-256")
		}
		copy(raw[(half+1)*rawSize/2-len(n):], n)
	}
	if len(rest) != 0 {
		return raw, errors.New("the ECDSA signature has bytes after its end")
	}
	return raw, nil
}

// verifyES256 checks r||s. The signature must have rawSize bytes.
func verifyES256(key *ecdsa.PublicKey, base, signature []byte) bool {
	digest := sha256.Sum256(base)
	r := new(big.Int).SetBytes(signature[:rawSize/2])
	s := new(big.Int).SetBytes(signature[rawSize/2:])
	return ecdsa.Verify(key, digest[:], r, s)
}

// isDER recognizes the encoding that most cryptographic libraries produce by
// default, to tell their users what went wrong.
func isDER(signature []byte) bool {
	var integers struct{ R, S *big.Int }
	rest, err := asn1.Unmarshal(signature, &integers)
	return err == nil && len(rest) == 0
}
