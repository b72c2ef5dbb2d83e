package clausetext

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// clause reads a clause with its layout.
func clause(t *testing.T, text string) *Clause {
	p := syntax.NewParser(syntax.NewTextInput("", text), nil, nil)
	p.Positions = true
	read, err := p.Read()
	require.NoError(t, err, text)
	return &Clause{Read: read, Term: read.Term}
}

// TestBodyGoals names the goals of bodies: the goals within control constructs, and the constraint behind an expanded
// conditional.
func TestBodyGoals(t *testing.T) {
	for text, want := range map[string][]string{
		"h :- a, ( b -> c ; \\+ d ), m:e, X.":                  {"a", "b", "c", "d", "e", ""},
		"h :- findall(X, p(X), L).":                            {"findall"},
		"h :- ( integer(Y) -> X is Y ; clpfd:'#='(X, Y) ), z.": {"#=", "z"},
	} {
		_, body := headAndBody(clause(t, text).Term)
		require.Equal(t, want, BodyGoals(body), text)
	}
}

// TestGoalPlace finds goals in the text by their number. The second goal with a name is the second in the text.
func TestGoalPlace(t *testing.T) {
	c := clause(t, "h :-\n  a(1),\n  ( b ; a(2) ),\n  c.")
	_, body := headAndBody(c.Term)
	for index, want := range map[int]syntax.Place{1: {Line: 2, Column: 3}, 2: {Line: 3, Column: 5},
		3: {Line: 3, Column: 9},
		4: {Line: 4, Column: 3}} {
		at, ok := c.GoalPlace(body, index)
		require.True(t, ok, index)
		require.Equal(t, want.Line, at.Line, index)
		require.Equal(t, want.Column, at.Column, index)
	}
	for _, index := range []int{0, 5} {
		_, ok := c.GoalPlace(body, index)
		require.False(t, ok, index)
	}
}

// TestValues takes the values of variables from an instance of a clause. A head that does not fit gives no values.
func TestValues(t *testing.T) {
	c := clause(t, "p(X, Y) :- q(X, Z), r(Z, Y).")
	instance := clause(t, "p(1, 2) :- q(1, 3), r(3, 2).")
	head, body := headAndBody(instance.Term)
	values := c.Values(head, body)
	require.Len(t, values, 3)
	for i, want := range []int64{1, 2, 3} {
		require.Equal(t, term.Term(term.Int(want)), values[c.Read.Vars[i].Var])
	}
	require.Nil(t, c.Values(term.New("p", term.Atom("a")), body))
}
