package caddymodule

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"
)

func indexCommand() caddycmd.Command {
	return caddycmd.Command{
		Name:  "index",
		Usage: "[--shop <name>] [--json]",
		Short: "Shows how far a shop's catalogue is known",
		Long: `
Shows how far the catalogue of a shop is known, for the index that products are found
by. It is read in the background when Caddy first serves the shop, and kept up from
then on; until it is whole the shop's own search helps out.
`,
		CobraFunc: func(cmd *cobra.Command) {
			var shop string
			var asJSON bool
			cmd.Flags().StringVar(&shop, "shop", "", "Name of the shop, if there is more than one")
			cmd.Flags().BoolVar(&asJSON, "json", false, "Print JSON")
			adminFlags(cmd, "turn admin on, if only at a socket (admin unix//run/caddy.sock)")
			cmd.Args = cobra.NoArgs
			cmd.RunE = func(cmd *cobra.Command, _ []string) error {
				var state IndexState
				if err := callAdminJSON(cmd, http.MethodGet, "/storeware/index?shop="+url.QueryEscape(shop), nil, &state); err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), state)
				}
				_, err := fmt.Fprint(cmd.OutOrStdout(), state.text())
				return err
			}
		},
	}
}

// text is the state for a person.
func (s IndexState) text() string {
	text := fmt.Sprintf("%s: products are found by its own search\n", s.Shop)
	if s.Search == searchIndex {
		text = fmt.Sprintf("%s: %d products are known, by %d terms\n", s.Shop, s.Products, s.Terms)
	}
	switch {
	case s.Error != "":
		text += "The catalogue cannot be read: " + s.Error + "\n"
	case s.Walking:
		text += fmt.Sprintf("The catalogue is being read: %d pages so far\n", s.Pages)
	case s.Whole != nil:
		text += fmt.Sprintf("The whole of it was read at %s\n", s.Whole.UTC().Format(time.RFC3339))
	}
	if s.LeftOut > 0 {
		text += fmt.Sprintf("%d products were left out\n", s.LeftOut)
	}
	return text
}
