package httpsig

import (
	"bytes"
	"net/http"
	"testing"
)

// BenchmarkSignResponse signs a 10 kB answer twice, as every answer is. Nearly
// all of it is crypto: the sub-benchmarks ES256 and SHA256 show how much.
func BenchmarkSignResponse(b *testing.B) {
	signer, key := eccSigner(b), eccKey(b)
	resp := found()
	resp.Body = bytes.Repeat([]byte("0123456789"), 1000)
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resp.Header = http.Header{"Content-Type": {"application/json"}}
			if err := signer.SignResponse(resp); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("ES256", func(b *testing.B) {
		b.ReportAllocs()
		base := []byte("base")
		for b.Loop() {
			if _, err := signES256(key, base); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("SHA256", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ContentDigest(resp.Body)
		}
	})
}

func BenchmarkVerifyRequest(b *testing.B) {
	for name, signer := range map[string]*Signer{"ES256": eccSigner(b), "Ed25519": edSigner(b)} {
		b.Run(name, func(b *testing.B) {
			r := signed(b, signer, createCheckout(), RequestOptions{})
			verifier := verifierOf(publicKeys(b)...)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := verifier.VerifyRequest(b.Context(), r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
