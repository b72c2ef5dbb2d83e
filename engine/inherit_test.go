package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file tests how a program takes over from another that keeps running meanwhile.

const inherited = ":- dynamic n/1, other/1.\nn(file1). n(file2).\n"

// transact runs a goal in a transaction of its own; the error is that of its commit.
func transact(t *testing.T, p *engine.Program, goal string) {
	t.Helper()
	r := begin(t, p, goal)
	defer r.Close()
	require.NoError(t, r.Commit())
}

// begin runs a goal in a transaction that is not ended.
func begin(t *testing.T, p *engine.Program, goal string) *engine.Run {
	t.Helper()
	r, err := p.Start(goal, &engine.RunOptions{Transaction: true})
	require.NoError(t, err)
	state, err := r.Next(context.Background())
	require.NoError(t, err)
	require.Equal(t, engine.Answer, state, goal)
	return r
}

// all returns the answers of n/1.
func all(t *testing.T, p *engine.Program) string {
	t.Helper()
	s, err := p.Once(context.Background(), "findall(X, n(X), L), atomic_list_concat(L, ' ', A)", nil)
	require.NoError(t, err)
	return engine.FormatTerm(s.Get("A"))
}

// TestInheritMeanwhile commits transactions before, while and after a program takes over.
func TestInheritMeanwhile(t *testing.T) {
	t.Parallel()
	load := func() *engine.Program {
		p, err := engine.LoadText(t.Context(), "f.pl", inherited, nil)
		require.NoError(t, err)
		return p
	}
	old, next, last := load(), load(), load()
	transact(t, old, "assertz(n(z1)), asserta(n(a1)), assertz(n(z2)), assertz(n(gone1)), retract(n(file1))")
	flight := begin(t, old, "assertz(n(z6)), asserta(n(a4)), retract(n(z1))")
	step := 0
	engine.InheritSlowly(next, old, func() {
		if step++; step == 1 {
			transact(t, old, "assertz(n(z3)), asserta(n(a2)), retract(n(gone1)), assertz(other(1)), assertz(new(1))")
			transact(t, old, "assertz(n(gone2)), retract(n(file2))")
			return
		}
		transact(t, old, "retract(n(gone2)), assertz(n(z4)), asserta(n(a3))")
		transact(t, old, "assertz(n(z5)), retract(n(z2)), assertz(n(gone3)), retract(n(gone3))")
	})
	require.Equal(t, 2, step)
	require.Equal(t, "'a3 a2 a1 file1 file2 z1 z3 z4 z5'", all(t, next))
	engine.InheritSlowly(last, next, func() { // a call that began two programs ago
		if step++; step == 3 {
			require.NoError(t, flight.Commit())
			transact(t, next, "assertz(n(z7)), retract(n(z6))")
		}
	})
	flight.Close()
	require.Equal(t, "'a4 a3 a2 a1 file1 file2 z3 z4 z5 z7'", all(t, last))
	s, err := last.Once(context.Background(), "other(1), new(1)", nil)
	require.NoError(t, err)
	require.NotNil(t, s)
}

// TestInheritKeepsNothingBetween keeps a call on an old program while several programs replace it. Each of them is
// freed when the next one has come, and the call still conflicts with changes made on them.
func TestInheritKeepsNothingBetween(t *testing.T) {
	load := func() *engine.Program {
		p, err := engine.LoadText(t.Context(), "f.pl", inherited, nil)
		require.NoError(t, err)
		return p
	}
	p := load()
	transact(t, p, "assertz(n(a)), assertz(n(b)), assertz(n(c)), assertz(n(d))")
	wins := begin(t, p, "assertz(n(z1)), retract(n(a)), n(b)")
	loses := begin(t, p, "assertz(n(z2)), retract(n(b))")
	ownLoses := begin(t, p, "assertz(n(z3)), retract(n(c))")
	defer func() { wins.Close(); loses.Close(); ownLoses.Close() }()
	var freed atomic.Int32
	const programs = 6
	for i := range programs {
		next := load()
		next.Inherit(p)
		if i == 1 {
			transact(t, p, "retract(n(b)), assertz(n(e))") // on a program that has been replaced
			transact(t, next, "retract(n(c)), assertz(n(f))")
		}
		if i > 0 {
			runtime.AddCleanup(p, func(int) { freed.Add(1) }, 0)
		}
		p = next
	}
	require.Eventually(t, func() bool {
		runtime.GC()
		return freed.Load() == programs-1
	}, 2*time.Minute, time.Millisecond)
	require.ErrorIs(t, loses.Commit(), engine.ErrConflict)
	require.ErrorIs(t, ownLoses.Commit(), engine.ErrConflict)
	require.Equal(t, "'file1 file2 d e f'", strings.Replace(all(t, p), " a ", " ", 1))
	require.NoError(t, wins.Commit())
	require.Equal(t, "'file1 file2 d e f z1'", all(t, p))
}

// TestInheritIndexes checks that a program with a changed data file has the indexes of the old one before its first
// call.
func TestInheritIndexes(t *testing.T) {
	t.Parallel()
	load := func(last string) *engine.Program {
		var rows strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&rows, "%d,name%d,%d\n", i, i, i%50)
		}
		p, err := engine.LoadText(t.Context(), "f.pl", ":- facts(item/3, 'items.csv').\n:- facts(few/3, 'few.csv').\n",
			&engine.Options{
				Files: engine.FilesOf(fstest.MapFS{"items.csv": {Data: []byte(rows.String() + last)},
					"few.csv": {Data: []byte("1,a,1\n")}})})
		require.NoError(t, err)
		return p
	}
	calls := func(p *engine.Program) {
		for _, goal := range []string{"item(1999, _, _)", "item(_, name1999, _)", "item(_, _, 49)", "few(1, _, _)"} {
			s, err := p.Once(t.Context(), goal, nil)
			require.NoError(t, err)
			require.NotNil(t, s, goal)
		}
	}
	p := load("")
	require.Nil(t, engine.Plan(p, "item", 3), "nobody has asked")
	calls(p)
	require.NotNil(t, engine.Plan(p, "item", 3))
	for i := range 3 {
		next := load(fmt.Sprintf("%d,z,1\n", 5000+i))
		next.Inherit(p)
		p = next
		made := engine.Plan(p, "item", 3)
		require.NotNil(t, made)
		calls(p)
		require.Equal(t, made, engine.Plan(p, "item", 3), "a call has made an index")
		require.Nil(t, engine.Plan(p, "few", 3))
	}
}

// TestInheritAtRandom runs many transactions while programs replace one another, and checks that no clause is lost,
// doubled or in another order.
func TestInheritAtRandom(t *testing.T) {
	t.Parallel()
	for seed := range 40 {
		random := rand.New(rand.NewPCG(uint64(seed), 2))
		p, err := engine.LoadText(t.Context(), "f.pl", inherited, nil)
		require.NoError(t, err)
		var front, back []string
		n := 0
		change := func() {
			var goals []string
			for range 1 + random.IntN(4) {
				n++
				switch name := fmt.Sprint("x", n); random.IntN(4) {
				case 0:
					goals, front = append(goals, "asserta(n("+name+"))"), slices.Insert(front, 0, name)
				case 1:
					if len(back) > 0 {
						at := random.IntN(len(back))
						goals = append(goals, "retract(n("+back[at]+"))")
						back = slices.Delete(back, at, at+1)
					}
				case 2:
					if len(front) > 0 {
						at := random.IntN(len(front))
						goals = append(goals, "retract(n("+front[at]+"))")
						front = slices.Delete(front, at, at+1)
					}
				default:
					goals, back = append(goals, "assertz(n("+name+"))"), append(back, name)
				}
			}
			goals = append(goals, "true")
			transact(t, p, strings.Join(goals, ", "))
		}
		var olds []*engine.Program
		added := map[*engine.Program][]string{}
		late := func() { // a change by a call that began on a program which was replaced, and replaced again
			if len(olds) == 0 {
				return
			}
			p := olds[random.IntN(len(olds))]
			if own := added[p]; len(own) > 0 && random.IntN(3) == 0 {
				name := own[len(own)-1]
				added[p] = own[:len(own)-1]
				if at := slices.Index(back, name); at >= 0 {
					transact(t, p, "retract(n("+name+"))")
					back = slices.Delete(back, at, at+1)
				} else {
					r := begin(t, p, "retract(n("+name+"))")
					require.ErrorIs(t, r.Commit(), engine.ErrConflict, "seed %d", seed)
					r.Close()
				}
				return
			}
			n++
			name := fmt.Sprint("x", n)
			transact(t, p, "assertz(n("+name+"))")
			added[p], back = append(added[p], name), append(back, name)
		}
		for range 6 {
			for range random.IntN(30) {
				change()
				late()
			}
			next, err := engine.LoadText(t.Context(), "f.pl", inherited, nil)
			require.NoError(t, err)
			engine.InheritSlowly(next, p, func() {
				for range random.IntN(40) {
					change()
					late()
				}
			})
			change() // by a call of the old program
			olds = append(olds, p)
			p = next
			want := strings.Join(slices.Concat(front, []string{"file1", "file2"}, back), " ")
			require.Equal(t, "'"+want+"'", all(t, p), "seed %d", seed)
		}
	}
}

// TestInheritWhileBusy commits from other goroutines, which never wait.
func TestInheritWhileBusy(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "f.pl", inherited, nil)
	require.NoError(t, err)
	transact(t, p, "forall(between(1, 20000, I), assertz(n(I)))")
	next, err := engine.LoadText(t.Context(), "f.pl", inherited, nil)
	require.NoError(t, err)
	const callers, each = 3, 50
	done := make(chan error, callers)
	for c := range callers {
		go func() {
			for i := range each {
				r, err := p.Start(fmt.Sprintf("assertz(n(c%d_%d)), n(%d)", c, i, 1+i), &engine.RunOptions{Transaction: true})
				if err == nil {
					_, err = r.Next(context.Background())
				}
				if err == nil {
					err = r.Commit()
				}
				if err != nil {
					done <- err
					return
				}
				r.Close()
			}
			done <- nil
		}()
	}
	next.Inherit(p)
	for range callers {
		require.NoError(t, <-done)
	}
	s, err := next.Once(context.Background(), "findall(X, n(X), L), length(L, N), sort(L, S), length(S, N)", nil)
	require.NoError(t, err)
	require.NotNil(t, s)
	require.Equal(t, engine.Term(term.Int(20000+2+callers*each)), s.Get("N"))
}

// TestInheritCounts counts from several goroutines while programs replace one another. Calls that began on an old
// program conflict with those on the new one, and no count is lost.
func TestInheritCounts(t *testing.T) {
	t.Parallel()
	load := func() *engine.Program {
		p, err := engine.LoadText(t.Context(), "f.pl", ":- dynamic n/1.\n", nil)
		require.NoError(t, err)
		return p
	}
	var current atomic.Pointer[engine.Program]
	current.Store(load())
	transact(t, current.Load(), "assertz(n(0))")
	const callers, each = 4, 100
	done := make(chan error, callers)
	for range callers {
		go func() {
			for i := 0; i < each; {
				_, err := current.Load().Once(context.Background(), "retract(n(N)), M is N+1, assertz(n(M))",
					&engine.RunOptions{Transaction: true})
				switch {
				case err == nil:
					i++
				case !errors.Is(err, engine.ErrConflict):
					done <- err
					return
				}
				runtime.Gosched()
			}
			done <- nil
		}()
	}
	for ended := 0; ended < callers; {
		select {
		case err := <-done:
			require.NoError(t, err)
			ended++
		default:
			next := load()
			next.Inherit(current.Load())
			current.Store(next)
		}
	}
	require.Equal(t, fmt.Sprintf("'%d'", callers*each), all(t, current.Load()))
}
