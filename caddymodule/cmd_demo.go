package caddymodule

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/storeware/caddy-storeware/caddymodule/askbox"
	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
)

var (
	//go:embed demo/Caddyfile
	demoCaddyfile string
	//go:embed demo/agent.json
	demoAgent []byte
)

func demoCommand() caddycmd.Command {
	return caddycmd.Command{
		Name:  "demo",
		Usage: "[--port <port>] [--data <folder>] [--catalogue <file>] [--currency <code>]",
		Short: "Runs a shop with this module in front of it, to try it out",
		Long: `
Runs a demo shop, and Caddy with this module in front of it, on this machine alone.
It prints the shop's address, the key of an agent, and three lines for a shell:
search, make a checkout, buy. The shop's front page has a box that asks as an agent
would and shows what the agent gets.

What happens there is kept in a folder of its own, which is removed at the end
unless it is named with --data. No other Caddy on the machine is touched.
`,
		CobraFunc: func(cmd *cobra.Command) {
			var d demonstration
			flags := cmd.Flags()
			flags.IntVar(&d.port, "port", 8080, "Port on localhost; 0 takes a free one")
			flags.StringVar(&d.data, "data", "", "Folder that keeps the shop and what is bought, for the next time")
			d.goods.flags(flags)
			cmd.Args = cobra.NoArgs
			cmd.RunE = func(cmd *cobra.Command, _ []string) error {
				ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
				defer stop()
				return d.run(ctx, cmd.OutOrStdout())
			}
		},
	}
}

// demonstration is a run of the demo.
type demonstration struct {
	port  int
	data  string
	goods goods
}

// run runs the demo until the context ends.
func (d demonstration) run(ctx context.Context, out io.Writer) (err error) {
	data := d.data
	if data == "" {
		if data, err = os.MkdirTemp("", "storeware-demo-"); err != nil {
			return fmt.Errorf("making a folder: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
	}
	if d.port == 0 {
		if d.port, err = anyPort(); err != nil {
			return err
		}
	}
	key := agents.NewKey()
	d.goods.ask = &askbox.Box{Endpoint: fmt.Sprintf("http://127.0.0.1:%d/mcp", d.port), Key: agents.NewKey()}
	house, err := d.goods.open(filepath.Join(data, "shop"), "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, house.close()) }()
	if err := d.load(data, house.url(), key); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, caddy.Stop()) }()
	lines, err := demoLines(ctx, fmt.Sprintf("http://localhost:%d", d.port), house.url(), key)
	if err != nil {
		return err
	}
	fmt.Fprint(out, lines)
	select {
	case <-ctx.Done():
		fmt.Fprintln(out)
		return nil
	case err := <-house.failed:
		return fmt.Errorf("serving the demo shop: %w", err)
	}
}

// load runs Caddy in front of the shop.
func (d demonstration) load(data, shop string, key secret.String) error {
	if err := checkPort(d.port); err != nil {
		return err
	}
	public := filepath.Join(data, "public")
	if err := os.MkdirAll(public, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(public, "agent.json"), demoAgent, 0o600); err != nil {
		return err
	}
	text := strings.NewReplacer(
		"DATA", quoteEscaper.Replace(data), "PORT", strconv.Itoa(d.port),
		"SHOP", shop, "HASH", agents.HashKey(key).String(), "BOX", agents.HashKey(d.goods.ask.Key).String(),
	).Replace(demoCaddyfile)
	config, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(text), nil)
	if err != nil {
		return fmt.Errorf("adapting the demo's Caddyfile: %w", err)
	}
	if err := caddy.Load(config, true); err != nil {
		return fmt.Errorf("starting Caddy: %w", err)
	}
	return nil
}

// quoteEscaper escapes what ends a quoted word of a Caddyfile.
var quoteEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// anyPort returns a port that is free.
func anyPort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("finding a free port: %w", err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}

// checkPort returns an error if a port is taken. Caddy would listen there all the
// same beside another Caddy, and each would get a part of the connections.
func checkPort(port int) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %d is taken: choose another with --port", port)
	}
	if err != nil {
		return fmt.Errorf("listening on port %d: %w", port, err)
	}
	return listener.Close()
}
