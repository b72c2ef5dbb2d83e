package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
)

type hour struct{ N int }

const allowText = `
:- dynamic([hour/1, count/1]).
:- table(reach/2).
count(0).
role(ann, admin). role(bob, user).
allow(U, A) :- role(U, admin), A \== nothing.
allow(U, read) :- role(U, user), hour(H), H > 8.
edge(a, b).
reach(X, Y) :- edge(X, Y).
reach(X, Y) :- reach(X, Z), edge(Z, Y).
reach(X, Y) :- link(X, Y).
:- dynamic(link/2).
add :- retract(count(N)), N1 is N+1, assertz(count(N1)).
`

func prepare(t *testing.T, goal string, o *engine.RunOptions) (*engine.Program, *engine.Query) {
	p, err := engine.LoadText(t.Context(), "allow.pl", allowText, nil)
	require.NoError(t, err)
	q, err := p.Prepare(goal, o)
	require.NoError(t, err)
	return p, q
}

// TestPrepared asks a query for its answers in each way.
func TestPrepared(t *testing.T) {
	t.Parallel()
	_, q := prepare(t, "role(User, Role)", nil)
	for user, want := range map[string]bool{"ann": true, "cid": false} {
		ok, err := q.Holds(t.Context(), engine.Args{"User": term.Atom(user)})
		require.NoError(t, err)
		require.Equal(t, want, ok)
	}
	type row struct{ User, Role string }
	var rows []row
	for r, err := range engine.All[row](t.Context(), q, nil) {
		require.NoError(t, err)
		rows = append(rows, r)
	}
	require.Equal(t, []row{{"ann", "admin"}, {"bob", "user"}}, rows)
	for r, err := range engine.All[map[string]string](t.Context(), q, engine.Args{"Role": term.Atom("user")}) {
		require.NoError(t, err)
		require.Equal(t, map[string]string{"User": "bob", "Role": "user"}, r)
	}
	for s, err := range engine.All[engine.Solution](t.Context(), q, nil) {
		require.NoError(t, err)
		require.Equal(t, "User = ann, Role = admin", s.String())
		break
	}
	var one row
	require.NoError(t, q.One(t.Context(), nil, &one))
	require.Equal(t, row{"ann", "admin"}, one)
	require.Equal(t, engine.ErrNoSolution, q.One(t.Context(), engine.Args{"User": "a string"}, &one))

	var failed *engine.ConvertError
	for _, err := range engine.All[struct{ User int }](t.Context(), q, nil) {
		require.ErrorAs(t, err, &failed)
	}
	require.ErrorAs(t, q.One(t.Context(), nil, 1), &failed)
	require.ErrorContains(t, q.One(t.Context(), engine.Args{"Usr": 1}, nil),
		"the goal has no such variable, did you mean User?")
	var none context.Context
	require.ErrorContains(t, q.One(none, nil, nil), "the context is nil")
}

// TestPreparedOptions asks with options. Values given in a call take precedence over theirs.
func TestPreparedOptions(t *testing.T) {
	t.Parallel()
	p, q := prepare(t, "between(1, N, X), M = X", &engine.RunOptions{Bind: engine.Args{"N": 3, "M": 2},
		Limits: engine.Limits{Inferences: 100_000}})
	var row struct{ X int }
	require.NoError(t, q.One(t.Context(), nil, &row))
	require.Equal(t, 2, row.X)
	require.NoError(t, q.One(t.Context(), engine.Args{"M": 3}, &row))
	require.Equal(t, 3, row.X)
	ok, err := q.Holds(t.Context(), engine.Args{"M": 3, "N": 2})
	require.NoError(t, err)
	require.False(t, ok)
	_, err = q.Holds(t.Context(), engine.Args{"M": 0, "N": 1 << 60})
	var ex *engine.Exception
	require.ErrorAs(t, err, &ex)
	require.Equal(t, "inferences", ex.Limit())
	_, err = p.Prepare("foo(", nil)
	require.ErrorAs(t, err, &ex)
	_, err = p.Prepare("", nil)
	require.ErrorAs(t, err, &ex)
}

// TestPreparedShared asks one query from many goroutines.
func TestPreparedShared(t *testing.T) {
	t.Parallel()
	_, q := prepare(t, "numlist(1, N, L), sum_list(L, S), member(X, L), X =:= N", nil)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				n := g*50 + i + 1
				var row struct{ S, X int }
				if err := q.With(hour{n}).One(context.Background(), engine.Args{"N": n}, &row); err != nil ||
					row.S != n*(n+1)/2 || row.X != n {
					t.Errorf("%d: %v %v", n, row, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestWithFacts gives runs their own facts, which leave no trace.
func TestWithFacts(t *testing.T) {
	t.Parallel()
	p, q := prepare(t, "allow(User, read)", nil)
	bob := engine.Args{"User": term.Atom("bob")}
	for range 3 {
		for hourOfDay, want := range map[int]bool{7: false, 9: true} {
			ok, err := q.With(hour{hourOfDay}).Holds(t.Context(), bob)
			require.NoError(t, err)
			require.Equal(t, want, ok)
			ok, err = q.Holds(t.Context(), bob)
			require.NoError(t, err)
			require.False(t, ok)
		}
	}
	early := q.With(hour{7})
	ok, err := early.With(hour{10}).Holds(t.Context(), bob)
	require.NoError(t, err)
	require.True(t, ok)
	ok, err = early.Holds(t.Context(), bob)
	require.NoError(t, err)
	require.False(t, ok)

	for goal, answers := range map[string]int{"reach(a, X)": 2, "new(X)": 1,
		"hour(X), retract(hour(_)), assertz(count(5))": 1,
		"m:own(X)": 1, "add, count(X)": 1} {
		q, err := p.Prepare(goal, nil)
		require.NoError(t, err)
		before, n := 0, 0
		for range engine.All[engine.Solution](t.Context(), q, nil) {
			before++
		}
		with := q.With(term.New("link", term.Atom("a"), term.Atom("c")), term.New("new", term.Int(1)), hour{1},
			term.New(":", term.Atom("m"), term.New("own", term.Int(1))))
		for _, err := range engine.All[engine.Solution](t.Context(), with, nil) {
			require.NoError(t, err, goal)
			n++
		}
		require.Equal(t, answers, n, goal)
		after := 0
		for range engine.All[engine.Solution](t.Context(), q, nil) {
			after++
		}
		require.Equal(t, before, after, goal)
	}
	s, err := p.Once(t.Context(), "findall(N, count(N), L)", nil)
	require.NoError(t, err)
	require.Equal(t, "[2]", s.Text("L"), "two runs without facts of their own, of add")

	_, err = q.With(term.New("role", term.Atom("bob"), term.Atom("admin"))).Holds(t.Context(), bob)
	require.ErrorContains(t, err, "fact 1: role/2 is static, and its facts cannot differ between calls")
	_, err = q.With(hour{1}, func() {}).Holds(t.Context(), bob)
	require.ErrorContains(t, err, "fact 2: no term stands for such a value")
	r, err := q.With(hour{9}).Start(bob)
	require.NoError(t, err)
	defer r.Close()
	state, err := r.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, engine.Answer, state)
	require.ErrorContains(t, r.Commit(), "never committed")
}

// TestUpdate counts from many goroutines. No count is lost.
func TestUpdate(t *testing.T) {
	t.Parallel()
	p, q := prepare(t, "add, count(N)", nil)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				var row struct{ N int }
				if err := q.Update(context.Background(), nil, &row); err != nil || row.N < 1 {
					t.Errorf("%v %v", row, err)
				}
			}
		})
	}
	wg.Wait()
	s, err := p.Once(t.Context(), "findall(N, count(N), L)", nil)
	require.NoError(t, err)
	require.Equal(t, "[320]", s.Text("L"))

	for _, goal := range []string{"add, fail", "add, throw(x)", "add, X = f(", "add, halt"} {
		_, err = p.Update(t.Context(), goal, nil)
		require.Error(t, err)
	}
	require.ErrorContains(t, q.Update(t.Context(), nil, new(struct{ M int })), "no variable M")
	done, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	var aborted *engine.Aborted
	require.ErrorAs(t, q.Update(done, nil, nil), &aborted)
	s, err = p.Update(t.Context(), "count(N), add", nil)
	require.NoError(t, err)
	require.Equal(t, "N = 320", s.String())
}

// TestWrongOrder calls the methods of a run at the wrong time. Each call is an error or does nothing.
func TestWrongOrder(t *testing.T) {
	t.Parallel()
	p := engine.New(&engine.Options{Predicates: []engine.Predicate{{Name: "ask", Arity: 1, Waits: true}}})
	use := func(r *engine.Run) []string {
		r.Resume(term.Int(1))
		_, resumed := r.Next(t.Context())
		name, args := r.Waiting()
		return []string{fmt.Sprint(resumed), fmt.Sprint(r.ResumeError(errors.New("x"))), fmt.Sprint(name, args)}
	}
	r, err := p.Start("ask(X)", nil)
	require.NoError(t, err)
	const idle = "the run does not wait for an answer"
	require.Equal(t, []string{idle, idle, "[]"}, use(r))
	require.Equal(t, "no answer", r.Solution().String())
	require.NoError(t, r.Cut(t.Context()))
	require.NoError(t, r.Commit())

	state, err := r.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, engine.Waiting, state)
	_, err = r.Next(t.Context())
	require.ErrorContains(t, err, "the run waits")
	r.Resume(term.Int(2))
	r.Resume(term.Int(3))
	_, err = r.Next(t.Context())
	require.ErrorContains(t, err, idle)
	_, err = r.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, "X = 2", r.Solution().String())

	r.Close()
	r.Close()
	_, err = r.Next(t.Context())
	require.ErrorContains(t, err, "the run is closed")
	require.ErrorContains(t, r.Commit(), "the run is closed")
	require.Equal(t, []string{idle, idle, "[]"}, use(r))
	require.NoError(t, r.Cut(t.Context()))
	require.False(t, r.Changed())
	require.True(t, r.Done())
	r.Cancel("late")
}

// slowLedger takes some time for each change.
type slowLedger struct{}

func (slowLedger) Append(host.FactChange) (done func() error, err error) {
	time.Sleep(200 * time.Microsecond)
	return func() error { return nil }, nil
}

// TestUpdateInTurn checks that goals which change the same fact take turns: no goal is overtaken by all others again
// and again.
func TestUpdateInTurn(t *testing.T) {
	t.Parallel()
	const callers, each = 16, 20
	const text = `
:- persistent(count/1).
add(N) :- ( retract(count(M)) -> true ; M = 0 ), N is M+1, assertz(count(N)).
`
	p, err := engine.LoadText(t.Context(), "t.pl", text, &engine.Options{Journal: slowLedger{}})
	require.NoError(t, err)
	var wg sync.WaitGroup
	var committed, waited atomic.Int64
	for range callers {
		wg.Go(func() {
			for range each {
				before := committed.Load()
				_, err := p.Update(context.Background(), "add(_)", nil)
				assert.NoError(t, err)
				passed := committed.Add(1) - before
				for most := waited.Load(); passed > most && !waited.CompareAndSwap(most, passed); most = waited.Load() {
				}
			}
		})
	}
	wg.Wait()
	s, err := p.Once(t.Context(), "count(N)", nil)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint(callers*each), s.Text("N"))
	t.Logf("at most %d changes in the time of one call", waited.Load())
	require.Less(t, waited.Load(), int64(4*callers))
}

// TestLateTurn checks that a goal continues without a turn if the turn before does not end, as when a goal waits for a
// goal that it calls.
func TestLateTurn(t *testing.T) {
	p, q := prepare(t, "retract(count(_)), assertz(count(1))", &engine.RunOptions{Transaction: true})
	run := func(t *testing.T) *engine.Run {
		r, err := q.Start(nil)
		require.NoError(t, err)
		_, err = r.Next(t.Context())
		require.NoError(t, err)
		return r
	}
	lose := func() (lost engine.Rivalry) {
		r := run(t)
		defer r.Close()
		_, err := p.Update(t.Context(), "retract(count(_)), assertz(count(2))", nil)
		require.NoError(t, err)
		require.ErrorIs(t, r.Commit(), engine.ErrConflict)
		lost.Note(r)
		return lost
	}
	first, next := lose(), lose()
	synctest.Test(t, func(t *testing.T) {
		require.NoError(t, first.Wait(t.Context()))
		require.NoError(t, first.Wait(t.Context()), "it has its turn")
		done, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, next.Wait(done), context.DeadlineExceeded)
		asked := time.Now()
		require.NoError(t, next.Wait(t.Context()))
		require.Equal(t, 5*time.Second, time.Since(asked))
		first.End()
		asked = time.Now()
		require.NoError(t, next.Wait(t.Context()))
		require.Zero(t, time.Since(asked))

		require.True(t, next.InTurn())
		other := run(t)
		defer other.Close()
		require.Nil(t, other.Obstacle(), "the goal whose turn it is does not run yet")
		again := run(t)
		defer again.Close()
		again.Prefer(&next)
		done, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, other.Obstacle()(done), context.DeadlineExceeded)
		asked = time.Now()
		require.NoError(t, q.Update(t.Context(), nil, nil), "as by a predicate in Go that the goal calls")
		require.Equal(t, 5*time.Second, time.Since(asked))
		require.ErrorIs(t, again.Commit(), engine.ErrConflict)
		next.End()
		require.False(t, next.InTurn())
	})
}
