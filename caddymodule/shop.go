package caddymodule

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/upstream"
)

// rememberTime bounds how long writing down what a shop said of itself may take.
const rememberTime = 5 * time.Second

// pooledShop is a shop in a pool: its connections, and what it said of itself.
type pooledShop struct {
	upstream.Shop
	name  string // that agents' keys are bound to
	watch *upstream.Watch

	// host is what the shop needs of a configuration that uses it: of the latest.
	host atomic.Pointer[host]
	// said is what the shop said last, to this process or to one before it; nil
	// if it never said anything. It is replaced only when it is something new.
	said atomic.Pointer[said]
	// up says whether the shop answered when it was last looked at, and seen is
	// closed after the first look.
	up   atomic.Bool
	seen chan struct{}
	// asOf is when that was.
	asOf atomic.Pointer[time.Time]
	// kept is the state that holds what the shop said. Only the watch uses it,
	// and recall before there is one.
	kept state.Store

	// words are what was learned of the catalogue, nil before the shop has said
	// what language it speaks. Once ended, nothing is learned any more.
	wordsMu sync.Mutex
	words   *words
	ended   bool

	end        context.CancelFunc
	background sync.WaitGroup
}

// host is a part of a configuration. Its logger says which shop it is.
type host struct {
	logger *zap.Logger
	store  state.Store
	local  bool // the shop's pictures may be on this machine
}

// said is a description with the form it is kept in.
type said struct {
	upstream.Description
	encoded []byte
}

// openShop opens a shop and begins to watch it.
func openShop(ctx context.Context, name string, module Upstream, h host) (*pooledShop, error) {
	shop, err := module.OpenShop(UpstreamOptions{
		Observe: metrics.upstreamCall(name, module.CaddyModule().ID.Name()),
	})
	if err != nil {
		return nil, fmt.Errorf("opening the shop: %w", err)
	}
	s := &pooledShop{Shop: shop, name: name, seen: make(chan struct{})}
	s.host.Store(&h)
	s.recall(ctx)
	s.learned() // if the shop ever said in which language
	s.watch = upstream.NewWatch(shop, s.looked)
	var watching context.Context
	watching, s.end = context.WithCancel(context.Background())
	s.background.Go(func() { s.watch.Run(watching) })
	return s, nil
}

// adopt makes the shop use what another configuration has.
func (s *pooledShop) adopt(h host) {
	before := s.host.Swap(&h)
	if before.store == h.store {
		return
	}
	// What was learned is kept in another store now, which may know nothing yet.
	s.wordsMu.Lock()
	old := s.words
	s.words = nil
	s.wordsMu.Unlock()
	old.close()
	s.learned()
}

// Destruct ends what the shop has begun.
func (s *pooledShop) Destruct() error {
	s.end()
	s.background.Wait()
	s.forget()
	if c, ok := s.Shop.(interface{ Close() }); ok {
		c.Close()
	}
	return nil
}

// description returns what the shop is, nil as long as it has never said so.
func (s *pooledShop) description() *upstream.Description {
	if known := s.said.Load(); known != nil {
		return &known.Description
	}
	return nil
}

// describe is description for those who cannot go on without it.
func (s *pooledShop) describe() (upstream.Description, error) {
	if known := s.said.Load(); known != nil {
		return known.Description, nil
	}
	return s.watch.Description()
}

// looked hears the outcome of every look at the shop.
func (s *pooledShop) looked(d upstream.Description, err error) {
	h := s.host.Load()
	now := time.Now().UTC()
	s.asOf.Store(&now)
	first := s.firstLook()
	news := s.up.Swap(err == nil) != (err == nil) || first
	if first {
		defer close(s.seen)
	}
	if err != nil {
		switch {
		case news && errors.Is(err, upstream.ErrForeign):
			h.logger.Warn("what answers is not the shop", zap.Error(err))
		case news:
			h.logger.Warn("the shop is away", zap.Error(err))
		}
		return
	}
	if news {
		h.logger.Info("the shop is there",
			zap.String("title", d.Name), zap.String("currency", string(d.Currency)))
	}
	if before := s.description(); news || before == nil || !slices.Equal(before.Doubts, d.Doubts) {
		for _, doubt := range d.Doubts {
			h.logger.Warn("the configuration does not fit the shop", zap.String("doubt", doubt))
		}
	}
	encoded, err := json.Marshal(d)
	if err != nil {
		h.logger.Error("encoding what the shop says", zap.Error(err))
		return
	}
	if known := s.said.Load(); known == nil || !bytes.Equal(known.encoded, encoded) {
		s.said.Store(&said{d, encoded})
		s.learned()
	} else if s.kept == h.store {
		return
	}
	s.remember(h, encoded)
}

// firstLook reports whether the shop was never looked at.
func (s *pooledShop) firstLook() bool {
	select {
	case <-s.seen:
		return false
	default:
		return true
	}
}

// saidKey is where in the state it stands what the shop said.
func (s *pooledShop) saidKey() string { return "shop/" + url.PathEscape(s.name) + "/said" }

// remember writes down what the shop says.
func (s *pooledShop) remember(h *host, encoded []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), rememberTime)
	defer cancel()
	if _, err := h.store.Put(ctx, s.saidKey(), encoded, 0); err != nil {
		h.logger.Warn("writing down what the shop says", zap.Error(err))
		return
	}
	s.kept = h.store
}

// recall reads what the shop once said. That it cannot be read matters little: the
// shop will say it again.
func (s *pooledShop) recall(ctx context.Context) {
	h := s.host.Load()
	entry, err := h.store.Get(ctx, s.saidKey())
	var d upstream.Description
	if err == nil {
		err = json.Unmarshal(entry.Value, &d)
	}
	switch {
	case err == nil:
		s.said.Store(&said{d, entry.Value})
		s.kept = h.store
	case !errors.Is(err, state.ErrNotFound):
		h.logger.Warn("reading what the shop said last", zap.Error(err))
	}
}
