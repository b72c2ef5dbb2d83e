package debug_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/debug"
	"github.com/stretchr/testify/require"
)

const traceProgram = `f(X) :- g(X), h(X).
g(1). g(2).
h(2).
c(X) :- g(X), !, X > 0.
c(9).
n(X) :- \+ h(X), ( X =:= 1 -> true ; fail ).
e :- g(X), throw(oops(X)).
k(L) :- findall(X, g(X), L).
ca(E) :- catch(e, oops(E), true).
loop(N) :- N > 0, M is N - 1, loop(M).
loop(0).
v(X) :-
    Y is X + 1,
    Z = [Y|_],
    g(W),
    W > Y,
    use(Z).
use(_).
`

// traced runs a goal, with the actions that stops get, and returns the ports as the prompt shows them.
func traced(t *testing.T, d *debug.Debugger, goal string, act func(s *debug.Stop) debug.Action) ([]string, error) {
	var ports []string
	t.Helper()
	prog, err := engine.LoadFS(t.Context(), fstest.MapFS{"p.pl": {Data: []byte(traceProgram)}}, nil, "p.pl")
	require.NoError(t, err)
	names := regexp.MustCompile(`\b_\d+`)
	d.Stop = func(_ context.Context, s *debug.Stop) debug.Action {
		f := s.Frames(1)[0]
		ports = append(ports, names.ReplaceAllString(fmt.Sprintf("%s %d %s", s.Port, f.Depth, f.Goal), "_"))
		return act(s)
	}
	_, err = prog.Once(t.Context(), goal, &engine.RunOptions{Debugger: d, Limits: engine.Limits{Time: 10 * time.Second}})
	return ports, err
}

func creep(*debug.Stop) debug.Action { return debug.Action{} }

// TestTrace compares ports with those that SWI-Prolog shows. It ignores three differences: the number of the outermost
// level, true/0, and the redo that SWI-Prolog shows for a clause whose negation has failed.
func TestTrace(t *testing.T) {
	for goal, want := range map[string]string{
		"f(X)": `call 1 f(_), call 2 g(_), exit 2 g(1), call 2 h(1), fail 2 h(1), redo 2 g(_), exit 2 g(2), call 2 h(2),
			exit 2 h(2), exit 1 f(2)`,
		"c(X)": `call 1 c(_), call 2 g(_), exit 2 g(1), call 2 1>0, exit 2 1>0, exit 1 c(1)`,
		"n(1)": `call 1 n(1), call 2 h(1), fail 2 h(1), call 2 1=:=1, exit 2 1=:=1, exit 1 n(1)`,
		"ca(E)": `call 1 ca(_), call 2 catch(e, oops(_), true), call 3 e, call 4 g(_), exit 4 g(1), call 4 throw(oops(1)),
			exception 4 throw(oops(1)), exception 3 e, exit 2 catch(e, oops(1), true), exit 1 ca(1)`,
		"k(L)": `call 1 k(_), call 2 findall(_, g(_), _), call 3 g(_), exit 3 g(1), redo 3 g(_), exit 3 g(2),
			exit 2 findall(_, g(_), [1, 2]), exit 1 k([1, 2])`,
	} {
		d := &debug.Debugger{}
		d.Trace(true)
		ports, err := traced(t, d, goal, creep)
		require.NoError(t, err)
		require.Equal(t, strings.Join(strings.Fields(want), " "), strings.Join(ports, ", "), goal)
	}
}

// TestTracedAnswers checks that traced goals have the same answers.
func TestTracedAnswers(t *testing.T) {
	prog, err := engine.LoadText(t.Context(), "p.pl", ":- meta_predicate g(:, -).\ng(M:X, M-X).\n:- table t/1.\nt(1).\n",
		nil)
	require.NoError(t, err)
	answers := func(goal string, d *debug.Debugger) (list []string) {
		o := &engine.RunOptions{Debugger: d, Limits: engine.Limits{Time: time.Minute, Memory: 64 << 20}}
		for s, err := range prog.Query(t.Context(), goal, o) {
			if err != nil {
				return append(list, regexp.MustCompile(`_[0-9]+`).ReplaceAllString(err.Error(), "_"))
			}
			list = append(list, engine.FormatTerm(s.Get("A")))
		}
		return list
	}
	for _, goal := range []string{
		"catch(bagof(X, Y^G, L), error(A, _), true)", "phrase(([a] | [b]), A)", "g(foo, A)", "g(m:n:foo, A)",
		"catch(\\+ (fail, 1), error(A, _), true)", "catch(call([X|R]>>(R = []), a), error(A, _), true)",
		"sandbox:safe_call(member(A, [1, 2]))", "snapshot((A = 1, current_transaction((A = 1, _))))",
		"transaction((current_transaction(G), functor(G, A, _)))", "tables:'t not'(t(2)), A = 1",
	} {
		d := &debug.Debugger{}
		d.Trace(true)
		require.Equal(t, answers(goal, nil), answers(goal, d), goal)
	}
}

// TestTraceActions retries, fails, skips and aborts goals.
func TestTraceActions(t *testing.T) {
	once := map[string]debug.ActionKind{}
	act := func(s *debug.Stop) debug.Action {
		key := string(s.Port) + " " + s.Frames(1)[0].Goal
		a := debug.Action{Kind: once[key]}
		delete(once, key)
		return a
	}
	for _, c := range []struct {
		do   map[string]debug.ActionKind
		want string
	}{
		{map[string]debug.ActionKind{"exit g(1)": debug.ActRetry}, "call f, call g, exit g, call g, exit g, call h"},
		{map[string]debug.ActionKind{"call h(1)": debug.ActFail}, "call f, call g, exit g, call h, fail h, redo g, exit g"},
		{map[string]debug.ActionKind{"call h(1)": debug.ActIgnore}, "call f, call g, exit g, call h, exit h, exit f"},
		{map[string]debug.ActionKind{"exit g(1)": debug.ActUp}, "call f, call g, exit g, exit f"},
		{map[string]debug.ActionKind{"call h(1)": debug.ActAbort}, "call f, call g, exit g, call h"},
		{map[string]debug.ActionKind{"exit g(1)": debug.ActLeap}, "call f, call g, exit g"},
	} {
		once = c.do
		d := &debug.Debugger{}
		d.Trace(true)
		ports, _ := traced(t, d, "f(X)", act)
		for i, p := range ports {
			parts := strings.Fields(strings.ReplaceAll(p, "(", " "))
			ports[i] = parts[0] + " " + parts[2]
		}
		require.True(t, strings.HasPrefix(strings.Join(ports, ", "), c.want), "%v: %v", c.do, ports)
	}
}

// TestSpy stops at spy points, with conditions, and at lines, and inspects variables.
func TestSpy(t *testing.T) {
	leap := func(*debug.Stop) debug.Action { return debug.Action{Kind: debug.ActLeap} }
	ports, err := traced(t, &debug.Debugger{}, "spy(loop(N), N =:= 3), loop(5)", leap)
	require.NoError(t, err)
	require.Equal(t, []string{"call 3 loop(3)"}, ports)

	d, seen := &debug.Debugger{}, ""
	d.SetLines("p.pl", map[int]string{16: "W =:= 2"})
	ports, err = traced(t, d, "v(1)", func(s *debug.Stop) debug.Action {
		if s.Result != nil {
			seen += fmt.Sprint("; ", s.Result.True, s.Result.Values)
			return debug.Action{Kind: debug.ActLeap}
		}
		for _, v := range s.Variables(0) {
			seen += v.Name + "=" + regexp.MustCompile(`_\d+`).ReplaceAllString(v.Text, "_") + " "
		}
		seen += s.Frames(1)[0].Position.String()
		return debug.Action{Kind: debug.ActEvaluate, Goal: "Q is W * 10, Y < 9"}
	})
	require.ErrorIs(t, err, engine.ErrNoSolution)
	require.Equal(t, []string{"call 2 2>2", "call 2 2>2"}, ports)
	require.Contains(t, seen, "X=1 Y=2 Z=[2|_] W=2 p.pl:16:5; true [{Q 20 20 true}")
}

// A breakpoint on a line stops each time that a clause comes there: at its first goal on the line, or its head.
func TestLineStopsOnce(t *testing.T) {
	leap := func(*debug.Stop) debug.Action { return debug.Action{Kind: debug.ActLeap} }
	for line, want := range map[int][]string{
		1:  {"unify 1 f(_)"},
		10: {"unify 1 loop(2)", "unify 2 loop(1)", "unify 3 loop(0)"},
		16: {"call 2 1>2", "call 2 2>2"},
		17: {"call 2 use([1|_])"},
	} {
		d := &debug.Debugger{}
		d.SetLines("p.pl", map[int]string{line: ""})
		goal := map[int]string{1: "f(_)", 10: "loop(2)", 16: "v(1)", 17: "v(0)"}[line]
		ports, _ := traced(t, d, goal, leap)
		require.Equal(t, want, ports, "line %d", line)
	}
}

// TestStopIsUntimed waits longer at a stop than the run may take.
func TestStopIsUntimed(t *testing.T) {
	d := &debug.Debugger{}
	prog, err := engine.LoadText(t.Context(), "p.pl", traceProgram, nil)
	require.NoError(t, err)
	for limit := 20 * time.Millisecond; ; limit *= 4 { // a busy machine needs more for the goal itself
		d.Trace(true)
		d.Stop = func(context.Context, *debug.Stop) debug.Action {
			time.Sleep(2 * limit)
			return debug.Action{Kind: debug.ActLeap}
		}
		if _, err = prog.Once(t.Context(), "f(X), loop(100)", &engine.RunOptions{Debugger: d,
			Limits: engine.Limits{Time: limit}}); err == nil {
			break
		}
		require.Less(t, limit, time.Minute, "%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	d.Trace(true)
	d.Stop = func(ctx context.Context, _ *debug.Stop) debug.Action {
		cancel()
		<-ctx.Done() // the debugger has gone away: the run ends
		return debug.Action{}
	}
	_, err = prog.Once(ctx, "f(X)", &engine.RunOptions{Debugger: d})
	require.ErrorIs(t, err, context.Canceled)
}
