package shopify

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Versions of the API. The documents of this package need what came with the
// oldest one.
const (
	defaultVersion = "2026-07"
	oldestVersion  = "2026-07"
	unstable       = "unstable"
)

// Headers with a token.
const (
	publicHeader  = "X-Shopify-Storefront-Access-Token"
	privateHeader = "Shopify-Storefront-Private-Token"
	adminHeader   = "X-Shopify-Access-Token"
)

// maxBody is how long an answer may be unless Config says otherwise, in bytes:
// fifty products with fifty variants each come to a few million.
const maxBody = 16 << 20

// maxMetafields is how many of a list Shopify takes.
const maxMetafields = 250

// Config says which shop it is. Client.BaseURL and one of the two tokens must be
// given.
type Config struct {
	// Client says where the shop is and within which limits it is called. Its
	// BaseURL is the shop's own address at Shopify, such as
	// https://fell-and-ford.myshopify.com, without a path. Its MaxBody is 16 MiB
	// by default.
	Client shopclient.Config
	// Version is the version of Shopify's API: 2026-07, which is the default, a
	// later quarter, or "unstable".
	Version string
	// PrivateToken is the private access token of the Storefront API. With it
	// Shopify counts requests by the address of whoever asks through us, and not
	// all of them as one visitor's.
	PrivateToken secret.String
	// PublicToken is the public access token, for a shop without a private one.
	PublicToken secret.String
	// AdminToken is an access token of the Admin API with the scopes read_orders
	// and read_products. Without it no order can be read, and a basket that was
	// ordered looks like one that Shopify has dropped.
	AdminToken secret.String
	// ProductURL is the address of a product's page, with {handle} in it. Empty
	// for a shop whose pages Shopify serves, and for one without pages.
	ProductURL string
	// Metafields are the product's metafields that are told as attributes, each
	// as "namespace.key". The shop must show them to its storefronts.
	Metafields []string
	// Log hears when Shopify answers in another version than Version. It may be
	// nil.
	Log *slog.Logger
}

// Shop is a shop at Shopify. It is safe for concurrent use.
type Shop struct {
	client     *shopclient.Client
	admin      *shopclient.Client    // nil without a token
	can        upstream.Capabilities // at best
	private    bool
	version    string
	answered   atomic.Pointer[string] // the version Shopify answers in
	product    pageurl.Template
	metafields []metafield
	log        *slog.Logger
	now        func() time.Time

	facts      atomic.Pointer[facts]
	categories categories
}

var _ upstream.Shop = (*Shop)(nil)

// New returns the shop that config names. It does no I/O.
func New(config Config) (*Shop, error) {
	s := &Shop{
		can:     config.Capabilities(),
		private: !config.PrivateToken.IsZero(),
		version: cmp.Or(config.Version, defaultVersion),
		log:     config.Log,
		now:     config.Client.Now,
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	if err := errors.Join(checkVersion(s.version), checkTokens(config)); err != nil {
		return nil, err
	}
	var err error
	if s.product, err = parsePage(config.ProductURL); err != nil {
		return nil, err
	}
	if s.metafields, err = parseMetafields(config.Metafields); err != nil {
		return nil, err
	}
	if s.client, err = s.newClient(config, "/api/"); err != nil {
		return nil, err
	}
	if !config.AdminToken.IsZero() {
		if s.admin, err = s.newClient(config, "/admin/api/"); err != nil {
			return nil, fmt.Errorf("the Admin API: %w", err)
		}
	}
	return s, nil
}

// newClient returns a client of the API below path, with the token for it alone.
func (s *Shop) newClient(config Config, path string) (*shopclient.Client, error) {
	c := config.Client
	if c.BaseURL == nil {
		return nil, errors.New("the shop's URL is missing")
	}
	if c.BaseURL.Path != "" && c.BaseURL.Path != "/" {
		return nil, errors.New("the shop's URL must end with its host: the path follows from the version")
	}
	base := *c.BaseURL
	base.Path = path + s.version + "/graphql.json"
	c.BaseURL = &base
	c.MaxBody = cmp.Or(c.MaxBody, maxBody)
	if c.Transport == nil {
		c.Transport = defaultTransport()
	}
	c.Transport = calm{c.Transport}
	c.Secrets = withToken(config, path)
	return shopclient.New(c)
}

// withToken are the secret headers of the API below path.
func withToken(config Config, path string) map[string]secret.String {
	all := make(map[string]secret.String, len(config.Client.Secrets)+1)
	for name, value := range config.Client.Secrets {
		all[name] = value
	}
	switch {
	case path != "/api/":
		all[adminHeader] = config.AdminToken
	case config.PrivateToken.IsZero():
		all[publicHeader] = config.PublicToken
	default:
		all[privateHeader] = config.PrivateToken
	}
	return all
}

// Close closes connections that are kept for later.
func (s *Shop) Close() {
	s.client.Close()
	if s.admin != nil {
		s.admin.Close()
	}
}

func checkVersion(version string) error {
	switch {
	case version == unstable:
		return nil
	case !regexp.MustCompile(`^20[0-9]{2}-(01|04|07|10)$`).MatchString(version):
		return fmt.Errorf("the version %.20q is none: it is a year and the first month of a quarter, such as %s", version, defaultVersion)
	case version < oldestVersion:
		return fmt.Errorf("the version %s is too old; %s is the oldest that will do", version, oldestVersion)
	}
	return nil
}

func checkTokens(config Config) error {
	switch public, private := !config.PublicToken.IsZero(), !config.PrivateToken.IsZero(); {
	case public && private:
		return errors.New("there is a private token and a public one; the private one is enough")
	case !public && !private:
		return errors.New("the access token of the Storefront API is missing")
	}
	return nil
}

// parsePage reads the address of a product's page.
func parsePage(text string) (pageurl.Template, error) {
	page, err := pageurl.Parse(text, handlePlace)
	if err == nil && text != "" && !page.Has(handlePlace) {
		err = fmt.Errorf("must hold {%s}", handlePlace)
	}
	if err != nil {
		return pageurl.Template{}, fmt.Errorf("the product URL: %w", err)
	}
	return page, nil
}

// metafield names a metafield, as HasMetafieldsIdentifier wants it.
type metafield struct {
	Namespace string `json:"namespace"`
	Key       string `json:"key"`
}

func parseMetafields(names []string) ([]metafield, error) {
	if len(names) > maxMetafields {
		return nil, fmt.Errorf("there are %d metafields, more than the %d that Shopify gives at once", len(names), maxMetafields)
	}
	fields := []metafield{}
	for _, name := range names {
		dot := strings.LastIndexByte(name, '.')
		if dot < 1 || dot == len(name)-1 {
			return nil, fmt.Errorf("the metafield %.80q is not a namespace, a point and a key", name)
		}
		field := metafield{name[:dot], name[dot+1:]}
		if !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	return fields, nil
}

// defaultTransport is for a configuration without one. Like all connections to
// shops it knows neither cookies nor the environment's proxy.
func defaultTransport() http.RoundTripper {
	return &http.Transport{
		TLSHandshakeTimeout:    5 * time.Second,
		MaxIdleConnsPerHost:    32,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		ForceAttemptHTTP2:      true,
	}
}
