package safehttp_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

// A connection is kept for as long as it is said, and none is left open by a
// client that is closed: the end of all tests looks for what it would leave.
func TestKeepAlive(t *testing.T) {
	server, pool := tlsServer(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.RemoteAddr) })
	for keep, want := range map[time.Duration]int{0: 3, time.Minute: 1} {
		client := safehttp.NewClient(safehttp.Options{AllowLoopback: true, RootCAs: pool, KeepAlive: keep})
		connections := make(map[string]bool)
		for range 3 {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, io.NopCloser(strings.NewReader("")))
			if err != nil {
				t.Fatal(err)
			}
			response, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			connections[string(response.Body)] = true
		}
		client.Close()
		if len(connections) != want {
			t.Errorf("kept for %v: %d connections, want %d", keep, len(connections), want)
		}
	}
}
