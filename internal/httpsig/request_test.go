package httpsig

import (
	"testing"
	"time"
)

// TestSignRequestWritesExactly pins the order and form of what is added.
func TestSignRequestWritesExactly(t *testing.T) {
	r := createCheckout()
	r.Header.Set("Webhook-Id", "evt_1")
	signed(t, eccSigner(t), r, RequestOptions{
		Label: "hook", Lifetime: time.Minute, Nonce: "bm9uY2U", Tag: "web-bot-auth",
		Components: append(RequiredComponents(r), "webhook-id", `"ucp-agent";key="profile"`),
	})
	want := `hook=("@method" "@authority" "@path" "@query" "ucp-agent" "idempotency-key" "content-digest" "content-type" ` +
		`"webhook-id" "ucp-agent";key="profile");created=1787659200;expires=1787659260;keyid="ecc";nonce="bm9uY2U";tag="web-bot-auth"`
	if got := r.Header.Get("Signature-Input"); got != want {
		t.Errorf("Signature-Input =\n%s, want\n%s", got, want)
	}
	if got, want := r.Header.Get("Content-Digest"), ContentDigest(r.Body); got != want {
		t.Errorf("Content-Digest = %s, want %s", got, want)
	}
}

func TestSignRequestRefuses(t *testing.T) {
	tests := []struct {
		name    string
		options RequestOptions
		spoil   func(*Request)
	}{
		{"an absent field", RequestOptions{Components: []string{"absent"}}, nil},
		{"a malformed component", RequestOptions{Components: []string{`"@path`}}, nil},
		{"an unknown parameter", RequestOptions{Components: []string{`"@path";x`}}, nil},
		{"a component twice", RequestOptions{Components: []string{"@path", "@path"}}, nil},
		{"no component name", RequestOptions{Components: []string{""}}, nil},
		{"a label that is no key", RequestOptions{Label: "Sig 1"}, nil},
		{"a nonce beyond ASCII", RequestOptions{Nonce: "\xff"}, nil},
		{"a label in use", RequestOptions{}, func(r *Request) { signed(t, edSigner(t), r, RequestOptions{}) }},
		{"a spoilt Signature field", RequestOptions{}, func(r *Request) { r.Header.Set("Signature", "(") }},
		{"a body without a type", RequestOptions{}, func(r *Request) { r.Header.Del("Content-Type") }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := createCheckout()
			if test.spoil != nil {
				test.spoil(r)
			}
			before := r.Header.Get("Signature-Input")
			if err := eccSigner(t).SignRequest(r, test.options); err == nil {
				t.Errorf("signed: %v", r.Header)
			}
			if after := r.Header.Get("Signature-Input"); after != before {
				t.Errorf("Signature-Input became %s though signing failed", after)
			}
		})
	}
}
