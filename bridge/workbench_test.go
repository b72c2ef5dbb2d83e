package bridge

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

func newBench(t *testing.T, version, text string, write bool,
	predicates ...engine.Predicate) *bridgetest.Bench {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "rules.pl"), []byte(text), 0o600))
	o := &kb.Options{Predicates: append(Predicates(), predicates...)}
	base, err := kb.Open(t.Context(), []string{folder}, o)
	require.NoError(t, err)
	s := NewServer(base.Snapshot(), &Options{Workbench: &Workbench{Folder: folder, Options: o, Write: write}})
	ctx, cancel := context.WithCancel(context.Background())
	end := s.Follow(ctx, base, nil)
	t.Cleanup(func() { cancel(); end() })
	again := func() *mcp.ClientSession { return connect(t, s, version, nil) }
	return &bridgetest.Bench{T: t, Folder: folder, CS: again(), Again: again}
}

// A client builds a knowledge base over a pipe in memory; package web has the same over HTTP.
func TestWorkbenchSession(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", wire.VersionStateless} {
		newBench(t, version, bridgetest.NoRules, true).BuildRules()
	}
}

// TestReloadedLate offers the result of a reload after that of a later one, as two that reload at once may: the later
// one goes on serving.
func TestReloadedLate(t *testing.T) {
	folder := t.TempDir()
	write := func(n int) {
		text := fmt.Sprintf(":- mode(n(-integer), one).\n:- info(n/1, [comment is 'N.', argnames is [n]]).\n"+
			"tools([n/1]).\nn(%d).\n", n)
		require.NoError(t, os.WriteFile(filepath.Join(folder, "rules.pl"), []byte(text), 0o600))
	}
	write(1)
	base, err := kb.Open(t.Context(), []string{folder}, &kb.Options{Predicates: Predicates()})
	require.NoError(t, err)
	s := NewServer(base.Snapshot(), nil)
	s.Follow(t.Context(), base, nil)() // nobody watches the files
	write(2)
	early := base.Reload(t.Context())
	require.NoError(t, early.Err)
	write(3)
	s.Reloaded(t.Context(), base.Reload(t.Context()))
	s.Reloaded(t.Context(), early)
	b := &bridgetest.Bench{T: t, Folder: folder, CS: connect(t, s, "2025-11-25", nil)}
	b.Says("n", nil, "n: 3")
	// A reload that finds nothing new has been made by somebody who has not offered it yet.
	write(4)
	require.NoError(t, base.Reload(t.Context()).Err)
	require.NoError(t, asHost{s}.Reload(t.Context()))
	b.Says("n", nil, "n: 4")
}

// A save loads the folder only once to try the text, even if it also compares which items would be lost.
func TestWorkbenchLoadsOnce(t *testing.T) {
	loads := 0
	counted := engine.Predicate{Name: "loaded", Call: func(*engine.Call) (bool, error) { loads++; return true, nil }}
	b := newBench(t, "2025-11-25", ":- op(700, xfx, ~>).\n:- loaded.\np(1).\n", true, counted)
	tests := ":- begin_tests(u).\ntest(a) :- p(1).\ntest(b, X == 1) :- p(X).\ntest(p ~> q) :- p(1).\n:- end_tests(u).\n"
	loads = 0
	b.Says("kb_save", map[string]any{"file": "rules.plt", "text": tests}, "3 passed")
	require.Equal(t, 1, loads, "tests are not served")
	b.Refuses("kb_save", map[string]any{"file": "rules.plt", "text": "% none\n", "hash": b.Hash("rules.plt")},
		"would be gone", "test u: a", "test u: b", "test u: test(p ~> q) :- p(1).")
}

// A test that fails says what came instead, with the names that the example has.
func TestWorkbenchSaysWhatCame(t *testing.T) {
	b := newBench(t, "2025-11-25", "p(1).\n", true)
	rate := func(body string) string {
		return "rate(W, C) :- " + body + ".\n:- mode(rate(+number, -number), zero_or_more).\n" +
			":- info(rate/2, [comment is 'Cost.', argnames is ['W', 'C'], " +
			"examples is ['three' - rate(3, C) - {C = 12}]]).\ntools([rate/2]).\n"
	}
	b.Refuses("kb_save", map[string]any{"file": "rate.pl", "text": rate("C is W * 4 + 1")},
		"rate(3,C) should give C=12, and gives rate(3,13)")
	b.Refuses("kb_save", map[string]any{"file": "rate.pl", "text": rate("W > 3, C is W * 4")},
		"rate(3,C) should give C=12, and gives no answer")
}

// Decision tables and labelled rules are words of the rules, without what they are made of. A table is read and saved
// as CSV, and is not saved with rows that overlap.
func TestWorkbenchTables(t *testing.T) {
	b := newBench(t, "2025-11-25", "p(1).\n", true)
	fines := "over (integer),out: fine\n< 10,30\n>= 10,60\n"
	require.NoError(t, os.WriteFile(filepath.Join(b.Folder, "fees.csv"), []byte("amount,out: fee\n> 10,5\n"), 0o600))
	b.Says("kb_save", map[string]any{"file": "fines.csv", "text": fines}, "Saved and served")
	b.Says("kb_save", map[string]any{"file": "law.pl", "text": `:- use_module(library(law)).
:- decision(fine/2, 'fines.csv', [hit(unique)]).
:- decision(fee/2, 'fees.csv', [hit(sum)]).
:- mode(owed(+atom, -integer), zero_or_one).
'Art. 7' :: owed(F, 600) :- late(F).
storms :: \+ owed(F, _) :- storm(F).
:- overrides(storms, 'Art. 7').
late(f1). storm(f2).
`}, "Saved and served")
	b.Refuses("kb_save", map[string]any{"file": "fines.csv", "text": fines + "12,70\n", "hash": b.Hash("fines.csv")},
		"the rows 3 and 4 hold for over = 12")
	words, _ := b.Call("kb_vocabulary", nil)
	require.Contains(t, words, "decision table fines.csv, hit policy unique, 2 rows")
	require.Contains(t, words, "rules: Art. 7; storms")
	require.NotContains(t, words, "rule in force")
	require.NotContains(t, words, "fee row")
	b.Says("kb_read", map[string]any{"file": "fines.csv"}, ">= 10,60")
	b.Refuses("kb_edit", map[string]any{"file": "fines.csv", "old": "< 10", "new": "<= 10", "hash": b.Hash("fines.csv")},
		"the rows 2 and 3 hold for over = 10")
	snapshot, err := kb.Load(t.Context(), []string{b.Folder}, &kb.Options{Predicates: Predicates()})
	require.NoError(t, err)
	write, _, err := inner.Of(snapshot.Program).Table("fine/2", "xlsx")
	require.NoError(t, err)
	var book strings.Builder
	require.NoError(t, write(&book))
	require.NoError(t, os.WriteFile(filepath.Join(b.Folder, "fines.xlsx"), []byte(book.String()), 0o600))
	b.Says("kb_edit", map[string]any{"file": "law.pl", "old": "fines.csv", "new": "fines.xlsx", "hash": b.Hash("law.pl")},
		"Saved and served")
	b.Says("kb_read", map[string]any{"file": "fines.xlsx"}, "over (integer),out: fine (integer)\n< 10,30\n>= 10,60\n")
}

// Nothing that a tool of the workbench is given leaves the folder, sees the environment, or runs on.
func TestWorkbenchBounds(t *testing.T) {
	t.Setenv("MCPLOGIC_SECRET", "hidden value")
	b := newBench(t, "2025-06-18", "p(1).\n", true)
	outside := filepath.Join(t.TempDir(), "secret.pl")
	require.NoError(t, os.WriteFile(outside, []byte("secret(outside).\n"), 0o600))
	require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(b.Folder, "link")))
	for _, name := range []string{"../x.pl", "/tmp/x.pl", "a/../../x.pl", ".hidden.pl", "x.txt", "", "link/x.pl",
		"./x.pl"} {
		b.Refuses("kb_save", map[string]any{"file": name, "text": "q(1).\n"})
	}
	entries, err := os.ReadDir(filepath.Dir(outside))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	b.Says("kb_try", map[string]any{"goal": "getenv('MCPLOGIC_SECRET', X)"}, "No.")
	text, _ := b.Call("kb_try", map[string]any{"goal": "read_file_to_string('" + outside + "', X, [])"})
	require.NotContains(t, text, "secret(outside)")
	text, _ = b.Call("kb_try", map[string]any{"goal": "consult('link/secret.pl'), secret(X)"})
	require.NotContains(t, text, "outside)")
	b.Says("kb_try", map[string]any{"goal": "absolute_file_name('rules.pl', X)"}, "X = 'rules.pl'")
	b.Says("kb_try", map[string]any{"goal": "assertz(q(1))"}, "true")
	b.Says("kb_try", map[string]any{"goal": "X = 3, X > 4"}, "No.", "3 is not above 4")
	b.Says("kb_try", map[string]any{"goal": "between(1, inf, X)", "limit": 3}, "X = 3", "There are more.")
	b.Says("kb_try", map[string]any{"goal": "length(L, 1000000000)"}, "Error:")
	b.Says("kb_try", map[string]any{"goal": "halt"}, "Error:")
	b.Refuses("kb_try", map[string]any{"goal": "p(X)", "text": "p(2)."}, "needs the name of the file")

	readOnly := newBench(t, "2025-06-18", "p(1).\n", false)
	list, err := readOnly.CS.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, list.Tools, 7, "none that saves")
}

// A save is of the text that its author has read, and takes nothing away without a word.
func TestWorkbenchSaves(t *testing.T) {
	const rules = "price(a, 1).\nprice(b, 2).\ndear(X) :- price(X, P), P > 1.\n:- mode(dear(-atom), zero_or_more).\n" +
		":- info(dear/1, [comment is 'What is dear.', argnames is [thing]]).\ntools([dear/1]).\n"
	b := newBench(t, "2025-11-25", rules, true)
	b.Says("kb_files", nil, "rules.pl (")
	read := b.Hash("rules.pl")
	save := func(text, hash string, more ...any) map[string]any {
		args := map[string]any{"file": "rules.pl", "text": text, "hash": hash}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return args
	}
	require.NoError(t, os.WriteFile(filepath.Join(b.Folder, "rules.pl"), []byte(rules+"price(c, 3).\n"), 0o600))
	b.Refuses("kb_save", save(rules, read), "Nothing was saved", "has changed")
	now := b.Hash("rules.pl")
	b.Refuses("kb_save", save("price(a, 1).\n", now), "would be gone", "tool dear", "predicate dear/1")
	b.Refuses("kb_edit", map[string]any{"file": "rules.pl", "old": "price(", "new": "cost(", "hash": now},
		"stands 4 times")
	b.Refuses("kb_edit", map[string]any{"file": "rules.pl", "old": "price(d", "new": "", "hash": now}, "does not stand")
	b.Says("kb_edit", map[string]any{"file": "rules.pl", "old": "price(c, 3)", "new": "price(c, 4)", "hash": now},
		"Saved and served")
	b.Refuses("kb_save", save(rules, now), "has changed")
	require.NoError(t, os.WriteFile(filepath.Join(b.Folder, "old.pl"), []byte("% caf\xe9\nq(1).\n"), 0o600))
	b.Refuses("kb_read", map[string]any{"file": "old.pl"}, "not UTF-8")
	b.Refuses("kb_edit", map[string]any{"file": "old.pl", "old": "q(1)", "new": "q(2)", "hash": now}, "not UTF-8")
	require.NoError(t, os.Remove(filepath.Join(b.Folder, "old.pl")))
	b.Says("kb_read", map[string]any{"file": "rules.pl"}, "price(c, 4).")
	require.NoError(t, os.WriteFile(filepath.Join(b.Folder, "two.pl"), []byte("one.\ntwo.\n"), 0o600))
	b.Says("kb_read", map[string]any{"file": "two.pl", "lines": 1}, "more from line 2:\none.\n")
	for _, lines := range []int{2, 3} {
		text, _ := b.Call("kb_read", map[string]any{"file": "two.pl", "lines": lines})
		require.Contains(t, text, "two.\n")
		require.NotContains(t, text, "more from line")
	}
	require.NoError(t, os.Remove(filepath.Join(b.Folder, "two.pl")))
	b.Refuses("kb_read", map[string]any{"file": ".versions/" + now}, "There is no file")

	tests := ":- begin_tests(dear).\ntest(b) :- dear(b).\n:- end_tests(dear).\n"
	b.Says("kb_save", map[string]any{"file": "rules.plt", "text": tests}, "1 passed")
	b.Refuses("kb_save", map[string]any{"file": "rules.plt", "text": "", "hash": b.Hash("rules.plt")}, "test dear: b")
	// Tests of one name are not mistaken for each other: one of two files fails already.
	require.NoError(t, os.WriteFile(filepath.Join(b.Folder, "more.plt"), []byte(strings.Replace(tests, ":- dear(b)",
		":- fail", 1)), 0o600))
	b.Refuses("kb_edit", map[string]any{"file": "rules.pl", "old": "P > 1", "new": "P > 3", "hash": b.Hash("rules.pl")},
		"Nothing was saved", "2 failed")
	b.Says("kb_diff", map[string]any{"file": "rules.pl", "text": strings.Replace(rules, "P > 1", "P > 3", 1)},
		"dear: b passed and would fail")
	require.NoError(t, os.Remove(filepath.Join(b.Folder, "more.plt")))
	b.Says("kb_save", map[string]any{"file": "rules.plt", "text": "", "hash": b.Hash("rules.plt"), "remove": true},
		"Saved and served", "Gone:\ntest dear: b")
	b.Says("kb_save", save("price(a, 1).\n", b.Hash("rules.pl"), "remove", true), "Gone:", "tool dear")
	b.Refuses("kb_save", map[string]any{"file": "new.pl", "text": "q.\n", "hash": read}, "has changed")
	for _, name := range []string{"con.pl", "sub/COM1.pl", "a\nb.pl", "*.pl", "-rf.pl", "a\u202eb.pl", "e\u0301.pl",
		"a?.pl", " a.pl", "nul.x.pl", "a\x00.pl", "com¹.pl", "sub/LPT³.pl", "com².x.csv"} {
		b.Refuses("kb_save", map[string]any{"file": name, "text": "q.\n"})
	}
	b.Says("kb_save", map[string]any{"file": "é ü.pl", "text": "q.\n"}, "Saved")
	b.Says("kb_save", map[string]any{"file": "sub/x.pl", "text": "r.\n"}, "Saved")
	for _, name := range []string{"RULES.pl", "Rules.plt", "Sub/x.pl", "sub/X.pl", "SUB/y.pl", "É ü.pl"} {
		b.Refuses("kb_save", map[string]any{"file": name, "text": "s.\n"}, "would be one file on some systems")
	}
	b.Says("kb_save", map[string]any{"file": "sub/rules.pl", "text": "s.\n"}, "Saved")
	b.Refuses("kb_save", map[string]any{"file": strings.Repeat("x", 198) + ".pl", "text": "t.\n"},
		"is longer than 200 bytes")
	b.Says("kb_save", map[string]any{"file": strings.Repeat("x", 197) + ".pl", "text": "t.\n"}, "Saved")
	text, _ := b.Call("kb_check", map[string]any{"file": strings.Repeat("x", 300) + ".pl", "text": "q."})
	require.NotContains(t, text, os.TempDir())
}

// A tool that a saved file declares has the rights of that file, whosever predicate it calls. So have the tests there.
func TestWorkbenchRights(t *testing.T) {
	t.Setenv("MCPLOGIC_SECRET", "hidden value")
	const declared = ":- mode(owner(-atom), one).\n:- info(owner/1, [comment is 'Owner.', argnames is [value]]).\n"
	for _, trust := range []bool{false, true} {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "rules.pl"),
			[]byte("owner(V) :- getenv('MCPLOGIC_SECRET', V).\n"+declared+"tools([owner/1]).\n"), 0o600))
		o := &kb.Options{Predicates: Predicates(), AllowEnv: true, Trust: trust}
		base, err := kb.Open(t.Context(), []string{folder}, o)
		require.NoError(t, err)
		s := NewServer(base.Snapshot(), &Options{Workbench: &Workbench{Folder: folder, Options: o, Write: true}})
		t.Cleanup(s.Follow(t.Context(), base, nil))
		b := &bridgetest.Bench{T: t, Folder: folder, CS: connect(t, s, "2025-11-25", nil)}
		b.Says("kb_save", map[string]any{"file": "more.pl", "text": "leak(V) :- getenv('MCPLOGIC_SECRET', V).\n" +
			":- mode(leak(-atom), zero_or_one).\n:- info(leak/1, [comment is 'Leak.', argnames is [value]]).\n" +
			"tools([tool(leak, leak, 1), tool(again, owner, 1), tool(got, getenv, 2)]).\n"}, "Saved")
		b.Says("owner", nil, "hidden value")
		for _, name := range []string{"leak", "again", "got"} {
			text, _ := b.Call(name, map[string]any{"arg1": "MCPLOGIC_SECRET"})
			if name != "got" {
				text, _ = b.Call(name, nil)
			}
			require.Equal(t, trust && name != "got", strings.Contains(text, "hidden value"), text)
		}
	}
}

// Trials without end keep neither the trials of other sessions nor calls waiting. What was tried before another save is
// not saved.
func TestWorkbenchIsShared(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	wait := engine.Predicate{Name: "wait", Call: func(*engine.Call) (bool, error) {
		begun <- struct{}{}
		<-release
		return true, nil
	}}
	folder := t.TempDir()
	rules := ":- mode(p(-integer), one).\n:- info(p/1, [comment is 'P.', argnames is [n]]).\np(1).\ntools([p/1]).\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "rules.pl"), []byte(rules), 0o600))
	o := &kb.Options{Predicates: append(Predicates(), wait)}
	snapshot, err := kb.Load(t.Context(), []string{folder}, o)
	require.NoError(t, err)
	s := NewServer(snapshot, &Options{Concurrent: 1, Workbench: &Workbench{Folder: folder, Options: o, Write: true}})
	session := func() *bridgetest.Bench {
		return &bridgetest.Bench{T: t, Folder: folder, CS: connect(t, s, "2025-11-25", nil)}
	}
	var all sync.WaitGroup
	for range 2 {
		b := session()
		all.Go(func() { b.Call("kb_try", map[string]any{"goal": "wait"}) })
		<-begun
	}
	saver, other := session(), session()
	other.Says("kb_try", map[string]any{"goal": "p(X)"}, "X = 1")
	other.Says("p", nil, "n: 1")
	all.Go(func() { saveTooLate(t, saver) })
	<-begun
	other.Call("kb_save", map[string]any{"file": "more.pl", "text": "q(1).\n"})
	require.FileExists(t, filepath.Join(folder, "more.pl"))
	close(release)
	all.Wait()
	require.NoFileExists(t, filepath.Join(folder, "t.plt"))
}

// saveTooLate saves a test that waits, while another client changes a file. The save is refused.
func saveTooLate(t *testing.T, b *bridgetest.Bench) {
	text, failed := b.Call("kb_save", map[string]any{"file": "t.plt",
		"text": ":- begin_tests(u).\ntest(a) :- wait.\n:- end_tests(u).\n"})
	isLate := strings.Contains(text, "1 failed") // the time of the test was over, on a busy machine
	if !failed || !strings.Contains(text, "Another client has changed a file meanwhile") && !isLate {
		t.Error(text)
	}
}

// TestDiscardMeetsSave removes a new file while a save is tried with it. The save is refused, and a file that somebody
// has saved since stays.
func TestDiscardMeetsSave(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	wait := engine.Predicate{Name: "wait", Call: func(*engine.Call) (bool, error) {
		begun <- struct{}{}
		<-release
		return true, nil
	}}
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "rules.pl"), []byte("p(1).\n"), 0o600))
	o := &kb.Options{Predicates: append(Predicates(), wait)}
	base, err := kb.Open(t.Context(), []string{folder}, o)
	require.NoError(t, err)
	s := NewServer(base.Snapshot(), &Options{Workbench: &Workbench{Folder: folder, Options: o, Write: true}})
	ctx, cancel := context.WithCancel(context.Background())
	end := s.Follow(ctx, base, nil)
	t.Cleanup(func() { cancel(); end() })
	b := &bridgetest.Bench{T: t, Folder: folder, CS: connect(t, s, "2025-11-25", nil)}
	b.Says("kb_save", map[string]any{"file": "new.csv", "text": "1\n"}, "Saved and served")
	hash := b.Hash("new.csv")
	var all sync.WaitGroup
	all.Go(func() { saveTooLate(t, b) })
	<-begun
	require.NoError(t, s.Discard(t.Context(), "new.csv", hash, Author{}))
	require.NoFileExists(t, filepath.Join(folder, "new.csv"))
	close(release)
	all.Wait()
	b.Says("kb_save", map[string]any{"file": "new.csv", "text": "1\n"}, "Saved and served")
	b.Says("kb_save", map[string]any{"file": "new.csv", "text": "2\n", "hash": hash}, "Saved and served")
	require.Error(t, s.Discard(t.Context(), "new.csv", hash, Author{}))
	require.FileExists(t, filepath.Join(folder, "new.csv"))
	require.Error(t, NewServer(base.Snapshot(), &Options{}).Discard(t.Context(), "new.csv", hash, Author{}), "no desk")
}

// Files of facts are saved as they are, without the mark of rules; the settings of the server are none.
func TestWorkbenchSavesFacts(t *testing.T) {
	b := newBench(t, "2025-11-25", bridgetest.NoRules, true)
	rules := ":- facts(price/2, 'prices.csv', [header(true), types([atom, integer])]).\n" +
		":- mode(price(?atom, -integer), zero_or_more).\n:- info(price/2, [comment is 'Prices.', arguments is " +
		"[item - 'What it is', cents - '']]).\ntools([price/2]).\n"
	prices := "item,cents\npear,55\ntest(a),1\n"
	b.Says("kb_save", map[string]any{"file": "prices.csv", "text": prices}, "Saved and served")
	b.Says("kb_save", map[string]any{"file": "rules.pl", "text": rules, "hash": b.Hash("rules.pl")}, "Saved and served")
	b.Refuses("kb_save", map[string]any{"file": "prices.csv", "text": "item,cents\npear,dear\n",
		"hash": b.Hash("prices.csv")}, "does not load", "prices.csv:2:")
	text, err := os.ReadFile(filepath.Join(b.Folder, "prices.csv"))
	require.NoError(t, err)
	require.Equal(t, prices, string(text))
	b.Says("price", map[string]any{"item": "pear"}, "cents: 55")
	b.Says("kb_try", map[string]any{"file": "prices.csv", "text": "item,cents\nfig,7\n", "goal": "price(X, Y)"},
		"X = fig, Y = 7")
	b.Says("kb_edit", map[string]any{"file": "prices.csv", "old": "test(a),1\n", "new": "", "hash": b.Hash("prices.csv")},
		"Saved and served")
	b.Says("kb_vocabulary", nil, "price/2: Prices.", "arguments: item: What it is; cents")
	for _, name := range []string{"mcplogic.json", "Mcplogic.JSON", "sub/mcplogic.json", "notes.txt", "x.csv.gz",
		".x.csv"} {
		b.Refuses("kb_save", map[string]any{"file": name, "text": "{}\n"})
	}
	b.Says("kb_save", map[string]any{"file": "more.jsonl", "text": "{\"a\": 1}\n"}, "Saved and served")
}

// The guide is a skill, a resource and a prompt of servers with a workbench. What it shows is right.
func TestWorkbenchGuide(t *testing.T) {
	b := newBench(t, "2025-11-25", bridgetest.NoRules, true)
	const uri = "skill://writing-rules/SKILL.md"
	read, err := b.CS.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	require.NoError(t, err)
	guide := read.Contents[0].Text
	resources, err := b.CS.ListResources(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, uri, resources.Resources[0].URI)
	prompt, err := b.CS.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "write_rules",
		Arguments: map[string]string{"task": "Who may have a loan."}})
	require.NoError(t, err)
	said := prompt.Messages[0].Content.(*mcp.TextContent).Text
	require.True(t, strings.HasPrefix(said, "# Writing rules\n"))
	require.True(t, strings.HasSuffix(said, "\nThe task: Who may have a loan."))
	saved := 0
	for _, block := range strings.Split(guide, "\n```")[1:] {
		head, text, _ := strings.Cut(block, "\n")
		comment, rest, _ := strings.Cut(text, "\n")
		name := strings.TrimLeft(comment, "%# ")
		switch head {
		case "prolog":
			require.NoError(t, os.WriteFile(filepath.Join(b.Folder, name), []byte(text), 0o600))
			saved++
		case "csv":
			require.NoError(t, os.WriteFile(filepath.Join(b.Folder, name), []byte(rest+"\n"), 0o600))
			saved++
		}
	}
	require.Equal(t, 4, saved)
	b.Says("kb_check", map[string]any{"file": "rules.pl", "text": bridgetest.NoRules}, "Nothing is wrong.")
	b.Says("kb_test", nil, "3 tests: 3 passed")
	b.Says("kb_try", map[string]any{"goal": "buy(pear, 2), price(pear, C), C =:= 55r100"}, "C = ")
	b.Says("kb_check", map[string]any{"file": "rules.pl", "text": "p(X, Y) :- Y = X * 2, Y > 3.\n"},
		"[unevaluated]", "The prompt write_rules and the resource "+uri+" tell how rules are written.")
	b.Says("kb_save", map[string]any{"file": "pets.pl", "text": "pet(rex, 3).\npet(tom, 4).\n"}, "Saved and served")
	b.Says("kb_vocabulary", nil, "pet/2\n    values: rex or tom; an integer from 3 to 4\n    pet(rex,3)")

	plain := connect(t, NewServer(loadText(t, "p.\n"), nil), "2025-11-25", nil)
	_, err = plain.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	require.Error(t, err)
}

// A save must not break a case. One that fails already is no hindrance, so case and rule can be changed one after the
// other.
func TestWorkbenchCases(t *testing.T) {
	rules := func(factor string) string {
		return "tools([tool(limit, limit, 2)]).\n:- mode(limit(+integer, -integer), one).\n" +
			":- info(limit/2, [comment is 'A limit.', argnames is ['of', 'limit']]).\nlimit(N, L) :- L is " + factor + " * N.\n"
	}
	b := newBench(t, "2025-11-25", "p(1).\n", true)
	b.Says("kb_save", map[string]any{"file": "limit.pl", "text": rules("3")}, "Saved and served")
	kept := func(limit string) string {
		return `{"tool": "limit", "arguments": {"of": 2}, "expected": {"limit": ` + limit + "}}\n"
	}
	b.Says("kb_save", map[string]any{"file": "cases/two.json", "text": kept("6")}, "Saved and served", "1 passed")
	b.Refuses("kb_save", map[string]any{"file": "cases/bad.json", "text": `{"tool": 1}`}, "Nothing was saved",
		"tool should be a string here")
	edit := map[string]any{"file": "limit.pl", "old": "3 * N", "new": "4 * N", "hash": b.Hash("limit.pl")}
	b.Refuses("kb_edit", edit, "Nothing was saved", "case two: limit: expected 6, is 8", "8 is 4 * of 2")
	b.Says("kb_diff", map[string]any{"file": "limit.pl", "text": rules("4")}, "case two passed and would fail",
		`would also answer {"limit":8}`, `would no longer answer {"limit":6}`)
	b.Says("kb_save", map[string]any{"file": "cases/two.json", "text": kept("8"), "hash": b.Hash("cases/two.json")},
		"Saved and served", "1 failed")
	b.Says("kb_save", map[string]any{"file": "other.pl", "text": "q(1).\n"}, "Saved and served", "1 failed")
	b.Says("kb_edit", edit, "Saved and served", "1 passed, 0 failed")
	undo := func(file string) map[string]any { return map[string]any{"file": file, "hash": b.Hash(file)} }
	b.Refuses("kb_undo", undo("other.pl"), "was not saved before")
	b.Refuses("kb_undo", undo("limit.pl"), "case two: limit: expected 8, is 6") // it would break the case
	b.Says("kb_undo", undo("cases/two.json"), "Saved and served", "1 failed")
	b.Says("kb_undo", undo("limit.pl"), "Saved and served", "1 passed, 0 failed")
	history := rulefiles.History(b.Folder, "", 2)
	require.Equal(t, []string{"limit.pl", "cases/two.json"}, []string{history[0].File, history[1].File})
	// Each version of a file can be read, and brought back.
	first := rulefiles.History(b.Folder, "other.pl", 9)[0]
	for i := range 3 {
		b.Says("kb_edit", map[string]any{"file": "other.pl", "old": fmt.Sprintf("q(%d)", i+1),
			"new": fmt.Sprintf("q(%d)", i+2), "hash": b.Hash("other.pl")}, "Saved and served")
	}
	b.Says("kb_read", map[string]any{"file": "other.pl"}, "q(4).", "\nSaved by ")
	text, err := rulefiles.Version(b.Folder, first.Hash)
	require.NoError(t, err)
	require.Contains(t, text, "\nq(1).\n")
	back := undo("other.pl")
	back["version"] = first.Hash
	b.Says("kb_undo", back, "Saved and served")
	b.Says("kb_try", map[string]any{"goal": "q(X)"}, "X = 1")
	// What changes nothing is no save, so that the change before can still be taken back.
	back = undo("other.pl")
	back["version"] = back["hash"]
	b.Says("kb_undo", back, "Nothing was changed")
	b.Says("kb_save", map[string]any{"file": "other.pl", "text": text, "hash": back["hash"]}, "Nothing was changed")
	delete(back, "version")
	b.Says("kb_undo", back, "Saved and served")
	b.Says("kb_try", map[string]any{"goal": "q(X)"}, "X = 4")
	back["version"] = history[0].Hash // of another file
	b.Refuses("kb_undo", back, "other.pl has no version")
	_, err = rulefiles.Version(b.Folder, "../limit.pl")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// A model mends a rule base of 2,000 lines by edits: it finds the mistakes by tests, goals and reasons.
func TestWorkbenchMends(t *testing.T) {
	rules, tests := bridgetest.LongRules()
	require.Equal(t, 2000, strings.Count(rules, "\n"))
	for _, version := range []string{"2025-06-18", "2025-11-25", wire.VersionStateless} {
		b := newBench(t, version, rules, true)
		require.NoError(t, os.WriteFile(filepath.Join(b.Folder, "rules.plt"), []byte(tests), 0o600))
		b.MendRules()
	}
}

// Two clients edit one file at once. Each edit is of the text that its author has read, and none is lost.
func TestWorkbenchTwo(t *testing.T) {
	const lines = 12
	var rules strings.Builder
	for i := range 2 * lines {
		fmt.Fprintf(&rules, "limit(n%d, 0).\n", i)
	}
	for _, version := range []string{"2025-11-25", wire.VersionStateless} {
		b := newBench(t, version, rules.String(), true)
		refused := make([]int, 2)
		var both sync.WaitGroup
		for own := range refused {
			other := &bridgetest.Bench{T: t, Folder: b.Folder, CS: b.Again()}
			both.Go(func() {
				for i := 0; i < lines; {
					name := fmt.Sprintf("limit(n%d, ", 2*i+own)
					text, isError := other.Call("kb_edit", map[string]any{"file": "rules.pl", "old": name + "0", "new": name + "1",
						"hash": other.Hash("rules.pl")})
					if !isError {
						i++
						continue
					}
					if refused[own]++; !strings.Contains(text, "Read it again") && !strings.Contains(text, "Save it again") {
						t.Error(text)
						return
					}
				}
			})
		}
		both.Wait()
		text, err := os.ReadFile(filepath.Join(b.Folder, "rules.pl"))
		require.NoError(t, err)
		require.Equal(t, 2*lines, strings.Count(string(text), ", 1).\n"), "%v refused", refused)
		require.Len(t, rulefiles.History(b.Folder, "rules.pl", 100), 2*lines)
		b.Says("kb_try", map[string]any{"goal": "aggregate_all(sum(N), limit(_, N), S)"}, "S = 24")
	}
}
