package kb_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// shop is a knowledge base with a store, which can be closed and opened again.
type shop struct {
	*testing.T
	dir   string
	names string // the address of the store; "": a folder
	store *kb.Store
	base  *kb.Base
	told  []string
}

func openShop(t *testing.T, rules string) *shop { return openShopOn(t, "", rules) }

// eachStore runs a test with a store in a folder, and with one in PostgreSQL.
func eachStore(t *testing.T, test func(t *testing.T, open func(rules string) *shop)) {
	for _, kind := range []string{"folder", "PostgreSQL"} {
		t.Run(kind, func(t *testing.T) {
			name := ""
			if kind != "folder" {
				name = pgtest.Start(t).Address
			}
			test(t, func(rules string) *shop { return openShopOn(t, name, rules) })
		})
	}
}

func openShopOn(t *testing.T, name, rules string) *shop {
	s := &shop{T: t, dir: t.TempDir(), names: name}
	save(t, filepath.Join(s.dir, "shop.pl"), rules)
	s.open()
	t.Cleanup(func() { s.store.Close() })
	return s
}

func (s *shop) name() string { return cmp.Or(s.names, "file:"+filepath.Join(s.dir, "store")) }

func (s *shop) open() {
	s.Helper()
	store, err := kb.OpenStore(s.name(), func(message string) { s.told = append(s.told, message) })
	require.NoError(s, err)
	s.store = store
	base, err := kb.Open(s.Context(), []string{s.dir}, &kb.Options{Store: store})
	require.NoError(s, err)
	s.base = base
}

func (s *shop) reopen() {
	s.Helper()
	require.NoError(s, s.store.Close())
	s.open()
}

// transact runs a goal in a transaction.
func (s *shop) transact(goal string) error {
	_, err := s.base.Snapshot().Program.Once(s.Context(), goal, &engine.RunOptions{Transaction: true, By: "ann"})
	return err
}

// all returns the values of X in the answers of a goal.
func (s *shop) all(goal string) string {
	s.Helper()
	answer, err := s.base.Snapshot().Program.Once(s.Context(), "findall(X, ("+goal+"), L)", nil)
	require.NoError(s, err)
	return engine.FormatTerm(answer.Get("L"))
}

func TestStore(t *testing.T) {
	eachStore(t, func(t *testing.T, open func(string) *shop) {
		s := open(":- persistent(order/2).\n:- dynamic(note/1).\n")
		require.NoError(t, s.transact("assertz(order(1, pear)), assertz(order(2, \"a b\")), assertz(note(x))"))
		require.NoError(t, s.transact("asserta(order(0, f(X, Y, X, 'it''s\n', 1.0e10, 123456789012345678901234567890)))"))
		require.NoError(t, s.transact("retract(order(1, _)), assertz(order(3, [])), assertz(order(4, x)), "+
			"retract(order(4, x))"))
		require.ErrorIs(t, s.transact("assertz(order(9, x)), fail"), engine.ErrNoSolution)
		require.Error(t, s.transact("assertz(order(9, x)), throw(oops)"))
		want := s.all("order(N, V), X = N-V")
		require.Contains(t, want, "[0-f(")
		s.reopen()
		require.Equal(t, "[0,2,3]", s.all("order(X, _)"))
		require.Equal(t, "[yes]", s.all(`order(0, f(A, B, A2, 'it''s\n', 1.0e10, 123456789012345678901234567890)), `+
			`A == A2, A \== B, X = yes`))
		require.Equal(t, "[\"a b\"]", s.all("order(2, X)"))
		require.Equal(t, "[]", s.all("note(X)"), "only persistent predicates outlive the process")
		require.NoError(t, s.transact("retract(order(0, _))"), "a fact with variables is found again")
		s.reopen()
		require.Equal(t, "[2,3]", s.all("order(X, _)"))

		var out bytes.Buffer
		require.NoError(t, facts.WriteFacts(&out, s.name(), nil))
		require.Equal(t, "order(2,\"a b\").\norder(3,[]).\n", out.String())
		out.Reset()
		require.NoError(t, facts.WriteLog(&out, s.name(), nil))
		require.Regexp(t, `(?s)^1 20\S+Z ann\n  \+user:order\(1,pear\)\.\n  \+user:order\(2,"a b"\)\.\n2 20`, out.String())
		require.Empty(t, s.told)
	})
}

// TestReadStore reads a store that is open elsewhere. Programs have its facts, also after a reload, and change nothing.
func TestReadStore(t *testing.T) {
	eachStore(t, func(t *testing.T, open func(string) *shop) {
		s := open(":- persistent(order/2).\n:- persistent(old/1).\n")
		require.NoError(t, s.transact("assertz(order(1, pear)), assertz(old(7)), assertz(order(2, fig))"))
		dir := t.TempDir()
		save(t, filepath.Join(dir, "shop.pl"), ":- persistent(order/2).\n")
		var told []string
		store, err := kb.ReadStore(t.Context(), s.name(), "", time.Time{}, func(message string) {
			told = append(told,
				message)
		})
		require.NoError(t, err)
		base, err := kb.Open(t.Context(), []string{dir}, &kb.Options{Store: store})
		require.NoError(t, err)
		reader := &shop{T: t, store: store, base: base}
		require.Equal(t, "[1,2]", reader.all("order(X, _)"))
		require.NoError(t, reader.transact("retract(order(1, _)), assertz(order(3, nut))"))
		save(t, filepath.Join(dir, "shop.pl"), ":- persistent(order/2).\n:- persistent(old/1).\n")
		require.NoError(t, base.Reload(t.Context()).Err)
		require.Equal(t, "[2,3]", reader.all("order(X, _)"))
		require.Equal(t, "[7]", reader.all("old(X)"), "it has become persistent")
		require.Len(t, told, 1)
		require.NoError(t, s.transact("assertz(order(4, oak))"))
		require.Equal(t, "[2,3]", reader.all("order(X, _)"))
		require.Empty(t, store.Sequence())
		require.Error(t, store.WaitFor(t.Context(), "1-w"))
		require.NoError(t, store.Close())
		require.Equal(t, "[1,2,4]", s.all("order(X, _)"))
		_, err = kb.ReadStore(t.Context(), "file:"+filepath.Join(dir, "nowhere"), "", time.Time{}, nil)
		require.Error(t, err)
	})
}

func TestStoreRefuses(t *testing.T) {
	s := openShop(t, ":- persistent([order/2, p/0]).\n")
	err := s.transact("assertz((order(X, Y) :- X = Y))")
	require.ErrorIs(t, err, host.ErrNotStored)
	require.ErrorContains(t, err, "order/2 is persistent and can only have facts")
	require.ErrorContains(t, s.transact("assertz(order(1, '$VAR'(1)))"), "cannot be stored")
	require.NoError(t, s.transact("assertz(p)"))
	require.Equal(t, "[]", s.all("order(X, _)"))
	_, err = kb.OpenStore(s.name(), nil)
	require.ErrorContains(t, err, "another process uses the store")
	for _, name := range []string{"file:", "dir", "mysql://x"} {
		_, err = kb.OpenStore(name, nil)
		require.ErrorContains(t, err, "want file:DIR")
	}
	require.NoError(t, s.store.Close())
	require.ErrorIs(t, s.transact("assertz(p)"), host.ErrNotStored)
	require.Equal(t, "[1]", s.all("p, X = 1"))
	s.open()
	require.Equal(t, "[1]", s.all("p, X = 1"))
}

// When a predicate becomes persistent, rules that calls have added to it are dropped, with a warning.
func TestStoreOfRules(t *testing.T) {
	s := openShop(t, ":- dynamic(order/2).\nold(9).\n")
	require.NoError(t, s.transact("assertz(order(1, pear)), assertz((order(X, fig) :- old(X)))"))
	require.Equal(t, "[1,9]", s.all("order(X, _)"))
	save(t, filepath.Join(s.dir, "shop.pl"), ":- persistent(order/2).\nold(9).\n")
	change := s.base.Reload(t.Context())
	require.NoError(t, change.Err)
	require.Len(t, change.Diagnostics, 1)
	require.Equal(t, "rules of order/2 that calls have asserted are gone: it is persistent now, and can only have facts",
		change.Diagnostics[0].Message)
	require.Eventually(t, func() bool { return s.all("order(X, _)") == "[1]" }, time.Minute, time.Millisecond)
	s.reopen()
	require.Equal(t, "[1]", s.all("order(X, _)"))
}

// A predicate with another arity is a different predicate. The facts of the first one stay in the store, with a
// warning.
func TestStoreArity(t *testing.T) {
	s := openShop(t, ":- persistent(order/2).\n")
	require.NoError(t, s.transact("assertz(order(1, pear))"))
	require.NoError(t, s.store.Close())
	rules := filepath.Join(s.dir, "shop.pl")
	save(t, rules, ":- persistent(order/3).\n")
	s.open()
	require.Equal(t, []string{"1 fact of order/2, which is not persistent, stay in the store unused"}, s.told)
	require.NoError(t, s.transact("assertz(order(2, apple, 3))"))
	s.reopen()
	require.Equal(t, "[2-apple]", s.all("order(N, I, _), X = N-I"))
	require.NoError(t, s.store.Close())
	save(t, rules, ":- persistent([order/2, order/3]).\n")
	s.open()
	require.Equal(t, "[1,2]", s.all("(order(X, _) ; order(X, _, _))"))
}

// record is a record of a store: length, checksum of the other parts, number, text.
func record(number uint64, text string) []byte {
	data := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	data = binary.LittleEndian.AppendUint64(data, number)
	data = append(data, text...)
	sum := binary.LittleEndian.AppendUint32(nil, crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
	return slices.Concat(data[:4], sum, data[4:])
}

// A clock that is set back changes nothing: the numbers give the order.
func TestStoreClock(t *testing.T) {
	s := openShop(t, ":- persistent(order/2).\n")
	require.NoError(t, s.store.Close())
	var log bytes.Buffer
	log.WriteString("mcplogic journal 1\n")
	for i, change := range []string{"commit('2038-01-19T03:14:07Z',ann).\n+user:order(1,a).\n",
		"commit('1970-01-01T00:00:00Z',bob).\n-user:order(1,a).\n+user:order(1,b).\n",
		"commit('2026-07-28T12:00:00.5Z',cid).\n+user:order(2,c).\n"} {
		log.Write(record(uint64(i+1), change))
	}
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "store", "log-0000000000000001"), log.Bytes(), 0o600))
	s.open()
	require.Equal(t, "[1-b,2-c]", s.all("order(N, V), X = N-V"))
	require.NoError(t, s.transact("assertz(order(3, d))"))
	s.reopen()
	require.Equal(t, "[1-b,2-c,3-d]", s.all("order(N, V), X = N-V"))
	var out bytes.Buffer
	require.NoError(t, facts.WriteLog(&out, s.name(), nil))
	require.Regexp(t, `(?s)^1 2038.*\n2 1970.*\n3 2026.*\n4 20`, out.String())
}

// A change that cannot be stored fails the call and changes nothing; a large one that can be stored is.
func TestStoreTerms(t *testing.T) {
	s := openShop(t, ":- persistent(order/2).\n")
	require.ErrorContains(t, s.transact("X = f(X), assertz(order(1, X))"), "cyclic_term")
	for _, part := range []string{"x", "[]", "''", "123", "1.5", "\"\"", "[a, b]", "123456789012345678901234567890"} {
		shared := "numlist(1, 60, L), foldl([_, T, f(T, T)]>>true, L, " + part + ", D), assertz(order(1, D))"
		require.ErrorContains(t, s.transact(shared), "a fact of order/2 is longer than 8388608 bytes", part)
	}
	require.Equal(t, "[]", s.all("order(X, _)"))
	require.NoError(t, s.transact("numlist(1, 20000, L), foldl([X, T, f(X, T)]>>true, L, [], D), assertz(order(1, L-D))"))
	s.reopen()
	require.Equal(t, "[20000-f(20000)]",
		s.all("order(1, L-D), length(L, N), arg(1, D, A), F = f(A), X = N-F"))
}

func TestPersistentDeclarations(t *testing.T) {
	for text, want := range map[string]string{
		":- persistent(p/1).\np(1).\n":                      "p/1 is persistent, so its facts come from the store",
		"p(1).\n:- persistent(p/1).\n":                      "p/1 is persistent, so its facts come from the store",
		":- persistent(p/1).\n:- assertz(p(1)).\n":          "p/1 is persistent, and loading adds facts to it",
		":- persistent(p).\n":                               "p is not a predicate indicator",
		":- persistent(p/2, [key([3])]).\n":                 "bad option key([3]); want key([Argument, ...])",
		":- persistent(p/2, key([1])).\n":                   "the options must be a list",
		":- table p/1.\n:- persistent(p/1).\np(X) :- p(X).": "p/1 is tabled and cannot be persistent",
	} {
		file := filepath.Join(t.TempDir(), "a.pl")
		save(t, file, text)
		loaded, err := kb.Load(t.Context(), []string{file}, nil)
		report := loaded.Report(err)
		require.ErrorContains(t, report.Err(), want, "%s", text)
	}
}

// TestStoreReload changes which predicates are persistent while a knowledge base is served.
func TestStoreReload(t *testing.T) {
	eachStore(t, func(t *testing.T, open func(string) *shop) {
		s := open(":- persistent(a/1).\n:- dynamic(b/1).\n")
		require.NoError(t, s.transact("assertz(a(1)), assertz(b(1))"))
		rules := filepath.Join(s.dir, "shop.pl")
		save(t, rules, ":- persistent(b/1).\n")
		require.NoError(t, s.base.Reload(t.Context()).Err)
		require.Equal(t, []string{"1 fact of a/1, which is not persistent, stay in the store unused"}, s.told)
		save(t, rules, ":- persistent([a/1, b/1]).\n")
		require.NoError(t, s.base.Reload(t.Context()).Err)
		require.Equal(t, "[1]", s.all("a(X)"), "what was out of use is there once")
		save(t, rules, ":- persistent(b/1).\n")
		require.NoError(t, s.base.Reload(t.Context()).Err)
		require.NoError(t, s.transact("assertz(b(2))"))
		s.reopen()
		require.Equal(t, "[1,2]", s.all("b(X)"))
		save(t, rules, ":- persistent([a/1, b/1]).\n")
		require.NoError(t, s.base.Reload(t.Context()).Err)
		require.Equal(t, "[1]", s.all("a(X)"))
		require.NoError(t, s.transact("retract(a(1)), retract(b(1))"))
		s.reopen()
		require.Equal(t, "[]", s.all("a(X)"))
		require.Equal(t, "[2]", s.all("b(X)"))
	})
}

// TestStoreConcurrent commits from many goroutines, with conflicts, while files are reloaded and snapshots taken.
func TestStoreConcurrent(t *testing.T) {
	eachStore(t, func(t *testing.T, open func(string) *shop) {
		s := open(":- persistent([n/1, log/2]).\n")
		require.NoError(t, s.transact("assertz(n(0))"))
		const callers, each = 8, 60
		var all sync.WaitGroup
		filler := strings.Repeat("x", 4000)
		for c := range callers {
			all.Go(func() {
				for i := 0; i < each; {
					goal := fmt.Sprintf("retract(n(N)), M is N+1, assertz(n(M)), assertz(log(M, %d)), "+
						"(M mod 7 =:= 0 -> assertz(log(M, %s)) ; true)", c, filler)
					switch err := s.transact(goal); {
					case err == nil:
						i++
					case !errors.Is(err, engine.ErrConflict):
						t.Error(err)
						return
					}
				}
			})
		}
		for i := range 5 {
			save(t, filepath.Join(s.dir, "other.pl"), fmt.Sprintf("version(%d).\n", i))
			require.NoError(t, s.base.Reload(t.Context()).Err)
		}
		all.Wait()
		for range 2 {
			require.Equal(t, fmt.Sprintf("[%d]", callers*each), s.all("n(X)"))
			require.Equal(t, "[true]", s.all(fmt.Sprintf("findall(M, (log(M, C), integer(C)), Ms), numlist(1, %d, Ms0), "+
				"msort(Ms, Ms0), X = true", callers*each)))
			s.reopen()
		}
	})
}

// TestStoreKeys adds facts with the same key, one after the other and at the same time.
func TestStoreKeys(t *testing.T) {
	eachStore(t, func(t *testing.T, open func(string) *shop) {
		s := open(":- persistent(order/2, [key([1])]).\n")
		require.NoError(t, s.transact("assertz(order(1, a)), assertz(order(2, a))"))
		require.ErrorContains(t, s.transact("assertz(order(1, b))"), "unique_key")
		require.ErrorContains(t, s.transact("assertz(order(3, a)), assertz(order(3, b))"), "unique_key")
		require.NoError(t, s.transact("retract(order(1, _)), assertz(order(1, b))"))
		require.NoError(t, s.transact("retract(order(2, _))"))
		require.NoError(t, s.transact("assertz(order(2, c))"))
		s.reopen()
		require.Equal(t, "[1-b,2-c]", s.all("order(K, V), X = K-V"))
		require.ErrorContains(t, s.transact("assertz(order(2, d))"), "unique_key")

		first, err := s.base.Snapshot().Program.Start("assertz(order(9, first))", &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		defer first.Close()
		_, err = first.Next(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.transact("assertz(order(9, second))"))
		require.ErrorIs(t, first.Commit(), engine.ErrConflict)
		require.Equal(t, "[second]", s.all("order(9, X)"))
	})
}

// TestStoreOrder checks that the order of facts, and the choice of the removed one among equal facts, survive a
// restart.
func TestStoreOrder(t *testing.T) {
	eachStore(t, func(t *testing.T, open func(string) *shop) {
		s := open(":- persistent([n/1, log/1]).\n")
		require.NoError(t, s.transact("forall(member(X, [a, b, a, c, a]), assertz(n(X)))"))
		require.NoError(t, s.transact("clause(n(a), true, R), clause(n(b), true, B), R @> B, erase(R)"))
		require.Equal(t, "[a,b,c,a]", s.all("n(X)"))
		require.NoError(t, s.transact("forall(member(X, [e, f, e, e, f]), assertz(n(X)))"))
		require.NoError(t, s.transact("findall(R, clause(n(e), true, R), [_, B, C]), erase(C), erase(B), retract(n(f))"))
		require.NoError(t, s.transact("asserta(n(e)), retractall(n(e)), retractall(n(f))"))
		late, err := s.base.Snapshot().Program.Start("assertz(n(late)), asserta(n(early))",
			&engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		defer late.Close()
		_, err = late.Next(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.transact("assertz(n(y)), asserta(n(z))"))
		require.NoError(t, late.Commit())
		require.Equal(t, "[early,z,a,b,c,a,y,late]", s.all("n(X)"), "facts stand in the order of the commits")
		var all sync.WaitGroup
		for i := range 60 {
			all.Go(func() { require.NoError(t, s.transact(fmt.Sprintf("assertz(log(%d))", i))) })
		}
		all.Wait()
		const both = "(n(X) ; log(X))"
		want := s.all(both)
		s.reopen()
		require.Equal(t, want, s.all(both))
	})
}

// TestStoreAbsent checks calls that depend on missing facts which others add meanwhile.
func TestStoreAbsent(t *testing.T) {
	const first = "( retract(cnt(K, M)) -> true ; M = 0 ), N is M+1, assertz(cnt(K, N))"
	eachStore(t, func(t *testing.T, open func(string) *shop) {
		s := open(":- persistent([cnt/2, log/1, none/0, void/1]).\n:- dynamic(note/1).\n" +
			":- table rows/1, empty/1, held/1, top(_, max), kept/1, inner/1.\n:- table own/1 as private.\n" +
			":- table watched/1 as incremental.\n:- table more/1 as subsumptive.\n" +
			"rows(K) :- cnt(K, _).\nempty(K) :- void(K).\nown(K) :- cnt(K, _).\n" +
			"held(K) :- cnt(K, N), write_canonical(''), N > 0.\nwatched(K) :- cnt(K, _).\nmore(K) :- cnt(K, _).\n" +
			"top(K, N) :- cnt(K, N).\nkept(K) :- cnt(K, N), \\+ N < 0.\ninner(K) :- ( rows(K) ; none ), atom(K).\n")
		for i, tt := range []struct {
			goal, other string
			conflict    bool
		}{
			{"K = k, " + first, "assertz(cnt(k, 1))", true},
			{"K = k, " + first, "K = k, " + first, true},
			{"K = k, " + first, "asserta(cnt(k, 1))", true},
			{"K = k, " + first, "assertz(cnt(_, 1))", true},
			{"K = k, " + first, "assertz(cnt(other, 1))", false},
			{"K = k, " + first, "assertz(log(k))", false},
			{"K = k, " + first, "assertz(cnt(k, 1)), retract(cnt(k, 1))", false},
			{"K = 123456789012345678901234567890, " + first, "assertz(cnt(123456789012345678901234567890, 1))", true},
			{"K = 1.5, " + first, "assertz(cnt(1.5, 1))", true},
			{"K = \"a\", " + first, "assertz(cnt(\"a\", 1))", true},
			{"K = \"a\", " + first, "assertz(cnt(\"b\", 1))", false},
			{"K = f(a, [1]), " + first, "assertz(cnt(f(a, [1]), 1))", true},
			{"atom_concat(new, key, K), " + first, "atom_concat(new, key, K), " + first, true},
			{"retractall(cnt(k, _)), assertz(cnt(k, 1))", "retractall(cnt(k, _)), assertz(cnt(k, 1))", true},
			{"\\+ cnt(k, _), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"findall(X, cnt(X, 1), L), assertz(log(L))", "assertz(cnt(k, 2))", false},
			{"findall(X, cnt(X, 2), L), assertz(log(L))", "assertz(cnt(k, 2))", true},
			{"\\+ none, assertz(none)", "assertz(none)", true},
			{"\\+ clause(none, true), assertz(none)", "assertz(none)", true},
			{"\\+ cnt(k, _), assertz(note(1))", "assertz(cnt(k, 1))", false},
			{"\\+ cnt(k, _)", "assertz(cnt(k, 1))", false},
			{"assertz(cnt(k, 1))", "assertz(cnt(k, 1))", false},
			{"forall(between(1, 1000, I), \\+ cnt(I, _)), assertz(log(I))", "assertz(cnt(elsewhere, 1))", true},
			{"forall(between(1, 50, I), \\+ cnt(I, _)), assertz(log(I))", "assertz(cnt(elsewhere, 1))", false},
			{"assertz(cnt(k, 1)), retract(cnt(k, 1)), \\+ cnt(k, _), assertz(log(k))", "assertz(cnt(k, 1))", true},
			{"\\+ rows(k), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"\\+ empty(k), assertz(log(1))", "assertz(log(2))", false},
			{"\\+ empty(k), assertz(log(1))", "assertz(cnt(k, 1))", false},
			{"\\+ empty(k), assertz(log(1))", "assertz(void(1))", true},
			{"\\+ rows(k)", "assertz(cnt(k, 1))", false},
			{"tnot(rows(k)), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"findall(X, rows(X), L), \\+ memberchk(k, L), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"\\+ own(k), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"\\+ watched(k), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"\\+ more(k), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"\\+ top(k, _), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"\\+ kept(k), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"\\+ inner(k), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"findall(X, held(X), L), \\+ memberchk(k, L), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"\\+ held(k), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"\\+ inner(k), assertz(log(1))", "assertz(none)", true},
			{"predicate_property(none, number_of_clauses(0)), assertz(none)", "assertz(none)", true},
			{"predicate_property(cnt(_, _), number_of_clauses(1)), assertz(log(1))", "assertz(cnt(k, 1))", false},
			{"\\+ nth_clause(none, _, _), assertz(none)", "assertz(none)", true},
			{"\\+ nth_clause(none, 1, _), assertz(none)", "assertz(none)", true},
			{"\\+ nth_clause(cnt(_, _), 2, _), assertz(log(1))", "assertz(cnt(k, 1))", true},
			{"nth_clause(cnt(_, _), 1, _), assertz(log(1))", "assertz(cnt(k, 1))", false},
		} {
			for _, reload := range []bool{false, true} {
				name := fmt.Sprintf("%d. %s / %s / %t", i, tt.goal, tt.other, reload)
				require.NoError(t, s.transact("retractall(cnt(_, _)), retractall(log(_)), retractall(none)"))
				require.NoError(t, s.transact("retractall(void(_))"))
				require.NoError(t, s.transact("assertz(cnt(before, 1))"))
				var run *engine.Run
				for range 2 { // the second run finds the tables of the first
					if run != nil {
						run.Close()
					}
					var err error
					run, err = s.base.Snapshot().Program.Start("once((Goal))", &engine.RunOptions{Transaction: true,
						Bind: map[string]any{"Goal": must(engine.ParseTerm(tt.goal + "."))}})
					require.NoError(t, err)
					state, err := run.Next(t.Context())
					require.NoError(t, err, name)
					require.NotEqual(t, engine.NoMore, state, name)
				}
				if reload {
					save(t, filepath.Join(s.dir, "other.pl"), fmt.Sprintf("version(%d).\n", i))
					require.NoError(t, s.base.Reload(t.Context()).Err)
				}
				require.NoError(t, s.transact(tt.other), name)
				if err := run.Commit(); tt.conflict {
					require.ErrorIs(t, err, engine.ErrConflict, name)
				} else {
					require.NoError(t, err, name)
				}
				run.Close()
			}
		}
		require.NoError(t, s.transact("retractall(cnt(_, _))"))
		var all sync.WaitGroup
		const callers, each = 6, 20
		for c := range callers {
			all.Go(func() {
				for i := 0; i < each; {
					switch err := s.transact(fmt.Sprintf("K = %d, ", (c+i)%3) + first); {
					case err == nil:
						i++
					case !errors.Is(err, engine.ErrConflict):
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		require.Equal(t, "[40,40,40]", s.all("member(K, [0,1,2]), cnt(K, X)"))
		s.reopen()
		require.Equal(t, "[40,40,40]", s.all("member(K, [0,1,2]), cnt(K, X)"))
	})
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TestEqualFactsAreRemovedTogether removes many facts in one change that are equal, or that no index distinguishes.
// Each fact is looked up once: 20,000 times 20,000 comparisons would take minutes.
func TestEqualFactsAreRemovedTogether(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, open func(rules string) *shop) {
		s := open(":- persistent([item/1, box/1]).\n")
		require.NoError(t, s.transact("forall(between(1, 20000, I), ( assertz(item(a)), assertz(box(f(I))) )), "+
			"asserta(item(b)), assertz(item(b)), assertz(item(c)), assertz(item(b))"))
		require.NoError(t, s.transact("retractall(item(a)), retractall(box(_)), "+
			"findall(R, clause(item(b), true, R), [_, Second, Third]), erase(Third), erase(Second)"))
		s.reopen()
		require.NoError(t, s.transact("findall(X, item(X), [b, c]), \\+ box(_)"))
	})
}

// TestStoreRestored restores a copy of a store. Changes of the lost history no longer belong to the store, whatever
// numbers the changes after the copy have. Changes before the copy still belong to it, even if a snapshot has replaced
// them.
func TestStoreRestored(t *testing.T) {
	s := openShop(t, ":- persistent(order/2).\n")
	require.Empty(t, s.store.Sequence())
	require.NoError(t, s.store.WaitFor(t.Context(), ""))
	require.NoError(t, s.transact("assertz(order(1, x))"))
	first := s.store.Sequence()
	filler := strings.Repeat("x", 300_000)
	for i := range 8 {
		require.NoError(t, s.transact(fmt.Sprintf("assertz(order(%d, %s))", i+2, filler)))
	}
	kept := s.store.Sequence()
	copied, dir := filepath.Join(t.TempDir(), "copy"), filepath.Join(s.dir, "store")
	require.NoError(t, s.store.Close())
	require.NoError(t, os.CopyFS(copied, os.DirFS(dir)))
	require.NoFileExists(t, filepath.Join(dir, "log-0000000000000001"), "there is a snapshot")
	s.open()
	require.NoError(t, s.transact("assertz(order(x, 1))"))
	lost := s.store.Sequence()
	require.NoError(t, s.store.WaitFor(t.Context(), lost))

	require.NoError(t, s.store.Close())
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.CopyFS(dir, os.DirFS(copied)))
	s.open()
	for range 3 { // no change, a change with the number of the lost one, and one more
		for _, there := range []string{first, kept, s.store.Sequence()} {
			require.NoError(t, s.store.WaitFor(t.Context(), there))
		}
		require.ErrorContains(t, s.store.WaitFor(t.Context(), lost), "has lost change "+lost)
		require.NoError(t, s.transact("assertz(order(y, 1))"))
	}
	require.ErrorContains(t, s.store.WaitFor(t.Context(), strings.Replace(s.store.Sequence(), "12-", "13-", 1)), "lost")
	for _, wrong := range []string{"1", "x-w", "-1-w", "-w", "99999999999999999999-w"} {
		require.ErrorContains(t, s.store.WaitFor(t.Context(), wrong), "such as a result has", wrong)
	}
}

// TestStored finds facts by their displayed text.
func TestStored(t *testing.T) {
	s := openShop(t, ":- persistent(order/2).\n")
	require.NoError(t, s.transact(`assertz(order('It''s Ada', 1)), assertz(order("two words", f(x))), `+
		`assertz(order(3, []))`))
	for text, want := range map[string]int{"": 3, "it's ada": 1, "two words": 1, "order(": 0, "ada'": 0,
		"words f(x)": 1} {
		list, count := s.base.Stored("order/2", text, 9)
		require.Len(t, list, want, text)
		require.Equal(t, want, count, text)
	}
}
