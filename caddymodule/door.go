package caddymodule

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/httpsig"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/translate/acp"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/translate/mcp"
	"github.com/storeware/caddy-storeware/translate/ucp"
	"github.com/storeware/caddy-storeware/upstream"
)

// door is a shop as it is reached at one origin, with which every URL begins that
// it gives out. It does not change: when the shop or its keys do, there is another
// door.
type door struct {
	// shop is nil as long as the shop has never said what it is.
	shop *upstream.Description
	keys []httpsig.JWK

	baskets      *basket.Service
	discovery    *ucp.Discovery
	rest         *ucp.REST
	mcp          *ucp.MCP
	acpDiscovery http.Handler
	acp          *acp.REST
	own          *mcp.Door
}

// doorAt says which door it is.
type doorAt struct {
	origin string
	// development: platforms may have their profiles on this machine.
	development bool
}

// maxDoors bounds how many doors are kept. A site without a hostname of its own is
// reached at whatever clients write into Host.
const maxDoors = 64

// door returns the door for a client.
func (h *Handler) door(c client) (*door, error) {
	origin, err := c.origin()
	if err != nil {
		return nil, err
	}
	at := doorAt{origin: origin, development: h.Development && c.addr.IsLoopback()}
	shop, keys := h.shop.value.description(), h.ring.Published()

	h.doorsMu.Lock()
	defer h.doorsMu.Unlock()
	if d, ok := h.doors[at]; ok && d.shop == shop && slices.Equal(d.keys, keys) {
		return d, nil
	}
	d, err := h.newDoor(at, shop, keys)
	if err != nil {
		return nil, err
	}
	if len(h.doors) >= maxDoors {
		clear(h.doors)
	}
	h.doors[at] = d
	return d, nil
}

func (h *Handler) newDoor(at doorAt, shop *upstream.Description, keys []httpsig.JWK) (*door, error) {
	encoded, err := json.Marshal(keys)
	if err != nil {
		return nil, fmt.Errorf("encoding the signing keys: %w", err)
	}
	server := &ucp.Server{
		Catalogue:  h.shop.value,
		Storefront: at.origin + "/",
		Links:      links(h.Pages, at.origin, nil),
		Handlers:   ucp.Handlers{ucp.UpstreamHandler{}},
	}
	offer := ucp.Offer{
		Shop:     shop,
		Services: []ucp.Service{ucp.RESTService(at.origin + ucpREST), ucp.MCPService(at.origin + ucpMCP)},
		Handlers: server.Handlers,
		Keys:     encoded,
	}
	if shop != nil {
		server.Links = links(h.Pages, at.origin, shop.Links)
		server.Answers = h.answers()
		offer.Answers = cmp.Or(h.AnswerSchema, defaultAnswerSchema)
	}
	business, err := ucp.NewBusiness(offer)
	if err != nil {
		return nil, err
	}
	d := &door{shop: shop, keys: keys}
	d.baskets = &basket.Service{
		Shop:     h.shop.value,
		Describe: h.shop.value.describe,
		Store:    h.app.sealed,
		Page:     func(id, token string) string { return at.origin + basketPath(id, token) },
		Now:      time.Now,
	}
	server.Baskets = d.baskets
	current := func() *ucp.Business { return business }
	d.discovery = &ucp.Discovery{Business: current}
	reception := &httpdoor.Reception{
		Shop:    h.Name,
		Agents:  knownCallers{callers{&h.app.visitors, h.app.directory}},
		Records: idempotency.New(h.app.sealed, time.Now),
		Contact: h.Contact,
		Origins: h.AllowOrigins,
		Peer: func(r *http.Request) httpdoor.Peer {
			c := clientOf(r)
			return httpdoor.Peer{Addr: c.addr, Scheme: c.scheme}
		},
		Now: time.Now,
	}
	platforms := &ucp.Reception{
		Reception:   reception,
		Server:      server,
		Business:    current,
		Profiles:    h.profilesOf(at),
		Development: at.development,
	}
	d.rest = &ucp.REST{Reception: platforms, Base: ucpREST, Observe: h.observer(protocolREST)}
	d.mcp = &ucp.MCP{Reception: platforms, Observe: h.observer(protocolMCP)}
	described := func() *upstream.Description { return shop }
	d.own = &mcp.Door{
		Reception: reception,
		Server: &mcp.Server{
			Describe:  described,
			Catalogue: server.Catalogue,
			Answers:   server.Answers,
			Baskets:   server.Baskets,
			Links:     server.Links,
			Now:       time.Now,
		},
		Observe: h.observer(protocolShop),
	}
	d.acp = &acp.REST{
		Reception: reception,
		Server: &acp.Server{
			Describe:   described,
			Baskets:    server.Baskets,
			Storefront: server.Storefront,
			Links:      server.Links,
			Handler:    acp.UpstreamHandler{Endpoint: at.origin + acpREST},
		},
		Base:    acpREST,
		Observe: h.observer(protocolACP),
	}
	d.acpDiscovery, err = acp.Discovery(at.origin+acpREST, shop)
	return d, err
}
