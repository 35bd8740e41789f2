package caddymodule

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/caddyserver/caddy/v2"

	"github.com/storeware/caddy-storeware/caddymodule/doctor"
	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// insideTime bounds how long it may take to look at everything.
const insideTime = 30 * time.Second

// adminInside says what only Caddy itself knows. Each shop is asked anew.
func adminInside(w http.ResponseWriter, r *http.Request, a *App) error {
	if !a.wait(r.Context()) {
		return caddy.APIError{HTTPStatus: http.StatusServiceUnavailable, Err: errors.New("the shops are still being opened")}
	}
	// The admin server cuts answers off after 10 seconds.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	ctx, cancel := context.WithTimeout(r.Context(), insideTime)
	defer cancel()
	inside := doctor.Inside{Shops: []doctor.InsideShop{}}
	inside.State.Module = a.state.CaddyModule().ID.Name()
	if err := a.ping(ctx); err != nil {
		inside.State.Error = err.Error()
	}
	for _, h := range a.shops() {
		inside.Shops = append(inside.Shops, h.inside(ctx))
	}
	return answerJSON(w, http.StatusOK, inside)
}

// ping asks the state whether it is there.
func (a *App) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	return a.sealed.Ping(ctx)
}

// shops returns one handler of each shop.
func (a *App) shops() []*Handler {
	a.mu.Lock()
	defer a.mu.Unlock()
	seen := map[string]bool{}
	var shops []*Handler
	for _, h := range a.handlers {
		if !seen[h.Name] {
			seen[h.Name] = true
			shops = append(shops, h)
		}
	}
	return shops
}

// doubtful is a shop system that sees in its configuration alone what an operator
// may have forgotten: a sentence each.
type doubtful interface{ Doubts() []string }

// inside says what is known of a shop.
func (h *Handler) inside(ctx context.Context) doctor.InsideShop {
	known := doctor.InsideShop{
		Name: h.Name, System: h.upstream.CaddyModule().ID.Name(), Contact: h.Contact,
		Keys: []string{}, Pages: []doctor.InsidePage{},
	}
	said := h.shop.value.description()
	if d, err := h.shop.value.Describe(ctx); err != nil {
		known.Error, known.Code = err.Error(), string(upstream.CodeOf(err))
	} else {
		said = &d
		known.Doubts = d.Doubts
		known.OrdersError, known.OrdersCode = h.askForOrder(ctx, d)
	}
	if unsure, ok := h.upstream.(doubtful); ok {
		known.Doubts = append(known.Doubts, unsure.Doubts()...)
	}
	var own []upstream.Link
	if said != nil {
		known.Title, own = said.Name, said.Links
	}
	for _, link := range links(h.Pages, "", own) {
		known.Pages = append(known.Pages, doctor.InsidePage{Type: link.Type, URL: link.URL})
	}
	if err := h.ring.Refresh(ctx); err != nil {
		known.KeysError = err.Error()
	}
	for _, key := range h.ring.Keys() {
		known.Keys = append(known.Keys, key.ID)
	}
	all, err := h.app.directory.List(ctx, h.Name)
	if err != nil {
		known.AgentsError = err.Error()
	}
	for _, agent := range all {
		if agent.Revoked.IsZero() {
			known.Agents++
		}
	}
	return known
}

// noOrder is an order that nobody has placed.
const noOrder = "storewaredoctor"

// askForOrder asks a shop that shows orders for one that nobody has placed: the
// credentials for that may be others.
func (h *Handler) askForOrder(ctx context.Context, d upstream.Description) (text, code string) {
	if !d.Capabilities.Orders {
		return "", ""
	}
	_, err := h.shop.value.Order(ctx, upstream.Visit{}, upstream.OrderRef{ID: noOrder, Key: secret.New(noOrder)})
	if err == nil {
		return "", ""
	}
	return err.Error(), string(upstream.CodeOf(err))
}

// Visitor is what the admin API says of a key for an examination, which ends by
// itself after ten minutes. It is the one time that the key is shown.
type Visitor struct {
	agents.Agent
	Key string `json:"key"`
}

func adminAdmitVisitor(w http.ResponseWriter, r *http.Request, a *App) error {
	h, err := a.shopNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	agent, key, err := a.visitors.admit(h.Name, time.Now())
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusCreated, Visitor{agent, key.Reveal()})
}

func adminDismissVisitor(w http.ResponseWriter, r *http.Request, a *App) error {
	h, err := a.shopNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	if err := a.visitors.dismiss(h.Name, query(r, "visitor")); err != nil {
		return err
	}
	return answerJSON(w, http.StatusOK, struct{}{})
}
