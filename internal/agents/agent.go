package agents

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

const (
	maxName = 64
	maxShop = 255
	maxPEM  = 4 << 10
)

// Registration is what an operator says about an agent.
type Registration struct {
	// Shop is the name of the one shop that the agent may call.
	Shop string `json:"shop"`

	// Name is how the operator calls the agent: 1 to 64 ASCII letters, digits,
	// dots, hyphens and underscores, the first a letter or a digit. No two agents
	// of a shop have the same.
	Name string `json:"name"`

	// ProfileURL is the one platform profile that the agent may name; empty for
	// any. It is kept in the form that safehttp.ParseURL gives it.
	ProfileURL string `json:"profile_url,omitempty"`

	// PublicKeyPEM is the agent's public key, Ed25519 or P-256, as an SPKI in PEM;
	// empty for none. It is for protocols that register a key with the merchant:
	// UCP's signatures are checked against the platform's profile instead.
	PublicKeyPEM string `json:"public_key,omitempty"`

	// WebhookURL is where events about the agent's orders go; empty for nowhere.
	WebhookURL string `json:"webhook_url,omitempty"`

	// Sandbox says that the agent places no real orders.
	Sandbox bool `json:"sandbox,omitempty"`
}

// Agent is one who may call a shop.
type Agent struct {
	// ID names the agent in whatever it owns. It is opaque, differs between any
	// two agents, and is no secret.
	ID string `json:"id"`

	Registration

	// Declared says that the agent stands in the configuration.
	Declared bool `json:"declared,omitempty"`

	// Created and Revoked are when the key was made (zero for a declared agent)
	// and revoked (zero while it is good), in UTC.
	Created time.Time `json:"created,omitzero"`
	Revoked time.Time `json:"revoked,omitzero"`
}

// CheckProfile returns ErrProfileConflict if the agent is bound to a platform
// profile and profileURL is another. Two URLs are the same if safehttp.ParseURL
// gives them the same form: the case of scheme and host, the scheme's own port, a
// missing path and a fragment make no difference, everything else does.
func (a Agent) CheckProfile(profileURL string) error {
	if a.ProfileURL == "" {
		return nil
	}
	named, err := safehttp.ParseURL(profileURL)
	if err != nil || named.String() != a.ProfileURL {
		return ErrProfileConflict
	}
	return nil
}

// PublicKey returns the agent's registered key, an
// ed25519.PublicKey or an *ecdsa.PublicKey on P-256, or nil if there is none. The
// error wraps ErrInvalid.
func (r Registration) PublicKey() (crypto.PublicKey, error) {
	if r.PublicKeyPEM == "" {
		return nil, nil
	}
	if len(r.PublicKeyPEM) > maxPEM {
		return nil, fmt.Errorf("public key is longer than %d bytes: %w", maxPEM, ErrInvalid)
	}
	block, rest := pem.Decode([]byte(r.PublicKeyPEM))
	if block == nil || block.Type != "PUBLIC KEY" || strings.TrimSpace(string(rest)) != "" {
		return nil, fmt.Errorf("public key is not one PEM block of type PUBLIC KEY: %w", ErrInvalid)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("public key is no SPKI: %w: %w", ErrInvalid, err)
	}
	switch key := key.(type) {
	case ed25519.PublicKey:
		return key, nil
	case *ecdsa.PublicKey:
		if key.Curve == elliptic.P256() {
			return key, nil
		}
	}
	return nil, fmt.Errorf("public key is neither Ed25519 nor P-256: %w", ErrInvalid)
}

// normal returns the registration as it is kept, or what is wrong with it. The
// error wraps ErrInvalid.
func (r Registration) normal() (Registration, error) {
	if r.Shop == "" || len(r.Shop) > maxShop {
		return r, fmt.Errorf("shop is not a name of 1 to %d bytes: %w", maxShop, ErrInvalid)
	}
	if !isName(r.Name) {
		return r, fmt.Errorf("name is not 1 to %d letters, digits, dots, hyphens and underscores, beginning with a letter or digit: %w", maxName, ErrInvalid)
	}
	if _, err := r.PublicKey(); err != nil {
		return r, err
	}
	var err error
	if r.ProfileURL, err = normalURL(r.ProfileURL); err != nil {
		return r, fmt.Errorf("profile: %w", err)
	}
	if r.WebhookURL, err = normalURL(r.WebhookURL); err != nil {
		return r, fmt.Errorf("webhook: %w", err)
	}
	return r, nil
}

func isName(s string) bool {
	const alphanumeric = base62
	return s != "" && len(s) <= maxName &&
		strings.IndexByte(alphanumeric, s[0]) >= 0 &&
		strings.Trim(s, alphanumeric+".-_") == ""
}

// normalURL returns a URL as it is kept. Whether it may be called is decided when
// it is; plain http to other machines is so never, which had better be said now.
func normalURL(raw string) (string, error) {
	if raw == "" {
		return "", nil
	}
	u, err := safehttp.ParseURL(raw)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	addr, err := netip.ParseAddr(u.Hostname())
	loopback := u.Hostname() == "localhost" || err == nil && addr.Unmap().IsLoopback()
	if u.Scheme != "https" && !loopback {
		return "", fmt.Errorf("%w: %w", ErrInvalid, safehttp.ErrScheme)
	}
	return u.String(), nil
}
