package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
)

// TestBacktraceValues throws in clauses of many kinds and checks the goals of the backtrace. The program has the
// expected text after each goal: values that a clause still needs are known, and values that it no longer needs are
// not.
func TestBacktraceValues(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "backtraces.pl")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	cases := 0
	for _, mode := range []host.NativeMode{host.NativeOff, host.NativeOn} {
		p, err := engine.LoadText(t.Context(), "backtraces.pl", string(text),
			&engine.Options{Native: mode, Files: engine.FilesOf(os.DirFS("testdata"))})
		require.NoError(t, err)
		for goal, want := range backtraceCases(string(text)) {
			for _, s := range []engine.Stress{{}, {Grow: true}, {GC: true}, {Eager: true}} {
				o := engine.Stressed(&engine.RunOptions{}, s)
				o.TraceValues = true
				_, err := p.Once(t.Context(), goal, o)
				var ex *engine.Exception
				require.True(t, errors.As(err, &ex), "%s: %v", goal, err)
				var got []string
				for _, f := range ex.Trace {
					got = append(got, strings.TrimPrefix(f.String(), f.Position.String()+": "))
				}
				require.Equal(t, want, got, "%s, native mode %v, %+v", goal, mode, *o)
				cases++
			}
		}
	}
	require.Greater(t, cases, 100)
}

// TestBacktraceSecrets checks that secret values are not in backtraces: short ones if they are a whole constant, longer
// ones also as parts of constants.
func TestBacktraceSecrets(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "b.pl", "p(X, Y) :- q(f(X), Y), true.\nq(X, Y) :- X > Y, true.\n", nil)
	require.NoError(t, err)
	engine.Inner(p).KeepSecret("k7", "hunter2")
	_, err = p.Once(t.Context(), "p(k7, 'say hunter2 and k7')", &engine.RunOptions{TraceValues: true})
	var ex *engine.Exception
	require.ErrorAs(t, err, &ex)
	require.Equal(t, "q(f(<secret>), 'say <secret> and k7')", ex.Trace[0].Goal)
}

// backtraceCases reads the goals of a file and the expected frames after them:
//
//	%? Goal
//	%  Frame
func backtraceCases(text string) map[string][]string {
	cases := map[string][]string{}
	goal := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "%? "); ok {
			goal = rest
			cases[goal] = nil
		} else if rest, ok := strings.CutPrefix(line, "%  "); ok && goal != "" {
			cases[goal] = append(cases[goal], rest)
		}
	}
	return cases
}
