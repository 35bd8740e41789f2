package httpsig

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"
)

// byteSequence is a structured byte sequence.
func byteSequence(b []byte) string { return ":" + base64.StdEncoding.EncodeToString(b) + ":" }

// eachByte gives s with each of its bytes changed in turn, in one bit that
// keeps letters letters and one that does not.
func eachByte(s string, yield func(string)) {
	for i := range len(s) {
		for _, bit := range []byte{0x01, 0x10} {
			b := []byte(s)
			b[i] ^= bit
			yield(string(b))
		}
	}
}

// mustRefuse fails when a changed message verifies. A change may also make the
// message look unsigned, for no signature is left to believe.
func mustRefuse(t *testing.T, what string, err error) {
	t.Helper()
	var refusal *Error
	if !errors.As(err, &refusal) && !errors.Is(err, ErrUnsigned) {
		t.Errorf("%s: got error %v, want a refusal", what, err)
	}
}

// TestEveryByteOfARequestCounts changes each byte of whatever is covered.
func TestEveryByteOfARequestCounts(t *testing.T) {
	for name, signer := range map[string]*Signer{"ES256": eccSigner(t), "Ed25519": edSigner(t)} {
		t.Run(name, func(t *testing.T) {
			verifier := verifierOf(publicKeys(t)...)
			original := signed(t, signer, createCheckout(), RequestOptions{Lifetime: 1e9})
			check := func(what string, r *Request) {
				t.Helper()
				_, err := verifier.VerifyRequest(t.Context(), r)
				mustRefuse(t, what, err)
			}
			eachByte(original.Method, func(s string) {
				r := cloneRequest(original)
				r.Method = s
				check("method "+s, r)
			})
			eachByte(original.Authority, func(s string) {
				r := cloneRequest(original)
				r.Authority = s
				check("authority "+s, r)
			})
			eachByte(original.Target, func(s string) {
				r := cloneRequest(original)
				r.Target = s
				check("target "+s, r)
			})
			eachByte(string(original.Body), func(s string) {
				r := cloneRequest(original)
				r.Body = []byte(s)
				check("body "+s, r)
			})
			for field := range original.Header {
				eachByte(original.Header.Get(field), func(s string) {
					r := cloneRequest(original)
					r.Header.Set(field, s)
					if equivalent(original.Header.Get(field), s) {
						return
					}
					check(field+": "+s, r)
				})
			}
		})
	}
}

// equivalent says whether two field values are the same structured value: a
// change of the padding bits in base64, or of a blank into a tab, is none.
func equivalent(a, b string) bool {
	canonical := func(s string) string {
		var out strings.Builder
		for i, part := range strings.Split(strings.ReplaceAll(s, "\t", " "), ":") {
			if raw, err := base64.StdEncoding.DecodeString(part); err == nil && i%2 == 1 {
				part = string(raw)
			}
			out.WriteString(part + "|")
		}
		return out.String()
	}
	return canonical(a) == canonical(b)
}

// TestEveryByteOfAResponseCounts does the same for an answer and for the parts
// of the request that sig2 binds it to.
func TestEveryByteOfAResponseCounts(t *testing.T) {
	verifier := verifierOf(publicKeys(t)...)
	fresh := func() *Response {
		resp := found()
		if err := eccSigner(t).SignResponse(resp); err != nil {
			t.Fatal(err)
		}
		return resp
	}
	check := func(what string, resp *Response) {
		t.Helper()
		_, err := verifier.VerifyResponse(t.Context(), resp)
		mustRefuse(t, what, err)
	}
	for status := 100; status < 600; status++ {
		resp := fresh()
		if resp.Status == status {
			continue
		}
		resp.Status = status
		check(http.StatusText(status), resp)
	}
	original := fresh()
	eachByte(string(original.Body), func(s string) {
		resp := fresh()
		resp.Body = []byte(s)
		check("body "+s, resp)
	})
	path, _, _ := strings.Cut(original.Request.Target, "?")
	eachByte(path, func(s string) {
		resp := fresh()
		resp.Request.Target = s
		check("path "+s, resp)
	})
	eachByte("shop.example", func(s string) {
		resp := fresh()
		resp.Request.Authority = s
		if resp.Request.authority() == "shop.example" {
			return
		}
		check("authority "+s, resp)
	})
	eachByte(original.Header.Get("Content-Type"), func(s string) {
		resp := fresh()
		resp.Header.Set("Content-Type", s)
		check("type "+s, resp)
	})
}

// TestEveryBitOfASignatureCounts for both kinds of key.
func TestEveryBitOfASignatureCounts(t *testing.T) {
	verifier := verifierOf(publicKeys(t)...)
	for _, signer := range []*Signer{eccSigner(t), edSigner(t)} {
		original := signed(t, signer, createCheckout(), RequestOptions{})
		raw := parseOne(t, original.Header.Get("Signature-Input"), original.Header.Get("Signature")).signature
		for bit := range 8 * len(raw) {
			changed := append([]byte(nil), raw...)
			changed[bit/8] ^= 1 << (bit % 8)
			r := cloneRequest(original)
			r.Header.Set("Signature", "sig1="+byteSequence(changed))
			_, err := verifier.VerifyRequest(t.Context(), r)
			mustRefuse(t, "a signature with another bit", err)
		}
	}
}
