package httpsig

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"testing"
)

func TestContentDigest(t *testing.T) {
	// RFC 9530 Appendix B.1: {"hello": "world"} and a line feed.
	const want = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
	if got := ContentDigest([]byte("{\"hello\": \"world\"}\n")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestVerifyDigest(t *testing.T) {
	body := []byte(`{"id":"chk_123"}`)
	sum256, sum512 := sha256.Sum256(body), sha512.Sum512(body)
	sha256Member := "sha-256=:" + base64.StdEncoding.EncodeToString(sum256[:]) + ":"
	sha512Member := "sha-512=:" + base64.StdEncoding.EncodeToString(sum512[:]) + ":"
	wrong256 := ContentDigest([]byte("another body"))
	tests := []struct {
		name  string
		field []string
		ok    bool
	}{
		{"sha-256", []string{sha256Member}, true},
		{"sha-512", []string{sha512Member}, true},
		{"both", []string{sha256Member + ", " + sha512Member}, true},
		{"both, on two lines", []string{sha256Member, sha512Member}, true},
		{"an unknown one beside it", []string{"md5=:AAAA:, " + sha256Member}, true},
		{"with parameters", []string{sha256Member + ";x=1"}, true},
		{"wrong", []string{wrong256}, false},
		{"one right, one wrong", []string{sha512Member + ", " + wrong256}, false},
		{"one wrong, one right", []string{wrong256 + ", " + sha512Member}, false},
		{"unknown only", []string{"md5=:AAAA:"}, false},
		{"truncated", []string{"sha-256=:AAAA:"}, false},
		{"a string", []string{`sha-256="AAAA"`}, false},
		{"a list", []string{`sha-256=(:AAAA:)`}, false},
		{"a flag", []string{`sha-256`}, false},
		{"no dictionary", []string{`SHA-256=AAAA`}, false},
		{"empty", []string{""}, false},
		{"absent", nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := VerifyDigest(test.field, body)
			if test.ok {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var refusal *Error
			if !errors.As(err, &refusal) || refusal.Code != DigestMismatch {
				t.Errorf("got %v, want an Error with code %s", err, DigestMismatch)
			}
		})
	}
}
