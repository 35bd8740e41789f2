package caddymodule

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// Health is what the admin API says at /storeware/health.
type Health struct {
	// OK says whether requests can be answered as far as it is up to this node.
	OK bool `json:"ok"`
	// State is the module that keeps the state, with what is wrong with it.
	State struct {
		Module string `json:"module"`
		Error  string `json:"error,omitempty"`
	} `json:"state"`
	Shops []ShopHealth `json:"shops"`
}

// ShopHealth says how a shop is.
type ShopHealth struct {
	Name   string `json:"name"`
	System string `json:"system"`
	// Up says whether the shop answered when it was last looked at, and Error
	// why it did not.
	Up    bool   `json:"up"`
	Error string `json:"error,omitempty"`
	// AsOf is when that was: seconds ago for a shop that is away, up to minutes ago
	// for one that answered. It is left out before the first look.
	AsOf *time.Time `json:"as_of,omitempty"`
	// Known says whether the shop ever said what it is.
	Known bool `json:"known"`
}

// pingTime bounds how long the state may take to say that it is there.
const pingTime = 5 * time.Second

func adminHealth(w http.ResponseWriter, r *http.Request, a *App) error {
	ctx, cancel := context.WithTimeout(r.Context(), pingTime)
	defer cancel()
	health, status := Health{OK: true, Shops: []ShopHealth{}}, http.StatusOK
	health.State.Module = a.state.CaddyModule().ID.Name()
	if err := a.sealed.Ping(ctx); err != nil {
		health.OK, health.State.Error, status = false, err.Error(), http.StatusServiceUnavailable
	}
	a.mu.Lock()
	for _, h := range a.handlers {
		if slices.ContainsFunc(health.Shops, func(s ShopHealth) bool { return s.Name == h.Name }) {
			continue
		}
		shop := ShopHealth{
			Name: h.Name, System: h.upstream.CaddyModule().ID.Name(),
			Up: h.shop.value.up.Load(), Known: h.shop.value.description() != nil,
			AsOf: h.shop.value.asOf.Load(),
		}
		if err := h.shop.value.watch.Err(); err != nil {
			shop.Error = err.Error()
		}
		health.Shops = append(health.Shops, shop)
	}
	a.mu.Unlock()
	return answerJSON(w, status, health)
}
