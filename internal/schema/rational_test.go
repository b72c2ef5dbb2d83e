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
	for _, test := range [][3]string{
		{`5`, "5", `5`}, {`0.1`, "1r10", `0.1`}, {`-2.5e-1`, "-1r4", `-0.25`}, {`23.7881`, "237881r10000", `23.7881`},
		{`"1/3"`, "1r3", `"1r3"`}, {`"2r6"`, "1r3", `"1r3"`}, {`"4/2"`, "2", `2`},
		{`"-7"`, "-7", `-7`}, {`1e2`, "100", `100`},
		{`0.00000000000000000000001`, "1r100000000000000000000000", `0.00000000000000000000001`},
		{`12345678901234567.5`, "24691357802469135r2", `"24691357802469135r2"`}, // a float has other digits
	} {
		x, problems := codec.FromJSON([]byte(test[0]), rational)
		require.NoError(t, problems, test)
		require.Equal(t, test[1], engine.FormatTerm(x))
		out, err := codec.ToJSON(x, rational)
		require.NoError(t, err)
		require.Equal(t, test[2], string(out))
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
