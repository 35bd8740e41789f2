package caddymodule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/keyring"
	"github.com/storeware/caddy-storeware/internal/state"
)

func init() {
	caddy.RegisterModule(new(App))
}

// appName is the app's name in a configuration.
const appName = "storeware"

const (
	// startTime bounds how long opening the state and the keys may take.
	startTime = 30 * time.Second
	// startWait is how long a request waits for the app to start. Caddy starts
	// its apps in any order, so that the HTTP server may be first.
	startWait = 10 * time.Second
)

// lingering is how long a configuration keeps what it shares with others, beyond the
// requests that it is answering, when another one has taken its place. Caddy cleans
// up as soon as it has begun to shut its servers down, and a request that was read
// just before may not have come to its handler yet.
const lingering = 2 * time.Second

// App is what the shops of a configuration share: the state, the agents and the
// signing keys. A configuration without it gets one with all defaults as soon as
// it has a storeware handler.
//
// The signing keys, and the key that encrypts what is stored, live in Caddy's
// own storage, which the nodes of a cluster share.
type App struct {
	// StateRaw says where baskets, orders, agents and first answers are kept. The
	// default is a file in Caddy's data directory, which serves one Caddy; nodes
	// of a cluster need a state that they share, such as redis.
	StateRaw json.RawMessage `json:"state,omitempty" caddy:"namespace=storeware.state inline_key=module"`

	state   StateModule
	storage keyring.Storage
	logger  *zap.Logger

	visitors visitors

	mu       sync.Mutex
	handlers []*Handler
	rings    map[string]*keyring.Ring // by shop

	// lifetime ends with the configuration, and started is closed once the
	// fields below are there.
	lifetime   context.Context
	end        context.CancelFunc
	background sync.WaitGroup
	started    chan struct{}
	patience   time.Duration // startWait, but in tests

	tenancy   tenancy
	store     *use[*pooledStore]
	sealed    state.Store
	directory *agents.Directory
}

// CaddyModule returns the Caddy module information.
func (*App) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  appName,
		New: func() caddy.Module { return new(App) },
	}
}

// Provision sets the app up. It opens nothing.
func (a *App) Provision(ctx caddy.Context) error {
	a.logger = ctx.Logger()
	a.storage = ctx.Storage()
	a.rings = map[string]*keyring.Ring{}
	a.lifetime, a.end = context.WithCancel(context.Background())
	a.started = make(chan struct{})
	a.patience = startWait
	if err := metrics.register(ctx.GetMetricsRegistry()); err != nil {
		return fmt.Errorf("registering metrics: %w", err)
	}
	var guest any
	var err error
	if a.StateRaw == nil {
		guest, err = ctx.LoadModuleByID("storeware.state.bolt", json.RawMessage("{}"))
	} else {
		guest, err = ctx.LoadModule(a, "StateRaw")
	}
	if err != nil {
		return fmt.Errorf("loading the state module: %w", err)
	}
	module, ok := guest.(StateModule)
	if !ok {
		return fmt.Errorf("%T is no state module", guest)
	}
	a.state = module
	return nil
}

// join adds a handler of the configuration, before the app is started.
func (a *App) join(h *Handler) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, other := range a.handlers {
		if other.Name == h.Name && other.shopKey != h.shopKey {
			return fmt.Errorf("two shops are called %q: give each its own with name, since agents' keys and baskets belong to a name", h.Name)
		}
	}
	a.handlers = append(a.handlers, h)
	return nil
}

// Start opens the state and starts the shops.
func (a *App) Start() error {
	ctx, cancel := context.WithTimeout(a.lifetime, startTime)
	defer cancel()
	if err := a.open(ctx); err != nil {
		return err
	}
	a.mu.Lock()
	handlers := a.handlers
	a.mu.Unlock()
	for _, h := range handlers {
		if err := h.start(ctx); err != nil {
			return fmt.Errorf("shop %s: %w", h.Name, err)
		}
	}
	warnOfKeysInLogs(handlers)
	a.greet(ctx, handlers)
	close(a.started)
	return nil
}

// greetTime bounds how long the start waits for shops that never said what they
// are.
const greetTime = 2 * time.Second

// greet waits for the first look at every shop that is not known yet, so that a
// new shop that is there is served from the first request on. One that is away
// keeps nobody waiting.
func (a *App) greet(ctx context.Context, handlers []*Handler) {
	ctx, cancel := context.WithTimeout(ctx, greetTime)
	defer cancel()
	for _, h := range handlers {
		if h.shop.value.description() != nil {
			continue
		}
		select {
		case <-h.shop.value.seen:
		case <-ctx.Done():
			return
		}
	}
}

// open opens the state and reads the keys.
func (a *App) open(ctx context.Context) error {
	key, err := fingerprint(a.state)
	if err != nil {
		return err
	}
	a.store, err = useOf(stores, key, func() (*pooledStore, error) {
		store, err := a.state.OpenState(ctx)
		return &pooledStore{Store: store}, err
	})
	if err != nil {
		return fmt.Errorf("opening the state: %w", err)
	}
	sealing, err := keyring.SealingKey(ctx, a.storage, time.Now)
	if err != nil {
		return err
	}
	if a.sealed, err = state.Sealed(a.store.value, sealing); err != nil {
		return err
	}
	a.directory, err = agents.NewDirectory(a.sealed, agents.Options{Declared: a.declared(), Now: time.Now})
	return err
}

// declared returns the agents that are declared in the configuration.
func (a *App) declared() []agents.Declaration {
	a.mu.Lock()
	defer a.mu.Unlock()
	var declared []agents.Declaration
	for _, h := range a.handlers {
		for _, d := range h.declared {
			// A site with several listeners has several equal handlers.
			if !slices.Contains(declared, d) {
				declared = append(declared, d)
			}
		}
	}
	return declared
}

// ring returns the signing keys of a shop. They are read from Caddy's storage
// when they are first asked for, and once a minute from then on.
func (a *App) ring(ctx context.Context, shop string) (*keyring.Ring, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if ring, ok := a.rings[shop]; ok {
		return ring, nil
	}
	if err := a.lifetime.Err(); err != nil {
		return nil, fmt.Errorf("reading the signing keys: %w", err)
	}
	ring, err := keyring.Open(ctx, a.storage, shop, keyring.Options{Now: time.Now})
	if err != nil {
		return nil, err
	}
	a.rings[shop] = ring
	a.background.Go(func() {
		ring.Watch(a.lifetime, func(err error) {
			a.logger.Error("looking for changes of the signing keys", zap.String("shop", shop), zap.Error(err))
		})
	})
	return ring, nil
}

// hasStarted reports whether the app has started.
func (a *App) hasStarted() bool {
	select {
	case <-a.started:
		return true
	default:
		return false
	}
}

// enter lets a request use the state, once the app has started and while nothing
// is restored. If it is ok, the caller must leave.
func (a *App) enter(ctx context.Context) (leave func(), ok bool) {
	if !a.wait(ctx) || !a.tenancy.enter() {
		return nil, false
	}
	if !a.store.value.using.TryRLock() {
		a.tenancy.leave()
		return nil, false
	}
	return func() {
		a.store.value.using.RUnlock()
		a.tenancy.leave()
	}, true
}

// wait waits until the app has started, and reports whether it has.
func (a *App) wait(ctx context.Context) bool {
	if a.hasStarted() {
		return true
	}
	timer := time.NewTimer(a.patience)
	defer timer.Stop()
	select {
	case <-a.started:
		return true
	case <-timer.C:
	case <-ctx.Done():
	case <-a.lifetime.Done():
	}
	return false
}

// Stop does nothing: requests that have begun go on. Cleanup sees to the rest.
func (a *App) Stop() error { return nil }

// Cleanup ends what the app has begun, and gives back what the app and its handlers
// share with other configurations as soon as no request needs it.
func (a *App) Cleanup() error {
	a.mu.Lock()
	if a.end != nil {
		a.end()
	}
	a.mu.Unlock()
	a.background.Wait()
	if a.store == nil {
		return nil // it was merely validated
	}
	// Where no other configuration follows, Caddy has waited for the requests.
	after := lingering
	if caddy.ActiveContext().Context == nil {
		after = 0
	}
	a.tenancy.end(after, func() {
		if err := a.release(); err != nil {
			a.logger.Error("giving back what was shared", zap.Error(err))
		}
	})
	return nil
}

// release gives back what the app and its handlers share with other configurations.
// What no other uses is closed: the shops before the state, which they write to.
func (a *App) release() error {
	var err error
	for _, h := range a.handlers {
		err = errors.Join(err, h.release())
	}
	return errors.Join(err, a.store.release())
}

// pooledStore is a state in a pool.
type pooledStore struct {
	state.Store
	// using is held by every request that uses the state, and by a restore alone.
	using sync.RWMutex
}

// Destruct closes the state.
func (s *pooledStore) Destruct() error { return s.Close() }

// Interface guards
var (
	_ caddy.App          = (*App)(nil)
	_ caddy.Provisioner  = (*App)(nil)
	_ caddy.CleanerUpper = (*App)(nil)
	_ caddy.Destructor   = (*pooledStore)(nil)
)
