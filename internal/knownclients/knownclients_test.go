package knownclients

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLength counts the characters that clients put before the name of a tool.
func TestLength(t *testing.T) {
	for _, test := range []struct {
		client, server, tool string
		want                 int
	}{
		{"Claude Code", "shop", "price", len("mcp__shop__price")},
		{"Claude Desktop", "shop", "price", len("price")},
		{"Cursor", "shop", "price", len("shopprice")},
		{"VS Code", "shop", "price", len("mcp_shop_price")},
		{"VS Code", "a_shop_of_many_things", "price", 18 + len("price")},
	} {
		i := slices.IndexFunc(Table, func(c Client) bool { return c.Name == test.client })
		require.NotEqual(t, -1, i, test.client)
		require.Equal(t, test.want, Table[i].Length(test.server, test.tool), "%+v", test)
	}
}

// TestThose finds the clients by what they do, and none by what none does.
func TestThose(t *testing.T) {
	require.Equal(t, []string{"Copilot CLI", "Gemini CLI"}, Those(func(c *Client) bool { return c.NoNumberEnums }))
	require.True(t, Some(func(c *Client) bool { return c.MaxTools > 0 }))
	require.False(t, Some(func(c *Client) bool { return c.MaxTools == 1 }))
	require.True(t, slices.IsSortedFunc(Table, func(a, b Client) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	}), "the table is in the order of names")
}
