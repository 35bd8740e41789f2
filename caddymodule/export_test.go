package caddymodule

// Commands is for the tests that run a whole Caddy.
var Commands = commands
