package caddymodule

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/safehttp"
	"github.com/storeware/caddy-storeware/upstream"
)

// Agent is an agent that is declared in the configuration, for machines that keep
// no state of their own or have no admin API. Agents that are added while Caddy
// runs (storeware agent add) are kept in the state.
type Agent struct {
	// Name is how the operator calls the agent: letters, digits, dots, hyphens
	// and underscores. Every agent of a shop has its own.
	Name string `json:"name"`

	// KeyHash is the hash of the agent's key: "sha256:" and 64 hexadecimal
	// digits. Global placeholders are replaced.
	KeyHash string `json:"key_hash"`

	// ProfileURL is the one platform profile that the agent may name. If it is
	// empty, the agent may name any.
	ProfileURL string `json:"profile_url,omitempty"`

	// PublicKey is the agent's key, Ed25519 or P-256, as an SPKI in PEM, for
	// protocols that register one with the merchant. UCP's signatures are checked
	// against the keys in the platform's profile, whether or not there is one here.
	// Global placeholders are replaced, so that it may be {file./path/to/key.pem}.
	PublicKey string `json:"public_key,omitempty"`

	// WebhookURL is where events about the agent's orders go. If it is empty,
	// they go nowhere.
	WebhookURL string `json:"webhook_url,omitempty"`

	// Sandbox says that the agent can do everything but place a real order: its
	// orders are marked as tests and never reach the shop.
	Sandbox bool `json:"sandbox,omitempty"`
}

// declaration returns the agent as package agents has it.
func (a Agent) declaration(shop string) (agents.Declaration, error) {
	if err := errors.Join(
		replace("key_hash", &a.KeyHash), replace("profile_url", &a.ProfileURL),
		replace("public_key", &a.PublicKey), replace("webhook_url", &a.WebhookURL),
	); err != nil {
		return agents.Declaration{}, fmt.Errorf("agent %q: %w", a.Name, err)
	}
	hash, err := agents.ParseHash(a.KeyHash)
	if err != nil {
		return agents.Declaration{}, fmt.Errorf("agent %q: %w", a.Name, err)
	}
	return agents.Declaration{Hash: hash, Registration: agents.Registration{
		Shop: shop, Name: a.Name, ProfileURL: a.ProfileURL,
		PublicKeyPEM: a.PublicKey, WebhookURL: a.WebhookURL, Sandbox: a.Sandbox,
	}}, nil
}

// Page is a page of the shop that agents should know.
type Page struct {
	// Type is one of privacy_policy, terms_of_service, refund_policy,
	// shipping_policy and faq.
	Type string `json:"type"`

	// URL is a path on the site that the handler serves, or an absolute URL.
	URL string `json:"url"`
}

// pageTypes are the well-known link types of UCP
// (schemas/common/types/link.json).
func pageTypes() []string {
	return []string{"privacy_policy", "terms_of_service", "refund_policy", "shipping_policy", "faq"}
}

func checkPage(p Page) error {
	if !slices.Contains(pageTypes(), p.Type) {
		return fmt.Errorf("%q is no type of page: take one of %s", p.Type, list(pageTypes(), "and"))
	}
	u, err := url.Parse(p.URL)
	if err == nil && (strings.HasPrefix(p.URL, "/") && u.Host == "" || isWeb(u)) {
		return nil
	}
	return fmt.Errorf("the page %s is at %q, which is neither a path that begins with / nor a URL that begins with https://", p.Type, p.URL)
}

// links returns the pages of the shop for people who reached it at an origin:
// those that the operator names, then those that the shop names itself.
func links(pages []Page, origin string, own []upstream.Link) []upstream.Link {
	out := make([]upstream.Link, 0, len(pages)+len(own))
	for _, p := range pages {
		address := p.URL
		if strings.HasPrefix(address, "/") {
			address = origin + address
		}
		out = append(out, upstream.Link{Type: p.Type, URL: address})
	}
	for _, link := range own {
		if !slices.ContainsFunc(pages, func(p Page) bool { return p.Type == link.Type }) {
			out = append(out, link)
		}
	}
	return out
}

// checkOrigin returns an error unless s is an origin as a browser sends it, or *.
func checkOrigin(s string) error {
	u, err := url.Parse(s)
	if s == "*" || err == nil && isWeb(u) && u.Scheme+"://"+strings.ToLower(u.Host) == s {
		return nil
	}
	return fmt.Errorf("%q is no origin of web pages: write scheme, host and port alone, such as https://agent.example, or * for any", s)
}

// isWeb reports whether a URL is absolute, of the web, and without credentials.
func isWeb(u *url.URL) bool {
	return (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// maxShopName bounds the name of a shop in bytes: signing keys are kept under it.
const maxShopName = 64

func checkShopName(name string) error {
	if name == "" || len(name) > maxShopName {
		return fmt.Errorf("the name of a shop has 1 to %d bytes, and %q has %d: set another with name", maxShopName, name, len(name))
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\ufffd' }) {
		return fmt.Errorf("the name of a shop holds no spaces and control characters: %q does", name)
	}
	return nil
}

// readProfiles reads the files that stand in for platform profiles, by URL.
func readProfiles(files map[string]string) (map[string][]byte, error) {
	documents := make(map[string][]byte, len(files))
	for address, path := range files {
		if _, err := safehttp.ParseURL(address); err != nil {
			return nil, fmt.Errorf("profile_files: %q: %w", address, err)
		}
		if err := replace("profile_files", &path); err != nil {
			return nil, err
		}
		document, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading the profile that stands in for %s: %w", address, err)
		}
		documents[address] = document
	}
	return documents, nil
}
