package httpsig

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"

	"github.com/dunglas/httpsfv"
)

// ContentDigest is the Content-Digest field value (RFC 9530) of a body, by
// sha-256, the only algorithm UCP allows a sender.
func ContentDigest(body []byte) string {
	sum := sha256.Sum256(body)
	return string(appendDigest(make([]byte, 0, 64), &sum))
}

// appendDigest writes a sha-256 sum as a one-member dictionary.
func appendDigest(dst []byte, sum *[sha256.Size]byte) []byte {
	dst = append(dst, "sha-256=:"...)
	dst = base64.StdEncoding.AppendEncode(dst, sum[:])
	return append(dst, ':')
}

// VerifyDigest checks a body against the values of its Content-Digest field.
// sha-256 and sha-512 are known, and every known digest listed must match;
// other algorithms are skipped, but one known digest is needed. A refusal is an
// [*Error] with code [DigestMismatch].
func VerifyDigest(field []string, body []byte) error {
	refuse := func(reason string, err error) error {
		return &Error{Code: DigestMismatch, Reason: reason, Err: err, stage: stageDigest}
	}
	if len(field) == 0 {
		return refuse("there is no Content-Digest field", nil)
	}
	dict, err := httpsfv.UnmarshalDictionary(field)
	if err != nil {
		return refuse("Content-Digest is not a structured dictionary", err)
	}
	known := false
	for _, algorithm := range dict.Names() {
		var want []byte
		switch algorithm {
		case "sha-256":
			sum := sha256.Sum256(body)
			want = sum[:]
		case "sha-512":
			sum := sha512.Sum512(body)
			want = sum[:]
		default:
			continue
		}
		known = true
		member, _ := dict.Get(algorithm)
		item, _ := member.(httpsfv.Item)
		got, ok := item.Value.([]byte)
		if !ok {
			return refuse(fmt.Sprintf("Content-Digest has no byte sequence for %s", algorithm), nil)
		}
		if !bytes.Equal(got, want) {
			return refuse(fmt.Sprintf("the body's %s digest is another one", algorithm), nil)
		}
	}
	if !known {
		return refuse("Content-Digest has neither sha-256 nor sha-512", nil)
	}
	return nil
}
