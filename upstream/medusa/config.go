package medusa

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

const (
	// storePath is where the Store API is in a shop that was named without a path.
	storePath = "/store"
	keyHeader = "x-publishable-api-key"
	// defaultMaxBody is the longest answer in bytes: a hundred products with a
	// hundred variants each have 8 MB.
	defaultMaxBody = 16 << 20
	// defaultLanguage is what most shops are written in that do not say.
	defaultLanguage = "en"
)

// Config says which shop it is. Client.BaseURL and Key must be given.
type Config struct {
	// Client says where the shop is and within which limits it is called. Its
	// BaseURL is the Store API; one without a path gets /store. MaxBody is 16 MiB
	// by default.
	Client shopclient.Config
	// Key is the publishable API key of the one sales channel to sell in.
	Key secret.String
	// Name is the shop's name as a person reads it. Medusa does not tell it; the
	// host of the shop's URL takes its place.
	Name string
	// Language is the BCP 47 tag of the shop's texts, "en" if empty.
	Language string
	// Region is the id of the region for visitors of whom nothing is known, the
	// shop's oldest one if empty.
	Region string
	// Payments are the ids of the payment providers that agents may use, such as
	// pp_stripe_stripe, empty for all that a region has. One that wants a
	// person's browser should not be among them.
	Payments []string
	// Facts are the names of metadata fields of products that buyers may know.
	// One called "brand" becomes the product's brand.
	Facts []string
	// ProductURL is the address of a product's page, with {handle} and {id} in
	// it. Empty where the shop has no pages.
	ProductURL string
	// CheckoutURL is the address where a person goes on with a basket, with
	// {cart} (the cart's id) in it.
	CheckoutURL string
}

// Shop is a Medusa shop. It is safe for concurrent use.
type Shop struct {
	client   *shopclient.Client
	can      upstream.Capabilities // at best
	name     string
	language string
	region   string
	payments []string
	facts    []string
	product  pageurl.Template
	checkout pageurl.Template
	patience time.Duration
	now      func() time.Time

	known atomic.Pointer[knowledge]
}

var _ upstream.Shop = (*Shop)(nil)

// New returns the shop that config names. It does no I/O.
func New(config Config) (*Shop, error) {
	switch {
	case config.Client.BaseURL == nil:
		return nil, errors.New("the shop's URL is missing")
	case config.Key.IsZero():
		return nil, errors.New("the shop's publishable key is missing")
	}
	s := &Shop{
		can:      config.Capabilities(),
		name:     cmp.Or(config.Name, config.Client.BaseURL.Hostname()),
		language: cmp.Or(config.Language, defaultLanguage),
		region:   config.Region,
		payments: config.Payments,
		facts:    config.Facts,
		patience: cmp.Or(config.Client.Timeout, defaultTimeout) + completionEnds,
		now:      config.Client.Now,
	}
	if s.now == nil {
		s.now = time.Now
	}
	var err error
	if s.product, err = pageurl.Parse(config.ProductURL, "handle", "id"); err != nil {
		return nil, fmt.Errorf("the product URL: %w", err)
	}
	if s.checkout, err = pageurl.Parse(config.CheckoutURL, "cart"); err != nil {
		return nil, fmt.Errorf("the checkout URL: %w", err)
	}
	client := config.Client
	client.BaseURL = withPath(client.BaseURL)
	client.MaxBody = cmp.Or(client.MaxBody, defaultMaxBody)
	client.Secrets = map[string]secret.String{keyHeader: config.Key}
	maps.Copy(client.Secrets, config.Client.Secrets)
	if s.client, err = shopclient.New(client); err != nil {
		return nil, err
	}
	return s, nil
}

// Close closes connections that are kept for later.
func (s *Shop) Close() { s.client.Close() }

// withPath returns the address of the Store API of a shop that is named without
// one.
func withPath(base *url.URL) *url.URL {
	if base.Path != "" && base.Path != "/" {
		return base
	}
	with := *base
	with.Path = storePath
	return &with
}
