package engine_test

import (
	"slices"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/tools/zerotest"
	"github.com/stretchr/testify/require"
)

// TestZeroMethods calls all methods of zero and of valid values, with zero arguments and nil, without a context and
// with one. No call panics.
func TestZeroMethods(t *testing.T) {
	t.Parallel()
	makers := []func() any{
		func() any { return (*engine.Program)(nil) },
		func() any { return (*engine.Query)(nil) },
		func() any { return &engine.Program{} },
		func() any { return &engine.Query{} },
		func() any { return &engine.Run{} },
		func() any { return &engine.Session{} },
		func() any { return &engine.Solution{} },
		func() any { return &engine.Moment{} },
		func() any { return &engine.Rivalry{} },
		func() any { return &engine.Exception{} },
		func() any { return &engine.Aborted{} },
		func() any { return &engine.Panic{} },
		func() any { return &engine.Halt{} },
		func() any { return &engine.ConvertError{} },
		func() any { return engine.New(nil) },
		func() any {
			q, err := engine.New(nil).Prepare("true", nil)
			require.NoError(t, err)
			return q
		},
		func() any {
			r, err := engine.New(nil).Start("true", nil)
			require.NoError(t, err)
			t.Cleanup(r.Close)
			return r
		},
	}
	zerotest.Methods(t, makers)
}

// TestZeroProgram checks the errors of a zero Program.
func TestZeroProgram(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	var p engine.Program
	one := func(yield func(engine.Term, error) bool) { yield(term.Atom("a"), nil) }
	facts := []host.Fact{{Module: "user", Head: term.Atom("a")}}
	_, all := p.AssertAll(one)
	_, set := p.SetFacts("a", 0, one)
	_, parsed := p.ParseTerm("", "a")
	_, why := p.Why(ctx, "true", nil)
	_, whyNot := p.WhyNot(ctx, "true", nil)
	_, updated := p.Update(ctx, "true", nil)
	for _, err := range []error{p.Assert(term.Atom("a")), all, set, p.Load(ctx), p.Apply(host.FactChange{Added: facts}),
		parsed, why, whyNot, updated} {
		require.ErrorContains(t, err, "a zero Program")
	}
	require.Equal(t, facts, p.Restore(slices.Values(facts)))
	require.Equal(t, "'A'", p.FormatTerm("", term.Atom("A")))
}
