package kb_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// ownList is a store of facts in a list of texts.
type ownList struct {
	texts []string
	full  bool
}

func (l *ownList) Load(context.Context) iter.Seq2[host.Fact, error] {
	return func(yield func(host.Fact, error) bool) {
		for _, text := range l.texts {
			if !yield(kb.ParseFact(text)) {
				return
			}
		}
	}
}

var errFull = errors.New("full")

func (l *ownList) Append(c host.FactChange) error {
	if l.full {
		return errFull
	}
	texts := slices.Clone(l.texts)
	for _, f := range c.Removed {
		text, err := kb.FactText(f)
		if err != nil {
			return err
		}
		at := 0
		for nth := f.Nth; texts[at] != text || nth > 0; at++ {
			if texts[at] == text {
				nth--
			}
		}
		texts = slices.Delete(texts, at, at+1)
	}
	for _, f := range c.Added {
		text, err := kb.FactText(f)
		if err != nil {
			return err
		}
		if f.Front {
			texts = slices.Insert(texts, 0, text)
		} else {
			texts = append(texts, text)
		}
	}
	l.texts = texts
	return nil
}

func openOwn(t *testing.T, l *ownList, dir string) *shop {
	t.Helper()
	s := &shop{T: t, dir: dir}
	var err error
	s.store, err = kb.NewStore(t.Context(), l, func(message string) { s.told = append(s.told, message) })
	require.NoError(t, err)
	s.base, err = kb.Open(t.Context(), []string{dir}, &kb.Options{Store: s.store})
	require.NoError(t, err)
	return s
}

// TestOwnStore keeps facts in a FactStore. Their order is kept, and equal facts are separate.
func TestOwnStore(t *testing.T) {
	dir, l := t.TempDir(), &ownList{}
	rules := filepath.Join(dir, "shop.pl")
	save(t, rules, ":- persistent(order/2).\n")
	s := openOwn(t, l, dir)
	for _, goal := range []string{"assertz(order(1, pear)), assertz(order(2, fig)), assertz(order(1, pear))",
		"asserta(order(0, 'a b'))", "once((order(N, pear), retract(order(N, pear)))), assertz(order(3, f(X, X)))"} {
		require.NoError(t, s.transact(goal), goal)
	}
	want := "[0,2,1,3]"
	require.Equal(t, want, s.all("order(X, _)"))
	s = openOwn(t, l, dir)
	require.Equal(t, want, s.all("order(X, _)"))
	require.Equal(t, "[yes]", s.all("order(3, f(A, B)), A == B, X = yes"))

	l.full = true
	require.ErrorIs(t, s.transact("assertz(order(4, x))"), errFull)
	require.Equal(t, want, s.all("order(X, _)"))
	l.full = false
	save(t, rules, "% nothing lasts\n")
	require.NoError(t, s.base.Reload(t.Context()).Err)
	require.Equal(t, []string{"4 facts of order/2, which is not persistent, stay in the store unused"}, s.told)
	save(t, rules, ":- persistent(order/2).\n")
	require.NoError(t, s.base.Reload(t.Context()).Err)
	require.Equal(t, want, s.all("order(X, _)"))
	require.Empty(t, s.store.Sequence())
	require.Error(t, s.store.WaitFor(t.Context(), "1-w"))
	require.NoError(t, s.store.Close())

	l.texts = append(l.texts, "order(")
	_, err := kb.NewStore(t.Context(), l, nil)
	require.Error(t, err)
}

// TestOwnStoreOrder changes a store from many callers at the same time.
func TestOwnStoreOrder(t *testing.T) {
	dir, l := t.TempDir(), &ownList{}
	save(t, filepath.Join(dir, "shop.pl"), ":- persistent(n/1).\n:- initialization(true).\n"+
		"count :- ( retract(n(N)) -> true ; N = 0 ), M is N + 1, assertz(n(M)).\n")
	s := openOwn(t, l, dir)
	var made atomic.Int64
	done := make(chan struct{})
	for range 8 {
		go func() {
			for range 50 {
				if s.transact("count") == nil {
					made.Add(1)
				}
			}
			done <- struct{}{}
		}()
	}
	for range 8 {
		<-done
	}
	require.Equal(t, []string{"user:n(" + engine.FormatTerm(term.Int(made.Load())) + ")."}, l.texts)
}

// TestFactsBecomePersistent reads while a reload makes a predicate persistent: its facts are always there, and are
// stored from then on.
func TestFactsBecomePersistent(t *testing.T) {
	before, after := ":- dynamic(order/1).\n", ":- persistent(order/1).\n"
	check := func(t *testing.T, s *shop, reopen func()) {
		require.NoError(t, s.transact("forall(between(1, 50, N), assertz(order(N)))"))
		require.NoError(t, s.transact("assertz(order(1))"), "an equal one")
		var stop atomic.Bool
		ended := make(chan error, 1)
		base := s.base
		go func() {
			var err error
			for !stop.Load() && err == nil {
				_, err = base.Snapshot().Program.Once(context.Background(), "aggregate_all(count, order(_), 51)", nil)
			}
			ended <- err
		}()
		save(t, filepath.Join(s.dir, "shop.pl"), after)
		require.NoError(t, s.base.Reload(t.Context()).Err)
		require.NoError(t, s.transact("retract(order(7)), asserta(order(7))"), "behind what made them last")
		stop.Store(true)
		require.NoError(t, <-ended)
		want := s.all("order(X)")
		reopen()
		require.Equal(t, want, s.all("order(X)"))
		require.Empty(t, s.told)
	}
	eachStore(t, func(t *testing.T, open func(string) *shop) {
		s := open(before)
		check(t, s, s.reopen)
	})
	t.Run("own", func(t *testing.T) {
		dir, l := t.TempDir(), &ownList{}
		save(t, filepath.Join(dir, "shop.pl"), before)
		s := openOwn(t, l, dir)
		check(t, s, func() { *s = *openOwn(t, l, dir) })
	})
	t.Run("full", func(t *testing.T) {
		dir, l := t.TempDir(), &ownList{}
		rules := filepath.Join(dir, "shop.pl")
		save(t, rules, before)
		s := openOwn(t, l, dir)
		require.NoError(t, s.transact("assertz(order(1))"))
		l.full = true
		require.NoError(t, os.WriteFile(rules, []byte(after), 0o600))
		require.NoError(t, s.base.Reload(t.Context()).Err)
		require.Equal(t, "[]", s.all("order(X)"), "what would not last is gone")
		require.Equal(t, []string{"1 fact of predicates that have become persistent: lost, since they " +
			"cannot be stored: full"}, s.told)
	})
}
