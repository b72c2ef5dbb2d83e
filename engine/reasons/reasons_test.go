package reasons_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/reasons"
)

// TestFewAnswers asks for explanations of answers that a goal does not have.
func TestFewAnswers(t *testing.T) {
	program, err := engine.LoadText(t.Context(), "p.pl", "p(1).\np(2).\nq(1).\nnone :- fail.\n", nil)
	require.NoError(t, err)
	for goal, want := range map[string]struct {
		answers int
		text    string
	}{
		"p(_)": {2, "there are only 2 answers"},
		"q(_)": {1, "there is only one answer"},
		"none": {0, engine.ErrNoSolution.Error()},
	} {
		_, err := program.Why(t.Context(), goal, &engine.WhyOptions{Answer: 3})
		var few *reasons.FewAnswersError
		require.ErrorAs(t, err, &few, goal)
		require.Equal(t, want.answers, few.Answers, goal)
		require.EqualError(t, err, want.text)
		require.ErrorIs(t, err, engine.ErrNoSolution)
	}
}

// TestNoNode asks for a node that the proof does not have.
func TestNoNode(t *testing.T) {
	program, err := engine.LoadText(t.Context(), "p.pl", "p(1).\n", nil)
	require.NoError(t, err)
	_, err = program.Why(t.Context(), "p(_)", &engine.WhyOptions{Node: "n99"})
	var none *reasons.NoNodeError
	require.ErrorAs(t, err, &none)
	require.Equal(t, "n99", none.Node)
	require.ErrorContains(t, err, "the proof has no node n99")
}
