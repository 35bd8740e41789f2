package ucp

import "github.com/storeware/caddy-storeware/internal/httpdoor"

// Event is one request that was answered.
type Event = httpdoor.Event
