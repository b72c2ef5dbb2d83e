package feel

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// FuzzExpression reads texts as expressions and as cells. Each text has a term or an *Error within the text.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{"1 + 2 * -x", `if a then "b" else @"P1D"`, "[1..5)", "not(1, < 3)", "a b.c[item > 1]",
		"for x in 1..3 return {y: x}", `date("2024-01-01") - d`, "some x in l satisfies x in ]1..2[", "f(a: 1)",
		`"\uD83D\uDC0E"`,
		"x instance of list<number>", "function(a: string) a", "? > 1 and ? < 3", "<", "[[[", "-", "1e999999"} {
		f.Add(text)
	}
	x := term.NewVar("x")
	scope := &Scope{Names: map[string]term.Term{"x": x, "a b": x, "l": x, "d": x}, Plain: true,
		Functions: map[string]Function{"f": {"f", []string{"a"}}}, Members: map[string]bool{"c d": true}}
	f.Fuzz(func(t *testing.T, text string) {
		for _, err := range []error{second(Expression(text, scope)), second(UnaryTests(text, scope, x))} {
			var wrong *Error
			if err != nil && (!errors.As(err, &wrong) || wrong.Offset < 0 || wrong.Offset > len(text)) {
				t.Fatalf("%q: %v", text, err)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }

// TestDepth refuses expressions that nest too deep, whatever they nest.
func TestDepth(t *testing.T) {
	for _, nest := range []string{"(", "[", "-", "{a:", "f(", "if ", "not(", "1 in (", "x[", "function() "} {
		_, err := Expression(strings.Repeat(nest, 100_000), &Scope{Names: map[string]term.Term{"x": term.Int(1)},
			Functions: map[string]Function{"f": {"f", []string{"a"}}}})
		require.Error(t, err, nest)
	}
	_, err := Expression("1"+strings.Repeat("+1", 100_000), &Scope{})
	require.NoError(t, err)
}
