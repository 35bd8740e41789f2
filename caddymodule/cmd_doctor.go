package caddymodule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/storeware/caddy-storeware/caddymodule/doctor"
	"github.com/storeware/caddy-storeware/internal/secret"
)

// keyVariable is the variable of the environment that may hold an agent's key.
const keyVariable = "STOREWARE_AGENT_KEY"

func doctorCommand() caddycmd.Command {
	return caddycmd.Command{
		Name:  "doctor",
		Usage: "[--shop <shop>] [--json] [--profile <url>]",
		Short: "Examines the shops that a Caddy serves, and says what is wrong",
		Long: `
Examines every shop of the Caddy that is running, the way an agent would see it:
its profile and keys, its certificate, the shop's API, a search, a basket that is
built, emptied and given up, its totals, and the signature of every answer. Nothing
is ordered. It calls the address that Caddy listens on, under the shop's own name,
so that it can be used before that name leads there.

Each line says what was found, and what to do about it. With --json it is one
object; its fields are those of Report and Finding in the package
caddymodule/doctor. The exit code is 1 if something failed, and 0 otherwise, also
if there are warnings.

Caddy is asked through its admin API, which also makes a key for the examination and
ends it. With "admin off", name the configuration with --config, and put the key of
an agent of the shop into the environment variable ` + keyVariable + `; it is then used
instead, and what only Caddy knows is left out. If that key is bound to a profile,
name it with --profile.
`,
		CobraFunc: func(cmd *cobra.Command) {
			adminFlags(cmd, "what only Caddy knows is left out")
			var x examiner
			flags := cmd.Flags()
			flags.StringVar(&x.shop, "shop", "", "Name of the one shop to examine; may be left out for all")
			flags.StringVar(&x.profile, "profile", doctorProfile, "URL of the profile to name, with the key of the environment")
			flags.BoolVar(&x.json, "json", false, "Print one JSON object")
			cmd.Args = cobra.NoArgs
			cmd.RunE = func(cmd *cobra.Command, _ []string) error {
				ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
				defer stop()
				x.cmd, x.key = cmd, secret.New(os.Getenv(keyVariable))
				return x.run(ctx)
			}
		},
	}
}

// examiner is a run of the command doctor.
type examiner struct {
	cmd     *cobra.Command
	shop    string
	profile string
	json    bool
	key     secret.String // of the environment, zero if it has none
}

func (x *examiner) run(ctx context.Context) error {
	config, inside, err := x.configuration()
	if err != nil {
		return err
	}
	report := doctor.Examine(ctx, config, doctor.Options{
		Now: time.Now, Inside: inside, Shop: x.shop,
		Key: func(_ context.Context, shop string) (doctor.Key, error) { return x.keyFor(shop, inside != nil) },
	})
	if ctx.Err() != nil {
		return errors.New("the examination was interrupted")
	}
	if x.json {
		encoder := json.NewEncoder(x.cmd.OutOrStdout())
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(report)
	} else {
		err = report.Write(x.cmd.OutOrStdout())
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if !report.OK {
		return errors.New("something failed: see the lines above")
	}
	return nil
}

// configuration returns the configuration that runs, with what Caddy says of
// itself; or that of a file, if it turns the admin API off.
func (x *examiner) configuration() (*doctor.Config, *doctor.Inside, error) {
	var text json.RawMessage
	err := callAdminJSON(x.cmd, http.MethodGet, "/config/", nil, &text)
	if off, ok := errors.AsType[*adminOffError](err); ok {
		config, err := doctor.ReadConfig(off.config, loopback)
		return config, nil, err
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w (with admin off, name the configuration with --config)", err)
	}
	config, err := doctor.ReadConfig(text, x.node())
	if err != nil || len(config.Sites) == 0 {
		return config, new(doctor.Inside), err
	}
	inside := new(doctor.Inside)
	err = callAdminJSON(x.cmd, http.MethodGet, "/storeware/doctor", nil, inside)
	return config, inside, err
}

// loopback is where a Caddy on this machine is reached that listens everywhere.
const loopback = "127.0.0.1"

// node is where the Caddy is reached that listens everywhere: the machine that
// has its admin API.
func (x *examiner) node() string {
	address, err := adminAddress(x.cmd)
	if err != nil {
		return loopback
	}
	at, err := caddy.ParseNetworkAddress(address)
	if err != nil || at.Host == "" || !strings.HasPrefix(at.Network, "tcp") {
		return loopback
	}
	if ip := net.ParseIP(at.Host); ip != nil && ip.IsUnspecified() {
		return loopback
	}
	return at.Host
}

// keyFor returns a key to examine a shop with: that of the environment, or one
// that Caddy makes for it and ends afterwards.
func (x *examiner) keyFor(shop string, admin bool) (doctor.Key, error) {
	if !x.key.IsZero() {
		return doctor.Key{Secret: x.key, Profile: x.profile}, nil
	}
	if !admin {
		return doctor.Key{}, fmt.Errorf("without an admin API, put one into the environment variable %s", keyVariable)
	}
	const uri = "/storeware/doctor/key?"
	var visitor Visitor
	if err := callAdminJSON(x.cmd, http.MethodPost, uri+url.Values{"shop": {shop}}.Encode(), nil, &visitor); err != nil {
		return doctor.Key{}, err
	}
	return doctor.Key{
		Secret: secret.New(visitor.Key), Profile: visitor.ProfileURL,
		Release: func() error {
			var ended struct{}
			return callAdminJSON(x.cmd, http.MethodDelete, uri+url.Values{"shop": {shop}, "visitor": {visitor.ID}}.Encode(), nil, &ended)
		},
	}, nil
}
