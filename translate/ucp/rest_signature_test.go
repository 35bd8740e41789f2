package ucp

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// sign signs a request with the platform's key.
func (d *desk) sign(r *http.Request, body string) {
	d.t.Helper()
	if err := d.signer.SignRequest(httpsig.RequestOf(r, []byte(body)), httpsig.RequestOptions{}); err != nil {
		d.t.Fatal(err)
	}
}

func TestRESTSignatures(t *testing.T) {
	for name, test := range map[string]struct {
		// change breaks a signed request.
		change func(*http.Request)
		status int
		code   httpsig.Code
	}{
		"a good one":       {func(*http.Request) {}, 201, "valid"},
		"another header":   {func(r *http.Request) { r.Header.Set("Accept", "*/*") }, 201, "valid"},
		"another key":      {func(r *http.Request) { r.Header.Set("Idempotency-Key", "other") }, 401, httpsig.SignatureInvalid},
		"another profile":  {func(r *http.Request) { r.Header.Set("UCP-Agent", fmt.Sprintf("a=1, profile=%q", wholeURL)) }, 401, httpsig.SignatureInvalid},
		"another digest":   {func(r *http.Request) { r.Header.Set("Content-Digest", httpsig.ContentDigest([]byte("x"))) }, 400, httpsig.DigestMismatch},
		"an unknown key":   {func(r *http.Request) { replace(r, "Signature-Input", "platform-1", "platform-2") }, 401, httpsig.KeyNotFound},
		"fewer components": {func(r *http.Request) { replace(r, "Signature-Input", `"@path" `, "") }, 401, httpsig.SignatureInvalid},
		"no signature":     {func(r *http.Request) { r.Header.Del("Signature") }, 401, httpsig.SignatureMissing},
		"unsigned":         {func(r *http.Request) { r.Header.Del("Signature"); r.Header.Del("Signature-Input") }, 201, "none"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			r := d.request("scout", "POST", "/carts?x=1", oneBoot)
			r.Header.Set("Idempotency-Key", "k")
			d.sign(r, oneBoot)
			test.change(r)
			got := d.send(r)
			if got.StatusCode != test.status {
				t.Fatalf("got %d %s", got.StatusCode, got.text)
			}
			if event := d.event(); event.Signature != string(test.code) {
				t.Errorf("event %+v", event)
			}
			if test.status >= 400 && (got.json.Get("code").Str != string(test.code) || len(d.ledger.baskets) > 0) {
				t.Errorf("got %s with %d baskets", got.text, len(d.ledger.baskets))
			}
		})
	}
}

func replace(r *http.Request, name, old, new string) {
	r.Header.Set(name, strings.Replace(r.Header.Get(name), old, new, 1))
}

// A signature by a key that the cached profile lacks makes it be read once more.
func TestRESTRefreshesTheProfile(t *testing.T) {
	var refreshed int
	d := newDesk(t, func(d *desk) {
		d.rest.Profiles = &rotating{Profiles: d.rest.Profiles, refreshed: &refreshed}
	})
	r := d.request("scout", "POST", "/carts", oneBoot)
	d.sign(r, oneBoot)
	if got := d.send(r); got.StatusCode != http.StatusCreated || refreshed != 1 {
		t.Errorf("got %d after %d refreshes: %s", got.StatusCode, refreshed, got.text)
	}
}

// rotating are profiles whose keys show only after a refresh.
type rotating struct {
	Profiles
	refreshed *int
}

func (p *rotating) Platform(ctx context.Context, url string, refresh bool) (*Platform, error) {
	platform, err := p.Profiles.Platform(ctx, url, refresh)
	if err != nil || refresh {
		*p.refreshed++
		return platform, err
	}
	stale := *platform
	stale.Keys = nil
	return &stale, nil
}
