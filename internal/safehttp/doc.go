// Package safehttp calls URLs that strangers name: the profile of an agent's
// platform, the address for its webhooks.
//
// A [Client] speaks https to public addresses and to nothing else, so that no
// one can make this server call its own network. Addresses are checked when the
// connection is made, after the name was resolved, which leaves no moment in
// which a name may change its mind. Redirects, proxies and cookies do not exist
// here, and every answer is bounded in time and size.
//
// A [Fetcher] keeps the documents that were read this way, for as long as their
// owners allow, and limits how many are asked for.
//
// The texts of errors are for the log: they may name addresses. What a stranger
// is told follows from the error's kind.
package safehttp
