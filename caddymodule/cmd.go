package caddymodule

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"
)

func init() {
	caddycmd.RegisterCommand(caddycmd.Command{
		Name:  "storeware",
		Usage: "<command>",
		Short: "Lets AI agents shop: agents' keys, signing keys, state, doctor, demo",
		Long: `
The commands of the storeware module. Those for agent, key, state and doctor talk to
the admin API of a Caddy that is running.
`,
		CobraFunc: func(cmd *cobra.Command) {
			for _, c := range commands() {
				sub := &cobra.Command{Use: c.Name + " " + c.Usage, Short: c.Short, Long: c.Long}
				c.CobraFunc(sub)
				cmd.AddCommand(sub)
			}
			// In a binary that has them at the top they need not be listed twice.
			cmd.Hidden = caddy.CustomBinaryName == appName
		},
	})
}

// RegisterCommands puts the module's commands at the top level of the binary, as
// cmd/storeware has them. Elsewhere they are below "storeware", so that they are in
// no other module's way. It must be called once, before caddycmd.Main.
func RegisterCommands() {
	for _, c := range commands() {
		caddycmd.RegisterCommand(c)
	}
}

func commands() []caddycmd.Command {
	return []caddycmd.Command{demoCommand(), demoShopCommand(), agentCommand(), keyCommand(), stateCommand(), doctorCommand(), mapCommand(), readCommand(), indexCommand(), factsCommand()}
}

// subcommand is a command below another one. Its long text is trimmed.
func subcommand(use, short, long string, args cobra.PositionalArgs, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: strings.TrimSpace(long), Args: args, RunE: run,
		DisableFlagsInUseLine: true,
	}
}

// adminFlags adds the flags that say where the admin API is.
func adminFlags(cmd *cobra.Command) {
	flags := cmd.PersistentFlags()
	flags.String("address", "", "Address of the admin API, if it is not the default one")
	flags.StringP("config", "c", "", "Configuration file to find the address of the admin API in")
	flags.StringP("adapter", "a", "", "Name of the config adapter for that file")
}

// adminAddress returns the address of the admin API that the flags name.
func adminAddress(cmd *cobra.Command) (string, error) {
	flags := cmd.Flags()
	values := map[string]string{}
	for _, name := range []string{"address", "config", "adapter"} {
		value, err := flags.GetString(name)
		if err != nil {
			return "", err
		}
		values[name] = value
	}
	address, err := caddycmd.DetermineAdminAPIAddress(values["address"], nil, values["config"], values["adapter"])
	if err != nil {
		return "", fmt.Errorf("finding the admin API: %w", err)
	}
	return address, nil
}

// callAdmin calls the admin API. The caller closes the answer's body.
func callAdmin(cmd *cobra.Command, method, uri string, header http.Header, body io.Reader) (*http.Response, error) {
	address, err := adminAddress(cmd)
	if err != nil {
		return nil, err
	}
	response, err := caddycmd.AdminAPIRequest(address, method, uri, header, body)
	if err != nil {
		return nil, fmt.Errorf("calling the admin API at %s: %w", address, err)
	}
	return response, nil
}

// callAdminJSON calls the admin API and decodes what it answers.
func callAdminJSON(cmd *cobra.Command, method, uri string, body io.Reader, answer any) error {
	response, err := callAdmin(cmd, method, uri, nil, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		return fmt.Errorf("reading what the admin API answered: %w", err)
	}
	return nil
}
