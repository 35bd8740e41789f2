package photo

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/upstream"
)

// Limits of a gallery.
const (
	maxWaiting = 512
	maxKnown   = 50_000
	// life is how long it is kept what a picture shows, or that it shows nothing.
	life = 90 * 24 * time.Hour
)

// Gallery knows the colours of a shop's photographs. It looks at a photograph in
// the background when it is first asked for; until then it shows nothing. It is
// safe for concurrent use.
type Gallery struct {
	fetch   func(ctx context.Context, address string) ([]byte, error)
	store   state.Store
	prefix  string
	waiting chan string

	mu    sync.Mutex
	known map[string][]string // by address; nil while it waits
}

// NewGallery returns the gallery of a shop. Fetch reads a picture of at most
// MaxBytes.
func NewGallery(store state.Store, shop string, fetch func(ctx context.Context, address string) ([]byte, error)) *Gallery {
	return &Gallery{
		fetch: fetch, store: store, prefix: "photo/" + shop + "/",
		waiting: make(chan string, maxWaiting), known: map[string][]string{},
	}
}

// Colours returns the names of the dominant colours of a product's main photograph,
// none where nobody has looked at it yet.
func (g *Gallery) Colours(p *upstream.Product) []string {
	if len(p.Media) == 0 || p.Media[0].URL == "" {
		return nil
	}
	address := p.Media[0].URL
	g.mu.Lock()
	defer g.mu.Unlock()
	colours, known := g.known[address]
	if known {
		return colours
	}
	if len(g.known) >= maxKnown {
		clear(g.known) // what is still wanted is in the store
	}
	select {
	case g.waiting <- address:
		g.known[address] = nil
	default: // another time
	}
	return nil
}

// Run looks at photographs, one after the other, until the context ends. An error
// of the store is told to failed; a picture that cannot be read shows nothing.
func (g *Gallery) Run(ctx context.Context, failed func(error)) {
	for {
		select {
		case <-ctx.Done():
			return
		case address := <-g.waiting:
			colours, err := g.look(ctx, address)
			if err != nil && ctx.Err() == nil {
				failed(err)
			}
			g.mu.Lock()
			if _, wanted := g.known[address]; wanted {
				g.known[address] = colours
			}
			g.mu.Unlock()
		}
	}
}

// look returns the colours of a picture, from the store where they are known.
func (g *Gallery) look(ctx context.Context, address string) ([]string, error) {
	sum := sha256.Sum256([]byte(address))
	key := g.prefix + base64.RawURLEncoding.EncodeToString(sum[:])
	entry, err := g.store.Get(ctx, key)
	var colours []string
	switch {
	case err == nil:
		if err := json.Unmarshal(entry.Value, &colours); err != nil {
			return nil, fmt.Errorf("reading the colours of a photograph: %w", err)
		}
		return colours, nil
	case !errors.Is(err, state.ErrNotFound):
		return nil, fmt.Errorf("reading the colours of a photograph: %w", err)
	}
	colours = []string{}
	picture, err := g.fetch(ctx, address)
	if err != nil {
		return nil, nil // asked again after a restart
	}
	found, err := Colours(picture)
	if err == nil {
		for _, c := range found {
			colours = append(colours, c.Name)
		}
	}
	encoded, err := json.Marshal(colours)
	if err != nil {
		return nil, fmt.Errorf("encoding the colours of a photograph: %w", err)
	}
	if _, err := g.store.Put(ctx, key, encoded, life); err != nil {
		return colours, fmt.Errorf("keeping the colours of a photograph: %w", err)
	}
	return colours, nil
}
