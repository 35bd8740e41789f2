package caddymodule

import (
	"maps"
	"time"

	"github.com/storeware/caddy-storeware/internal/safehttp"
	"github.com/storeware/caddy-storeware/translate/ucp"
)

// pooledProfiles are the platforms' profiles that this process has fetched, and what
// the agents have left for fetching more.
type pooledProfiles struct {
	*ucp.FetchedProfiles
	budget profileBudget
}

// Destruct has nothing to close.
func (*pooledProfiles) Destruct() error { return nil }

// platformProfiles returns where the handler finds platforms' profiles, local
// ones among them for callers on this machine. What was fetched is shared by all
// shops.
func (h *Handler) platformProfiles(local bool) (ucp.Profiles, error) {
	key := "public"
	if local {
		key = "local"
	}
	fetched, err := useOf(platforms, key, func() (*pooledProfiles, error) {
		return &pooledProfiles{FetchedProfiles: ucp.FetchProfiles(
			safehttp.Options{AllowLoopback: local},
			safehttp.FetcherOptions{Observe: metrics.profileFetch, Now: time.Now},
		)}, nil
	})
	if err != nil {
		return nil, err
	}
	h.platforms = append(h.platforms, fetched)
	pinned := map[string][]byte{doctorProfile: demoAgent}
	maps.Copy(pinned, h.pinned)
	return ucp.PinProfiles(pinned, agentProfiles{fetched.value, &fetched.value.budget})
}

// profilesOf returns where platforms' profiles are found for a door.
func (h *Handler) profilesOf(at doorAt) ucp.Profiles {
	if at.development {
		return h.local
	}
	return h.profiles
}
