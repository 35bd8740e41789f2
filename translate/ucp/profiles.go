package ucp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

// Profiles finds the profiles of platforms.
type Profiles interface {
	// Platform returns the profile at a URL, which is in the form that
	// safehttp.ParseURL gives it. With refresh it looks past its cache, as far as
	// it may. The error is a *Failure or that of the context.
	Platform(ctx context.Context, url string, refresh bool) (*Platform, error)
}

// FetchedProfiles are profiles from their URLs, kept for as long as their owners
// allow.
type FetchedProfiles struct {
	fetcher *safehttp.Fetcher[*Platform]
}

// FetchProfiles returns Profiles that are fetched within the limits of the
// options. Whatever these say, a profile may have MaxProfile bytes.
func FetchProfiles(client safehttp.Options, fetcher safehttp.FetcherOptions) *FetchedProfiles {
	client.MaxBody = MaxProfile
	return &FetchedProfiles{safehttp.NewFetcher(safehttp.NewClient(client), ParsePlatform, fetcher)}
}

// Platform implements Profiles.
func (f *FetchedProfiles) Platform(ctx context.Context, url string, refresh bool) (*Platform, error) {
	get := f.fetcher.Get
	if refresh {
		get = f.fetcher.Refresh
	}
	platform, err := get(ctx, url)
	if err != nil {
		return nil, profileFailure(ctx, err)
	}
	return platform, nil
}

// busyProfiles is when to try again while too many profiles are being fetched.
const busyProfiles = 2 * time.Second

// profileFailure says in the protocol's words why there is no profile (overview,
// "Error Codes"). Of the cause nothing is told but its kind: it may name
// addresses that are nobody's business.
func profileFailure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("fetching a platform profile: %w", context.Cause(ctx))
	}
	failure := refuse(http.StatusFailedDependency, ProfileUnreachable, "The platform profile could not be fetched")
	var name *net.DNSError
	var problems *Invalid
	switch {
	case errors.Is(err, safehttp.ErrURL), errors.Is(err, safehttp.ErrScheme), errors.Is(err, safehttp.ErrForbiddenAddress):
		failure = invalidProfileURL("The platform profile must be at an https URL on a public address")
	case errors.As(err, &name) && name.IsNotFound:
		failure = invalidProfileURL("The host of the platform profile does not exist")
	case errors.Is(err, safehttp.ErrRedirect):
		failure.Content += ": its URL redirects, and redirects are not followed"
	case errors.Is(err, safehttp.ErrStatus):
		failure.Content += ": it was not answered with status 200"
	case errors.Is(err, safehttp.ErrTooLarge):
		failure = refuse(http.StatusUnprocessableEntity, ProfileMalformed, "The platform profile is larger than %d bytes", MaxProfile)
	case errors.As(err, &problems):
		failure = refuse(http.StatusUnprocessableEntity, ProfileMalformed, "The platform profile is not valid: %v", problems)
	case errors.Is(err, safehttp.ErrMalformed):
		failure = refuse(http.StatusUnprocessableEntity, ProfileMalformed, "The platform profile is not valid")
	case errors.Is(err, safehttp.ErrBudget):
		failure = refuse(http.StatusServiceUnavailable, Unavailable, "Too many platform profiles are being fetched")
		failure.RetryAfter = busyProfiles
	}
	failure.Err = err
	return failure
}

// PinnedProfiles are profiles that an operator has put in place of what their
// URLs answer. All others come from elsewhere.
type PinnedProfiles struct {
	pinned map[string]*Platform
	others Profiles
}

// PinProfiles returns Profiles in which the documents given stand at the URLs
// that are their keys. The error says which of them is wrong.
func PinProfiles(documents map[string][]byte, others Profiles) (*PinnedProfiles, error) {
	p := &PinnedProfiles{pinned: make(map[string]*Platform, len(documents)), others: others}
	for raw, document := range documents {
		u, err := safehttp.ParseURL(raw)
		if err != nil {
			return nil, fmt.Errorf("pinning the profile of %q: %w", raw, err)
		}
		platform, err := ParsePlatform(document)
		if err != nil {
			return nil, fmt.Errorf("pinning the profile of %q: %w", raw, err)
		}
		p.pinned[u.String()] = platform
	}
	return p, nil
}

// Platform implements Profiles.
func (p *PinnedProfiles) Platform(ctx context.Context, url string, refresh bool) (*Platform, error) {
	if platform := p.pinned[url]; platform != nil {
		return platform, nil
	}
	return p.others.Platform(ctx, url, refresh)
}
