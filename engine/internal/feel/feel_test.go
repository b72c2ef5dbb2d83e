package feel

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// FuzzExpression reads texts as expressions and as cells. Each gives a term, or an *Error with a place within the
// text.
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

// TestDepth checks that each kind of expression is refused if it nests too deep.
func TestDepth(t *testing.T) {
	for _, nest := range []string{"(", "[", "-", "{a:", "f(", "if ", "not(", "1 in (", "x[", "function() "} {
		_, err := Expression(strings.Repeat(nest, 100_000), &Scope{Names: map[string]term.Term{"x": term.Int(1)},
			Functions: map[string]Function{"f": {"f", []string{"a"}}}})
		require.Error(t, err, nest)
	}
	_, err := Expression("1"+strings.Repeat("+1", 100_000), &Scope{})
	require.NoError(t, err)
}

// TestWritten writes expressions and reads them again, and writes some for readers.
func TestWritten(t *testing.T) {
	x := term.NewVar("x")
	scope := &Scope{Names: map[string]term.Term{"x": x}, Functions: map[string]Function{"f": {"f", []string{"a"}}}}
	for text, want := range map[string]string{
		"1 - (2 - 3) - 4": "1 - (2 - 3) - 4",
		"(1+2)*3 ** 2/-4": "(1 + 2) * 3 ** 2 / -4",
		"1/3 * 0.05":      "1 / 3 * 0.05",
		`if true and (1 < 2 or 3 >= 4) then "a\"b" else null`: `if true and (1 < 2 or 3 >= 4) then "a\"b" else null`,
		"for i in [1, 2], j in 1..i return i * j":             "for x1 in [1, 2], x2 in 1..x1 return x1 * x2",
		"some i in [1] satisfies i > 0":                       "some x1 in [1] satisfies x1 > 0",
		"[1, 2][item > 1]":                                    "[1, 2][item > 1]",
		"{a: 1, b: a + 1}.b":                                  "{a: 1, b: a + 1}.b",
		`@"2024-01-31" + @"P1D"`:                              `@"2024-01-31" + @"P1D"`,
		"f(1) in ([1..2), > 5)":                               "f(1) in ([1..2), > 5)",
		"-(1 + 2)":                                            "-(1 + 2)",
		`substring("abc", 1)`:                                 `substring("abc", 1)`,
		`@"10:00:00+02:00"`:                                   `@"10:00:00+02:00"`,
	} {
		read, err := Expression(text, scope)
		require.NoError(t, err, text)
		require.Equal(t, want, Written(read, true), text)
		again, err := Expression(want, scope)
		require.NoError(t, err, want)
		require.Equal(t, want, Written(again, true), text)
	}
	require.Equal(t, "{rate: 0.05, when: 2024-01-31, to: [low, _]}", Written(term.New("{}", term.Conjunction(
		term.New("-", term.Atom("rate"), Number(big.NewRat(1, 20))),
		term.New("-", term.Atom("when"), term.New("date", term.Int(2024), term.Int(1), term.Int(31))),
		term.New("-", term.Atom("to"), term.List(term.Atom("low"), x)))), false))
}
