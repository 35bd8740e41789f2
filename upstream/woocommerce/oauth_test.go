package woocommerce

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/storeware/caddy-storeware/internal/secret"
)

// The signature is the one that a real shop took, over plain HTTP, where it takes
// nothing else.
func TestTrapSignatureOverHTTP(t *testing.T) {
	r := recorded(t, "407-v3-oauth1a-http")
	if r.Response.Status != http.StatusOK {
		t.Fatal("the recorded shop did not take it")
	}
	u, err := url.Parse(r.Request.Path)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	want := query.Get("oauth_signature")
	query.Del("oauth_signature")
	c := credentials{key: secret.New("ck_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"), secret: secret.New("cs_b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2")}
	if got := c.signature(http.MethodGet, "http://127.0.0.1:8093"+u.Path, query); got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
}

// What is signed is escaped as RFC 5849 wants it and not as a form is.
func TestSignatureEscapes(t *testing.T) {
	for text, want := range map[string]string{"a b": "a%20b", "a+b": "a%2Bb", "~-._": "~-._", "ö": "%C3%B6", "*": "%2A", "/": "%2F"} {
		if got := percent(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
