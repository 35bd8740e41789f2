// Package secret holds strings that must not be printed: shop credentials,
// agent keys, webhook secrets, tokens.
//
// A [String] gives its content to [String.Reveal] alone. Every printing verb of
// fmt, encoding/json, encoding/xml and log/slog shows "[redacted]" instead, also
// when the String sits in an unexported field, where fmt calls no methods.
package secret
