package mapped

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

const (
	// defaultLanguage is what most shops are written in that do not say.
	defaultLanguage = "en"
	// defaultTimeout is the client's own.
	defaultTimeout = 10 * time.Second
	// defaultSettles is how long a shop may be at work on an order that was not
	// answered.
	defaultSettles = 2 * time.Minute
)

// Config says which shop it is, and how it is spoken to. Mapping must be given.
type Config struct {
	// Client says where the shop's API is, if not where the mapping says, and
	// within which limits it is called.
	Client shopclient.Config
	// Mapping is read only, and not to be changed later.
	Mapping *Mapping
	// Env returns what {env.NAME} stands for in templates. Without it nothing is
	// known.
	Env func(name string) (value string, known bool)
}

// Shop is a shop that is spoken to as a mapping says. It is safe for concurrent
// use.
type Shop struct {
	m       *Mapping
	client  *shopclient.Client
	base    *url.URL
	name    string
	reader  *reader
	env     map[string]any
	settles time.Duration
	now     func() time.Time
	jitter  func(n int64) int64
	// keeper and index are shared by copies of the shop.
	keeper *keeper
	index  *index
	// asked is told of every request before it is sent, with the names of the kept
	// values in it; it may be nil.
	asked func(c call, kept []string)
}

var (
	_ upstream.Shop   = (*Shop)(nil)
	_ upstream.Walker = (*Shop)(nil)
)

// New returns the shop that config names. It does no I/O. What is wrong with the
// mapping is a [*Fault], joined with others where there are several.
func New(config Config) (*Shop, error) {
	m := config.Mapping
	switch {
	case m == nil:
		return nil, errors.New("the shop's mapping is missing")
	case config.Client.BaseURL == nil && m.API == "":
		return nil, errors.New("the shop's URL is missing")
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if config.Client.BaseURL == nil {
		var err error
		if config.Client.BaseURL, err = url.Parse(m.API); err != nil {
			return nil, fmt.Errorf("the shop's URL: %w", err)
		}
	}
	env, err := m.environment(config.Env)
	if err != nil {
		return nil, err
	}
	client, err := shopclient.New(config.Client)
	if err != nil {
		return nil, err
	}
	base := config.Client.BaseURL
	site := &url.URL{Scheme: base.Scheme, Host: base.Host, Path: "/"}
	if m.Site != "" {
		if site, err = url.Parse(m.Site); err != nil {
			return nil, fmt.Errorf("the shop's site: %w", err)
		}
	}
	s := &Shop{
		m: m, client: client, base: config.Client.BaseURL, env: env, now: config.Client.Now, jitter: config.Client.Jitter,
		name:    cmp.Or(m.Name, site.Hostname()),
		reader:  &reader{tables: m.Tables, money: m.Money, usual: m.Currencies[0], site: site},
		settles: cmp.Or(config.Client.Timeout, defaultTimeout) + cmp.Or(time.Duration(m.Settles), defaultSettles),
		keeper:  &keeper{values: make(map[string]keptValue)},
		index:   newIndex(),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.jitter == nil {
		s.jitter = rand.Int64N
	}
	return s, nil
}

// Close closes connections that are kept for later.
func (s *Shop) Close() { s.client.Close() }
