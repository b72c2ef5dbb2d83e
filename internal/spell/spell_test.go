package spell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/spell"
)

func TestNearest(t *testing.T) {
	types := []string{"integer", "float", "atom", "atomic", "list", "non_empty_list", "bar", "foo", "n"}
	for word, want := range map[string]string{
		"integer":                "integer",
		"intger":                 "integer", // deletion
		"inteeger":               "integer", // insertion
		"imteger":                "integer", // replacement
		"itneger":                "integer", // swap
		"Integer":                "integer",
		"ATOM":                   "atom", // nearer by case than any other
		"atm":                    "atom",
		"lsit":                   "list",
		"baz":                    "bar",
		"non_empy_lst":           "non_empty_list",
		"banana":                 "",
		"x":                      "",
		"N":                      "n",
		"":                       "",
		strings.Repeat("a", 1e6): "",
	} {
		require.Equal(t, want, spell.Nearest(word, types), "%.20s", word)
	}
	require.Empty(t, spell.Nearest("integer", nil))
	require.Equal(t, "größe", spell.Nearest("grösse", []string{"größe"}))
	require.Empty(t, spell.Nearest("list", []string{strings.Repeat("list", 1e6)}))
}

func TestCount(t *testing.T) {
	require.Equal(t, "0 tools, 1 property, 2 properties",
		spell.Count(0, "tool")+", "+spell.Count(1, "property")+", "+spell.Count(2, "property"))
}

func TestBytes(t *testing.T) {
	for n, want := range map[int]string{0: "0 bytes", 1023: "1023 bytes", 1 << 10: "1 KiB", 1025: "1025 bytes",
		1536 << 10: "1536 KiB", 16 << 20: "16 MiB", 2 << 30: "2 GiB", 3 << 29: "1536 MiB"} {
		require.Equal(t, want, spell.Bytes(n))
	}
}

func TestSlip(t *testing.T) {
	for _, one := range [][2]string{{"Yeers", "Years"}, {"Dayss", "Days"}, {"Amuont", "Amount"}, {"Amunt", "Amount"}} {
		require.True(t, spell.Slip(one[0], one[1]), one)
		require.True(t, spell.Slip(one[1], one[0]), one)
	}
	for _, one := range [][2]string{{"Years", "Years"}, {"Year1", "Year2"}, {"Cost", "Cast"}, {"Name", "Same"},
		{"Account", "Amount"}, {"First", "Last"}} {
		require.False(t, spell.Slip(one[0], one[1]), one)
	}
}
