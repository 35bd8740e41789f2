// Command storeware is Caddy with the storeware modules built in.
package main

import (
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/storeware/caddy-storeware/caddymodule"
)

func main() { caddycmd.Main() }
