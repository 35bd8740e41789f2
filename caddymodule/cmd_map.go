package caddymodule

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/mapped"
)

func mapCommand() caddycmd.Command {
	return caddycmd.Command{
		Name:  "map",
		Usage: "<command>",
		Short: "Checks the mapping of a shop",
		Long: `
A mapping says how a shop with a JSON API of its own is spoken to; see upstream
mapped in Caddyfile.example.
`,
		CobraFunc: func(cmd *cobra.Command) { cmd.AddCommand(mapCheckCommand()) },
	}
}

func mapCheckCommand() *cobra.Command {
	var base string
	var address map[string]string
	cmd := subcommand("check <file> [--url <url>] [--deliver-to <name>=<text>,...]", "Calls a shop as a mapping says, and shows what it finds", `
Calls the shop in every way that the mapping has, short of ordering: it lists
products, searches, looks one up, and builds a basket, which it empties again. Then
it shows what each mapped value came to, and each that was nowhere, with its line.

What is wrong with the mapping itself is told with the line to change. A value that
was nowhere is no failure if the shop can do without it; the command fails if a call
does, or if something that has to be there cannot be read.

{env.NAME} in the mapping is taken from the environment of this command. With
--deliver-to the ways of delivery there are tried, too.
`, cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		goods, err := addressOf(address)
		if err != nil {
			return err
		}
		mapping, err := readMapping(args[0])
		if err != nil {
			return err
		}
		config := mapped.Config{Mapping: mapping, Env: os.LookupEnv}
		config.Client.Now = time.Now
		if base != "" {
			if config.Client.BaseURL, err = shopURL(base); err != nil {
				return fmt.Errorf("--url: %w", err)
			}
		} else if mapping.API == "" {
			return errors.New("where is the shop? Write api and its address into the mapping, or give --url")
		}
		shop, err := mapped.New(config)
		if err != nil {
			return err
		}
		defer shop.Close()
		return mapped.Check(cmd.Context(), shop, goods, cmd.OutOrStdout())
	})
	cmd.Flags().StringVar(&base, "url", "", "Where the shop's API is, if not where the mapping says")
	cmd.Flags().StringToStringVar(&address, "deliver-to", nil, `Where goods would go, as in --deliver-to "street=1 High Street,city=Kendal,postal_code=LA9 4ND,country=GB"`)
	return cmd
}

// addressOf reads an address whose fields have the names of a mapping's
// {address.…}. It is nil for none.
func addressOf(fields map[string]string) (*upstream.Address, error) {
	if len(fields) == 0 {
		return nil, nil
	}
	address := new(upstream.Address)
	places := map[string]*string{
		"first_name": &address.FirstName, "last_name": &address.LastName, "company": &address.Company,
		"street": &address.Street, "extended": &address.Extended, "city": &address.City, "region": &address.Region,
		"postal_code": &address.PostalCode, "country": &address.Country, "phone": &address.Phone,
	}
	for name, value := range fields {
		place, ok := places[name]
		if !ok {
			return nil, fmt.Errorf("--deliver-to: an address has no %q: it may have %s", name, list(slices.Sorted(maps.Keys(places)), "and"))
		}
		*place = value
	}
	return address, nil
}
