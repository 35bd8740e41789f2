package doctor

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
)

// Config is what a configuration of Caddy, in JSON, says of its shops.
type Config struct {
	// Sites are where the shops are reached.
	Sites []Site
	// AdminOff says that there is no admin API.
	AdminOff bool
	// State and Storage are the modules that keep the state and Caddy's own
	// storage.
	State   string
	Storage string
}

// Site is a place where a shop is reached.
type Site struct {
	// Shop is the shop's name.
	Shop string
	// Host is the hostname or the address that the site is for.
	Host string
	// Network and Address are where Caddy listens for it, as net.Dial has them.
	Network, Address string
	// Port is that of the address, 0 for a socket without one.
	Port int
	// Plain says that it is the port where Caddy never speaks TLS.
	Plain bool
	// Proxied says that there are proxies whose word about the client is taken.
	Proxied bool
	// Revealing are the logs that would show an agent's key.
	Revealing []string
	// Logged says that requests are written to a log at all.
	Logged bool
}

// namelessShop is the name of a shop whose site has none, as the handler has it.
const namelessShop = "default"

// defaultHTTPPort is where Caddy speaks plain HTTP unless it is told otherwise.
const defaultHTTPPort = 80

// configJSON is the part of a configuration that matters here.
type configJSON struct {
	Admin struct {
		Disabled bool `json:"disabled"`
	} `json:"admin"`
	Storage struct {
		Module string `json:"module"`
	} `json:"storage"`
	Logging struct {
		Logs map[string]logJSON `json:"logs"`
	} `json:"logging"`
	Apps struct {
		HTTP struct {
			HTTPPort int                   `json:"http_port"`
			Servers  map[string]serverJSON `json:"servers"`
		} `json:"http"`
		Storeware struct {
			State struct {
				Module string `json:"module"`
			} `json:"state"`
		} `json:"storeware"`
	} `json:"apps"`
}

type serverJSON struct {
	Listen         []string        `json:"listen"`
	Routes         []routeJSON     `json:"routes"`
	TrustedProxies json.RawMessage `json:"trusted_proxies"`
	Logs           *serverLogsJSON `json:"logs"`
}

type routeJSON struct {
	Match []struct {
		Host []string `json:"host"`
	} `json:"match"`
	Handle []json.RawMessage `json:"handle"`
}

// ReadConfig reads a configuration. Where Caddy listens on all addresses, node is
// the one that it is reached at.
func ReadConfig(config []byte, node string) (*Config, error) {
	var c configJSON
	if err := json.Unmarshal(config, &c); err != nil {
		return nil, fmt.Errorf("reading Caddy's configuration: %w", err)
	}
	read := &Config{AdminOff: c.Admin.Disabled, State: c.Apps.Storeware.State.Module, Storage: c.Storage.Module}
	if read.State == "" {
		read.State = stateFile
	}
	if read.Storage == "" {
		read.Storage = storageFiles
	}
	httpPort := c.Apps.HTTP.HTTPPort
	if httpPort == 0 {
		httpPort = defaultHTTPPort
	}
	for _, name := range slices.Sorted(maps.Keys(c.Apps.HTTP.Servers)) {
		server := c.Apps.HTTP.Servers[name]
		shops, err := server.shops()
		if err != nil {
			return nil, fmt.Errorf("reading Caddy's configuration: server %s: %w", name, err)
		}
		if len(shops) == 0 {
			continue
		}
		at, err := listening(server.Listen, node)
		if err != nil {
			return nil, fmt.Errorf("reading Caddy's configuration: server %s: %w", name, err)
		}
		for _, found := range shops {
			at.Shop, at.Host = found.name, found.host
			if at.Host == "" {
				at.Host = hostOf(at.Address)
			}
			at.Plain = at.Port == httpPort
			at.Proxied = len(server.TrustedProxies) > 0
			at.Logged, at.Revealing = server.revealing(found.host, c.Logging.Logs)
			if !slices.ContainsFunc(read.Sites, func(s Site) bool { return s.Shop == at.Shop && s.Host == at.Host && s.Address == at.Address }) {
				read.Sites = append(read.Sites, at)
			}
		}
	}
	return read, nil
}

// foundShop is a shop in the routes of a server. The host is empty for any.
type foundShop struct{ name, host string }

// shops returns the shops of a server.
func (s *serverJSON) shops() ([]foundShop, error) {
	var found []foundShop
	for _, route := range s.Routes {
		hosts := route.hosts()
		site := namelessShop
		if len(hosts) > 0 {
			site = strings.ToLower(hosts[0])
		}
		inside, err := route.shops(site, hosts)
		if err != nil {
			return nil, err
		}
		found = append(found, inside...)
	}
	return found, nil
}

func (r *routeJSON) hosts() []string {
	var hosts []string
	for _, match := range r.Match {
		hosts = append(hosts, match.Host...)
	}
	return hosts
}

// shops returns the shops in a route of a site, whose name is that of a shop which
// has no other.
func (r *routeJSON) shops(site string, hosts []string) ([]foundShop, error) {
	if own := r.hosts(); len(own) > 0 {
		hosts = own
	}
	var found []foundShop
	for _, raw := range r.Handle {
		var kind struct {
			Handler string `json:"handler"`
		}
		if err := json.Unmarshal(raw, &kind); err != nil {
			return nil, err
		}
		switch kind.Handler {
		case "storeware":
			shop := struct {
				Name string `json:"name"`
			}{}
			if err := json.Unmarshal(raw, &shop); err != nil {
				return nil, err
			}
			if shop.Name == "" {
				shop.Name = site
			}
			if len(hosts) == 0 {
				found = append(found, foundShop{name: shop.Name})
			}
			for _, host := range hosts {
				found = append(found, foundShop{shop.Name, host})
			}
		case "subroute":
			var sub struct {
				Routes []routeJSON `json:"routes"`
			}
			if err := json.Unmarshal(raw, &sub); err != nil {
				return nil, err
			}
			for _, route := range sub.Routes {
				inside, err := route.shops(site, hosts)
				if err != nil {
					return nil, err
				}
				found = append(found, inside...)
			}
		}
	}
	return found, nil
}

// listening returns where a server listens: the first of its addresses that a
// client can connect to.
func listening(addresses []string, node string) (Site, error) {
	for _, text := range addresses {
		text = caddy.NewReplacer().ReplaceKnown(text, "")
		at, err := caddy.ParseNetworkAddress(text)
		if err != nil {
			return Site{}, fmt.Errorf("listening on %q: %w", text, err)
		}
		switch {
		case at.IsUnixNetwork():
			return Site{Network: at.Network, Address: at.JoinHostPort(0)}, nil
		case strings.HasPrefix(at.Network, "tcp"):
			if ip := net.ParseIP(at.Host); at.Host == "" || ip != nil && ip.IsUnspecified() {
				at.Host = node
			}
			return Site{Network: at.Network, Address: at.JoinHostPort(0), Port: int(at.StartPort)}, nil
		}
	}
	return Site{}, fmt.Errorf("it listens on no address that can be connected to (%s)", strings.Join(addresses, ", "))
}

// hostOf returns the host of an address.
func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return "localhost"
}
