package bridge

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/internal/whypage"
)

// This file defines the page that hosts of MCP Apps show for results of the tool why.

// whyPageURI is the address of the page.
const whyPageURI = "ui://mcplogic/why"

// metaClauses is the member of the _meta of an explanation that has the texts of its clauses, by their places. Only
// clients that show the page get it.
const metaClauses = "mcplogic/clauses"

// offersWhyPage reports whether the page is offered: with the tool, unless the knowledge base has such a resource.
func (o *offer) offersWhyPage() bool { return o.whyTool != "" && o.resources[whyPageURI] == nil }

func describeWhyPage() *mcp.Resource {
	return &mcp.Resource{URI: whyPageURI, Name: "why", Title: "Why, or why not", MIMEType: mimeApp,
		Description: "A page that shows results of the tool why as a tree."}
}

// whyToolMeta is the _meta member of the tool why: results of it are shown by the page.
func whyToolMeta() mcp.Meta {
	return mcp.Meta{"ui": map[string]any{"resourceUri": whyPageURI}}
}

// readWhyPage handles a request for the page.
func readWhyPage(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: whyPageURI, MIMEType: mimeApp, Text: whypage.App}}}, nil
}

// showsApps reports whether a client shows the pages of tools.
func showsApps(caps *mcp.ClientCapabilities) bool {
	return caps != nil && caps.Extensions[extensionUI] != nil
}

// withClauses adds the texts of clauses to an explanation for a client that shows it.
func withClauses(
	cr *calls.Request, r *mcp.CallToolResult, clauses func() map[string]string,
) *mcp.CallToolResult {
	if r != nil && showsApps(cr.Caps) {
		r.Meta = mcp.Meta{metaClauses: clauses()}
	}
	return r
}
