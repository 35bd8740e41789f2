package httpdoor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/safehttp"
	"github.com/storeware/caddy-storeware/internal/secret"
)

// Agents knows who may call a shop. [agents.Directory] does.
type Agents interface {
	// Lookup returns the agent of the shop that a key belongs to. The errors are
	// agents.ErrUnknownKey, agents.ErrRevoked and state.ErrUnavailable.
	Lookup(ctx context.Context, shop string, key secret.String) (agents.Agent, error)
}

// identify finds out which agent of a shop calls. The contact is where a key can
// be had, empty where nobody says.
func identify(ctx context.Context, known Agents, shop, contact string, header http.Header) (agents.Agent, error) {
	credentials, err := agents.FromRequest(header)
	if err != nil {
		return agents.Agent{}, fmt.Errorf("reading the credentials: %w", err)
	}
	if credentials.Key.IsZero() {
		return agents.Agent{}, unauthorized(contact, "This shop wants an agent key, as Authorization: Bearer or as X-API-Key", nil)
	}
	agent, err := known.Lookup(ctx, shop, credentials.Key)
	switch {
	case errors.Is(err, agents.ErrUnknownKey), errors.Is(err, agents.ErrRevoked):
		return agents.Agent{}, unauthorized(contact, "This is no agent key that is good at this shop", err)
	case err != nil:
		return agents.Agent{}, fmt.Errorf("finding the agent: %w", err)
	}
	return agent, nil
}

// unauthorized is the failure of a request without a good key.
func unauthorized(contact, content string, err error) *Failure {
	if contact != "" {
		content += "; ask for one at " + contact
	}
	return &Failure{Status: http.StatusUnauthorized, Code: Unauthorized, Content: content, Err: err}
}

// Peer is who sent a request, as seen through trusted proxies.
type Peer struct {
	// Addr is the caller's address.
	Addr netip.Addr
	// Scheme is "https" or "http", as the caller spoke it; empty where unknown.
	Scheme string
}

// peerOf returns who sent a request: what tell says, if that is not nil, or what
// the connection does.
func peerOf(r *http.Request, tell func(*http.Request) Peer) Peer {
	if tell != nil {
		return tell(r)
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return Peer{}
	}
	return Peer{Addr: from.Addr().Unmap()}
}

// mayCome reports whether a request is from no web page, or from one that may call
// (MCP, "Streamable HTTP", security warning): of the origins named, or from the
// shop's own site. That a page is from there has to be known from more than the
// name in Host, which is what DNS rebinding forges: by TLS, or since the name is
// one that only this machine has.
func mayCome(r *http.Request, origins []string, peer Peer) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(origins, "*") || slices.Contains(origins, origin) {
		return true
	}
	scheme := peer.Scheme
	if scheme == "" && r.TLS != nil {
		scheme = "https"
	}
	page, err := safehttp.ParseURL(origin)
	if err != nil {
		return false
	}
	here, err := safehttp.ParseURL(page.Scheme + "://" + r.Host)
	if err != nil || page.Host != here.Host {
		return false
	}
	return page.Scheme == "https" && scheme == "https" || safehttp.IsLoopback(page)
}
