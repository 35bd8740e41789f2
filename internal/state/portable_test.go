package state_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/redis"
	"github.com/storeware/caddy-storeware/internal/state/statetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func openRedis(t testing.TB) state.Store {
	t.Helper()
	server := miniredis.RunT(t)
	store, err := redis.New(secret.New("redis://"+server.Addr()), redis.DefaultPrefix)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// A backup of one kind of store restores into the other, sealed or not.
func TestBackupIsPortable(t *testing.T) {
	kinds := map[string]func(t *testing.T) state.Store{
		"bolt":  func(t *testing.T) state.Store { return openBolt(t, filepath.Join(t.TempDir(), "state.db")) },
		"redis": func(t *testing.T) state.Store { return openRedis(t) },
	}
	for from, openFrom := range kinds {
		for to, openTo := range kinds {
			t.Run(from+" to "+to, func(t *testing.T) {
				source, target := seal(t, openFrom(t), 1), seal(t, openTo(t), 1)
				check := statetest.Fill(t, source)
				var backup bytes.Buffer
				if err := source.Backup(t.Context(), &backup); err != nil {
					t.Fatal(err)
				}
				if err := target.Restore(t.Context(), &backup, state.IntoEmpty); err != nil {
					t.Fatal(err)
				}
				check(t, target)
			})
		}
	}
}
