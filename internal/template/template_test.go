package template

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFill(t *testing.T) {
	known := func(name string) (string, bool) { return strings.ToUpper(name), name != "" && name != "other" }
	for text, want := range map[string]string{
		"": "", "no names": "no names", "{a} and {b}": "A and B", "{other} {a}": "{other} A", "{a": "{a", "a}": "a}",
		"{{a}}": "{A}", "{}{a}": "{}A",
	} {
		require.Equal(t, want, Fill(text, known), text)
	}
	require.Equal(t, []string{"a", "", "b c"}, Names("{a}{} {b c}"))
}

func TestArgument(t *testing.T) {
	for name, want := range map[string]int{
		"Person": 0, "person": 0, "SUM": 1, "1": 0, "2": 1, "0": -1, "3": -1, "": -1, "whom": -1, "-1": -1,
	} {
		require.Equal(t, want, Argument([]string{"person", "sum"}, 2, name), name)
	}
	require.Equal(t, 2, Argument(nil, 3, "3"))
}
