// Package walls holds the test that keeps the house as its blueprint has it:
// which room may import which. It has no code of its own.
//
//	cmd/storeware    → caddymodule
//	caddymodule      → translate, upstream, internal, and Caddy, which nobody else may
//	translate/ucp, … → translate/basket, translate/answer (one protocol never knows another), upstream, internal
//	translate/basket → upstream, internal
//	translate/answer → upstream, internal
//	upstream/<shop>  → upstream, internal (one shop never knows another)
//	upstream         → internal
//	internal         → internal
package walls
