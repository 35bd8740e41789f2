// Package view holds the pages that show an answer to a person, for hosts that draw
// MCP Apps (https://modelcontextprotocol.io, extension io.modelcontextprotocol/ui,
// 2026-01-26) and for ChatGPT.
//
// There is one page for search_products and one for get_product. A page is one HTML
// document with its style and script inside. It draws what the tool result holds and
// fetches nothing: its own Content-Security-Policy allows its style and its script by
// their hashes and nothing else, so it shows no pictures either. Text of a shop
// becomes text nodes, never markup.
//
// A page is told the result by the host:
//
//	ui/notifications/tool-result   MCP Apps; structuredContent, else the JSON in content[0].text
//	window.openai.toolOutput       ChatGPT, and the event openai:set_globals
//
// It takes from the host the theme, the style variables, the locale, the time zone and
// the safe area, tells it the height it needs, and asks it for two things, each only
// where the host says that it does them: to say something for the shopper (ui/message,
// sendFollowUpMessage) and to open the product's page at the shop (ui/open-link,
// openExternal). What is said for the shopper holds amounts, places in the list and
// what was understood of their words. It never holds a title, a handle or a recorded
// value, which would otherwise speak to a model with the shopper's voice.
//
// # What the pages draw
//
// The search page draws what search_products answers ([SearchAnswer]), the product page
// what get_product does ([ProductAnswer]); their documentation and the output schemas
// of the tools have the fields. All but a title may be missing, and fields that a page
// does not know are left alone. Messages are drawn unless the page says itself what
// they say.
//
// Amounts are minor units of currency. An in_stock that is absent is shown as unknown.
//
// [SearchAnswer]: https://pkg.go.dev/github.com/storeware/caddy-storeware/translate/mcp#SearchAnswer
// [ProductAnswer]: https://pkg.go.dev/github.com/storeware/caddy-storeware/translate/mcp#ProductAnswer
package view
