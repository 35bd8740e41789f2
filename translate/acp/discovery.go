package acp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

// How long others may keep the document: an hour at least (rfc.discovery, section
// 4.1), but not while the shop has not said what it can do.
const (
	discoveryMaxAge = time.Hour
	unknownMaxAge   = time.Minute
)

// discovery is the document (DiscoveryResponse).
type discovery struct {
	Protocol     discoveryProtocol     `json:"protocol"`
	BaseURL      string                `json:"api_base_url"`
	Transports   []string              `json:"transports"`
	Capabilities discoveryCapabilities `json:"capabilities"`
}

type discoveryProtocol struct {
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Supported []string `json:"supported_versions"`
}

type discoveryCapabilities struct {
	Services   []string             `json:"services"`
	Extensions []discoveryExtension `json:"extensions,omitempty"`
	Currencies []string             `json:"supported_currencies,omitempty"`
	Locales    []string             `json:"supported_locales,omitempty"`
}

type discoveryExtension struct {
	Name string `json:"name"`
}

// Discovery returns what serves the document that says where a shop speaks the
// protocol, at whatever path it is put. The endpoint is the absolute URL of
// [REST]'s base, and the shop may be nil while it has not said what it is: then it
// offers nothing yet.
func Discovery(endpoint string, shop *upstream.Description) (http.Handler, error) {
	d := discovery{
		Protocol: discoveryProtocol{"acp", Version, []string{Version}}, BaseURL: endpoint, Transports: []string{"rest"},
		Capabilities: discoveryCapabilities{Services: []string{}},
	}
	maxAge := unknownMaxAge
	if shop != nil {
		d.Capabilities, maxAge = offered(shop), discoveryMaxAge
	}
	body, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encoding the discovery document: %w", err)
	}
	return public(body, maxAge), nil
}

// offered says what a shop can be asked for. What would lead nowhere is not.
func offered(shop *upstream.Description) discoveryCapabilities {
	can := shop.Capabilities
	c := discoveryCapabilities{Services: []string{}}
	if can.Baskets && (can.Place || can.HandOff) {
		c.Services = append(c.Services, "checkout")
	}
	if can.Baskets {
		c.Services = append(c.Services, "carts")
	}
	if len(c.Services) > 0 && c.Services[0] == "checkout" && can.Codes != upstream.CodesNone {
		c.Extensions = []discoveryExtension{{discountExtension}}
	}
	for _, currency := range shop.Currencies {
		c.Currencies = append(c.Currencies, strings.ToLower(string(currency)))
	}
	if shop.Language != "" {
		c.Locales = []string{shop.Language}
	}
	return c
}
