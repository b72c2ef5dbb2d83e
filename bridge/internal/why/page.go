package why

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/internal/whypage"
)

// This file defines the page that hosts of MCP Apps show for results of the tool why.

// The names that MCP Apps are agreed on with.
const (
	// ExtensionUI is the name under which MCP Apps are agreed on.
	ExtensionUI = "io.modelcontextprotocol/ui"
	// MIMEApp is the type of the pages that are shown.
	MIMEApp = "text/html;profile=mcp-app"
)

// PageURI is the address of the page.
const PageURI = "ui://mcplogic/why"

// MetaClauses is the member of the _meta of an explanation that has the texts of its clauses, by their places. Only
// clients that show the page get it.
const MetaClauses = "mcplogic/clauses"

// DescribePage is what clients see of the page.
func DescribePage() *mcp.Resource {
	return &mcp.Resource{URI: PageURI, Name: "why", Title: "Why, or why not", MIMEType: MIMEApp,
		Description: "A page that shows results of the tool why as a tree."}
}

// whyToolMeta is the _meta member of the tool why: results of it are shown by the page.
func whyToolMeta() mcp.Meta { return mcp.Meta{"ui": map[string]any{"resourceUri": PageURI}} }

// ReadPage handles a request for the page.
func ReadPage(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: PageURI, MIMEType: MIMEApp, Text: whypage.App}}}, nil
}

// showsApps reports whether a client shows the pages of tools.
func showsApps(caps *mcp.ClientCapabilities) bool {
	return caps != nil && caps.Extensions[ExtensionUI] != nil
}
