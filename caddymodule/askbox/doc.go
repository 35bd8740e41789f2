// Package askbox is what stands behind the box on the demo shop's front page: it asks
// the site's own MCP server as an agent would, with a key of its own that the browser
// never sees, and hands on what the tool returned and the page that draws it.
//
//	GET /ask?q=      the result of search_products, as JSON
//	GET /ask/view    the view that the tool names, for a frame in the page
//
// What is no result is an HTTP error whose body says in a line what is wrong, for the
// person who asked.
package askbox
