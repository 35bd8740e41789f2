package caddymodule

import (
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
