package caddymodule

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"text/tabwriter"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"
)

var errNotSaid = errors.New("the shop has not said yet what it is")

func factsCommand() caddycmd.Command {
	return caddycmd.Command{
		Name:  "facts",
		Usage: "<command>",
		Short: "Records what the shop itself does not, and shows what is missing",
		Long: `
Answers say of a product what the merchant has recorded, and that nobody knows where
nothing is. What is missing can be recorded here, beside the shop.
`,
		CobraFunc: func(cmd *cobra.Command) {
			var shop string
			cmd.PersistentFlags().StringVar(&shop, "shop", "", "Name of the shop, if there is more than one")
			adminFlags(cmd, "turn admin on, if only at a socket (admin unix//run/caddy.sock)")
			cmd.AddCommand(factsImportCommand(&shop), factsGapsCommand(&shop))
		},
	}
}

func factsImportCommand(shop *string) *cobra.Command {
	return subcommand("import <file.csv>", "Records the facts of a file in place of all before", `
The first line of the file names its columns: product (an id, handle or SKU), key and
value. A fact stands in each further line:

	product,key,value
	fjell-trail-gtx,vegan,false
	FJL-9-TAN,weight,620 g

Answers cite them from the next question on. Products that the shop does not have are
told on standard error; what is said of them is recorded all the same. A file with the
first line alone removes all facts.
`, cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		file, err := os.Open(args[0])
		if err != nil {
			return err
		}
		defer file.Close()
		var done RecordedFacts
		if err := callAdminJSON(cmd, http.MethodPut, "/storeware/facts?shop="+url.QueryEscape(*shop), file, &done); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %d facts are recorded\n", done.Shop, done.Facts)
		done.warn(cmd.ErrOrStderr())
		return nil
	})
}

// maxNamed is how many unknown products are told by name.
const maxNamed = 20

// warn says which of the products the shop does not have.
func (r RecordedFacts) warn(w io.Writer) {
	if n := len(r.Unknown); n > 0 {
		names := strings.Join(r.Unknown[:min(n, maxNamed)], ", ")
		if n > maxNamed {
			names += fmt.Sprintf(" and %d more", n-maxNamed)
		}
		fmt.Fprintf(w, "warning: no product of the shop has this id, handle or SKU: %s\n", names)
	}
	switch {
	case r.Error != "":
		fmt.Fprintf(w, "warning: %d products could not be looked up in the shop: %s\n", r.Unchecked, r.Error)
	case r.Unchecked > 0:
		fmt.Fprintf(w, "warning: %d products were not looked up in the shop, since there are so many\n", r.Unchecked)
	}
}

func factsGapsCommand(shop *string) *cobra.Command {
	var asJSON bool
	cmd := subcommand("gaps [--json]", "Shows what agents ask for that is recorded nowhere", `
Shows the attributes that agents asked for, the widest gap first: of how many products
each was asked, and of how many of them nobody has recorded it.
`, cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		var report Gaps
		if err := callAdminJSON(cmd, http.MethodGet, "/storeware/facts?shop="+url.QueryEscape(*shop), nil, &report); err != nil {
			return err
		}
		if asJSON {
			return printJSON(cmd.OutOrStdout(), report)
		}
		table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ATTRIBUTE\tASKED OF\tNOT RECORDED")
		for _, gap := range report.Gaps {
			fmt.Fprintf(table, "%s\t%d\t%d\n", gap.Key, gap.Asked, gap.Unknown)
		}
		return table.Flush()
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "Print JSON")
	return cmd
}
