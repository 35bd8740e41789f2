package view

import (
	"crypto/sha256"
	_ "embed" // for the parts of the pages
	"encoding/base64"
	"strings"
)

// What MCP Apps calls things.
const (
	// Extension is how a client says, among its extensions, that it draws views.
	Extension = "io.modelcontextprotocol/ui"
	// MIMEType is what a page is served as.
	MIMEType = "text/html;profile=mcp-app"
	// SearchURI and ProductURI name the pages. Hosts keep a page under its URI, so
	// they change when a page would no longer draw what it drew before.
	SearchURI  = "ui://storeware/search_products.html"
	ProductURI = "ui://storeware/get_product.html"
)

// Page is a resource that a tool names as its view.
type Page struct {
	// URI begins with ui:// and is what resources/read is asked for.
	URI string
	// Name and Description are for lists of resources.
	Name        string
	Description string
	// HTML is the whole document.
	HTML string
}

// Search returns the page that draws what search_products answers.
func Search() Page {
	return Page{
		URI: SearchURI, Name: "search_products_view",
		Description: "Shows what a search understood, which products meet it and on what evidence, and what was ruled out.",
		HTML:        compose("Search at a shop", searchScript),
	}
}

// Product returns the page that draws what get_product answers.
func Product() Page {
	return Page{
		URI: ProductURI, Name: "get_product_view",
		Description: "Shows a product as the shop has it now, with its versions and what is recorded of it.",
		HTML:        compose("Product at a shop", productScript),
	}
}

// ToolMeta returns the _meta of the tool that the page draws: for hosts of MCP Apps,
// for those of its drafts, and for ChatGPT.
func (p Page) ToolMeta() map[string]any {
	return map[string]any{
		"ui":                    map[string]any{"resourceUri": p.URI},
		"ui/resourceUri":        p.URI,
		"openai/outputTemplate": p.URI,
	}
}

// ResourceMeta returns the _meta of the page itself, both in lists and in what
// resources/read returns: it needs no origin, and looks best inside a border.
func (p Page) ResourceMeta() map[string]any {
	none := []string{}
	return map[string]any{
		"ui": map[string]any{
			"csp":           map[string]any{"connectDomains": none, "resourceDomains": none, "frameDomains": none, "baseUriDomains": none},
			"prefersBorder": true,
		},
		"openai/widgetCSP":           map[string]any{"connect_domains": none, "resource_domains": none},
		"openai/widgetPrefersBorder": true,
		"openai/widgetDescription":   p.Description,
	}
}

// The parts of the pages.
var (
	//go:embed page/page.html
	document string
	//go:embed page/style.css
	style string
	//go:embed page/host.js
	hostScript string
	//go:embed page/draw.js
	drawScript string
	//go:embed page/words.js
	wordsScript string
	//go:embed page/search.js
	searchScript string
	//go:embed page/product.js
	productScript string
)

// compose makes a document of the parts that all pages have and a script of its own.
func compose(title, script string) string {
	script = "(() => {\n\"use strict\";\n" + hostScript + drawScript + wordsScript + script + "})();\n"
	return strings.NewReplacer(
		"{{policy}}", policy(style, script), "{{title}}", title, "{{style}}", style, "{{script}}", script,
	).Replace(document)
}

// policy allows a style and a script by their hashes (CSP Level 3, section 2.3.1).
func policy(style, script string) string {
	return "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script) +
		"'; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
