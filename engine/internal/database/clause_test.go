package database

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/term"
)

// longList is a list of n numbers.
func longList(n int) term.Term {
	items := make([]term.Term, n)
	for i := range items {
		items[i] = term.Int(i)
	}
	return term.List(items...)
}

// TestBytesOfFacts checks the size of ground facts, which share an array: the parts of their arguments count.
func TestBytesOfFacts(t *testing.T) {
	p := New().User().Lookup(code.Functor("fact", 1))
	small := clauseOf(p, term.New("fact", term.Atom("a")))
	large := clauseOf(p, term.New("fact", longList(1000)))
	again := clauseOf(p, term.New("fact", longList(1000)))
	require.Equal(t, small.Bytes()+8*2*1000, large.Bytes())
	require.Equal(t, large.Bytes(), again.Bytes())
}

// TestRoomForLargeFacts adds large facts and checks that no room is made for many more.
func TestRoomForLargeFacts(t *testing.T) {
	p := New().User().Lookup(code.Functor("fact", 1))
	for range 20 {
		c := clauseOf(p, term.New("fact", longList(10_000)))
		require.LessOrEqual(t, len(c.Cells), 2*10_000+8)
		p.insert(c, false)
	}
}
