package caddymodule

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// signAnswer sends an answer and verifies sig2 of what was sent.
func signAnswer(t *testing.T, method string, write func(http.ResponseWriter)) (*http.Response, error) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := httpsig.NewSigner(private, "k", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(method, "https://shop.example/api/ucp/v1/carts?x=1", nil)
	a := newAnswer()
	defer a.free()
	write(a)
	recorder := httptest.NewRecorder()
	if err := a.send(recorder, r, clientOf(r), signer); err != nil {
		return nil, err
	}
	response := recorder.Result()
	key, err := httpsig.NewKey("k", private.Public())
	if err != nil {
		t.Fatal(err)
	}
	header := response.Header.Clone()
	for _, name := range []string{"Signature", "Signature-Input"} {
		_, second, _ := strings.Cut(header.Get(name), ", ")
		header.Set(name, second)
	}
	verifier := httpsig.Verifier{Now: time.Now, Keys: func(context.Context, string, bool) ([]httpsig.Key, error) {
		return []httpsig.Key{key}, nil
	}}
	_, err = verifier.VerifyResponse(t.Context(), &httpsig.Response{
		Status: response.StatusCode, Header: header, Body: recorder.Body.Bytes(),
		Request: &httpsig.Request{Scheme: "https", Authority: "shop.example", Target: "/api/ucp/v1/carts?x=1"},
	})
	if err != nil {
		t.Errorf("the signature: %v", err)
	}
	return response, nil
}

func TestAnswersAreSigned(t *testing.T) {
	writeJSON := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"a":`))
		_, _ = w.Write([]byte(`1}`))
	}
	status := func(status int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { w.WriteHeader(status) }
	}
	for name, test := range map[string]struct {
		method string
		write  func(http.ResponseWriter)
		status int
		length string
		digest bool
	}{
		"a body in pieces": {http.MethodGet, writeJSON, 200, "7", true},
		"HEAD":             {http.MethodHead, writeJSON, 200, "7", false},
		"nothing written":  {http.MethodGet, func(http.ResponseWriter) {}, 200, "0", false},
		"no content":       {http.MethodOptions, status(204), 204, "", false},
		"not modified":     {http.MethodGet, status(304), 304, "", false},
		"the first status counts": {http.MethodGet, func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusNotFound)
			w.WriteHeader(http.StatusOK)
		}, 404, "0", false},
		"what another has signed before": {http.MethodGet, func(w http.ResponseWriter) {
			w.Header().Set("Signature", "sig1=:AAAA:")
			w.Header().Set("Content-Digest", "sha-256=:AAAA:")
			writeJSON(w)
		}, 200, "7", true},
	} {
		t.Run(name, func(t *testing.T) {
			response, err := signAnswer(t, test.method, test.write)
			if err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != test.status {
				t.Errorf("status %d, want %d", response.StatusCode, test.status)
			}
			if got := response.Header.Get("Content-Length"); got != test.length {
				t.Errorf("Content-Length %q, want %q", got, test.length)
			}
			if got := response.Header.Get("Cache-Control"); got != "no-transform" {
				t.Errorf("Cache-Control %q", got)
			}
			if got := response.Header.Get("Content-Digest") != ""; got != test.digest {
				t.Errorf("it has a digest: %t, want %t", got, test.digest)
			}
		})
	}
}

func TestAnswersThatCannotBeSigned(t *testing.T) {
	for name, write := range map[string]func(http.ResponseWriter){
		"a body without a type": func(w http.ResponseWriter) { _, _ = w.Write([]byte("x")) },
		"a body that is too long": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/plain")
			for range maxAnswer/(1<<20) + 1 {
				_, _ = w.Write(make([]byte, 1<<20))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := signAnswer(t, http.MethodGet, write); err == nil {
				t.Error("it was sent")
			}
		})
	}
}

func TestKeepWhole(t *testing.T) {
	for control, want := range map[string]string{
		"":                      "no-transform",
		"no-store":              "no-store, no-transform",
		"public, No-Transform":  "public, No-Transform",
		"public, max-age=60":    "public, max-age=60, no-transform",
		"x-no-transform":        "x-no-transform, no-transform",
		"no-store,no-transform": "no-store,no-transform",
	} {
		header := http.Header{}
		if control != "" {
			header.Set("Cache-Control", control)
		}
		keepWhole(header)
		if got := header.Get("Cache-Control"); got != want {
			t.Errorf("%q became %q, want %q", control, got, want)
		}
	}
}
