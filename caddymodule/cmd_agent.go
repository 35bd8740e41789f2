package caddymodule

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/storeware/caddy-storeware/caddymodule/doctor"
	"github.com/storeware/caddy-storeware/internal/agents"
)

func agentCommand() caddycmd.Command {
	return caddycmd.Command{
		Name:  "agent",
		Usage: "<command>",
		Short: "Adds, lists and revokes the agents that may call a shop",
		Long: `
An agent calls a shop with a key, which is good for that shop alone. It is shown
once, when the agent is added; what is kept is its hash.

Agents are kept in the state of the Caddy that is running, which is asked through
its admin API. Where there is no admin API, declare agents in the Caddyfile: see
the command declare.
`,
		CobraFunc: func(cmd *cobra.Command) {
			adminFlags(cmd, "declare agents in that file instead, each with the line that agent declare makes; one whose line is taken out is revoked")
			cmd.AddCommand(agentAddCommand(), agentListCommand(), agentRevokeCommand(), agentDeclareCommand())
		},
	}
}

// shopFlag adds the flag that says which shop.
func shopFlag(cmd *cobra.Command) {
	cmd.Flags().String("shop", "", "Name of the shop; may be left out where there is only one")
}

func agentAddCommand() *cobra.Command {
	var wanted agents.Registration
	var publicKey string
	cmd := subcommand("add <name> [--shop <shop>] [--profile <url>] [--public-key <file>] [--webhook <url>] [--sandbox]",
		"Adds an agent and prints its key", `
Adds an agent to a shop and prints its key, alone on standard output. It is the
only time that the key is shown. On standard error follow lines for a shell that
try it, with something that the shop has: search, make a checkout, buy.

The name is yours to choose: letters, digits, dots, hyphens and underscores.
`, cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			wanted.Name = args[0]
			if publicKey != "" {
				pem, err := os.ReadFile(publicKey)
				if err != nil {
					return fmt.Errorf("reading the public key: %w", err)
				}
				wanted.PublicKeyPEM = string(pem)
			}
			body, err := json.Marshal(wanted)
			if err != nil {
				return err
			}
			var added AddedAgent
			if err := callAdminJSON(cmd, http.MethodPost, "/storeware/agents", bytes.NewReader(body), &added); err != nil {
				return err
			}
			kind := "may buy at"
			if added.Sandbox {
				kind = "may try everything but ordering at"
			}
			// It is read above the key, and above nothing where a shell keeps the key.
			fmt.Fprintf(cmd.ErrOrStderr(), "%s %s %s. Its key, which is shown this once, goes to standard output.\n", added.Name, kind, added.Shop)
			fmt.Fprintln(cmd.OutOrStdout(), added.Key)
			fmt.Fprint(cmd.ErrOrStderr(), tryingOut(cmd, added))
			return nil
		})
	flags := cmd.Flags()
	flags.StringVar(&wanted.Shop, "shop", "", "Name of the shop; may be left out where there is only one")
	flags.StringVar(&wanted.ProfileURL, "profile", "", "URL of the one platform profile that the agent may name")
	flags.StringVar(&publicKey, "public-key", "", "File with the public key (PEM) that the agent signs its requests with")
	flags.StringVar(&wanted.WebhookURL, "webhook", "", "URL that hears of the agent's orders")
	flags.BoolVar(&wanted.Sandbox, "sandbox", false, "Let the agent's orders be tests, which never reach the shop")
	return cmd
}

// tryingOut says how to try a new key, which is not repeated: a shell that keeps it
// in a variable shows it to nobody.
func tryingOut(cmd *cobra.Command, added AddedAgent) string {
	origin, pick, profile := "https://YOUR-SHOP", blankTryout(), cmp.Or(added.ProfileURL, doctorProfile)
	var text strings.Builder
	text.WriteString("\nTo try it, paste these lines into a shell that has the key in its variable key (key=swa_…).")
	if found := siteOf(cmd, added.Shop); found != "" {
		origin = found
	}
	if added.Try != nil {
		pick = *added.Try
	} else {
		text.WriteString("\nThe shop has not said what can be bought: take words of your own, VARIANT_ID from the\nsearch, and HANDLER_ID from /.well-known/ucp. Send what the checkout's messages ask for\nas well.")
	}
	switch {
	case added.ProfileURL == "":
		text.WriteString("\nThe profile in UCP-Agent is built in, for trying out. An agent names that of its own platform.\n")
	default:
		text.WriteString("\nThe profile has to be at that URL, or in a file that profile_file names in the Caddyfile.\n")
	}
	return text.String() + "\n" + pick.lines(origin, `"X-API-Key: $key"`, profile)
}

// siteOf returns the origin of the first site of a shop, empty where it is not known.
func siteOf(cmd *cobra.Command, shop string) string {
	var text json.RawMessage
	if err := callAdminJSON(cmd, http.MethodGet, "/config/", nil, &text); err != nil {
		return ""
	}
	config, err := doctor.ReadConfig(text, loopback)
	if err != nil {
		return ""
	}
	for _, site := range config.Sites {
		if site.Shop == shop && !strings.Contains(site.Host, "*") {
			return site.Origin(cmd.Context())
		}
	}
	return ""
}

func agentListCommand() *cobra.Command {
	cmd := subcommand("list [--shop <shop>]", "Lists the agents of a shop", `
Lists the agents of a shop, those that were revoked and those that are declared in
the configuration too. Keys are not shown: nobody has them.
`, cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		shop, err := cmd.Flags().GetString("shop")
		if err != nil {
			return err
		}
		var known []agents.Agent
		if err := callAdminJSON(cmd, http.MethodGet, "/storeware/agents?"+url.Values{"shop": {shop}}.Encode(), nil, &known); err != nil {
			return err
		}
		table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "NAME\tSTATUS\tADDED\tPROFILE\tID")
		for _, agent := range known {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", agent.Name, agentStatus(agent), dateOf(agent.Created), agent.ProfileURL, agent.ID)
		}
		return table.Flush()
	})
	shopFlag(cmd)
	return cmd
}

// agentStatus says in a word how it stands with an agent.
func agentStatus(a agents.Agent) string {
	switch {
	case !a.Revoked.IsZero():
		return "revoked " + dateOf(a.Revoked)
	case a.Sandbox && a.Declared:
		return "sandbox, declared"
	case a.Sandbox:
		return "sandbox"
	case a.Declared:
		return "declared"
	}
	return "active"
}

func dateOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

func agentRevokeCommand() *cobra.Command {
	cmd := subcommand("revoke <name> [--shop <shop>]", "Ends the key of an agent", `
Ends the key of the agent of that name or id. This Caddy refuses it at once, others
that share its state within 5 seconds. The name is then free again.
`, cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		shop, err := cmd.Flags().GetString("shop")
		if err != nil {
			return err
		}
		var revoked agents.Agent
		uri := "/storeware/agents?" + url.Values{"shop": {shop}, "agent": {args[0]}}.Encode()
		if err := callAdminJSON(cmd, http.MethodDelete, uri, nil, &revoked); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "The key of %s is no longer good at %s.\n", revoked.Name, revoked.Shop)
		return nil
	})
	shopFlag(cmd)
	return cmd
}

func agentDeclareCommand() *cobra.Command {
	return subcommand("declare <name>", "Makes a key for an agent that is declared in a Caddyfile", `
Makes a key, and the line that declares its agent in the storeware block of a
Caddyfile. It asks no Caddy, and nothing is kept: put the line into the Caddyfile,
and give the key to the agent.
`, cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		key := agents.NewKey()
		declaration := agents.Declaration{Registration: agents.Registration{Shop: "any", Name: args[0]}, Hash: agents.HashKey(key)}
		if _, err := agents.NewDirectory(nil, agents.Options{Declared: []agents.Declaration{declaration}}); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "Caddyfile:  agent %s %s\nKey:        %s\n", args[0], declaration.Hash, key.Reveal())
		return nil
	})
}
