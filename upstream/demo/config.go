package demo

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Config says where the shop is.
type Config struct {
	// Client says where the shop is and within which limits it is called. Its
	// BaseURL is where the shop's own address begins, without /api.
	Client shopclient.Config
	// PublicURL is where people reach the pages of the shop, the BaseURL if nil.
	PublicURL *url.URL
}

// Shop is the adapter. It is safe for concurrent use.
type Shop struct {
	client *shopclient.Client
	// public is PublicURL without a slash at its end.
	public string
}

var _ upstream.Shop = (*Shop)(nil)

// New returns the adapter. It does no I/O.
func New(config Config) (*Shop, error) {
	client, err := shopclient.New(config.Client)
	if err != nil {
		return nil, fmt.Errorf("the demo shop: %w", err)
	}
	public := config.PublicURL
	if public == nil {
		public = config.Client.BaseURL
	}
	if public.Scheme != "http" && public.Scheme != "https" || public.Host == "" || public.RawQuery != "" || public.Fragment != "" {
		return nil, errors.New("the demo shop: the address of its pages must begin with http:// or https:// and end with its path")
	}
	return &Shop{client: client, public: strings.TrimSuffix(public.String(), "/")}, nil
}

// Close closes the connections that are kept for later.
func (s *Shop) Close() { s.client.Close() }

// page turns a path that the shop gave into an address that a person can open.
func (s *Shop) page(path string) string {
	if !strings.HasPrefix(path, "/") {
		return ""
	}
	return s.public + path
}
