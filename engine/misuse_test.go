package engine_test

import (
	"context"
	"iter"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
)

// TestNil passes nil as clauses and terms.
func TestNil(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p, err := engine.LoadText(ctx, "a.pl", ":- dynamic(f/1).\nf(1).\n", &engine.Options{Predicates: []engine.Predicate{
		{Name: "none", Arity: 1, Solve: func(*engine.Call) iter.Seq2[[]engine.Term, error] { return nil }},
		engine.Func("unsaid", func() iter.Seq2[int, error] { return nil }),
	}})
	require.NoError(t, err)
	_, err = p.AssertAll(nil)
	require.ErrorContains(t, err, "is nil")
	_, err = p.SetFacts("f", 1, nil)
	require.ErrorContains(t, err, "is nil")
	for _, clause := range []any{nil, (*struct{ A int })(nil), term.New("f", nil), term.New(":-", term.Atom("g"), nil),
		(*term.Compound)(nil)} {
		require.ErrorContains(t, p.Assert(clause), "is nil")
	}
	require.Empty(t, p.Restore(nil))
	require.Empty(t, p.Inherit(nil))
	for _, goal := range []string{"none(X)", "unsaid(X)"} {
		_, err = p.Once(ctx, goal, nil)
		require.ErrorIs(t, err, engine.ErrNoSolution, goal)
	}
	_, err = p.Once(ctx, "X = f(_)", &engine.RunOptions{Bind: engine.Args{"X": term.New("f", nil)}})
	require.ErrorContains(t, err, "is nil")
	q, err := p.Prepare("f(X)", nil)
	require.NoError(t, err)
	_, err = q.With(nil).Holds(ctx, nil)
	require.ErrorContains(t, err, "is nil")
	s, err := p.Once(ctx, "findall(X, f(X), L)", nil) // nothing has changed
	require.NoError(t, err)
	require.Equal(t, "[1]", s.Text("L"))
	_, err = engine.LoadText(ctx, "a.pl", "a.", &engine.Options{Predicates: []engine.Predicate{engine.Func("f", nil)}})
	require.ErrorContains(t, err, "needs a function")
}

// TestClosed uses a run that is closed.
func TestClosed(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "a.pl", "f(1).\n", nil)
	require.NoError(t, err)
	r, err := p.Start("f(X)", nil)
	require.NoError(t, err)
	_, err = r.Next(t.Context())
	require.NoError(t, err)
	calls := r.Inferences()
	require.Positive(t, calls)
	r.Close()
	require.Equal(t, calls, r.Inferences())
	require.Empty(t, r.Effort()+r.Whereabouts())
	r.LeaveUnanswered("a", "b")
	r.Prefer(nil)
	require.Nil(t, r.Keep())
	require.Nil(t, r.Obstacle())
	_, err = r.FormatAnswer(t.Context(), false)
	require.ErrorContains(t, err, "closed")
	_, err = r.FormatValues(t.Context())
	require.ErrorContains(t, err, "closed")
	require.ErrorContains(t, r.Commit(), "closed")
}

// TestZero uses a zero Query and a zero Program.
func TestZero(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	var q engine.Query
	_, err := q.Start(nil)
	require.ErrorContains(t, err, "a zero Query")
	_, err = q.With("a").Holds(ctx, nil)
	require.ErrorContains(t, err, "a zero Query")
	require.ErrorContains(t, q.One(ctx, nil, nil), "a zero Query")
	require.ErrorContains(t, q.Update(ctx, nil, nil), "a zero Query")
	n := 0
	for _, err := range engine.All[engine.Solution](ctx, &q, nil) {
		n++
		require.ErrorContains(t, err, "a zero Query")
	}
	require.Equal(t, 1, n)
	_, err = new(engine.Program).Once(ctx, "true", nil)
	require.ErrorContains(t, err, "a zero Program")
}

// TestCommitTwice commits a second time after a commit and after a conflict.
func TestCommitTwice(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "a.pl", ":- dynamic(f/1).\nf(1).\n", nil)
	require.NoError(t, err)
	start := func(o *engine.RunOptions) *engine.Run {
		r, err := p.Start("retract(f(1)) ; true", o)
		require.NoError(t, err)
		t.Cleanup(r.Close)
		_, err = r.Next(t.Context())
		require.NoError(t, err)
		return r
	}
	first := start(&engine.RunOptions{Transaction: true})
	second := start(&engine.RunOptions{Transaction: true})
	require.NoError(t, first.Commit())
	require.ErrorIs(t, second.Commit(), engine.ErrConflict)
	for _, r := range []*engine.Run{first, second} {
		require.ErrorContains(t, r.Commit(), "Commit was called before")
	}
	direct := start(nil) // its changes are made at once, so that there is nothing to commit
	require.NoError(t, direct.Commit())
	require.NoError(t, direct.Commit())
}

// TestRowLength lets Solve return rows that are too long or too short, and calls Unify with an argument out of range.
func TestRowLength(t *testing.T) {
	t.Parallel()
	rows := func(all ...[]engine.Term) func(*engine.Call) iter.Seq2[[]engine.Term, error] {
		return func(*engine.Call) iter.Seq2[[]engine.Term, error] {
			return func(yield func([]engine.Term, error) bool) {
				for _, row := range all {
					if !yield(row, nil) {
						return
					}
				}
			}
		}
	}
	one := term.Int(1)
	p := engine.New(&engine.Options{Predicates: []engine.Predicate{
		{Name: "short", Arity: 2, Solve: rows([]engine.Term{one, one}, []engine.Term{one})},
		{Name: "long", Arity: 1, Solve: rows([]engine.Term{one, one})},
		{Name: "empty", Arity: 1, Solve: rows([]engine.Term{})},
		{Name: "right", Arity: 2, Solve: rows(nil, []engine.Term{nil, one})},
		{Name: "far", Arity: 1, Call: func(c *engine.Call) (bool, error) { return c.Unify(5, one), nil }},
	}})
	s, err := p.Once(t.Context(), "findall(X-Y, right(X, Y), [A-B, C-1]), maplist(var, [A, B, C])", nil)
	require.NoError(t, err, s)
	_, err = p.Once(t.Context(), "short(_, _)", nil)
	require.NoError(t, err, "the first row is right")
	for goal, want := range map[string]string{
		"short(_, _), fail": "the Solve of short/2 returned a row of length 1",
		"long(_)":           "the Solve of long/1 returned a row of length 2",
		"empty(_)":          "the Solve of empty/1 returned a row of length 0",
	} {
		_, err = p.Once(t.Context(), goal, nil)
		var thrown *engine.Exception
		require.ErrorAs(t, err, &thrown, goal)
		require.ErrorContains(t, err, want)
	}
	_, err = p.Once(t.Context(), "far(_)", nil)
	require.ErrorContains(t, err, "panic in far/1: runtime error: index out of range [5] with length 1")
}

// TestKeptCall uses a Call after it is over. Its terms stay the same, although another run uses its machine by now.
func TestKeptCall(t *testing.T) {
	t.Parallel()
	var kept []*engine.Call
	var terms []engine.Term
	keep := func(c *engine.Call) {
		kept, terms = append(kept, c), append(terms, c.Arg(0))
	}
	p := engine.New(&engine.Options{Predicates: []engine.Predicate{
		{Name: "keep_once", Arity: 1, Call: func(c *engine.Call) (bool, error) { keep(c); return true, nil }},
		{Name: "keep_often", Arity: 1, Solve: func(c *engine.Call) iter.Seq2[[]engine.Term, error] {
			return func(yield func([]engine.Term, error) bool) {
				keep(c)
				yield(nil, nil)
			}
		}}}})
	for _, goal := range []string{"keep_once(f(x))", "keep_often(f(x))"} {
		_, err := p.Once(t.Context(), goal, nil)
		require.NoError(t, err)
	}
	for i, c := range kept {
		require.Panics(t, func() { c.Unify(0, term.Int(1)) })
		require.Panics(t, func() { c.Arg(0) })
		require.Error(t, c.Context().Err())
		require.Equal(t, "f(x)", engine.FormatTerm(terms[i]))
	}
}

// TestFuncShapes makes predicates from functions of all shapes.
func TestFuncShapes(t *testing.T) {
	t.Parallel()
	n := 0
	p := engine.New(&engine.Options{Predicates: []engine.Predicate{
		engine.Func("four", func(_ context.Context, a, b, c, d int) (int, error) { return a + b + c + d, nil }),
		engine.Func("div", func(a, b int) (int, int) { return a / b, a % b }),
		engine.Func("note", func(i int) { n = i }),
		engine.Func("fails", func() error { return engine.ErrNoSolution }),
		engine.Func("up", func(most int) iter.Seq[int] {
			return func(yield func(int) bool) {
				for i := 0; i < most && yield(i); i++ {
				}
			}
		}),
	}})
	for goal, want := range map[string]string{
		"four(1, 2, 3, 4, X)":             "X = 10",
		"div(17, 5, Q, R)":                "Q = 3, R = 2",
		"note(7)":                         "true",
		"\\+ fails":                       "true",
		"findall(I, up(3, I), L)":         "L = [0,1,2]",
		"once(up(3, 2)), X = a":           "X = a",
		"catch(div(1, 0, _, _), _, true)": "",
	} {
		s, err := p.Once(t.Context(), goal, nil)
		if want == "" { // Go code that panics ends the run
			var panicked *engine.Panic
			require.ErrorAs(t, err, &panicked)
			continue
		}
		require.NoError(t, err, goal)
		require.Contains(t, s.String(), want, goal)
	}
	require.Equal(t, 7, n)
	for _, wrong := range []struct {
		f    any
		want string
	}{
		{nil, "a function"}, {3, "a function"}, {(func())(nil), "a function"}, {func(...int) {}, "a function"},
		{func() iter.Seq2[int, int] { return nil }, "second part is an error"},
		{func() iter.Seq[error] { return nil }, "second part is an error"},
		{func() iter.Seq2[error, error] { return nil }, "a single error"},
		{reflect.MakeFunc(reflect.TypeFor[func() (error, int)](), nil).Interface(), "a single error"},
		{func() (error, error) { return nil, nil }, "a single error"},
		{func(int, context.Context) int { return 0 }, "a context as its first input"},
		{func(context.Context, context.Context) {}, "a context as its first input"},
		{func() (iter.Seq[int], int) { return nil, 0 }, "such as iter.Seq[int]"},
		{func() (iter.Seq2[int, error], error) { return nil, nil }, "such as iter.Seq2[int,error]"},
		{func() (int, chan int) { return 0, nil }, "and not a chan int;"},
		{func() iter.Seq[func()] { return nil }, "and not a func();"},
	} {
		_, err := engine.LoadText(t.Context(), "a.pl", "a.", &engine.Options{Predicates: []engine.Predicate{
			engine.Func("f", wrong.f)}})
		require.ErrorContains(t, err, "written in Go needs a ", "%T", wrong.f)
		require.ErrorContains(t, err, wrong.want, "%T", wrong.f)
	}
}

// TestOpaqueInputs passes values without a term to predicates.
func TestOpaqueInputs(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "a.pl", "a.", &engine.Options{Predicates: []engine.Predicate{
		engine.Func("room", func(c chan int) int { return cap(c) }),
		engine.Func("call_back", func(f func()) { f() }),
	}})
	require.NoError(t, err)
	called := false
	s, err := p.Once(t.Context(), "room(C, N), call_back(F)", &engine.RunOptions{Bind: engine.Args{
		"C": engine.Opaque(make(chan int, 3)), "F": engine.Opaque(func() { called = true })}})
	require.NoError(t, err)
	require.Equal(t, term.Int(3), s.Get("N"))
	require.True(t, called)
	_, err = p.Once(t.Context(), "call_back(a)", nil)
	require.ErrorContains(t, err, "func()")
}

// TestNeverCommitted runs goals that add a fact in runs at a moment or with given facts, in all ways. The program and
// the journal keep nothing, and methods that should commit return an error.
func TestNeverCommitted(t *testing.T) {
	t.Parallel()
	ctx, kept := t.Context(), &ledger{}
	text := ":- dynamic(f/1).\n:- persistent(g/1).\nf(1).\n"
	p, err := engine.LoadText(ctx, "a.pl", text, &engine.Options{Journal: kept})
	require.NoError(t, err)
	r, err := p.Start("f(_)", nil)
	require.NoError(t, err)
	at := r.Keep()
	r.Close()
	for name, o := range map[string]*engine.RunOptions{
		"at":    {At: at},
		"fact":  {Given: engine.Given{Assume: []any{term.New("f", term.Int(3))}}},
		"facts": {Given: engine.Given{Stored: []host.Fact{}}},
	} {
		for _, goal := range []string{"assertz(f(2))", "assertz(g(2))"} {
			_, err = p.Once(ctx, goal, o)
			require.NoError(t, err, name)
			for _, err := range p.Query(ctx, goal, o) {
				require.NoError(t, err, name)
			}
			_, err = p.Update(ctx, goal, o)
			require.ErrorContains(t, err, "never committed", name)
			for _, transaction := range []bool{false, true} {
				own := *o
				own.Transaction = transaction
				r, err := p.Start(goal, &own)
				require.NoError(t, err, name)
				_, err = r.Next(ctx)
				require.NoError(t, err, name)
				require.ErrorContains(t, r.Commit(), "never committed", name)
				r.Close()
			}
		}
	}
	s, err := p.Once(ctx, "findall(X, (f(X) ; g(X)), L)", nil)
	require.NoError(t, err)
	require.Equal(t, "[1]", s.Text("L"))
	require.Empty(t, kept.lines)

	other := engine.New(nil)
	for _, wrong := range []struct {
		p  *engine.Program
		at *engine.Moment
	}{{other, at}, {p, &engine.Moment{}}} {
		_, err = wrong.p.Once(ctx, "true", &engine.RunOptions{At: wrong.at})
		require.ErrorContains(t, err, "the moment is")
	}
	at.Release()
	_, err = p.Once(ctx, "true", &engine.RunOptions{At: at})
	require.ErrorContains(t, err, "the moment is released")
	_, err = p.Why(ctx, "f(1)", &engine.WhyOptions{At: at})
	require.ErrorContains(t, err, "the moment is released")
}

// TestBelowZero sets negative limits.
func TestBelowZero(t *testing.T) {
	t.Parallel()
	p := engine.New(nil)
	for _, l := range []engine.Limits{{Time: -1}, {Inferences: -1}, {Memory: -1}} {
		_, err := p.Once(t.Context(), "true", &engine.RunOptions{Limits: l})
		require.ErrorContains(t, err, "a limit is below zero")
		_, err = p.Why(t.Context(), "true", &engine.WhyOptions{Limits: l})
		require.ErrorContains(t, err, "a limit is below zero")
		if l.Time == 0 {
			_, err = engine.LoadText(t.Context(), "a.pl", ":- true.\n", &engine.Options{Directives: l})
			require.ErrorContains(t, err, "a limit is below zero")
		}
	}
}
