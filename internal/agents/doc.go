// Package agents knows who may call a shop: the agents, their keys, and what an
// operator has said about each.
//
// A key is shown once, when [Directory.Add] makes it; what is kept is its SHA-256.
// It holds 190 random bits, so that a hash without salt or stretching gives
// nothing away. Agents may also be declared in the
// configuration by the hash of their key, for machines without a state of their
// own; those can be changed there alone.
//
// [FromRequest] finds the key in a request, [Directory.Lookup] the agent it
// belongs to, and [Agent.CheckProfile] says whether that agent may name the
// platform profile it named.
package agents
