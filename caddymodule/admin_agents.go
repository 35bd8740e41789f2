package caddymodule

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/storeware/caddy-storeware/internal/agents"
)

func adminListAgents(w http.ResponseWriter, r *http.Request, a *App) error {
	h, err := a.shopNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	known, err := a.directory.List(r.Context(), h.Name)
	if err != nil {
		return err
	}
	if known == nil {
		known = []agents.Agent{}
	}
	return answerJSON(w, http.StatusOK, known)
}

// AddedAgent is what the admin API says of an agent that was added. It is the one
// time that the key is shown.
type AddedAgent struct {
	agents.Agent
	Key string `json:"key"`
	// Try is what can be bought to try the key, nil where the shop did not tell.
	Try *Tryout `json:"try,omitempty"`
}

// tryoutTime bounds how long it may take to find something to buy. A shop that has
// just been started takes its time over the first basket.
const tryoutTime = 20 * time.Second

// maxRegistration bounds what an agent is added with, in bytes.
const maxRegistration = 64 << 10

func adminAddAgent(w http.ResponseWriter, r *http.Request, a *App) error {
	var wanted agents.Registration
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRegistration))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&wanted); err != nil {
		return caddy.APIError{HTTPStatus: http.StatusBadRequest, Err: fmt.Errorf("reading the agent: %w", err)}
	}
	h, err := a.shopNamed(wanted.Shop)
	if err != nil {
		return err
	}
	wanted.Shop = h.Name
	agent, key, err := a.directory.Add(r.Context(), wanted)
	if err != nil {
		return err
	}
	added := AddedAgent{Agent: agent, Key: key.Reveal()}
	// The admin server cuts answers off after 10 seconds.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	ctx, cancel := context.WithTimeout(r.Context(), tryoutTime)
	defer cancel()
	if pick, err := pickTryout(ctx, h.shop.value); err != nil {
		h.logger.Info("nothing was found to try the new key with", zap.Error(err))
	} else {
		added.Try = &pick
	}
	return answerJSON(w, http.StatusCreated, added)
}

func adminRevokeAgent(w http.ResponseWriter, r *http.Request, a *App) error {
	h, err := a.shopNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	agent, err := a.directory.Revoke(r.Context(), h.Name, query(r, "agent"))
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusOK, agent)
}
