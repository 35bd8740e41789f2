package vendure

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Paths of a shop that was not configured otherwise.
const (
	shopPath  = "/shop-api"
	adminPath = "/admin-api"
)

// defaultDecimals is what Vendure's own MoneyStrategy says.
const defaultDecimals = 2

// maxDecimals bounds Config.Decimals.
const maxDecimals = 6

// Config says which shop it is. Only Client.BaseURL must be given.
type Config struct {
	// Client says where the shop is and within which limits it is called. Its
	// BaseURL is the Shop API; one without a path gets /shop-api.
	Client shopclient.Config
	// Channel is the token of the channel to sell in, empty for the default one.
	Channel string
	// Payments are the codes of the payment methods that agents may use, empty
	// for all that are active. A method whose handler wants a person's browser
	// should not be among them.
	Payments []string
	// ProductURL is the address of a product's page, with {handle} and {id} in
	// it. Empty where the shop has no pages.
	ProductURL string
	// CheckoutURL is the address where a person goes on with a basket, with
	// {order} (the order's code) and {session} (the session's token) in it.
	CheckoutURL string
	// AdminKey is an API key of the shop's administration (Vendure 3.6 and
	// later) with the permission ReadOrder. With it orders can be read for ever,
	// and the outcome of a lost request is known for certain.
	AdminKey secret.String
	// AdminURL is the Admin API, beside the Shop API if nil.
	AdminURL *url.URL
	// Decimals is the precision of the shop's MoneyStrategy, 2 if nil: how many
	// decimals of a major unit the shop's integers hold, whatever the currency.
	Decimals *int
}

// Shop is a Vendure shop. It is safe for concurrent use.
type Shop struct {
	client   *shopclient.Client
	admin    *shopclient.Client    // nil without a key
	can      upstream.Capabilities // at best
	channel  string
	payments []string
	product  pageurl.Template
	checkout pageurl.Template
	decimals int
	patience time.Duration
	now      func() time.Time

	schema     atomic.Pointer[schema]
	categories categories
}

var _ upstream.Shop = (*Shop)(nil)

// New returns the shop that config names. It does no I/O.
func New(config Config) (*Shop, error) {
	s := &Shop{
		can:      config.Capabilities(),
		channel:  config.Channel,
		payments: config.Payments,
		decimals: defaultDecimals,
		patience: cmp.Or(config.Client.Timeout, defaultTimeout) + paymentEnds,
		now:      config.Client.Now,
	}
	if s.now == nil {
		s.now = time.Now
	}
	if config.Decimals != nil {
		s.decimals = *config.Decimals
	}
	if s.decimals < 0 || s.decimals > maxDecimals {
		return nil, fmt.Errorf("decimals must be from 0 to %d", maxDecimals)
	}
	var err error
	if s.product, err = pageurl.Parse(config.ProductURL, "handle", "id"); err != nil {
		return nil, fmt.Errorf("the product URL: %w", err)
	}
	if s.checkout, err = pageurl.Parse(config.CheckoutURL, "order", "session"); err != nil {
		return nil, fmt.Errorf("the checkout URL: %w", err)
	}
	if config.Client.BaseURL == nil {
		return nil, errors.New("the shop's URL is missing")
	}
	shop := config.Client
	shop.BaseURL = withPath(shop.BaseURL)
	shop.Header = shop.Header.Clone()
	if config.Channel != "" {
		if shop.Header == nil {
			shop.Header = make(http.Header)
		}
		shop.Header.Set(channelHeader, config.Channel)
	}
	if s.client, err = shopclient.New(shop); err != nil {
		return nil, err
	}
	if config.AdminKey.IsZero() {
		return s, nil
	}
	admin := shop
	admin.BaseURL = config.AdminURL
	if admin.BaseURL == nil {
		admin.BaseURL = shop.BaseURL.JoinPath("..", adminPath)
	}
	admin.Secrets = map[string]secret.String{adminKeyHeader: config.AdminKey}
	maps.Copy(admin.Secrets, shop.Secrets)
	if s.admin, err = shopclient.New(admin); err != nil {
		return nil, fmt.Errorf("the Admin API: %w", err)
	}
	return s, nil
}

// Close closes connections that are kept for later.
func (s *Shop) Close() {
	s.client.Close()
	if s.admin != nil {
		s.admin.Close()
	}
}

// withPath returns the address of the Shop API of a shop that is named without
// one.
func withPath(base *url.URL) *url.URL {
	if base.Path != "" && base.Path != "/" {
		return base
	}
	with := *base
	with.Path, with.RawPath = shopPath, ""
	return &with
}
