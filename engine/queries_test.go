package engine_test

import (
	"context"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// TestAllocations bounds the objects that queries allocate besides their answers: unused streams, maps and contexts are
// not made.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes objects")
	}
	text := ":- set_prolog_flag(double_quotes, codes).\nrole(ann, admin).\nrole(bob, guest).\n"
	p, err := engine.LoadText(t.Context(), "a.pl", text, nil)
	require.NoError(t, err)
	g, _, err := engine.Inner(p).ReadGoal("goal", "role(U, R).")
	require.NoError(t, err)
	lookup, err := p.Prepare("role(U, R)", nil)
	require.NoError(t, err)
	args := engine.Args{"U": term.Atom("ann")}
	ctx := context.Background()
	bind := &engine.RunOptions{Bind: map[string]any{"U": term.Atom("ann")}}
	for _, c := range []struct {
		name  string
		most  float64
		query func() bool
	}{
		{"a prepared lookup", 2, func() bool { ok, err := lookup.Holds(ctx, args); return ok && err == nil }},
		{"true as text", 8, func() bool { _, err := p.Once(ctx, "true", nil); return err == nil }},
		{"a lookup as text", 14, func() bool {
			s, err := p.Once(ctx, "role(ann, R)", nil)
			return err == nil && s.Text("R") == "admin"
		}},
		{"a lookup as a term", 14, func() bool {
			r, err := engine.Inner(p).StartTerm(g.Term, g.Vars, bind)
			if err != nil {
				return false
			}
			defer r.Close()
			state, err := r.Next(ctx)
			return err == nil && state == engine.Answer && r.Solution().Get("R") == term.Term(term.Atom("admin"))
		}},
	} {
		require.True(t, c.query(), c.name)
		require.LessOrEqual(t, testing.AllocsPerRun(100, func() { c.query() }), c.most, c.name)
	}
}
