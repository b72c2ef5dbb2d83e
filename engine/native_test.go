package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// loadedTogether is how many generated programs are loaded as one, because loading takes most of the time of a small
// program.
const loadedTogether = 16

// TestNativePrograms runs generated programs with native code off, on, and compared with the interpreter loop at each
// step, and expects the same answers. MCPLOGIC_PROGRAMS is the number of programs, MCPLOGIC_SEED the seed of the first.
func TestNativePrograms(t *testing.T) {
	t.Parallel()
	if !host.NativeAvailable() {
		t.Skip("there is no native code here")
	}
	count, seed := randomPrograms(t, 100, 400), deep.Number(t, "MCPLOGIC_SEED", 1)
	answered := 0
	for first := seed; first < seed+count; first += loadedTogether {
		answered += runPrograms(t, first, min(loadedTogether, seed+count-first))
	}
	require.Greater(t, answered, count/4, "most programs do not answer anything")
}

// TestNativeSeeds runs programs that once had different answers.
func TestNativeSeeds(t *testing.T) {
	t.Parallel()
	if !host.NativeAvailable() {
		t.Skip("there is no native code here")
	}
	for _, first := range []int{
		96224704, 96249024, // in one of two compared runs a walk over terms used up the fuel
	} {
		runPrograms(t, first, loadedTogether)
	}
}

// runPrograms runs count programs that are loaded together, the first with the seed first, and returns how many of them
// have answers.
func runPrograms(t *testing.T, first, count int) (answered int) {
	var makers []*programMaker
	var all strings.Builder
	all.WriteString(commonClauses)
	for s := first; s < first+count; s++ {
		g := newProgramMaker(s)
		all.WriteString(g.program())
		makers = append(makers, g)
	}
	p, err := engine.LoadText(t.Context(), "generated.pl", all.String(), &engine.Options{})
	require.NoError(t, err, "from seed %d\n%s", first, all.String())
	for _, g := range makers {
		if runNative(t, p, g) {
			answered++
		}
	}
	return answered
}

// limit stands for the error of a goal that exceeds a limit.
const limit = "limit"

// runNative runs the goals of a program, one after the other in all modes, and reports whether there were answers. The
// changes of a goal are committed after its last run, so that each run begins with the same clauses in all modes.
func runNative(t *testing.T, p *engine.Program, g *programMaker) (answered bool) {
	for _, goal := range g.goals() {
		want := answersNative(t, p, goal, host.NativeOff)
		answered = answered || strings.Contains(want, "true")
		for _, mode := range []host.NativeMode{host.NativeOn, host.NativeCheck} {
			got := answersNative(t, p, goal, mode)
			if got != want && !strings.Contains(want+got, limit) { // limits may be reached at other places
				text := newProgramMaker(g.seed).program()
				require.Equal(t, want, got, "seed %d, mode %d, goal %s\n%s", g.seed, mode, goal, text)
			}
		}
	}
	return answered
}

// isLimit reports whether an error is the error of a limit, or stands for one in a generated program.
func isLimit(err error) bool {
	exception := (*engine.Exception)(nil)
	return errors.As(err, &exception) && (exception.Limit() != "" || exception.Term == term.Atom(limit))
}

// answersNative returns the answers of a goal in one mode, as text.
func answersNative(t *testing.T, p *engine.Program, goal string, mode host.NativeMode) string {
	engine.SetNative(p, mode)
	var b strings.Builder
	o := engine.Stressed(&engine.RunOptions{Limits: engine.Limits{Inferences: 3000, Memory: 64 << 20}, Transaction: true},
		engine.Stress{Eager: true})
	r, err := p.Start(goal, o)
	require.NoError(t, err, goal)
	defer r.Close()
	for range 12 {
		state, err := r.Next(context.Background())
		switch {
		case isLimit(err):
			return limit
		case err != nil:
			fmt.Fprintln(&b, err)
			return b.String()
		case state != engine.Answer:
			if mode == host.NativeCheck {
				require.NoError(t, r.Commit())
			}
			return b.String()
		}
		fmt.Fprintln(&b, "true", engine.Inner(p).FormatAnswer(r.Solution()))
	}
	return b.String()
}
