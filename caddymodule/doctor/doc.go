// Package doctor examines shops that a Caddy serves, the way an agent would see
// them, and says what is wrong and what to do about it.
//
// A configuration says where the shops are ([ReadConfig]). [Examine] then calls
// each of them at the address that Caddy listens on, under its own hostname, so
// that it does so before the name leads there. It finds the profile, searches,
// builds a basket, empties it and gives it up: nothing is ordered. Every answer's
// signature is verified with the published keys.
//
// What cannot be seen from outside, such as whether the state can be reached, the
// Caddy that is examined says itself ([Inside]), if it has an admin API.
//
// # Checks
//
// These are the names of the checks, as [Finding] has them. Those of a Caddy:
//
//	configuration  there is a shop in it, and a site to reach each
//	state          can be reached, and whether other Caddys can share it
//	storage        of the keys: whether other Caddys can share it
//
// Those of a shop:
//
//	shop           its API answers and takes our credentials
//	shop settings  of the upstream block fit the shop; only told if they do not
//	orders         are shown by the API; only told if they are not
//	keys           are in the storage, and the profile publishes the same
//	agents         there is one that may call
//	contact        is there for agents without a key
//	pages          policies are named, and the pages answer
//	key            an agent's key for the examination could be had
//	search         finds something
//	product pages  every product that was found has one, and some were opened
//	pictures       of some products can be opened from outside
//	basket         could be built, emptied and given up
//	totals         of that basket add up
//	checkout page  opens: a person can go on with the basket at the shop
//
// Those of a site, of which a shop may have several:
//
//	connection     something listens
//	tls            there is a certificate that agents trust, for long enough
//	profile        answers, and is as UCP wants it
//	signature      of every answer verifies
//	clock          of Caddy, and of the shop, are right
//	front page     has something on it
//	dns            the hostname leads here
//	access log     hides agents' keys
//
// A check that depends on one that failed is left out.
package doctor
