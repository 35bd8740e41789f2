package doctor

import (
	"context"
	"crypto/x509"
	"fmt"
	"slices"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
)

// Options are what an examination needs beside the configuration.
type Options struct {
	// Now is the clock of this machine.
	Now func() time.Time
	// Inside is what Caddy says of itself, nil where it has no admin API.
	Inside *Inside
	// Key returns a key to call a shop with.
	Key func(ctx context.Context, shop string) (Key, error)
	// Shop, if not empty, is the one shop that is examined.
	Shop string
	// Roots are the authorities whose certificates are trusted, those of the
	// system if nil.
	Roots *x509.CertPool
}

// Key is what an agent calls with.
type Key struct {
	Secret secret.String
	// Profile is the URL of the agent's platform profile.
	Profile string
	// Release, if not nil, ends the key. It is called once.
	Release func() error
}

// examination is one under way.
type examination struct {
	Options
	config *Config
	report Report
}

// Examine examines the shops of a configuration. When the context ends, so does
// the examination, after it has given up the basket and the key that it holds;
// what it then reports says little.
func Examine(ctx context.Context, config *Config, o Options) *Report {
	e := &examination{Options: o, config: config}
	e.report.Examined = o.Now().UTC()
	e.report.Findings = []Finding{}
	shops := e.shops()
	e.configuration(shops)
	if len(shops) > 0 {
		e.state()
		e.storage()
	}
	for _, shop := range shops {
		if ctx.Err() == nil {
			e.shop(ctx, shop)
		}
	}
	e.report.OK = e.report.Count(Failure) == 0
	return &e.report
}

// shops returns the names of the shops to examine, in the order of their sites.
func (e *examination) shops() []string {
	var shops []string
	add := func(name string) {
		if !slices.Contains(shops, name) && (e.Shop == "" || e.Shop == name) {
			shops = append(shops, name)
		}
	}
	for _, site := range e.config.Sites {
		add(site.Shop)
	}
	if e.Inside != nil {
		for _, shop := range e.Inside.Shops {
			add(shop.Name)
		}
	}
	return shops
}

// configuration says what there is to examine.
func (e *examination) configuration(shops []string) {
	const check = "configuration"
	switch {
	case len(shops) == 0 && e.Shop != "":
		e.report.add(Finding{
			Check: check, Status: Failure, Found: fmt.Sprintf("no shop is called %q", e.Shop),
			Advice: "leave --shop out to see all shops",
		})
	case len(shops) == 0:
		e.report.add(Finding{
			Check: check, Status: Failure, Found: "no site has the directive storeware",
			Advice: "add storeware { upstream … } to the site of the shop; Caddyfile.example shows how",
		})
	case e.Inside == nil:
		e.report.add(Finding{
			Check: check, Status: Warning,
			Found:  count(len(shops), "shop", "shops") + " in the file, and no admin API to ask the Caddy that runs",
			Advice: "what only Caddy itself knows was left out; turn its admin API on to have it examined",
		})
	default:
		e.report.add(Finding{Check: check, Status: OK, Found: count(len(shops), "shop", "shops") + " in the running configuration"})
	}
}

// shop examines a shop: what Caddy says of it, each of its sites, and a purchase
// up to the point of ordering at the first site that has a profile.
func (e *examination) shop(ctx context.Context, name string) {
	shop := &patient{examination: e, name: name, inside: e.Inside.shop(name)}
	shop.fromInside()
	var sites []*visit
	for _, site := range e.config.Sites {
		if site.Shop != name {
			continue
		}
		if v := shop.visit(ctx, site); v != nil {
			sites = append(sites, v)
		}
	}
	if !slices.ContainsFunc(e.config.Sites, func(s Site) bool { return s.Shop == name }) {
		shop.add("configuration", Warning, "no route to the shop was found in the configuration",
			"examine it where its site has a hostname of its own, outside of named routes")
	}
	at := slices.IndexFunc(sites, func(v *visit) bool { return v.profile.Exists() })
	if at >= 0 {
		shop.pages(ctx, sites[at])
		shop.purchase(ctx, sites[at])
	}
	for _, v := range sites {
		v.signatures()
		v.clocks(ctx)
	}
}

// patient is a shop under examination.
type patient struct {
	*examination
	name   string
	inside *InsideShop // nil where Caddy says nothing of it
}

// add adds a finding about the shop.
func (p *patient) add(check string, status Status, found, advice string) {
	p.report.add(Finding{Check: check, Shop: p.name, Status: status, Found: found, Advice: advice})
}
