package items

import (
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// offered offers tools and prompts of some names, and resources and templates.
func offered(names []string, uris, templates []string) *Offer {
	o := &Offer{Tools: map[string]*Tool{}, Prompts: map[string]*Prompt{}, Resources: map[string]*Resource{}}
	for _, name := range names {
		o.Tools[name], o.Prompts[name] = &Tool{}, &Prompt{}
	}
	for _, uri := range uris {
		o.Resources[uri] = &Resource{}
	}
	for _, uri := range templates {
		o.Resources[uri] = &Resource{Template: parseTemplate(uri)}
	}
	return o
}

// TestNearest has for requests the name of the item that was perhaps meant.
func TestNearest(t *testing.T) {
	o := offered([]string{"price", "delivery"}, []string{"shop://list"}, []string{"shop://item/{id}"})
	complete := func(ref *mcp.CompleteReference) mcp.Request {
		return &mcp.CompleteRequest{Params: &mcp.CompleteParams{Ref: ref}}
	}
	tool := func(name string) mcp.Request {
		return &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: name}}
	}
	read := func(uri string) mcp.Request {
		return &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: uri}}
	}
	for _, test := range []struct {
		request mcp.Request
		want    string
	}{
		{tool("prise"), "price"},
		{tool("price"), ""}, // it is there
		{tool("stock"), ""},
		{&mcp.GetPromptRequest{Params: &mcp.GetPromptParams{Name: "delivry"}}, "delivery"},
		{read("shop://lst"), "shop://list"},
		{read("shop://item/5"), ""},                    // the template has it
		{read("shop://item/5/6"), "shop://item/{+id}"}, // one that matches slashes would
		{read("bank://account"), ""},
		{complete(&mcp.CompleteReference{Type: "ref/prompt", Name: "prce"}), "price"},
		{complete(&mcp.CompleteReference{Type: "ref/resource", URI: "shop://item/{di}"}), "shop://item/{id}"},
		{complete(nil), ""},
	} {
		require.Equal(t, test.want, o.Nearest(test.request), "%#v", test.request.GetParams())
	}
}

// TestDeclared has URIs as the rules write them, where clients have changed the case of scheme and host.
func TestDeclared(t *testing.T) {
	o := offered(nil, []string{"Shop://Berlin/List", "plain:List", "file:///C:/rules/List"},
		[]string{"Shop://Berlin/items/{id}", "Shop://{city}/map"})
	for uri, want := range map[string]string{
		"Shop://Berlin/List":    "Shop://Berlin/List",
		"shop://berlin/List":    "Shop://Berlin/List",
		"shop://berlin/list":    "shop://berlin/list", // the case of a path counts
		"shop://berlin/items/7": "Shop://Berlin/items/7",
		"shop://Rome/map":       "Shop://Rome/map",
		"PLAIN:List":            "plain:List",
		"shop://paris/List":     "shop://paris/List",
		"file:///c:/rules/List": "file:///C:/rules/List",
		"file:///c:/rules/list": "file:///c:/rules/list",
	} {
		require.Equal(t, want, o.Declared(uri), uri)
	}
}

func TestDifference(t *testing.T) {
	before := List{"kept": "1", "changed": "1", "gone": "1"}
	added, removed := before.Difference(List{"kept": "1", "changed": "2", "new": "1"})
	require.Equal(t, []string{"changed", "new"}, added)
	require.Equal(t, []string{"gone"}, removed)
	added, removed = before.Difference(before)
	require.Empty(t, slices.Concat(added, removed))
}
