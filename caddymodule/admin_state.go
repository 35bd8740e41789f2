package caddymodule

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"go.uber.org/zap"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/archive"
)

func adminBackup(w http.ResponseWriter, r *http.Request, a *App) error {
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "no-store")
	if err := a.sealed.Backup(r.Context(), w); err != nil {
		// An archive that breaks off cannot be taken for a whole one, and an
		// answer that has begun has no status to change.
		a.logger.Error("writing a backup of the state", zap.Error(err))
		panic(http.ErrAbortHandler)
	}
	return nil
}

func adminRestore(w http.ResponseWriter, r *http.Request, a *App) error {
	mode := state.IntoEmpty
	if query(r, "replace") == "true" {
		mode = state.Replace
	}
	// The admin server cuts requests off after 10 seconds.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	err := a.restoreFrom(r.Context(), r.Body, mode)
	if errors.Is(err, state.ErrNotEmpty) {
		return fmt.Errorf("%w, and was left as it is: add --replace to remove what it holds first (replace=true in the API)", err)
	}
	if errors.Is(err, archive.ErrDamaged) {
		return fmt.Errorf("this is no backup, or not the whole of one: %w", err)
	}
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusOK, struct{}{})
}

// restoreFrom puts a backup into the state once all of it is there and found to be
// whole: until then the shop goes on, and nothing is removed.
func (a *App) restoreFrom(ctx context.Context, body io.Reader, mode state.RestoreMode) (err error) {
	file, err := os.CreateTemp("", "storeware-restore-*")
	if err != nil {
		return fmt.Errorf("keeping the backup: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	size, err := io.Copy(file, body)
	if err != nil {
		return fmt.Errorf("receiving the backup: %w", err)
	}
	if err := archive.Check(io.NewSectionReader(file, 0, size)); err != nil {
		return err
	}
	return a.restore(ctx, io.NewSectionReader(file, 0, size), mode)
}

// restore puts a backup into the state, while no request uses it.
func (a *App) restore(ctx context.Context, archive io.Reader, mode state.RestoreMode) error {
	a.store.value.using.Lock()
	defer a.store.value.using.Unlock()
	return a.sealed.Restore(ctx, archive, mode)
}
