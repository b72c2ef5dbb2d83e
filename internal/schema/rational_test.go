package schema

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

func typeNamed(t *testing.T, name term.Atom) *Type {
	typ, err := codec.ParseType(name)
	require.NoError(t, err)
	return typ
}

func TestRationals(t *testing.T) {
	rational := typeNamed(t, "rational")
	for text, want := range map[string]string{
		`5`: "5", `0.1`: "1r10", `-2.5e-1`: "-1r4", `"1/3"`: "1r3", `"2r6"`: "1r3", `"4/2"`: "2", `"-7"`: "-7", `1e2`: "100",
	} {
		x, problems := codec.FromJSON([]byte(text), rational)
		require.NoError(t, problems, text)
		require.Equal(t, want, engine.FormatTerm(x), text)
		out, err := codec.ToJSON(x, rational)
		require.NoError(t, err)
		require.Equal(t, strings.Contains(want, "r"), out[0] == '"', "%s", out)
	}
	long := `"` + strings.Repeat("1", 20_000) + `"`
	for _, text := range []string{`"1/0"`, `"x"`, `"1/-3"`, `1e1000000`, `true`, `"1r3 "`, long} {
		_, problems := codec.FromJSON([]byte(text), rational)
		require.Error(t, problems, text)
	}
}

func TestDicts(t *testing.T) {
	x, problems := codec.FromJSON([]byte(`{"b": [1, "x", {"c": null}], "a": true, "7": 1.5}`), typeNamed(t, "dict"))
	require.NoError(t, problems)
	untagged := regexp.MustCompile(`_[0-9]+`).ReplaceAllString(engine.FormatTerm(x), "_")
	require.Equal(t, `_{7:1.5,a:true,b:[1,"x",_{c:null}]}`, untagged)
	_, problems = codec.FromJSON([]byte(`[1]`), typeNamed(t, "dict"))
	require.Error(t, problems)
}
