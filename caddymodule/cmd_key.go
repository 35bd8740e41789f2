package caddymodule

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"text/tabwriter"
	"time"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/storeware/caddy-storeware/internal/keyring"
)

func keyCommand() caddycmd.Command {
	return caddycmd.Command{
		Name:  "key",
		Usage: "<command>",
		Short: "Lists, rotates and revokes the keys that a shop signs with",
		Long: `
A shop signs every answer. Its keys are made when it first starts and live in
Caddy's storage; the public ones stand in its profile.
`,
		CobraFunc: func(cmd *cobra.Command) {
			adminFlags(cmd, "the keys stand in the shop's /.well-known/ucp; to rotate or revoke one, turn admin on, if only at a socket (admin unix//run/caddy.sock)")
			cmd.AddCommand(keyListCommand(), keyRotateCommand(), keyRevokeCommand())
		},
	}
}

func keyListCommand() *cobra.Command {
	cmd := subcommand("list [--shop <shop>]", "Lists the published keys of a shop", `
Lists the keys in a shop's profile, the newest first.
`, cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		var keys []keyring.Key
		if err := callKeys(cmd, http.MethodGet, "/storeware/keys", nil, &keys); err != nil {
			return err
		}
		table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "KID\tSIGNS FROM\tSIGNS UNTIL\tPUBLISHED UNTIL")
		for _, key := range keys {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", key.ID, momentOf(key.SignsFrom), momentOf(key.Retired), momentOf(key.PublishedUntil))
		}
		return table.Flush()
	})
	shopFlag(cmd)
	return cmd
}

func keyRotateCommand() *cobra.Command {
	cmd := subcommand("rotate [--shop <shop>]", "Makes a new signing key for a shop", `
Makes a new signing key. It is published at once and signs an hour later, when
every copy of the shop's profile without it has run out. The old key stays
published for a week after that.
`, cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		var key keyring.Key
		if err := callKeys(cmd, http.MethodPost, "/storeware/keys/rotate", nil, &key); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "Key %s is published and signs from %s.\n", key.ID, momentOf(key.SignsFrom))
		return nil
	})
	shopFlag(cmd)
	return cmd
}

// errKid says how to name a key. A thumbprint may begin with a hyphen, and is then
// taken for flags.
var errKid = errors.New("name one kid as key list shows it; one that begins with - stands after --, as in key revoke -- -Qk3…")

func keyRevokeCommand() *cobra.Command {
	oneKid := func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return errKid
		}
		return nil
	}
	cmd := subcommand("revoke [--shop <shop>] [--] <kid>", "Removes a signing key that has leaked", `
Removes a signing key at once: nothing that it signed can be verified any more. If
it was the one that signs, a new one takes over. A kid that begins with - stands
after --.
`, oneKid, func(cmd *cobra.Command, args []string) error {
		var key keyring.Key
		if err := callKeys(cmd, http.MethodPost, "/storeware/keys/revoke", url.Values{"kid": {args[0]}}, &key); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "Key %s is gone; key %s signs.\n", args[0], key.ID)
		return nil
	})
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return fmt.Errorf("%w: %w", err, errKid) })
	shopFlag(cmd)
	return cmd
}

// callKeys calls the admin API about the keys of the shop that the flag names.
func callKeys(cmd *cobra.Command, method, path string, parameters url.Values, answer any) error {
	shop, err := cmd.Flags().GetString("shop")
	if err != nil {
		return err
	}
	if parameters == nil {
		parameters = url.Values{}
	}
	parameters.Set("shop", shop)
	return callAdminJSON(cmd, method, path+"?"+parameters.Encode(), nil, answer)
}

func momentOf(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}
