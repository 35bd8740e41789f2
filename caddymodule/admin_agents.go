package caddymodule

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/caddyserver/caddy/v2"

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
}

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
	return answerJSON(w, http.StatusCreated, AddedAgent{agent, key.Reveal()})
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
