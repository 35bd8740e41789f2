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
// The search page draws [github.com/storeware/caddy-storeware/translate/answer.Answer].
// The product page draws an object of these fields, all but title optional:
//
//	{
//	  "product": {
//	    "id", "handle", "title", "brand", "url",
//	    "description": plain text,
//	    "categories": ["Women/Jackets"],
//	    "price_minor": 12000, "list_price_minor": 15000,
//	    "in_stock": true,
//	    "attributes": [{"key": "waterproof", "values": ["true"]}],
//	    "options": [{"name": "Size", "values": ["8", "9"]}],
//	    "variants": [{
//	      "id", "title", "sku", "price_minor", "list_price_minor", "in_stock",
//	      "options": [{"name": "Size", "value": "9"}]
//	    }]
//	  },
//	  "as_of": "2026-08-23T14:31:02.118Z",
//	  "currency": "GBP"
//	}
//
// Amounts are minor units of currency. An in_stock that is absent is shown as unknown.
package view
