package agents

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/storeware/caddy-storeware/internal/secret"
)

const (
	// maxCredential bounds one header value in bytes. Shoppers' tokens may be
	// long, as JWTs are.
	maxCredential = 8 << 10

	// maxValues bounds how many values a header may have.
	maxValues = 4
)

// Credentials are what a request shows of its sender.
type Credentials struct {
	// Key is the agent's key as it was sent, empty if there is none. Whether it
	// is one at all, Directory.Lookup says.
	Key secret.String

	// ShopperToken is an access token of the shopper for whom the agent calls,
	// empty if there is none.
	ShopperToken secret.String
}

// FromRequest reads the credentials in the header of a request. The agent's key
// stands in Authorization as a Bearer (RFC 6750) or in X-API-Key, or in both if
// it is the same. A Bearer that does not begin with "swa_" is the shopper's
// token. Authorization of other schemes is none of our business.
//
// Both headers may be repeated, up to four times and with the same credential.
// The scheme may be in any case and be followed by any spaces and tabs. A value
// that is longer than 8 KiB or is no token68 (RFC 9110, section 11.2) is
// ErrCredentials, and so are two different shoppers' tokens. Two different agent
// keys are ErrTwoKeys.
func FromRequest(h http.Header) (Credentials, error) {
	bearers, err := bearers(h.Values("Authorization"))
	if err != nil {
		return Credentials{}, fmt.Errorf("reading Authorization: %w", err)
	}
	apiKeys, err := tokens(h.Values("X-API-Key"))
	if err != nil {
		return Credentials{}, fmt.Errorf("reading X-API-Key: %w", err)
	}
	var keys, shoppers, others []string
	for _, bearer := range bearers {
		if strings.HasPrefix(bearer, keyPrefix) {
			keys = append(keys, bearer)
		} else {
			shoppers = append(shoppers, bearer)
		}
	}
	for _, key := range apiKeys {
		if strings.HasPrefix(key, keyPrefix) {
			keys = append(keys, key)
		} else {
			others = append(others, key)
		}
	}
	if len(keys) == 0 {
		// It is no key of ours. That is for Lookup to say, as for any wrong key.
		keys = others
	}
	key, ok := only(keys)
	if !ok {
		return Credentials{}, ErrTwoKeys
	}
	shopper, ok := only(shoppers)
	if !ok {
		return Credentials{}, fmt.Errorf("two different bearer tokens: %w", ErrCredentials)
	}
	return Credentials{Key: key, ShopperToken: shopper}, nil
}

// bearers returns the tokens of the Bearer scheme among the values.
func bearers(values []string) ([]string, error) {
	var rest []string
	for _, value := range values {
		value = strings.Trim(value, " \t")
		scheme, token := value, ""
		if end := strings.IndexAny(value, " \t"); end >= 0 {
			scheme, token = value[:end], value[end:]
		}
		if !strings.EqualFold(scheme, "Bearer") {
			continue
		}
		if token == "" {
			return nil, fmt.Errorf("no token after Bearer: %w", ErrCredentials)
		}
		rest = append(rest, token)
	}
	return tokens(rest)
}

// tokens checks and trims values that each are one token. Empty ones are left out.
func tokens(values []string) ([]string, error) {
	if len(values) > maxValues {
		return nil, fmt.Errorf("%d values: %w", len(values), ErrCredentials)
	}
	var found []string
	for _, value := range values {
		if len(value) > maxCredential {
			return nil, fmt.Errorf("%d bytes: %w", len(value), ErrCredentials)
		}
		value = strings.Trim(value, " \t")
		if strings.Trim(strings.TrimRight(value, "="), base62+"-._~+/") != "" {
			return nil, fmt.Errorf("not a token: %w", ErrCredentials)
		}
		if value != "" {
			found = append(found, value)
		}
	}
	return found, nil
}

// only returns the one secret that all values are, the empty one if there are no
// values, and false if they differ.
func only(values []string) (secret.String, bool) {
	if len(values) == 0 {
		return secret.String{}, true
	}
	first := secret.New(values[0])
	for _, value := range values[1:] {
		if !first.Equal(secret.New(value)) {
			return secret.String{}, false
		}
	}
	return first, true
}
