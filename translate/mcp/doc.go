// Package mcp is the shop's own MCP server, for an assistant that shops for somebody
// and speaks no commerce protocol: plain arguments in, plain JSON and words out.
//
//	search_products    what the shop understood, what qualifies and on what evidence,
//	                   what it turned away (package answer)
//	get_product        one product, live, with its versions and recorded facts
//	create_basket, get_basket, update_basket, cancel_basket
//	complete_checkout  pays and orders a basket, once
//	get_order          an order that was placed here
//
// A tool that the shop cannot serve is not listed. Baskets and orders are those of
// package basket, so that they are the same ones at every door.
//
// [Door] is the endpoint. Saying hello, listing tools and reading the pages that draw
// answers (package view) needs no key, since it tells nothing that is not public; a
// call needs the agent's key. There are no platform profiles here, and so no keys to
// check a signature of a request against.
//
// # What comes back
//
// A result has structuredContent, which fits the tool's outputSchema. Its content has
// two texts: the same JSON, for clients and views that read nothing else, and the same
// in words, with amounts as people write them. All amounts are integers in minor units
// of the currency beside them (names that end in _minor).
//
// What the caller can mend by another call, such as an argument that is wrong or a
// product that is not there, is a result with isError, whose text says what would be
// right. What keeps a basket from being ordered is no error: its messages list all of
// it. Everything else, a missing key or a shop that is away, is a JSON-RPC error
// under its HTTP status.
package mcp
