package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// Cells and terms agree on what is a control construct, whatever it is made of.
func TestControlConstructs(t *testing.T) {
	junctions := map[string]bool{",": true, ";": true, "|": true, "->": true, "*->": true}
	for _, name := range []string{",", ";", "|", "->", "*->", "\\+", ":", "call", "not", "!", "-->", ":-", "once", "{}"} {
		for arity := range 4 {
			var goal term.Term = term.Atom(name)
			args := []term.Term{term.Int(1), term.Int(2), term.Int(3)}[:arity]
			if arity > 0 {
				goal = term.New(term.Atom(name), args...)
			}
			f := code.Functor(name, arity)
			isJunction := arity == 2 && junctions[name]
			isControl := isJunction || arity == 1 && name == "\\+"

			require.Equal(t, isJunction, code.Junction(f), "%s/%d", name, arity)
			require.Equal(t, isControl, code.Control(f), "%s/%d", name, arity)
			goals, ok := shapes.Junction(goal)
			require.Equal(t, isJunction, ok, "%s/%d", name, arity)
			if ok {
				require.Equal(t, args, goals)
			}
			goals, ok = shapes.Control(goal)
			require.Equal(t, isControl, ok, "%s/%d", name, arity)
			if ok {
				require.Equal(t, args, goals)
			}
		}
	}
	_, ok := shapes.Control(term.NewVar("X"))
	require.False(t, ok)
}
