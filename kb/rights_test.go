package kb

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/stretchr/testify/require"
)

// ownerRules are in a file that a person has written, savedRules in a file that a model has saved. The saved file is
// loaded first, so that its hooks see the owner's file. Everything outside that can be read says "secret".
const ownerRules = `
:- facts(account/2, sql(bank, account, [id, owner])).
:- setting(key, atom, [secret(true)]).
:- setting(rate, integer, [default(1)]).
:- dynamic seen/2.
env(V) :- getenv('MCPLOGIC_RIGHTS', V).
out(V) :- read_file_to_string('OUT/file', V, []).
note(V) :- open('OUT/new', write, S), write(S, secret), close(S), V = secret.
hidden(V) :- read_file_to_string('.env', V, []).
db(V) :- account(1, V).
dbs(V) :- aggregate_all(count, account(_, _), 1), V = secret.
key(V) :- setting(key, V).
mixed(V) :- nd(_), env(V).
between(V) :- once(nd(_)), env(V).
through(V) :- own_env(V).
called(V) :- goal_of(G), call(G), arg(2, G, V).
rewritten(x).
magical(V) :- magic(V).
late(V) :- frozen_env(X, V), X = 1.
later(V) :- findall(X-V0, frozen_env(X, V0), [X-V]), X = 1.
rest(V) :- left_cleanup(_), !, nb_getval(left, V).
meta(V) :- clause(own_env(V), B), call(B).
alarmed(V) :- set_alarm, ( repeat, nb_getval(alarmed, V), V \== none, ! ).
engined(V) :- own_engine(E), engine_next(E, V).
undone(V) :- nb_setval(undone, none), ( left_undo, fail ; true ), nb_getval(undone, V).
heard(V) :- own_listen, broadcast(tick), nb_getval(heard, V).
`

const savedRules = source.RestrictedMark + `
:- dynamic added/1, extra/1.
nd(1). nd(2) :- true. nd(3) :- true.
own_env(V) :- env(V).
direct(V) :- getenv('MCPLOGIC_RIGHTS', V).
by_call(V) :- G =.. [getenv, 'MCPLOGIC_RIGHTS', V], call(G).
by_module(V) :- system:getenv('MCPLOGIC_RIGHTS', V).
by_maplist(V) :- maplist(getenv, ['MCPLOGIC_RIGHTS'], [V]).
by_findall(V) :- findall(X, env(X), [V]).
by_catch(V) :- catch(throw(x), x, env(V)).
by_assert(V) :- assertz((added(X) :- env(X))), added(V).
by_guard(V), env(V0) => V = V0.
by_cleanup(V) :- setup_call_cleanup(true, true, env(V)).
by_forall(V) :- forall(env(X), nb_setval(f, X)), nb_getval(f, V).
by_dcg(V) :- phrase(asks(V), []).
asks(V) --> { env(V) }.
by_freeze(V) :- freeze(X, env(V)), X = 1.
by_when(V) :- when(nonvar(X), env(V)), X = 1.
by_limit(V) :- call_with_depth_limit(env(V), 100, _).
by_time(V) :- call_with_time_limit(5, env(V)).
:- table by_table/1.
by_table(V) :- by_table(X), X == none, env(V).
by_table(none).
tabled(V) :- by_table(V), V \== none.
read_out(V) :- out(V).
read_out2(V) :- consult('OUT/file.pl'), call(outside, V).
write_out(V) :- note(V).
read_hidden(V) :- hidden(V).
query(V) :- db(V).
query2(V) :- dbs(V).
by_key(V) :- key(V).
by_key2(V) :- '$setting_given'(key, V).
by_key3(V) :- settings:given_text(key, V).
undo_it(V) :- catch('$unrestrict', _, true), env(V).
goal_of(G) :- G = getenv('MCPLOGIC_RIGHTS', _), call(G).
frozen_env(X, V) :- freeze(X, env(V)).
left_cleanup(X) :- setup_call_cleanup(nb_setval(left, none), member(X, [1,2]), ( env(V) -> nb_setval(left, V) ; true )).
set_alarm :- nb_setval(alarmed, none),
    alarm(0, ( env(V) -> nb_setval(alarmed, V) ; nb_setval(alarmed, refused) ), _, []).
own_engine(E) :- engine_create(V, env(V), E).
left_undo :- undo(( env(V) -> nb_setval(undone, V) ; true )).
own_listen :- nb_setval(heard, none), listen(tick, ( env(V) -> nb_setval(heard, V) ; true )).
user:term_expansion(rewritten(_), (rewritten(V) :- env(V))).
user:goal_expansion(magic(V), env(V)).
:- ( getenv('MCPLOGIC_RIGHTS', V) -> assertz(seen(directive, V)) ; true ).
:- initialization(( env(V) -> assertz(seen(initialization, V)) ; true )).
:- assertz((extra(V) :- env(V))).
by_load(V) :- seen(_, V).
by_extra(V) :- extra(V).
long(0) :- !.
long(N) :- M is N - 1, long(M).
`

// makeBank makes the database. It is nil without the build tag sqlite.
var makeBank func(t *testing.T, file string)

// loadRights loads both files with everything that the options can allow. Each test has its own folder.
func loadRights(t *testing.T, owner, saved string, trust bool) (*Snapshot, source.Diagnostics) {
	t.Helper()
	t.Setenv("MCPLOGIC_RIGHTS", "secret")
	dir, out := t.TempDir(), t.TempDir()
	if makeBank != nil {
		makeBank(t, filepath.Join(out, "bank.db"))
	}
	inside := strings.NewReplacer("OUT", filepath.ToSlash(out))
	for name, text := range map[string]string{"z.pl": owner, "a.pl": saved, ".env": "secret",
		"part.inc": "part(V) :- env(V).\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(inside.Replace(text)), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(out, "file"), []byte("secret"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(out, "file.pl"), []byte("outside(secret).\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(out, "rows.csv"), []byte("secret\n"), 0o600))
	s, err := Load(t.Context(), []string{dir}, &Options{AllowRead: []string{out}, AllowWrite: []string{out},
		AllowEnv:  true,
		Databases: OpenDatabases(map[string]Database{"bank": {Address: "sqlite:" + filepath.Join(out, "bank.db")}}),
		Trust:     trust,
		Setting:   func(name string) (string, bool) { return "secret", name == "key" }})
	return s, s.Report(err)
}

// asked returns the first answer for V, "" if there is none.
func asked(t *testing.T, s *Snapshot, name string) string {
	t.Helper()
	for solution, err := range s.Program.Query(t.Context(), name+"(V)", &engine.RunOptions{Transaction: true}) {
		if err == nil {
			return engine.FormatTerm(solution.Get("V"))
		}
		break
	}
	return ""
}

// Rules that a model has saved reach nothing that only the owner's rules may use, however they are written and called.
// The owner's rules keep their rights beside them.
func TestSavedRules(t *testing.T) {
	s, report := loadRights(t, ownerRules, savedRules, false)
	require.NotNil(t, s, "%v", report)
	for _, name := range []string{"env", "out", "note", "hidden", "db", "dbs", "key", "mixed", "between"} {
		if makeBank != nil || !strings.HasPrefix(name, "db") {
			require.Contains(t, asked(t, s, name), "secret", name)
		}
	}
	for _, name := range []string{"through", "called", "rewritten", "magical", "late", "later", "rest", "meta", "alarmed",
		"engined", "undone", "heard"} {
		require.NotContains(t, asked(t, s, name), "secret", name)
	}
	for _, line := range strings.Split(savedRules, "\n") {
		name, rest, _ := strings.Cut(line, "(")
		if strings.HasPrefix(rest, "V)") && !strings.HasPrefix(name, ":-") {
			require.NotContains(t, asked(t, s, name), "secret", name)
		}
	}
	var out bytes.Buffer
	o := &engine.RunOptions{Limits: engine.Limits{Memory: 1 << 20}, Output: &out}
	_, err := s.Program.Once(t.Context(), "long(1000000), own_env(_) -> true ; env(V), write(V)", o)
	require.NoError(t, err)
	require.Equal(t, "secret", out.String())
	why, err := s.Program.WhyNot(t.Context(), "direct(V)", nil)
	require.NoError(t, err)
	require.NotContains(t, why.Text, "secret")

	trusted, report := loadRights(t, ownerRules, savedRules, true)
	require.NotNil(t, trusted, "%v", report)
	for _, name := range []string{"through", "rewritten", "magical", "late", "rest", "direct", "by_load",
		"by_key", "read_hidden", "write_out"} {
		require.Contains(t, asked(t, trusted, name), "secret", name)
	}
}

// TestSavedDirectives restricts the directives of a saved file and the files that it includes. Declarations that need
// rights which cannot be checked later are refused.
func TestSavedDirectives(t *testing.T) {
	const owner = "env(V) :- getenv('MCPLOGIC_RIGHTS', V).\n"
	for text, want := range map[string]string{
		":- facts(account/2, sql(bank, account, [id, owner])).":             "restricted rules ask no databases",
		":- facts(row/1, 'OUT/rows.csv').":                                  "cannot be read",
		":- include('OUT/file.pl').":                                        "cannot be read",
		":- consult('OUT/file.pl').":                                        "cannot be read",
		":- if(getenv('MCPLOGIC_RIGHTS', _)).\n:- syntax error.\n:- endif.": "",
		":- include('part.inc').\nq(V) :- part(V).":                         "",
		"q(V) :- part(V).\n:- include('part.inc').":                         "",
		"q(1).\n% mcplogic: restricted\n":                                   "",
	} {
		s, report := loadRights(t, owner, source.RestrictedMark+"\n"+text+"\n", false)
		if want != "" {
			require.ErrorContains(t, report.Err(), want, text)
			continue
		}
		require.NotNil(t, s, "%s: %v", text, report)
		require.NotContains(t, asked(t, s, "q"), "secret", text)
		require.NotContains(t, asked(t, s, "part"), "secret", text)
	}
}

// When the mark is removed, the rules are loaded anew with all rights. When it is added, they are loaded without them.
func TestSavedMarkReload(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("MCPLOGIC_RIGHTS", "secret")
	write := func(mark string) {
		text := mark + "\np(V) :- getenv('MCPLOGIC_RIGHTS', V).\nq(V) :- p(V), true.\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte(text), 0o600))
	}
	write("%")
	base, err := Open(t.Context(), []string{dir}, &Options{AllowEnv: true})
	require.NoError(t, err)
	for range 2 {
		for _, mark := range []string{source.RestrictedMark, "% trusted"} {
			write(mark)
			require.NoError(t, base.Reload(t.Context()).Err)
			want := map[bool]string{true: "", false: "secret"}[mark == source.RestrictedMark]
			require.Equal(t, want, asked(t, base.Snapshot(), "p"))
			require.Equal(t, want, asked(t, base.Snapshot(), "q"))
		}
	}
}
