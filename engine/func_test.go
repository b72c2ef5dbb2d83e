package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/netip"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// This file tests predicates made of plain Go functions.

// counter counts the sequences that are open and those that were opened.
type counter struct{ open, opened, made int }

// from counts up from n until it is stopped, and fails at 1000.
func (c *counter) from(_ context.Context, n int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		c.open++
		c.opened++
		defer func() { c.open-- }()
		for ; n < 1000; n++ {
			c.made++
			if !yield(n, nil) {
				return
			}
		}
		yield(0, errBroken)
	}
}

func (c *counter) predicates() []engine.Predicate {
	return []engine.Predicate{
		engine.Func("from", c.from),
		engine.Func("digit", func(context.Context) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) { _ = yield("one", nil) && yield("two", nil) }
		}),
		engine.Func("split", func(_ context.Context, text, sep string) iter.Seq2[term.Atom, error] {
			return func(yield func(term.Atom, error) bool) {
				for part := range strings.SplitSeq(text, sep) {
					if !yield(term.Atom(part), nil) {
						return
					}
				}
			}
		}),
		engine.Func("holds", func(_ context.Context, a, b, c bool) iter.Seq2[bool, error] {
			return func(yield func(bool, error) bool) {
				_ = yield(a, nil) && yield(b, nil) && yield(c, nil)
			}
		}),
		engine.Func("few", func(context.Context) iter.Seq2[int, error] {
			return func(yield func(int, error) bool) { _ = yield(1, nil) && yield(2, engine.ErrNoSolution) }
		}),
		engine.Func("answer", func(context.Context) (int, error) { return 42, nil }),
		engine.Func("upper", func(_ context.Context, s string) (string, error) { return strings.ToUpper(s), nil }),
		engine.Func("repeated", func(_ context.Context, s string, n uint8) (term.Atom, error) {
			return term.Atom(strings.Repeat(s, int(n))), nil
		}),
		engine.Func("clamp", func(_ context.Context, low, high, x float64) (float64, error) {
			return min(max(low, x), high), nil
		}),
		engine.Func("even", func(_ context.Context, n int) (bool, error) { return n%2 == 0, nil }),
		engine.Func("check", func(_ context.Context, a netip.Addr) (struct{}, error) { return struct{}{}, nil }),
		engine.Func("lookup", func(_ context.Context, key term.Atom) (point, error) {
			switch key {
			case "none":
				return point{}, fmt.Errorf("lookup: %w", engine.ErrNoSolution)
			case "broken":
				return point{}, errBroken
			case "odd":
				return point{}, engine.TermError("domain_error", "key", key)
			}
			return point{1, 2}, nil
		}),
		engine.Func("shift", func(_ context.Context, p point) (point, error) { return point{p.X + 1, p.Y}, nil }),
		engine.Func("same", func(_ context.Context, t engine.Term) (engine.Term, error) { return t, nil }),
		engine.Func("unfit", func(context.Context) (any, error) { return make(chan int), nil }),
	}
}

func TestFunctions(t *testing.T) {
	t.Parallel()
	prog := engine.New(&engine.Options{Predicates: new(counter).predicates()})
	for _, test := range []struct{ goal, want string }{
		{"answer(X)", "X = 42"},
		{"answer(41) -> X = yes ; X = no", "X = no"},
		{`upper(abc, X), upper("d", Y)`, `X = "ABC", Y = "D"`},
		{"repeated(ab, 3, X)", "X = ababab"},
		{"clamp(0, 10, 12.5, X), clamp(0, 10, 3, Y)", "X = 10.0, Y = 3.0"},
		{"even(4), \\+ even(3), X = 1", "X = 1"},
		{"check('::1'), X = 1", "X = 1"},
		{"lookup(k, X), shift(X, Y)", "X = point(1,2), Y = point(2,2)"},
		{"lookup(k, point(A, _))", "A = 1"},
		{"\\+ lookup(none, _), X = 1", "X = 1"},
		{"same(f(A, B, A), T), T = f(1, 2, C)", "A = 1, B = 2, T = f(1,2,1), C = 1"},
		{"findall(X, digit(X), L)", `L = ["one","two"]`},
		{"findall(X, few(X), L)", "L = [1]"},
		{"findall(X, split('a,b,c', ',', X), L)", "L = [a,b,c]"},
		{"split('a,b', ',', b), X = 1", "X = 1"},
		{"findall(x, holds(true, false, true), L)", "L = [x,x]"},
		{"catch(upper(1, _), error(E, context(P, _)), true)", "E = type_error(text,1), P = system:upper/2"},
		{"catch(upper(_, _), error(E, _), true)", "E = instantiation_error"},
		{"catch(repeated(a, 300, _), error(E, _), true)", "E = domain_error(uint8,300)"},
		{"catch(repeated(a, b, _), error(E, _), true)", "E = type_error(integer,b)"},
		{"catch(shift(point(1, x), _), error(E, _), true)", "E = type_error(integer,x)"},
		{"catch(shift(point(1, _), _), error(E, _), true)", "E = instantiation_error"},
		{"catch(shift(p, _), error(E, _), true)", "E = type_error('point/2',p)"},
		{"catch(check(no), error(E, _), true)", "E = domain_error('netip.Addr',no)"},
		{"catch(lookup(\"none\", _), error(E, _), true)", "E = type_error(atom,\"none\")"},
		{"catch(lookup(odd, _), error(E, _), true)", "E = domain_error(key,odd)"},
		{"catch(split(1, _, _), error(E, _), true)", "E = type_error(text,1)"},
	} {
		s, err := prog.Once(t.Context(), test.goal, nil)
		require.NoError(t, err, test.goal)
		require.Equal(t, test.want, boundOnly(s), test.goal)
	}
	_, err := prog.Once(t.Context(), "lookup(broken, _)", nil)
	require.ErrorIs(t, err, errBroken)
	_, err = prog.Once(t.Context(), "unfit(_)", nil)
	var convert *engine.ConvertError
	require.ErrorAs(t, err, &convert)
	_, err = prog.Once(t.Context(), "check(no)", nil)
	require.ErrorAs(t, err, &convert, "the error of UnmarshalText is kept")
}

// TestFunctionModes checks the modes that are derived from the types of a function.
func TestFunctionModes(t *testing.T) {
	t.Parallel()
	for i, want := range []string{"from/2 +integer, -integer", "digit/1 -text", "split/3 +text, +text, -atom",
		"holds/3 +boolean, +boolean, +boolean",
		"few/1 -integer", "answer/1 -integer", "upper/2 +text, -text", "repeated/3 +text, +integer, -atom",
		"clamp/4 +number, +number, +number, -number",
		"even/1 +integer", "check/1 +text", "lookup/2 +atom, -term"} {
		p := new(counter).predicates()[i]
		require.Equal(t, want, fmt.Sprintf("%s/%d %s", p.Name, p.Arity, p.Modes))
	}
}

// TestSequencesStop checks that no more answers are made than wanted, and that each sequence is closed.
func TestSequencesStop(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		goal         string
		opened, made int
	}{
		{"from(1, X), X >= 3, !", 1, 3},
		{"once(from(1, _)), once(from(1, _))", 2, 2},
		{"(from(1, X), X > 1 -> true ; true)", 1, 2},
		{"\\+ \\+ from(1, _)", 1, 1},
		{"forall(between(1, 50, _), once(from(1, _)))", 50, 50},
		{"from(1, X), from(X, Y), Y >= 2, !", 2, 3},
		{"catch((from(1, X), X > 4, throw(enough)), enough, true)", 1, 5},
		{"catch(forall(from(1, _), true), error(system_error, _), true)", 1, 999},
		{"findall(X, limit(7, from(1, X)), L), length(L, 7)", 1, 7},
		{"setup_call_cleanup(true, from(1, _), true), !", 1, 1},
		{"from(998, X), X = 999", 1, 2},
		{"G = from(1, X), call(G), X > 2, !", 1, 3},
		{"garbage_collect, from(1, X), garbage_collect, X > 2, !, garbage_collect", 1, 3},
		{"(from(1, _) ; true), from(1, X), X > 1, !", 2, 3},
		{"from(1, 5), !", 1, 5},
	} {
		var c counter
		prog := engine.New(&engine.Options{Predicates: c.predicates()})
		_, err := prog.Once(t.Context(), test.goal, engine.Stressed(&engine.RunOptions{}, engine.Stress{Verify: true}))
		require.NoError(t, err, test.goal)
		require.Equal(t, test.opened, c.opened, test.goal)
		require.Equal(t, test.made, c.made, test.goal)
		require.Zero(t, c.open, test.goal)
	}
}

// TestSequencesEndWithTheRun checks sequences of runs that are closed or cancelled in the middle.
func TestSequencesEndWithTheRun(t *testing.T) {
	t.Parallel()
	var c counter
	prog := engine.New(&engine.Options{Predicates: c.predicates()})
	for s, err := range prog.Query(t.Context(), "from(1, X), from(1, Y)", nil) {
		require.NoError(t, err)
		require.Equal(t, 2, c.open)
		if s.Text("Y") == "3" {
			break
		}
	}
	require.Zero(t, c.open)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, err := range prog.Query(ctx, "from(1, X), (X < 5 -> true ; repeat, fail)", nil) {
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		cancel()
	}
	require.Zero(t, c.open)
	run, err := prog.Start("from(1, X), halt", nil)
	require.NoError(t, err)
	_, err = run.Next(t.Context())
	var halt *engine.Halt
	require.True(t, errors.As(err, &halt))
	run.Close()
	require.Zero(t, c.open)
}

// TestMistakenPredicates gives predicates to a program that it cannot define.
func TestMistakenPredicates(t *testing.T) {
	answer := func(context.Context) (int, error) { return 1, nil }
	call := func(*engine.Call) (bool, error) { return true, nil }
	solve := func(*engine.Call) iter.Seq2[[]engine.Term, error] { return nil }
	for want, given := range map[string][]engine.Predicate{
		"nothing/1 written in Go needs exactly one of Call, Solve and Waits": {{Name: "nothing", Arity: 1}},
		"modes/2 written in Go has 1 mode and 2 arguments": {
			{Name: "modes", Arity: 2, Modes: "+pair(x, y)", Call: call}},
		"two/0 written in Go needs exactly one of Call, Solve and Waits":  {{Name: "two", Call: call, Waits: true}},
		"both/0 written in Go needs exactly one of Call, Solve and Waits": {{Name: "both", Call: call, Solve: solve}},
		"/0 written in Go needs a name, and an arity from 0 to ":          {{Call: call}},
		"p/-1 written in Go needs a name, and an arity from 0 to ":        {{Name: "p", Arity: -1, Call: call}},
		"q/1 written in Go has the name of a predicate that is there already": {engine.Func("q", answer),
			engine.Func("q", answer)},
		"is/2 written in Go has the name of a predicate that is there already": {
			engine.Func("is", func(context.Context, int) (int, error) { return 1, nil })},
		",/2 written in Go has the name of a predicate that is there already": {{Name: ",", Arity: 2, Call: call}},
	} {
		_, err := engine.LoadText(t.Context(), "a.pl", "p.\n", &engine.Options{Predicates: given})
		require.ErrorAs(t, err, new(source.Diagnostics))
		require.ErrorContains(t, err, "error: the predicate "+want)
	}
	own := engine.Func("member", func(context.Context, string) (string, error) { return "own", nil })
	elsewhere := engine.Func("q", answer)
	elsewhere.Module = "m"
	given := []engine.Predicate{engine.Func("q", answer), elsewhere, own}
	p, err := engine.LoadText(t.Context(), "a.pl", "", &engine.Options{Predicates: given})
	require.NoError(t, err)
	s, err := p.Once(t.Context(), "member(a, X)", nil)
	require.NoError(t, err)
	require.Equal(t, "own", s.Text("X"))
}
