// Package mcphttp is what the MCP endpoints of our protocols have in common: MCP
// over streamable HTTP, of the protocol versions 2025-06-18 to 2026-07-28, without
// sessions and without streams. Every answer is one JSON body, so that it can be
// signed, and nothing is ever sent to a client unasked.
//
// An endpoint takes a request in this order, and refuses it at the first thing that
// is wrong:
//
//	method, origin, body, JSON-RPC ([Take]); MCP, tool ([Server.Ask]); the tool's own
//
// The MCP server of mark3labs/mcp-go knows the methods, the versions and the tools.
// It is given messages that were read before, and what it answers is kept
// until it is whole: it has no say over hosts, bodies and streams.
package mcphttp
