package safehttp

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// maxURL bounds the length in bytes of a URL.
const maxURL = 2048

// ParseURL reads an absolute http or https URL and brings it into a form in which
// two spellings of the same URL are equal as strings: scheme and host in small
// letters, without the scheme's own port, with "/" for an empty path, and
// without a fragment, which never leaves the caller. Path and query stay as they
// are written; what they mean is the host's affair.
//
// Hosts are ASCII names (an international one in its xn-- form) or addresses.
// User information is refused. The error wraps ErrURL, or ErrScheme for any
// other scheme.
func ParseURL(raw string) (*url.URL, error) {
	if len(raw) > maxURL {
		return nil, fmt.Errorf("%d bytes: %w", len(raw), ErrURL)
	}
	u, err := url.Parse(raw)
	if err != nil {
		// The parser's error repeats the text, which may hold a password.
		return nil, ErrURL
	}
	if u.Scheme != "https" && u.Scheme != "http" {
		return nil, ErrScheme
	}
	if u.User != nil {
		return nil, fmt.Errorf("user information: %w", ErrURL)
	}
	if u.Opaque != "" || u.Host == "" {
		return nil, fmt.Errorf("no host: %w", ErrURL)
	}
	if u.Host, err = normalHost(u); err != nil {
		return nil, err
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", ""
	u.ForceQuery = false
	return u, nil
}

// normalHost returns host and port of u as ParseURL documents it.
func normalHost(u *url.URL) (string, error) {
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" {
			return "", fmt.Errorf("address with a zone: %w", ErrURL)
		}
		if host = addr.String(); addr.Is6() {
			host = "[" + host + "]"
		}
	} else if !isName(host) {
		return "", fmt.Errorf("host: %w", ErrURL)
	}
	if strings.HasSuffix(u.Host, ":") {
		return "", fmt.Errorf("port: %w", ErrURL)
	}
	if port == "" {
		return host, nil
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return "", fmt.Errorf("port: %w", ErrURL)
	}
	if u.Scheme == "https" && number == 443 || u.Scheme == "http" && number == 80 {
		return host, nil
	}
	return host + ":" + strconv.FormatUint(number, 10), nil
}

// isName reports whether host may be the name of a host in small letters:
// labels of letters, digits, hyphens and underscores.
func isName(host string) bool {
	if len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

// IsLoopback reports whether the host of a URL is this machine, by its name or its
// address.
func IsLoopback(u *url.URL) bool {
	addr, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && addr.Unmap().IsLoopback()
}
