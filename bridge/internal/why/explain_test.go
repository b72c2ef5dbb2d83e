package why

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/reasons"
)

// TestToldCalls keeps the state of the last calls, and knows of eight times as many that there were some.
func TestToldCalls(t *testing.T) {
	const most = 2
	told := toldCalls{most: most}
	p, other := engine.New(nil), engine.New(nil)
	keep := func(binding string, p *engine.Program) {
		j := &calls.Job{Program: p}
		j.Binding = binding
		told.put(j, []dialogue.Reply{{Key: binding}}, engine.Given{}, nil)
	}
	// kept says what is known of a call: its answers, that there was one, or nothing.
	kept := func(binding string) string {
		c := told.find(binding)
		defer c.release()
		switch {
		case len(c.past) > 0:
			return c.past[0].Key
		case c.gone:
			return "gone"
		}
		return ""
	}
	for i := range most*remembered + 1 {
		keep(fmt.Sprint(i), p)
	}
	last := most * remembered
	for binding, want := range map[string]string{
		fmt.Sprint(last): fmt.Sprint(last), fmt.Sprint(last - 1): fmt.Sprint(last - 1), // the last two
		fmt.Sprint(last - most): "gone", "1": "gone", "0": "", "never": "",
	} {
		require.Equal(t, want, kept(binding), binding)
	}

	using := told.find(fmt.Sprint(last)) // somebody explains it meanwhile
	keep("other", other)
	told.forgetAll(other)
	require.Equal(t, "gone", kept(fmt.Sprint(last)))
	require.Equal(t, "other", kept("other"))
	require.NotEmpty(t, using.past, "who explains it has it until the end")
	using.release()
	require.Empty(t, using.past)

	keep("other", other) // the same call again takes the place of the first
	require.Equal(t, "other", kept("other"))
	require.Equal(t, "These are the facts as they are now. Those that the call saw are not kept any more.",
		told.find(fmt.Sprint(last)).facts(p))
	require.Empty(t, told.find("never").facts(p))
}

func TestInsteadText(t *testing.T) {
	require.Empty(t, InsteadText(nil))
	require.Equal(t, "\nThere are solutions for city: \"Rome\", \"a \\\"b\\\"\".\nThere are solutions for year: \"1\".",
		InsteadText([]reasons.Instead{{Name: "city", Values: []string{"Rome", `a "b"`}},
			{Name: "year", Values: []string{"1"}}}))
}
