package commit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// log is a journal that writes each change as a line. It refuses a change while err is set.
type log struct {
	lines []string
	err   error
}

func (l *log) Append(c commit.FactChange) (func() error, error) {
	if l.err != nil {
		return nil, l.err
	}
	l.lines = append(l.lines, strings.TrimSpace("-"+written(c.Removed)+" +"+written(c.Added)))
	return func() error { return nil }, nil
}

// rules is the program of these tests. It declares persistent facts, some with a key, and facts that are not
// persistent.
const rules = `
	:- persistent(n/1).
	:- persistent(k/2, [key([1])]).
	:- dynamic(own/1).
	static(1).`

// program returns a program with some facts from a journal.
func program(t *testing.T, journal commit.Journal, stored string) (*commit.Program, *database.Program) {
	loaded := base.New()
	loaded.Configure(load.Options{})
	require.NoError(t, loaded.Load(t.Context(), source.File{Name: "rules.pl", Text: rules}))
	p := commit.New(loaded, journal)
	require.Empty(t, p.Restore(slices.Values(facts(t, stored))))
	return p, loaded.DB()
}

// facts reads facts with spaces between them. A ^ before a fact sets Front.
func facts(t *testing.T, text string) (list []commit.Fact) {
	for _, one := range strings.Fields(text) {
		r, err := syntax.ParseTerm(strings.TrimPrefix(one, "^"), nil, nil)
		require.NoError(t, err, one)
		list = append(list, commit.Fact{Module: "user", Head: r.Term, Front: one[0] == '^'})
	}
	return list
}

// written writes facts in the form that facts reads.
func written(list []commit.Fact) string {
	var texts []string
	for _, f := range list {
		names := map[*term.Var]string{}
		for _, v := range term.Variables(f.Head) {
			names[v] = "_"
		}
		text := syntax.Format(f.Head, &syntax.WriteOptions{Quoted: true, VarNames: names})
		texts = append(texts, map[bool]string{true: "^"}[f.Front]+text)
	}
	return strings.Join(texts, " ")
}

// state writes the persistent facts.
func state(p *commit.Program) string {
	all, end := p.Facts()
	defer end()
	return written(slices.Collect(all))
}

// changed changes facts in a transaction that is not committed.
func changed(t *testing.T, db *database.Program, removed, added string) *database.Tx {
	tx := db.Begin(false)
	predicate := func(f commit.Fact) *database.Pred {
		name, arity, _ := term.Indicator(f.Head)
		return db.User().Lookup(code.Functor(string(name), arity))
	}
	for _, f := range facts(t, removed) {
		for _, c := range predicate(f).Alike(load.Clause(predicate(f), f.Head, term.True)) {
			if tx.Sees(c, tx.Now()) {
				tx.Erase(c)
				break
			}
		}
	}
	for _, f := range facts(t, added) {
		tx.Add(load.Clause(predicate(f), f.Head, term.True), f.Front)
	}
	return tx
}

// TestCommit commits changes of facts. The journal gets the changes of persistent facts before they are visible.
func TestCommit(t *testing.T) {
	for _, test := range []struct{ before, removed, added, line, after string }{
		{"n(1)", "", "n(2)", "- +n(2)", "n(1) n(2)"},
		{"n(1)", "", "^n(2)", "- +^n(2)", "n(2) n(1)"},
		{"n(1) n(2)", "n(1)", "", "-n(1) +", "n(2)"},
		{"n(1) n(2) n(1)", "n(1)", "n(3)", "-n(1) +n(3)", "n(2) n(1) n(3)"},
		{"k(a,1)", "k(a,1)", "k(a,2)", "-k(a,1) +k(a,2)", "k(a,2)"},
		{"", "", "own(1)", "", ""}, // the journal is not told
		{"", "", "own(1) n(X)", "- +n(_)", "n(_)"},
	} {
		l := &log{}
		p, db := program(t, l, test.before)
		require.NoError(t, p.Commit(changed(t, db, test.removed, test.added), ""))
		require.Equal(t, test.line, strings.Join(l.lines, "\n"))
		require.Equal(t, test.after, state(p))
	}
}

// TestCommitRefused checks that nothing changes if a change cannot be stored, has a taken key, or has lost to
// another.
func TestCommitRefused(t *testing.T) {
	l := &log{}
	p, db := program(t, l, "n(1) k(a,1)")
	l.err = errors.New("the disk is full")
	err := p.Commit(changed(t, db, "n(1)", "n(2)"), "")
	require.ErrorIs(t, err, commit.ErrNotStored)
	require.ErrorIs(t, err, l.err)
	l.err = nil
	var taken *commit.KeyTakenError
	require.ErrorAs(t, p.Commit(changed(t, db, "", "k(a,2)"), ""), &taken)
	one, other := changed(t, db, "n(1)", "n(2)"), changed(t, db, "n(1)", "n(3)")
	require.NoError(t, p.Commit(one, ""))
	require.ErrorIs(t, p.Commit(other, ""), database.ErrConflict)
	require.Equal(t, []string{"-n(1) +n(2)"}, l.lines)
	require.Equal(t, "n(2) k(a,1)", state(p))
	tx := db.Begin(false)
	tx.Add(load.Clause(db.User().Lookup(code.Functor("n", 1)), term.New("n", term.Int(4)), term.Atom("own")), false)
	require.ErrorContains(t, p.Commit(tx, ""), "can only have facts, not rules")
}

// TestApply makes changes of other processes. A transaction that is not committed yet loses to them.
func TestApply(t *testing.T) {
	p, db := program(t, &log{}, "n(1) n(2) n(1)")
	own := changed(t, db, "n(1)", "n(9)")
	removed := facts(t, "n(1)")
	removed[0].Nth = 1 // the second of the two
	_, err := p.Apply(commit.FactChange{Removed: removed, Added: facts(t, "^n(0)")})
	require.NoError(t, err)
	require.Equal(t, "n(0) n(1) n(2)", state(p))
	require.NoError(t, p.Commit(own, ""), "it has removed the first n(1), which is still there")
	require.Equal(t, "n(0) n(2) n(9)", state(p))
	_, err = p.Apply(commit.FactChange{Removed: facts(t, "n(1)"), Added: facts(t, "n(8)")})
	require.EqualError(t, err, "n(1) is not there")
	require.Equal(t, "n(0) n(2) n(9)", state(p), "nothing is changed then")
	_, err = p.Replace(slices.Values(facts(t, "k(b,1) n(5)")))
	require.NoError(t, err)
	require.Equal(t, "n(5) k(b,1)", state(p))
	lost := changed(t, db, "n(5)", "")
	require.NoError(t, p.Redo(commit.FactChange{Removed: facts(t, "n(5)"), Added: facts(t, "new(1) static(2)")}))
	require.ErrorIs(t, p.Commit(lost, ""), database.ErrConflict)
	require.Len(t, db.User().Lookup(code.Functor("new", 1)).Clauses(), 1, "it has become dynamic")
	require.Len(t, db.User().Lookup(code.Functor("static", 1)).Clauses(), 1, "a static predicate is left alone")
}

// TestSuccessor commits in a program that another has replaced. The changes are in both.
func TestSuccessor(t *testing.T) {
	l := &log{}
	old, db := program(t, l, "n(1)")
	begun := changed(t, db, "n(1)", "n(2)")
	next, _ := program(t, l, "")
	require.Empty(t, next.Inherit(old))
	require.Equal(t, "n(1)", state(next))
	require.NoError(t, old.Commit(begun, ""))
	require.Equal(t, "n(2)", state(old))
	require.Equal(t, "n(2)", state(next))
	require.Equal(t, []string{"-n(1) +n(2)"}, l.lines, "it is stored once")
}
