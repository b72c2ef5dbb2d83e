// Package knownclients lists what known clients of servers refuse, cut or ask about. The loader warns of it, schemas
// avoid it, and mcplogic check --clients reports the rest.
package knownclients

import (
	"slices"
	"strings"
)

// Client says how a client treats the tools of a server.
type Client struct {
	Name string
	// Prefix stands before the names of tools, SERVER in it for the name of the server. It is cut at MaxPrefix characters
	// unless that is 0. A name may have MaxName characters with it; 0: nothing is known.
	Prefix             string
	MaxPrefix, MaxName int
	// NoDots: one name with a dot is enough for it to refuse all tools.
	NoDots bool
	// NoNumberEnums: one enum of numbers is enough for it to refuse all tools.
	NoNumberEnums bool
	// MaxTools is how many tools it takes, 0: nothing is known.
	MaxTools int
	// Cuts says that descriptions end at Description characters.
	Cuts bool
	// Approves says that the client asks a person before a call of a tool that may change something, and refuses the
	// call if no person is present.
	Approves bool
}

// Bounds that are the same for several clients.
const (
	// Name is how many characters the name of a tool may have.
	Name = 64
	// Description is how many characters of a description, or of the instructions of a server, models see.
	Description = 2048
)

// Table has a row for each client about which something is known.
var Table = []Client{
	{Name: "Claude Code", Prefix: "mcp__SERVER__", MaxName: Name, NoDots: true, Cuts: true},
	{Name: "Claude Desktop", MaxName: Name, NoDots: true},
	{Name: "Codex", Approves: true},
	{Name: "Copilot CLI", NoDots: true, NoNumberEnums: true},
	{Name: "Cursor", Prefix: "SERVER", MaxName: 59},
	{Name: "Gemini CLI", NoNumberEnums: true},
	{Name: "VS Code", Prefix: "mcp_SERVER_", MaxPrefix: 18, MaxName: Name, MaxTools: 128},
	{Name: "Windsurf", MaxTools: 100},
}

// Length returns how long the name of a tool of a server is for the client.
func (c *Client) Length(server, tool string) int {
	prefix := len(strings.ReplaceAll(c.Prefix, "SERVER", server))
	if c.MaxPrefix > 0 {
		prefix = min(prefix, c.MaxPrefix)
	}
	return prefix + len(tool)
}

// Some reports whether has holds for a client of the table.
func Some(has func(c *Client) bool) bool { return len(Those(has)) > 0 }

// Those returns the names of the clients for which has holds.
func Those(has func(c *Client) bool) (names []string) {
	for c := range slices.Values(Table) {
		if has(&c) {
			names = append(names, c.Name)
		}
	}
	return names
}
