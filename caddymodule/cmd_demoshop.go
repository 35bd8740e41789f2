package caddymodule

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/storeware/caddy-storeware/caddymodule/askbox"
	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

func demoShopCommand() caddycmd.Command {
	return caddycmd.Command{
		Name:  "demo-shop",
		Usage: "[--listen <address>] [--data <folder>] [--catalogue <file>] [--currency <code>]",
		Short: "Runs the demo shop alone",
		Long: `
Runs the demo shop alone: a small shop with an API of its own, and pages. Put Caddy
in front of it with

	storeware {
		upstream demo http://127.0.0.1:8081
	}

Without --data it forgets everything when it ends.
`,
		CobraFunc: func(cmd *cobra.Command) {
			var g goods
			var listen, data, office string
			flags := cmd.Flags()
			flags.StringVar(&listen, "listen", "127.0.0.1:8081", "Address to listen on")
			flags.StringVar(&data, "data", "", "Folder that keeps the shop and its orders")
			flags.StringVar(&office, "back-office", "", "Token of the back office; without one there is none")
			flags.BoolVar(&g.faults, "faults", false, "Let tests make the shop misbehave")
			flags.BoolVar(&g.careless, "careless", false, "Order a basket as often as asked to, as some real shops do, for tests")
			g.flags(flags)
			cmd.Args = cobra.NoArgs
			cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
				ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
				defer stop()
				g.office = secret.New(office)
				house, err := g.open(data, listen)
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, house.close()) }()
				fmt.Fprintf(cmd.OutOrStdout(), "%s is open at %s\n", shop.Name, house.url())
				select {
				case <-ctx.Done():
					return nil
				case err := <-house.failed:
					return fmt.Errorf("serving the demo shop: %w", err)
				}
			}
		},
	}
}

// goods say what the demo shop sells and how.
type goods struct {
	catalogue string
	currency  string
	office    secret.String
	faults    bool
	careless  bool
	// ask answers the questions of the front page's box. Without it there is no box.
	ask *askbox.Box
}

// catalogueHelp says what a row of a catalogue is, which package shop reads.
const catalogueHelp = `File with other products, a JSON object in each line:
  {"id": "p1", "handle": "kiln-mug", "title": "Kiln Mug", "price_minor": 1600, "currency": "GBP"}
and, if there is more to say, "description", "brand", "category": "Home/Tableware",
"in_stock": true, "stock": 12, "attributes": {"material": "stoneware", "colour": ["Rust", "Oat"]},
"variants": [{"sku": "KSM-RUST", "colour": "Rust", "price_minor": 1600, "in_stock": true}]`

func (g *goods) flags(flags *pflag.FlagSet) {
	flags.StringVar(&g.catalogue, "catalogue", "", catalogueHelp)
	flags.StringVar(&g.currency, "currency", "", "Currency of the built-in products, GBP if not given")
}

// demoShop is a demo shop that is open.
type demoShop struct {
	shop     *shop.Server
	server   *http.Server
	listener net.Listener
	failed   chan error // what the server ended with before it was closed
}

// server makes the shop. Without a folder it forgets everything when it is closed.
func (g *goods) server(data string) (*shop.Server, error) {
	options := shop.Options{DataDir: data, BackOffice: g.office, Faults: g.faults, Careless: g.careless}
	if g.ask != nil {
		options.AskPath = askbox.Path
	}
	if g.currency != "" {
		currency, err := money.ParseCurrency(g.currency)
		if err != nil {
			return nil, fmt.Errorf("--currency: %w", err)
		}
		options.Currency = currency
	}
	if g.catalogue != "" {
		file, err := os.Open(g.catalogue)
		if err != nil {
			return nil, fmt.Errorf("opening the catalogue: %w", err)
		}
		defer file.Close()
		options.Catalogue = file
	}
	if data != "" {
		if err := os.MkdirAll(data, 0o700); err != nil {
			return nil, fmt.Errorf("making the folder %s: %w", filepath.Clean(data), err)
		}
	}
	s, err := shop.New(options)
	if err != nil {
		return nil, fmt.Errorf("opening the demo shop: %w", err)
	}
	return s, nil
}

// open opens the shop on an address.
func (g *goods) open(data, listen string) (*demoShop, error) {
	s, err := g.server(data)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the demo shop: %w", err), s.Close())
	}
	doors := http.NewServeMux()
	doors.Handle("/", s)
	if g.ask != nil {
		doors.Handle(askbox.Path, g.ask)
		doors.Handle(askbox.Path+"/", g.ask)
	}
	d := &demoShop{
		shop: s, listener: listener, failed: make(chan error, 1),
		server: &http.Server{Handler: doors, ReadHeaderTimeout: 10 * time.Second},
	}
	go func() { d.failed <- d.server.Serve(listener) }()
	return d, nil
}

func (d *demoShop) url() string { return "http://" + d.listener.Addr().String() }

// closeTime bounds how long requests under way may take when the shop is closed.
const closeTime = 5 * time.Second

// close closes the shop, after the requests that are under way.
func (d *demoShop) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	err := d.server.Shutdown(ctx)
	if err != nil {
		err = d.server.Close()
	}
	return errors.Join(err, d.shop.Close())
}
