package syntax

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// TestBrief reads terms of more compounds than are kept, and others after them in the same memory.
func TestBrief(t *testing.T) {
	long := "[" + strings.Repeat("f(a, x, g(1)), ", 3*mostNodes) + "b]"
	text := long + ". h(p(1), q(2, 3)). r(s(t))."
	p := NewParser(NewTextInput("", text), nil, nil)
	p.Brief = true
	for _, want := range []string{strings.ReplaceAll(long, " ", ""), "h(p(1),q(2,3))", "r(s(t))"} {
		read, err := p.Read()
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, Write(&b, read.Term, nil))
		require.True(t, want == b.String(), "%.100s", b.String())
	}
	var n Nodes
	first := n.Compound("f", 2)
	n.Reset()
	require.Same(t, first, n.Compound("g", 1), "the memory is used again")
}

// TestBorrow reads with a parser that was given back after a mistake.
func TestBorrow(t *testing.T) {
	for range 3 {
		p := BorrowParser("f(X, [a", nil, nil)
		p.Brief = true
		_, err := p.ReadOnly()
		require.Error(t, err)
		p.GiveBack()
		p = BorrowParser("'a b'(x, Y, X)", nil, nil)
		read, err := p.ReadOnly()
		p.GiveBack()
		require.NoError(t, err)
		require.Equal(t, "'a b'(x)", ShowTerm(term.New("a b", read.Term.(*term.Compound).Args[0])))
		require.Len(t, read.Vars, 2)
	}
}
