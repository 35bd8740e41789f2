package mcphttp

import "github.com/mark3labs/mcp-go/mcp"

// Change says what calling a tool does to the shop.
type Change uint8

// The changes.
const (
	Reads    Change = iota // nothing
	Adds                   // there is one thing more
	Replaces               // a thing is no longer what it was; again makes no difference
)

// Annotations tell clients what a tool with such a title does (MCP, "Tools",
// ToolAnnotations).
func (c Change) Annotations(title string) mcp.ToolAnnotation {
	readOnly, destructive, idempotent, openWorld := c == Reads, c == Replaces, c != Adds, true
	return mcp.ToolAnnotation{
		Title: title, ReadOnlyHint: &readOnly, DestructiveHint: &destructive, IdempotentHint: &idempotent, OpenWorldHint: &openWorld,
	}
}
