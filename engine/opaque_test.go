package engine_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
)

type (
	closedMoney struct{ amount int }
	partMoney   struct {
		amount   int
		Currency string
	}
	marker struct{}
	hidden struct {
		A int `prolog:"-"`
	}
	ring struct{ Next any }
)

// TestNoValue converts values that have no term. Each conversion is an error, wherever the value comes from.
func TestNoValue(t *testing.T) {
	t.Parallel()
	cyclic := &ring{}
	cyclic.Next = cyclic
	list := []any{nil}
	list[0] = list
	object := map[string]any{}
	object["self"] = object
	const closed, none = "has no exported fields; Opaque makes a term that holds it", "no term stands for such a value"
	for _, test := range []struct {
		value any
		want  string
	}{
		{&sql.DB{}, closed}, {errors.New("x"), closed}, {closedMoney{1}, closed}, {[]closedMoney{{1}}, "[0]: " + closed},
		{map[string]any{"a": &closedMoney{}}, "[a]: " + closed}, {struct{ mu int }{}, closed},
		{func() {}, none}, {(func())(nil), none}, {make(chan int), none}, {unsafe.Pointer(nil), none}, {1i, none},
		{struct{ F func() }{}, ".F: " + none}, {cyclic, "nests too deep, or contains itself"}, {list, "contains itself"},
		{object, "contains itself"}, {make([]int, 1<<25), "has too many parts"}, {"\xff", "is not valid UTF-8"},
		{(*term.Var)(nil), "the term is nil"}, {(*term.Opaque)(nil), "the term is nil"},
	} {
		t.Run(fmt.Sprintf("%T", test.value), func(t *testing.T) {
			_, err := engine.TermOf(test.value)
			var failed *engine.ConvertError
			require.ErrorAs(t, err, &failed)
			require.ErrorContains(t, err, test.want)

			give := engine.Func("give", func(context.Context) (any, error) { return test.value, nil })
			each := engine.Func("each", sequence(test.value))
			prog := engine.New(&engine.Options{Predicates: []engine.Predicate{give, each}})
			for _, goal := range []string{"give(_)", "each(_)"} {
				_, err = prog.Once(t.Context(), goal, nil)
				var thrown *engine.Exception
				require.ErrorAs(t, err, &thrown)
				require.ErrorAs(t, err, &failed)
				if test.want == "has too many parts" {
					require.Equal(t, "memory", thrown.Limit())
				}
			}
			_, err = prog.Once(t.Context(), "X = Y", &engine.RunOptions{Bind: map[string]any{"X": test.value}})
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, prog.Assert(test.value), test.want)
		})
	}
	for _, test := range []struct {
		value any
		want  string
	}{
		{partMoney{1, "EUR"}, `part_money("EUR")`}, {marker{}, "marker"}, {hidden{1}, "hidden"}, {struct{}{}, "{}"},
		{math.Inf(1), "1.0Inf"}, {(*int)(nil), "null"}, {[]int(nil), "[]"}, {map[string]int(nil), "{}"},
	} {
		got, err := engine.TermOf(test.value)
		require.NoError(t, err)
		require.Equal(t, test.want, engine.FormatTerm(got))
	}
}

// TestOpaque passes Go values through Prolog. They come back as they were.
func TestOpaque(t *testing.T) {
	t.Parallel()
	db := &sql.DB{}
	open := engine.Func("open", func(context.Context) (engine.Term, error) { return engine.Opaque(db), nil })
	same := engine.Func("same", func(_ context.Context, got *sql.DB) (bool, error) { return got == db, nil })
	other := engine.Func("other", func(_ context.Context, got *time.Timer) (bool, error) { return true, nil })
	prog, err := engine.LoadText(t.Context(), "o.pl", ":- dynamic(kept/1).\nround(X, Y) :- findall(X, member(_, [1, 2]), "+
		"[_, Z]), nb_setval(k, Z), nb_getval(k, V), assertz(kept(V)), kept(W), copy_term(f(W), f(Y)), "+
		"catch(throw(Y), E, same(E)).\n", &engine.Options{Predicates: []engine.Predicate{open, same, other}})
	require.NoError(t, err)
	for _, goal := range []string{"open(D), same(D)", "open(D), round(D, E), D == E, same(E)", "open(D), atom(D), D = D",
		"open(D), open(E), D \\== E, D \\= E, msort([E, D, 1, f(x), \"s\"], [1, A, B, \"s\", f(x)]), same(A), same(B)",
		"open(D), engine_create(D, true, E), engine_next(E, F), same(F)",
		"open(D), format(atom(A), '~w', [D]), sub_atom(A, 0, _, _, '<Go value *sql.DB ')"} {
		_, err := prog.Once(t.Context(), goal, nil)
		require.NoError(t, err, goal)
	}
	s, err := prog.Once(t.Context(), "open(D), L = [D, f(D)]", nil)
	require.NoError(t, err)
	got, ok := engine.Value[*sql.DB](s.Get("D"))
	require.True(t, ok)
	require.Same(t, db, got)
	_, ok = engine.Value[*time.Timer](s.Get("D"))
	require.False(t, ok)
	_, ok = engine.Value[*sql.DB](term.Atom("a"))
	require.False(t, ok)
	var row struct {
		D *sql.DB
		L []any `prolog:",omitempty"`
	}
	require.NoError(t, s.Scan(&row))
	require.Same(t, db, row.D)
	var any any
	require.NoError(t, engine.Convert(s.Get("D"), &any))
	require.Same(t, db, any)
	require.ErrorContains(t, engine.Convert(s.Get("D"), new(string)), "holds a value of type *sql.DB")

	_, err = prog.Once(t.Context(), "open(D), other(D)", nil)
	require.ErrorContains(t, err, "*time.Timer")
	_, err = prog.Once(t.Context(), "same('<Go value *sql.DB >')", nil) // a text that looks like one
	require.ErrorContains(t, err, "same/1: Type error: `opaque' expected")
	_, err = prog.Once(t.Context(), "same(db)", nil)
	require.ErrorContains(t, err, "same/1: Type error: `opaque' expected")
}

// TestOpaqueKept keeps opaque terms after the end of their run, and gives them to another run.
func TestOpaqueKept(t *testing.T) {
	t.Parallel()
	prog := engine.New(nil)
	value := engine.Opaque([]func(){nil})
	require.NoError(t, prog.Assert(term.New("kept", value)))
	for _, given := range []any{value, []any{value}, map[string]any{"a": value}} {
		s, err := prog.Once(t.Context(), "kept(X), (Y = X ; Y = [X] ; Y = {a-X})", &engine.RunOptions{
			Bind: map[string]any{"Y": given}})
		require.NoError(t, err)
		require.Equal(t, value, s.Get("X"))
	}
	require.Nil(t, engine.Opaque(nil).(*term.Opaque).Value())

	journal := &memoryJournal{}
	stored, err := engine.LoadText(t.Context(), "s.pl", ":- persistent(p/1).\n", &engine.Options{Journal: journal})
	require.NoError(t, err)
	require.ErrorIs(t, stored.Assert(term.New("p", term.List(value))), host.ErrNotStored)
}

// memoryJournal counts changes.
type memoryJournal struct{ changes int }

func (j *memoryJournal) Append(host.FactChange) (func() error, error) {
	j.changes++
	return func() error { return nil }, nil
}

// TestOpaqueFreed makes many values without keeping them, and checks that they are collected.
func TestOpaqueFreed(t *testing.T) {
	freed := make(chan bool, 1000)
	open := engine.Func("open", func(context.Context) (engine.Term, error) {
		v := &[1 << 10]byte{}
		runtime.AddCleanup(v, func(c chan bool) { c <- true }, freed)
		return engine.Opaque(v), nil
	})
	prog := engine.New(&engine.Options{Predicates: []engine.Predicate{open}})
	for range 100 {
		_, err := prog.Once(t.Context(), "open(X), Y = f(X)", nil)
		require.NoError(t, err)
	}
	for tries := 0; len(freed) < 90 && tries < 1000; tries++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	require.GreaterOrEqual(t, len(freed), 90)
}

func sequence(value any) func(context.Context) iter.Seq2[any, error] {
	return func(context.Context) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) { yield(value, nil) }
	}
}
