package caddymodule_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// verifier is an http.RoundTripper that verifies the signatures of every answer on
// a protocol path with the keys in the shop's profile.
type verifier struct {
	t    testing.TB
	base http.RoundTripper

	mu   sync.Mutex
	keys map[string][]byte // the JSON array of them, by host
}

func (v *verifier) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := v.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	protocol := func(path string) bool { return strings.HasPrefix(r.URL.Path, path) }
	if !protocol("/api/ucp/v1") && !protocol("/ucp/mcp") && r.URL.Path != "/mcp" && !protocol("/mcp/") && !protocol("/.well-known/ucp") {
		return response, nil
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if err := response.Body.Close(); err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	if err := v.verify(r, response, body); err != nil {
		v.t.Errorf("%s %s: HTTP %d: %v", r.Method, r.URL.Path, response.StatusCode, err)
	}
	return response, nil
}

func (v *verifier) verify(r *http.Request, response *http.Response, body []byte) error {
	if control := response.Header.Get("Cache-Control"); !strings.Contains(control, "no-transform") {
		return fmt.Errorf("Cache-Control is %q, which lets others transform the body", control)
	}
	keys, err := v.published(r)
	if err != nil {
		return err
	}
	if err := verifyFirst(keys, r, response, body); err != nil {
		return fmt.Errorf("sig1: %w", err)
	}
	if err := verifySecond(keys, r, response, body); err != nil {
		return fmt.Errorf("sig2: %w", err)
	}
	return nil
}

// verifyFirst verifies sig1 by hand: it covers what the public documentation
// promises, which strict verifiers refuse.
func verifyFirst(keys []byte, r *http.Request, response *http.Response, body []byte) error {
	lines := []string{
		`"@status": ` + strconv.Itoa(response.StatusCode),
		`"@authority": ` + strings.ToLower(strings.TrimSuffix(hostOf(r), ":80")),
		`"@path": ` + r.URL.EscapedPath(),
	}
	covered := `"@status" "@authority" "@path"`
	if len(body) > 0 {
		sum := sha256.Sum256(body)
		digest := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
		lines = append(lines, `"content-digest": `+digest, `"content-type": `+response.Header.Get("Content-Type"))
		covered += ` "content-digest" "content-type"`
	}
	params, ok := strings.CutPrefix(member(response.Header.Get("Signature-Input"), "sig1"), "sig1=")
	if !ok || !strings.HasPrefix(params, "("+covered+");created=") {
		return fmt.Errorf("it covers %s, want %s", params, covered)
	}
	_, keyID, _ := strings.Cut(params, `;keyid="`)
	encoded := strings.Trim(strings.TrimPrefix(member(response.Header.Get("Signature"), "sig1"), "sig1="), ":")
	signature, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(signature) != 64 {
		return fmt.Errorf("it is no 64 bytes: %w", err)
	}
	key, err := publicKey(keys, strings.TrimSuffix(keyID, `"`))
	if err != nil {
		return err
	}
	base := sha256.Sum256([]byte(strings.Join(append(lines, `"@signature-params": `+params), "\n")))
	if !ecdsa.Verify(key, base[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return errors.New("it does not verify")
	}
	return nil
}

// publicKey finds a key by its kid.
func publicKey(keys []byte, kid string) (*ecdsa.PublicKey, error) {
	for _, key := range gjson.ParseBytes(keys).Array() {
		if key.Get("kid").String() != kid {
			continue
		}
		point := []byte{4}
		for _, name := range []string{"x", "y"} {
			part, err := base64.RawURLEncoding.DecodeString(key.Get(name).String())
			if err != nil {
				return nil, err
			}
			point = append(point, part...)
		}
		return ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	}
	return nil, fmt.Errorf("the profile has no key %q", kid)
}

// verifySecond verifies sig2 as everybody would.
func verifySecond(keys []byte, r *http.Request, response *http.Response, body []byte) error {
	parsed, err := httpsig.ParseKeys(keys)
	if err != nil {
		return err
	}
	header := response.Header.Clone()
	for _, name := range []string{"Signature", "Signature-Input"} {
		header.Set(name, member(header.Get(name), "sig2"))
	}
	check := httpsig.Verifier{Now: time.Now, Keys: func(context.Context, string, bool) ([]httpsig.Key, error) { return parsed, nil }}
	verified, err := check.VerifyResponse(r.Context(), &httpsig.Response{
		Status: response.StatusCode, Header: header, Body: body, Request: httpsig.RequestOf(r, nil),
	})
	if err != nil {
		return err
	}
	covered := strings.Join(verified.Components, " ")
	if !strings.Contains(covered, `"@authority";req`) || !strings.Contains(covered, `"@path";req`) {
		return fmt.Errorf("it covers %s alone", covered)
	}
	return nil
}

// member returns one member of a structured dictionary as it stands.
func member(field, label string) string {
	for part := range strings.SplitSeq(field, ", ") {
		if strings.HasPrefix(part, label+"=") {
			return part
		}
	}
	return ""
}

func hostOf(r *http.Request) string {
	if r.Host != "" {
		return r.Host
	}
	return r.URL.Host
}

// published returns the keys in the profile of the host that was called.
func (v *verifier) published(r *http.Request) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	host := hostOf(r)
	if keys, ok := v.keys[host]; ok {
		return keys, nil
	}
	address := *r.URL
	address.Path, address.RawPath, address.RawQuery = "/.well-known/ucp", "", ""
	request, err := http.NewRequestWithContext(r.Context(), http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Host = host
	response, err := v.base.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	profile, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if v.keys == nil {
		v.keys = map[string][]byte{}
	}
	v.keys[host] = []byte(gjson.GetBytes(profile, "keys").Raw)
	return v.keys[host], nil
}
