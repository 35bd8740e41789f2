package caddymodule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/keyring"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/ucp"
)

func init() {
	caddy.RegisterModule(new(Handler))
}

// Handler lets AI agents shop on the site of a shop that exists already. It
// answers the paths of the agent protocols, which are listed below, and hands
// every other request to the next handler as it is.
//
//	/.well-known/ucp         the shop's UCP profile
//	/api/ucp/v1/*            UCP over REST
//	/ucp/mcp                 UCP over MCP
//	/.well-known/acp.json    where ACP is spoken
//	/api/acp/*               ACP over REST
//	/mcp                     the shop's own MCP server
//	/storeware/basket/*      a basket as a page for people, where the shop has none
//
// Every answer on a protocol path is signed (RFC 9421) over the exact bytes that
// are sent, errors included. A handler that stands before this one must not change
// these answers.
type Handler struct {
	// Name is the name of the shop. Agents' keys, baskets and signing keys belong
	// to it, so that it should stay the same when the shop moves to another host.
	// The default is the first hostname of the site, or "default" for a site
	// without one. It has 1 to 64 bytes.
	Name string `json:"name,omitempty"`

	// UpstreamRaw says which shop system it is, and where its API is.
	UpstreamRaw json.RawMessage `json:"upstream,omitempty" caddy:"namespace=storeware.upstreams inline_key=system"`

	// Contact says how to get an agent key: an address for mail or a URL. Who
	// calls without a key is told.
	Contact string `json:"contact,omitempty"`

	// Agents are agents that are declared here, beside those that were added
	// while Caddy runs.
	Agents []Agent `json:"agents,omitempty"`

	// Pages are pages of the shop that agents should know. They go before those
	// that the shop names itself.
	Pages []Page `json:"pages,omitempty"`

	// AllowOrigins are the origins of web pages whose scripts may call the shop,
	// such as https://agent.example, or "*" for all. The default is none. The
	// profile may be read from anywhere.
	AllowOrigins []string `json:"allow_origins,omitempty"`

	// Search says how products are found: by "index", an index of the shop's words
	// that is kept here, or by "upstream", the shop's own search. The default is
	// index, for shops whose catalogue can be read. Prices and stock are read from
	// the shop in any case.
	Search string `json:"search,omitempty"`

	// Candidates is how many products are read from the shop to answer a search
	// for words, 10 to 1000. The default is 200.
	Candidates int `json:"candidates,omitempty"`

	// ReaderRaw says what reads the questions of shoppers. The default is rules.
	ReaderRaw json.RawMessage `json:"reader,omitempty" caddy:"namespace=storeware.readers inline_key=module"`

	// AnswerSchema is the origin that agents are told the JSON Schema of answers
	// is at. This site serves the schema too. The default, https://storeware.ai,
	// is the owner of the extension's name, whom agents trust in it.
	AnswerSchema string `json:"answer_schema,omitempty"`

	// ProfileFiles are files that stand in for the platform profiles at the URLs
	// that are their keys, which are then not fetched.
	ProfileFiles map[string]string `json:"profile_files,omitempty"`

	// Development lets callers on this machine name platform profiles at plain
	// http on this machine. It is for trying things out.
	Development bool `json:"development,omitempty"`

	app      *App
	upstream Upstream
	shopKey  string // tells shops apart, see join
	routes   []route
	declared []agents.Declaration
	pinned   map[string][]byte
	logger   *zap.Logger
	reader   reading.Reader
	// keysInLogs are the access loggers that write agents' keys.
	keysInLogs []string

	// What follows is there once the app has started the handler.
	shop      *use[*pooledShop]
	ring      *keyring.Ring
	profiles  ucp.Profiles
	local     ucp.Profiles // for callers on this machine, in development
	platforms []*use[*pooledProfiles]

	doorsMu sync.Mutex
	doors   map[doorAt]*door
}

// CaddyModule returns the Caddy module information.
func (*Handler) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "http.handlers.storeware",
		New: func() caddy.Module { return new(Handler) },
	}
}

// Provision sets the handler up. It neither opens nor calls anything.
func (h *Handler) Provision(ctx caddy.Context) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("the shop %q: %w", h.Name, err)
		}
	}()
	h.routes = protocolRoutes()
	h.doors = map[doorAt]*door{}
	if h.Name == "" {
		h.Name = siteName(ctx)
	}
	if err := errors.Join(replace("name", &h.Name), replace("contact", &h.Contact)); err != nil {
		return err
	}
	if err := checkShopName(h.Name); err != nil {
		return err
	}
	h.logger = ctx.Logger().With(zap.String("shop", h.Name))
	h.keysInLogs = accessLogsWithKeys(ctx)
	if err := errors.Join(h.loadUpstream(ctx), h.loadReader(ctx)); err != nil {
		return err
	}
	for _, agent := range h.Agents {
		declaration, err := agent.declaration(h.Name)
		if err != nil {
			return err
		}
		h.declared = append(h.declared, declaration)
	}
	if h.pinned, err = readProfiles(h.ProfileFiles); err != nil {
		return err
	}
	app, err := ctx.App(appName)
	if err != nil {
		return err
	}
	h.app = app.(*App)
	return h.app.join(h)
}

// loadUpstream loads the guest module.
func (h *Handler) loadUpstream(ctx caddy.Context) error {
	if h.UpstreamRaw == nil {
		return errors.New("upstream is missing: it says which shop this is")
	}
	guest, err := ctx.LoadModule(h, "UpstreamRaw")
	if err != nil {
		return fmt.Errorf("loading the shop system: %w", err)
	}
	var ok bool
	if h.upstream, ok = guest.(Upstream); !ok {
		return fmt.Errorf("%T is no shop system", guest)
	}
	h.shopKey, err = fingerprint(h.upstream)
	return err
}

// Validate checks what can be checked before the app starts.
func (h *Handler) Validate() error {
	for _, page := range h.Pages {
		if err := checkPage(page); err != nil {
			return err
		}
	}
	if h.Search != "" && h.Search != searchIndex && h.Search != searchUpstream {
		return fmt.Errorf("search %q: it is %s or %s", h.Search, searchIndex, searchUpstream)
	}
	if h.Candidates != 0 && (h.Candidates < leastCandidates || h.Candidates > mostCandidates) {
		return fmt.Errorf("candidates %d: they are %d to %d", h.Candidates, leastCandidates, mostCandidates)
	}
	for _, origin := range h.AllowOrigins {
		if err := checkOrigin(origin); err != nil {
			return err
		}
	}
	// A directory without a store says what is wrong with the declarations.
	if _, err := agents.NewDirectory(nil, agents.Options{Declared: h.declared}); err != nil {
		return err
	}
	_, err := ucp.PinProfiles(h.pinned, nil)
	return err
}

// start makes the handler ready, once the app has opened the state.
func (h *Handler) start(ctx context.Context) error {
	var err error
	if h.ring, err = h.app.ring(ctx, h.Name); err != nil {
		return err
	}
	uses := host{logger: h.logger, store: h.app.sealed, local: h.Development}
	h.shop, err = useOf(shops, h.Name+"\x00"+h.shopKey, func() (*pooledShop, error) {
		return openShop(ctx, h.Name, h.upstream, uses)
	})
	if err != nil {
		return err
	}
	h.shop.value.adopt(uses)
	if h.profiles, err = h.platformProfiles(false); err != nil {
		return err
	}
	if h.Development {
		h.local, err = h.platformProfiles(true)
	}
	return err
}

// release gives back what the handler shares with other configurations. It is the
// app that knows when no request needs it any more.
func (h *Handler) release() error {
	h.closeReader()
	err := h.shop.release()
	for _, use := range h.platforms {
		err = errors.Join(err, use.release())
	}
	return err
}

// ServeHTTP answers requests for the protocols' paths and hands on all others.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	route := find(h.routes, r.URL.Path)
	if route == nil {
		if strings.HasPrefix(r.URL.Path, basketPrefix) {
			h.serveBasket(w, r)
			return nil
		}
		return h.passOn(w, r, next)
	}
	return h.serveProtocol(w, r, route)
}

// Interface guards
var (
	_ caddy.Provisioner           = (*Handler)(nil)
	_ caddy.Validator             = (*Handler)(nil)
	_ caddyhttp.MiddlewareHandler = (*Handler)(nil)
)
