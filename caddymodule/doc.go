// Package caddymodule makes Caddy a door through which AI agents reach a shop. It
// is the only package of this module that knows Caddy.
//
// An [App] holds what the shops of a configuration share, and a [Handler] stands
// on the site of each of them. Shop systems and places for the state are guest
// modules, in the namespaces storeware.upstreams and storeware.state, which others
// may add to: see [Upstream] and [StateModule].
//
// # From a configuration to an answer
//
//	Provision   reads the configuration, opens nothing
//	Start       opens the state, reads the signing keys, begins to watch the shops
//	ServeHTTP   finds the route (routes.go) and the door (door.go), keeps the
//	            answer until it is whole, and signs it (sign.go)
//	Cleanup     gives back what is shared
//
// What is expensive to open, or would be forgotten, outlives a configuration in a
// pool (pool.go): the state, the shops with their connections, and the platforms'
// profiles. So a reload loses neither a request nor a cache.
package caddymodule
