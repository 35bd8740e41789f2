package ucp

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/httpsig"
	"github.com/storeware/caddy-storeware/internal/shape"
)

// MaxProfile bounds a platform profile, in bytes. The specification wants at least
// 128 KiB (overview, "Fetching").
const MaxProfile = 256 << 10

// Platform is what a platform's profile says (schemas/profile.json,
// platform_schema), as far as it is of use here. It must not be changed.
type Platform struct {
	// Version is the protocol release that the platform speaks.
	Version string
	// Capabilities are the versions of each capability. Entries whose schema is
	// not under their name's authority are left out.
	Capabilities map[Capability][]string
	// Keys verify the platform's signatures.
	Keys []httpsig.Key
}

// ParsePlatform reads a platform's profile. It keeps nothing of the bytes. The
// error wraps *Invalid when the profile is not as its schema has it.
func ParsePlatform(profile []byte) (*Platform, error) {
	if len(profile) > MaxProfile {
		return nil, fmt.Errorf("reading a platform profile of %d bytes: %w", len(profile),
			&Invalid{{Path: "$", Want: fmt.Sprintf("must be at most %d bytes", MaxProfile)}})
	}
	if err := shape.Strict(profile); err != nil {
		return nil, fmt.Errorf("reading a platform profile: %w", err)
	}
	if err := platformShape.Check(profile, shape.Other, nil); err != nil {
		return nil, fmt.Errorf("reading a platform profile: %w", err)
	}
	root := gjson.ParseBytes(profile)
	platform := &Platform{
		Version:      strings.Clone(root.Get("ucp.version").Str),
		Capabilities: boundCapabilities(root.Get("ucp.capabilities")),
	}
	keys := root.Get("keys")
	if !keys.Exists() {
		return platform, nil
	}
	var err error
	if platform.Keys, err = httpsig.ParseKeys([]byte(keys.Raw)); err != nil {
		return nil, fmt.Errorf("reading a platform profile: %w: %w", err,
			&Invalid{{Path: "$.keys", Want: fmt.Sprintf("must be at most %d usable keys", httpsig.MaxKeys)}})
	}
	return platform, nil
}

// boundCapabilities returns the versions of the capabilities whose names belong
// to those who publish their schemas.
func boundCapabilities(registry gjson.Result) map[Capability][]string {
	capabilities := map[Capability][]string{}
	registry.ForEach(func(name, entries gjson.Result) bool {
		for _, entry := range entries.Array() {
			if hasAuthority(name.Str, entry.Get("schema").Str) {
				key := Capability(strings.Clone(name.Str))
				capabilities[key] = append(capabilities[key], strings.Clone(entry.Get("version").Str))
			}
		}
		return true
	})
	return capabilities
}

// hasAuthority reports whether the publisher of a schema owns the reverse domain
// name of what it describes: the labels of the schema's host, reversed, are the
// name or the beginning of it (overview, "Derivation algorithm").
func hasAuthority(name, schema string) bool {
	u, err := url.Parse(schema)
	if err != nil || u.Scheme != "https" || u.User != nil {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	labels := strings.Split(host, ".")
	if len(labels) < 2 || slices.Contains(labels, "") {
		return false
	}
	slices.Reverse(labels)
	rest, ok := strings.CutPrefix(name, strings.Join(labels, "."))
	return ok && (rest == "" || rest[0] == '.')
}
