package caddymodule

import "net/http"

func adminListKeys(w http.ResponseWriter, r *http.Request, a *App) error {
	h, err := a.shopNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusOK, h.ring.Keys())
}

func adminRotateKey(w http.ResponseWriter, r *http.Request, a *App) error {
	h, err := a.shopNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	key, err := h.ring.Rotate(r.Context())
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusOK, key)
}

func adminRevokeKey(w http.ResponseWriter, r *http.Request, a *App) error {
	h, err := a.shopNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	signing, err := h.ring.Revoke(r.Context(), query(r, "kid"))
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusOK, signing)
}
