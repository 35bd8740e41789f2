// Command storeware is Caddy with the storeware module in it, and with the
// module's own commands beside Caddy's.
package main

import (
	"os"
	"runtime/debug"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"

	"github.com/storeware/caddy-storeware/caddymodule"
)

// collectAt is GOGC where an operator did not set it. What lives is a few megabytes
// and what passes through is not: at 100 a busy server would collect thirty times
// a second.
const collectAt = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	caddy.CustomBinaryName = "storeware"
	caddy.CustomLongDescription = `Storeware is Caddy with a module that lets AI agents shop at a shop that exists
already: they search it, buy from it and follow their orders, in the agents' own
protocols, on the shop's own hostname.

To see it work, with a shop that is built in:

	$ storeware demo

To put it in front of your own shop, write a Caddyfile and run it:

	$ storeware run --config Caddyfile
	$ storeware agent add acme

All commands of Caddy are there too: https://caddyserver.com/docs/command-line`
	caddymodule.RegisterCommands()
	caddycmd.Main()
}
