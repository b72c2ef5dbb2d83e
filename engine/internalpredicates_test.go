package engine_test

import (
	"errors"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// TestInternalPredicates calls internal predicates that take numbers of choice points, bags and limits: they do not
// exist for callers outside of module system and the libraries.
func TestInternalPredicates(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl", `
static :- '$pop_limits'(0).
qualified :- system:'$pop_limits'(0).
library :- time:'$pop_limits'(0).
negated :- \+ '$pop_limits'(0).
:- dynamic(d/0).
d :- '$pop_limits'(0).
`, nil)
	require.NoError(t, err)
	for _, goal := range []string{"static", "qualified", "library", "negated", "d", "'$pop_limits'(0)",
		"system:'$pop_limits'(0)",
		"time:'$pop_limits'(0)", "call('$pop_limits', 0)", "call(system:'$pop_limits', 0)",
		"G = '$pop_limits'(0), call((true, G))",
		"findall(x, '$pop_limits'(0), _)", "maplist('$pop_limits', [0])", "assertz((p :- '$pop_limits'(0))), p",
		"assertz((time:p :- '$pop_limits'(0))), time:p", "assertz((system:p :- '$pop_limits'(0))), system:p",
		"catch('$pop_limits'(0), E, true), E = error(F, _), throw(error(F, _))",
		"call_with_time_limit(1, true), system:'$pop_limits'(0)"} {
		_, err := prog.Once(t.Context(), goal, &engine.RunOptions{Transaction: true})
		requireMissing(t, err, goal, "$pop_limits", 1)
	}
	for goal, arity := range map[string]int{"'$body'(!, 1)": 2, "'$and'(true, true, 1)": 3, "'$or'(true, true, 1)": 3,
		"'$then'(true, true, 1)": 3,
		"'$soft'(true, true, 1)": 3, "'$ite'(true, true, true, 1)": 4, "'$soft_ite'(true, true, true, 1)": 4,
		"'$setup_call_cleanup'(true, true)": 2,
		"'$choice_point'(_)":                1, "'$findall_start'(_)": 1, "'$findall_add'(7, x)": 2,
		"'$findall_collect'(5, _)":    2,
		"'$findall_collect'(5, _, _)": 3, "'$findall_count'(5, _)": 2, "'$limit_left'(3, _)": 2, "'$limit_hit'(3)": 1,
		"'$limit_key'(_)":             1,
		"'$push_time_limit'(1, x, _)": 3, "'$push_inference_limit'(1, _, _)": 3} {
		for _, module := range []string{"", "system:"} {
			// Control constructs run first, which call these predicates themselves.
			_, err := prog.Once(t.Context(), "G = (true, (true -> true ; true)), call(G), "+module+goal, nil)
			requireMissing(t, err, module+goal, goal[1:indexFrom(goal, '\'', 1)], arity)
		}
	}
}

func indexFrom(s string, c byte, from int) int {
	for s[from] != c {
		from++
	}
	return from
}

func requireMissing(t *testing.T, err error, goal, name string, arity int) {
	t.Helper()
	var ex *engine.Exception
	require.ErrorAs(t, err, &ex, goal)
	formal, ok := ex.Formal().(*term.Compound)
	require.True(t, ok && formal.Functor == "existence_error", "%s: %v", goal, err)
	pi := formal.Args[1]
	if args, ok := term.Is(pi, ":", 2); ok {
		pi = args[1]
	}
	require.Equal(t, term.New("/", term.Atom(name), term.Int(arity)), pi, goal)
}

// TestLimitHolds runs goals that try to remove the limit that was set for them.
func TestLimitHolds(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl", "", nil)
	require.NoError(t, err)
	for _, try := range []string{"'$pop_limits'(0)", "time:pop_limits(0)", "time:leave_limit(0, 0, 0)",
		"time:limit_thrown(inference_limit_exceeded, 0, _)", "between(0, 9, N), time:pop_limits(N), fail", "'$body'(!, 1)"} {
		goal := "catch(call_with_time_limit(0.05, ((catch((" + try +
			"), _, true) ; true), repeat, fail)), E, true), E == time_limit_exceeded"
		_, err := prog.Once(t.Context(), goal, &engine.RunOptions{Limits: engine.Limits{Time: 20 * time.Second}})
		if err != nil {
			t.Errorf("%s: %v", goal, err)
		}
	}
}

// TestLoadingPredicates calls the internal predicates of load_files/2 and the like with invalid arguments.
func TestLoadingPredicates(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl", "", nil)
	require.NoError(t, err)
	for _, options := range []string{"[text]", "[text(_)]", "[text(a, b)]", "[imports]", "[imports(x, y)]", "[again(1)]",
		"[1]", "foo", "[again|foo]", "_", "[_]", `["text"]`, "[f(x)|_]", "[imports([1, f(_)|_])]", "[imports(except(1))]"} {
		for _, goal := range []string{"'$load_files'(library(lists), user, " + options + ")",
			"'$load_files'(nofile, user, " + options + ")", "'$load'(library(lists), user, " + options + ")"} {
			for _, isolated := range []bool{false, true} {
				_, err := prog.Once(t.Context(), goal, &engine.RunOptions{Transaction: isolated})
				var p *engine.Panic
				require.False(t, errors.As(err, &p), "%s: %v", goal, err)
			}
		}
	}
}
