package httpsig

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func signedResponse(t testing.TB, resp *Response) *Response {
	t.Helper()
	if err := eccSigner(t).SignResponse(resp); err != nil {
		t.Fatal(err)
	}
	return resp
}

// TestVerifyResponse: of our two signatures a strict verifier takes sig2.
func TestVerifyResponse(t *testing.T) {
	bodiless := found()
	bodiless.Body, bodiless.Header = nil, http.Header{}
	spaced := found()
	spaced.Header["Content-Type"] = []string{" application/json", "charset=utf-8\t"}
	spaced.Request.Target = "/caf\xc3\xa9"
	tests := []struct {
		name     string
		response *Response
		covered  []string
	}{
		{"with a body", found(), []string{`"@status"`, `"@authority";req`, `"@path";req`, `"content-digest"`, `"content-type"`}},
		{"with odd fields", spaced, []string{`"@status"`, `"@authority";req`, `"@path";req`, `"content-digest"`, `"content-type"`}},
		{"without", bodiless, []string{`"@status"`, `"@authority";req`, `"@path";req`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := verifierOf(publicKeys(t)...).VerifyResponse(t.Context(), signedResponse(t, test.response))
			if err != nil {
				t.Fatal(err)
			}
			if got.Label != "sig2" || got.Key.ID() != "ecc" || !got.Created.Equal(testNow()) {
				t.Errorf("got %+v", got)
			}
			if diff := cmp.Diff(test.covered, got.Components); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestResponseRefusals(t *testing.T) {
	tests := []struct {
		name   string
		spoil  func(*Response)
		code   Code
		reason string
	}{
		{"another body", func(r *Response) { r.Body = []byte("{}") }, DigestMismatch, "digest"},
		{"another status", func(r *Response) { r.Status = 201 }, SignatureInvalid, "does not verify"},
		{"another endpoint", func(r *Response) { r.Request.Target = "/api/ucp/v1/catalog/lookup" }, SignatureInvalid, "does not verify"},
		{"another shop", func(r *Response) { r.Request.Authority = "other.example" }, SignatureInvalid, "does not verify"},
		{"the request forgotten", func(r *Response) { r.Request = nil }, SignatureInvalid, "cannot be built"},
		{"the first signature alone", func(r *Response) {
			first, _, _ := strings.Cut(r.Header.Get("Signature-Input"), ", sig2=")
			r.Header.Set("Signature-Input", first)
		}, SignatureInvalid, "a response has no such component"},
		{"status not covered", func(r *Response) {
			r.Header.Set("Signature-Input", strings.ReplaceAll(r.Header.Get("Signature-Input"), `"@status" `, ""))
		}, SignatureInvalid, "cover @status"},
		{"digest not covered", func(r *Response) {
			r.Header.Set("Signature-Input", strings.ReplaceAll(r.Header.Get("Signature-Input"), ` "content-digest"`, ""))
		}, SignatureInvalid, "cover content-digest"},
		{"the request's digest covered instead", func(r *Response) {
			r.Header.Set("Signature-Input", strings.ReplaceAll(r.Header.Get("Signature-Input"), `"content-digest"`, `"content-digest";req`))
		}, SignatureInvalid, "cover content-digest"},
		{"type not covered", func(r *Response) {
			r.Header.Set("Signature-Input", strings.ReplaceAll(r.Header.Get("Signature-Input"), ` "content-type"`, ""))
		}, SignatureInvalid, "cover content-type"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			resp := signedResponse(t, found())
			test.spoil(resp)
			_, err := verifierOf(publicKeys(t)...).VerifyResponse(t.Context(), resp)
			wantRefusal(t, err, test.code, test.reason)
		})
	}
}

// TestRequestOf compares what a client signs with what a server sees of it.
func TestRequestOf(t *testing.T) {
	for _, url := range []string{
		"http://127.0.0.1:8080/api/ucp/v1/checkout-sessions/chk%2F1?q=a%20b",
		"http://shop.example", "http://shop.example/", "http://shop.example:80/a/", "http://shop.example/?",
	} {
		out, err := http.NewRequest("", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		var sent strings.Builder
		if err := out.Write(&sent); err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(sent.String(), "\r\n\r\n")
		in := readRequest(t, "\n"+strings.ReplaceAll(head, "\r\n", "\n")+"\n\n")
		client, server := RequestOf(out, nil), in
		for _, name := range []string{"@method", "@authority", "@scheme", "@path", "@query", "@target-uri", "@request-target"} {
			c := component{name: name}
			sent, err := client.value(&c)
			if err != nil {
				t.Fatal(err)
			}
			got, err := server.value(&c)
			if err != nil {
				t.Fatal(err)
			}
			if sent != got {
				t.Errorf("%s: %s is %q for the client and %q for the server", url, name, sent, got)
			}
		}
	}
}
