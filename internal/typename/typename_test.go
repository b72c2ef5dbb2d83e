package typename

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// The manual has the table as it is here.
func TestTableOfManual(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/types.md")
	require.NoError(t, err)
	table := "| type | JSON | the predicate gets |\n| --- | --- | --- |\n"
	for _, row := range Table {
		table += fmt.Sprintf("| `%s` | %s | %s |\n", strings.Join(forms(row), "`, `"), row.JSON, row.Gets)
	}
	require.Contains(t, string(manual), table)
}

// A name that stands for itself, at once or by way of others, is an error.
func TestResolve(t *testing.T) {
	t.Parallel()
	a := func(name string) term.Term { return term.Atom(name) }
	n := Names{"a": a("b"), "b": a("a"), "str": a("atom"), "drug": term.New("enum", term.List(a("x")))}
	_, err := n.Resolve(a("a"))
	require.EqualError(t, err, "the type a stands for itself")
	for _, c := range []struct{ in, want term.Term }{
		{a("int"), a("integer")},
		{a("str"), a("atom")}, // the program's own name counts
		{a("drug"), term.New("oneof", term.List(a("x")))},
		{term.List(a("int")), term.New("list", a("int"))},
		{term.New("between", term.Int(1), term.Int(2)), term.New("between", a("integer"), term.Int(1), term.Int(2))},
		{term.New("between", term.Int(1), term.Float(2)), term.New("between", a("number"), term.Int(1), term.Float(2))},
		{term.New("{}", term.New(",", term.New(":", a("x"), a("int")), term.New("-", a("y"), a("t")))),
			term.New("object", term.List(term.New("-", a("x"), a("int")), term.New("-", a("y"), a("t"))))},
		{a("gizmo"), a("gizmo")},
		{term.Int(3), term.Int(3)},
	} {
		got, err := n.Resolve(c.in)
		require.NoError(t, err)
		require.True(t, term.Equal(c.want, got), "%v", c.in)
	}
}
