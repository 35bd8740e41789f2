package woocommerce

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// defaultTimeout is the client's own.
const defaultTimeout = 10 * time.Second

// orderEnds is how long after we gave up a shop may still be working on an
// order: what PHP is given at most by common hosts.
const orderEnds = 5 * time.Minute

// defaultCheckoutPath is where WooCommerce puts its checkout page.
const defaultCheckoutPath = "/checkout/"

// Config says which shop it is. Only Client.BaseURL must be given.
type Config struct {
	// Client says where the shop is and within which limits it is called. Its
	// BaseURL is the shop's front page as this process reaches it, such as
	// https://127.0.0.1:8443 or https://shop.example/store. Whoever speaks plain
	// HTTP to a shop that trusts its proxy puts X-Forwarded-Proto: https into
	// Client.Header.
	Client shopclient.Config
	// PublicURL is the shop's front page as a buyer reaches it, for links to hand
	// a basket over. If nil it is what the shop itself says.
	PublicURL *url.URL
	// ConsumerKey and ConsumerSecret are a key of the REST API (WooCommerce,
	// Settings, Advanced, REST API), both or neither. Read is all it needs to be
	// allowed.
	ConsumerKey    secret.String
	ConsumerSecret secret.String
	// Payments are the ways to pay that an agent may use. If nil they are those
	// that ask nothing of the buyer's browser and are switched on in the shop:
	// bacs (bank transfer), cheque and cod (cash on delivery). If empty, every
	// purchase ends on the shop's own page.
	Payments []Payment
	// Language is the BCP 47 tag of the shop's own words. If empty it is what the
	// shop's front page says of itself.
	Language string
	// CheckoutPath is the path of the shop's checkout page below its front page,
	// /checkout/ by default.
	CheckoutPath string
}

// Payment is a way to pay that an agent may use.
type Payment struct {
	// ID is the gateway's id in the shop, such as cod or stripe.
	ID string
	// Title is what a buyer reads. If empty it is the shop's own, where it tells.
	Title string
	// Field is the key of payment_data under which the gateway expects what the
	// payment handler was given. It may be empty for a gateway that wants nothing,
	// and for one that is given a whole JSON object of such fields.
	Field string
}

// Shop is a WooCommerce shop. It is safe for concurrent use.
type Shop struct {
	client       *shopclient.Client
	can          upstream.Capabilities // at best
	key          credentials
	public       *url.URL
	payments     []Payment
	language     string
	checkoutPath string
	patience     time.Duration
	now          func() time.Time

	learning chan struct{} // held by whoever is asking the shop what it is
	learned  atomic.Pointer[facts]

	marks *marks // of orders, where there is a key
}

var (
	_ upstream.Shop   = (*Shop)(nil)
	_ upstream.Walker = (*Shop)(nil)
)

// New returns the shop that config names. It does no I/O.
func New(config Config) (*Shop, error) {
	if config.ConsumerKey.IsZero() != config.ConsumerSecret.IsZero() {
		return nil, errors.New("consumer key and consumer secret go together")
	}
	if config.Client.BaseURL == nil {
		return nil, errors.New("the shop's URL is missing")
	}
	// A front page is a folder. Without its stroke a shop would redirect.
	config.Client.BaseURL = config.Client.BaseURL.JoinPath("/")
	client, err := shopclient.New(config.Client)
	if err != nil {
		return nil, err
	}
	s := &Shop{
		client:       client,
		can:          config.Capabilities(),
		key:          newCredentials(config),
		payments:     config.Payments,
		language:     config.Language,
		checkoutPath: strings.Trim(cmp.Or(config.CheckoutPath, defaultCheckoutPath), "/"),
		patience:     cmp.Or(config.Client.Timeout, defaultTimeout) + orderEnds,
		now:          config.Client.Now,
		learning:     make(chan struct{}, 1),
		marks:        newMarks(),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.public, err = publicURL(config.PublicURL); err != nil {
		return nil, err
	}
	for _, payment := range config.Payments {
		if payment.ID == "" {
			return nil, errors.New("a way to pay has no id")
		}
	}
	return s, nil
}

// publicURL checks the address that links are made of.
func publicURL(u *url.URL) (*url.URL, error) {
	switch {
	case u == nil:
		return nil, nil
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, errors.New("the public URL must begin with http:// or https:// and a host")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the public URL must end with its path and hold no credentials")
	}
	return u, nil
}

// Close closes connections that are kept for later.
func (s *Shop) Close() { s.client.Close() }

// credentials are a key of the REST API and how it is shown to the shop.
type credentials struct {
	key, secret secret.String
	// basic: the shop sees HTTPS, and takes the key as it stands. Otherwise the
	// requests are signed with it.
	basic bool
}

func newCredentials(config Config) credentials {
	forwarded := http.Header.Get(config.Client.Header, "X-Forwarded-Proto")
	return credentials{
		key:    config.ConsumerKey,
		secret: config.ConsumerSecret,
		basic:  config.Client.BaseURL.Scheme == "https" || strings.EqualFold(forwarded, "https"),
	}
}

// given reports whether there is a key.
func (c credentials) given() bool { return !c.key.IsZero() }
