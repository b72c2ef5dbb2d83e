package kb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestEffects derives from clauses that tools change nothing, and contradicts tools that claim to change nothing but
// change facts.
func TestEffects(t *testing.T) {
	const rules = `
:- use_module(library(law)).
:- use_module(library(settings)).
:- setting(limit, integer, 3, 'The most.').
:- dynamic(d/1).
fact(1). fact(2).
fact2(1, 2).
helper(X) :- retract(d(X)).
:- table tabl/2.
tabl(X, Y) :- fact2(X, Y).
tabl(X, Y) :- tabl(X, Z), fact2(Z, Y).
g --> [a].
:- info(t/1, [comment is 'Tries.', argnames is [x]]).
:- mode(t(-integer), zero_or_more).
`
	for goal, want := range map[string]string{
		"X is 3 * 2":    "reads",
		"fact(X), d(X)": "reads",
		"( X > 1 -> true ; \\+ fact(X), forall(fact(_), fact(_)) )": "reads",
		"findall(Y, fact(Y), L), sumlist(L, X)":                     "reads",
		"setof(Y, Z^fact2(Y, Z), [X|_])":                            "reads",
		"maplist(succ, [1], [X])":                                   "reads",
		"foldl([A,B,C]>>(C is A + B), [1], 0, X)":                   "reads",
		"tabl(1, X)":                          "reads",
		"phrase(g, L), length(L, X)":          "reads",
		"format(\"~w~n\", [a]), X = 1":        "reads",
		"call(plus(1), 2, X)":                 "reads",
		"catch(fact(X), _, fail)":             "reads",
		"random_between(1, 6, X)":             "reads",
		"in_force('2020-01-01', null), X = 1": "reads",
		"mcp_log(info, hello), X = 1":         "reads",
		"applies(L, fact(X)), atom(L)":        "unknown",
		"assertz(d(X))":                       "changes",
		"helper(X)":                           "changes",
		"maplist(helper, [X])":                "changes",
		"maplist([Y]>>assertz(d(Y)), [X])":    "changes",
		"call(assertz, d(X))":                 "changes",
		"\\+ \\+ retract(d(X))":               "changes",
		"catch(fact(X), _, retractall(d(_)))": "changes",
		"user:helper(X)":                      "changes",
		"findall(Y, retract(d(Y)), [X|_])":    "changes",
		"G = assertz(d(X)), call(G)":          "unknown",
		"fact(G), call(G, X)":                 "unknown",
		"mcp_ask(hi, integer, X)":             "outside",
		"mcp_elicit(hi, {}, decline), X = 1":  "outside",
		"mcp_sample(hi, [], _), X = 1":        "unknown",
		"setting(limit, X)":                   "reads",
		"set_setting(limit, 2), X = 1":        "unknown",
		"open(f, write, S), close(S), X = 1":  "unknown",
		"undefined_thing(X)":                  "unknown",
	} {
		for _, says := range []string{"", "[read_only(true)]"} {
			tool := "tools([tool(t, t, 1)])."
			if says != "" {
				tool = "tools([tool(t, t, 1, " + says + ")])."
			}
			path := filepath.Join(t.TempDir(), "kb.pl")
			require.NoError(t, os.WriteFile(path, []byte(tool+rules+"t(X) :- "+goal+".\n"), 0o600))
			snapshot, err := Load(context.Background(), []string{path}, &Options{Lenient: true})
			report := snapshot.Report(err)
			require.NotNil(t, snapshot, "%v", report)
			hint, open := snapshot.Tools[0].ReadOnly, snapshot.Tools[0].OpenWorld
			require.Equal(t, want == "reads" || want == "outside" || says != "", hint != nil && *hint, goal)
			require.Equal(t, want == "reads", open != nil && !*open, goal)
			contradicts := strings.Contains(report.Error(), "says read_only(true), and its predicate calls")
			require.Equal(t, want == "changes" && says != "", contradicts, goal)
		}
	}
}

// TestEffectsOfHooks checks goals that seem to read, but make the system call hooks.
func TestEffectsOfHooks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rules, goal string }{
		{":- multifile(user:portray/1).\nuser:portray(s(Y)) :- EFFECT, print(Y).", "print(s(1)), X = 1"},
		{":- multifile(user:portray/1).\nuser:portray(s(Y)) :- EFFECT, print(Y).", "format(\"~p\", [s(1)]), X = 1"},
		{":- multifile(user:portray/1).\nuser:portray(s(Y)) :- EFFECT, print(Y).",
			"write_term(s(1), [portray(true)]), X = 1"},
		{":- multifile(user:message_hook/3).\nuser:message_hook(_, _, _) :- EFFECT.", "print_message(error, a), X = 1"},
		{":- multifile(prolog:message//1).\nprolog:message(a) --> { EFFECT }, ['A'].", "print_message(error, a), X = 1"},
		{":- multifile(error:has_type/2).\nerror:has_type(mine, _) :- EFFECT.", "must_be(mine, 1), X = 1"},
		{":- table(low(_, lattice(least/3))).\nlow(1, 2).\nlow(1, 3).\nleast(A, B, C) :- EFFECT, C is min(A, B).",
			"low(1, X)"},
		{":- table(low(_, po(less/2))).\nlow(1, 2).\nlow(1, 3).\nless(A, B) :- EFFECT, A < B.", "low(1, X)"},
		{":- multifile(user:portray/1).\nuser:portray(s(Y)) :- EFFECT, print(Y).",
			"term_string(_, s(1), [portray(true)]), X = 1"},
		{":- multifile(user:portray/1).\nuser:portray(s(Y)) :- EFFECT, print(Y).",
			"write_length(s(1), _, [portray(true)]), X = 1"},
		{":- multifile(user:message_property/2).\nuser:message_property(_, prefix(a)) :- EFFECT.",
			"print_message(error, a), X = 1"},
		{":- multifile(prolog:error_message//1).\nprolog:error_message(a) --> { EFFECT }, ['A'].",
			"print_message(error, error(a, _)), X = 1"},
		{":- multifile(user:exception/3).\nuser:exception(undefined_global_variable, z, retry) :- EFFECT, nb_setval(z, 1).",
			"nb_getval(z, X)"},
		{":- multifile(error:has_type/2).\nerror:has_type(_, _) :- EFFECT.", "nth1(1, [1], X)"},
		{"each(G) :- call(G).\n:- meta_predicate(each(0)).", "foreach(member(Y, [1]), (EFFECT, Y > 0)), X = 1"},
	} {
		for effect, reads := range map[string]bool{"true": true, "assertz(d(1))": false} {
			if strings.Contains(test.goal, "foreach") && reads {
				continue // it copies goals
			}
			text := ":- dynamic(d/1).\n" + test.rules + "\n:- mode(t(-integer), one).\n" +
				":- info(t/1, [comment is 'Tries.', argnames is [x]]).\ntools([tool(t, t, 1)]).\nt(X) :- " + test.goal + ".\n"
			path := filepath.Join(t.TempDir(), "kb.pl")
			require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "EFFECT", effect)), 0o600))
			snapshot, err := Load(context.Background(), []string{path}, nil)
			require.NoError(t, err)
			hint := snapshot.Tools[0].ReadOnly
			require.Equal(t, reads, hint != nil && *hint, "%s %s", test.goal, effect)
		}
	}
}

// TestEffectsOfTexts checks goals that are called because a text, an option or a type names them.
func TestEffectsOfTexts(t *testing.T) {
	t.Parallel()
	for goal, reads := range map[string]bool{
		`interpolate_string("{@assertz(d(1))}", _, [], [goals(true)]), X = 1`:        false,
		`O = [goals(true)], interpolate_string("{@assertz(d(1))}", _, [], O), X = 1`: false,
		`interpolate_string("{a}", _, [a = 1], []), X = 1`:                           true,
		`format("~w: ~a@b~n", [1, a]), X = 1`:                                        true,
		`format("~@", [assertz(d(1))]), X = 1`:                                       false,
		`format(atom(_), '~w ~*@', [1, 2, assertz(d(1))]), X = 1`:                    false,
		`p(F), format(F, [assertz(d(1))]), X = 1`:                                    false,
		`maplist(format("~w"), [1]), X = 1`:                                          true,
		`maplist(format, ["~w"], [1]), X = 1`:                                        false,
		`print_message(error, format("~@", [assertz(d(1))])), X = 1`:                 false,
		`must_be(record(m:p), 1), X = 1`:                                             false,
		`must_be(list(record(m:p)), [1]), X = 1`:                                     false,
		`must_be(list(integer), [1]), X = 1`:                                         true,
		`format("~v", [a]), X = 1`:                                                   true,
		`own(1), format("~v", [a]), X = 1`:                                           false,
	} {
		text := ":- dynamic(d/1).\n:- mode(t(-integer), one).\n:- info(t/1, [comment is 'Tries.', argnames is [x]]).\n" +
			"tools([tool(t, t, 1)]).\np(\"~@\").\nt(X) :- " + goal + ".\n"
		if strings.Contains(goal, "own(1)") {
			text += ":- format_predicate(v, f(_, _)).\nf(_, _) :- assertz(d(1)).\nown(1).\n"
		}
		path := filepath.Join(t.TempDir(), "kb.pl")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		snapshot, err := Load(context.Background(), []string{path}, &Options{Lenient: true})
		require.NoError(t, err)
		hint := snapshot.Tools[0].ReadOnly
		require.Equal(t, reads, hint != nil && *hint, goal)
	}
}

// TestRefusedByClients checks names that get a warning and schemas that are refused, because clients would drop all
// tools of the server.
func TestRefusedByClients(t *testing.T) {
	schema := "{type-object, properties-{x-{}}, required-[%s]}"
	needs := func(name string) string { return strings.Replace(schema, "%s", name, 1) }
	for text, want := range map[string]string{
		"tools([tool('calendar.read', t, 1)]).":                        "some clients refuse all tools",
		"tools([tool(" + strings.Repeat("a", 65) + ", t, 1)]).":        "some clients refuse all tools",
		"tools([tool(" + strings.Repeat("a", 64) + ", t, 1)]).":        "",
		"tools([tool(t, t, 1, [input_schema(" + needs("y") + ")])]).":  `required names "y"`,
		"tools([tool(t, t, 1, [input_schema(" + needs("x") + ")])]).":  "",
		"tools([tool(t, t, 1)]). input_schema(t, " + needs("y") + ").": `required names "y"`,
	} {
		path := filepath.Join(t.TempDir(), "kb.pl")
		rules := "\n:- mode(t(-atom), one).\n:- info(t/1, [comment is 'Tries.', argnames is [x]]).\nt(a).\n"
		require.NoError(t, os.WriteFile(path, []byte(text+rules), 0o600))
		loaded, err := Load(context.Background(), []string{path}, &Options{Lenient: true})
		report := loaded.Report(err)
		if want == "" {
			require.Empty(t, report, text)
			continue
		}
		require.Contains(t, report.Error(), want, text)
	}
}

// TestReadsUserInput checks the warning about tools that reach a goal which reads user_input.
func TestReadsUserInput(t *testing.T) {
	t.Parallel()
	for goal, want := range map[string]string{
		"read(X)":                 "read/1",
		"write(ready), deeper(X)": "get_char/1",
		"( read_term(Y, []), Y == yes -> X = 1 )": "read_term/2",
		"maplist(read, [X])":                      "read/1",
		"findall(Y, get_code(Y), X)":              "get_code/1",
		"read(user_input, X)":                     "read/2",
		"read_term(user_input, X, [])":            "read_term/3",
		"read_line_to_string(user_input, X)":      "read_line_to_string/2",
		"assertz(d(1)), read(X)":                  "read/1",
		"see(f), read(X), seen":                   "",
		"open(f, read, S), read(S, X), close(S)":  "",
		"read_term_from_atom(abc, X, [])":         "",
		"own(X)":                                  "",
		"X = read(_)":                             "",
	} {
		for _, options := range []string{"", ", [destructive(true)]"} {
			path := filepath.Join(t.TempDir(), "kb.pl")
			text := ":- dynamic d/1.\n:- mode(t(-term), one).\n:- info(t/1, [comment is 'Tries.', argnames is [x]]).\n" +
				"tools([tool(t, t, 1" + options + ")]).\ndeeper(X) :- get_char(X).\nown(X) :- get(user_input, X, 1).\n" +
				"get(_, 1, 1).\nt(X) :- " + goal + ".\n"
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			loaded, err := Load(context.Background(), []string{path}, &Options{Lenient: true})
			report := loaded.Report(err)
			if want == "" {
				require.NotContains(t, report.Error(), "user_input by", goal)
				continue
			}
			require.Contains(t, report.Error(), "tool t reads user_input by "+want+", and clients have none", goal)
		}
	}
}

// TestRequiredInForms checks the warning about required properties that a form does not describe.
func TestRequiredInForms(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]string{
		"{type-object, properties-{a-{type-string}}, required-[zz]}":                                            "zz",
		`{type-object, properties-{a-{type-string}}, required-["a", "b"], additionalProperties- @(false)}`:      "b",
		"{type-object, properties-{a-{type-object, properties-{b-{type-string}}, required-[c]}}, required-[a]}": "c",
		"{type-object, properties-{}, required-[x]}":                                                            "x",
		"{type-object, properties-{a-{type-string}}, required-[a]}":                                             "",
		"{type-object, properties-{a-{type-string}}, required-[b], additionalProperties-{type-string}}":         "",
		"{type-object, properties-A, required-[b]}":                                                             "",
	} {
		path := filepath.Join(t.TempDir(), "kb.pl")
		text := "capabilities([elicitation]). t(A) :-\n  mcp_elicit(hi, " + form + ", A).\n"
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		loaded, err := Load(context.Background(), []string{path}, &Options{Lenient: true, Lint: true})
		report := loaded.Report(err)
		if want == "" {
			require.NotContains(t, codesOf(report), "schema", form)
			continue
		}
		require.Contains(t, report.Error(), `required names "`+want+`", which properties lacks`, form)
		require.Contains(t, report.Error(), "kb.pl:2:", form)
	}
}

// TestFormats checks the warning about formats in forms that MCP does not define.
func TestFormats(t *testing.T) {
	t.Parallel()
	form := "mcp_elicit(hi, {type-object, properties-{%}}, A)"
	for goal, want := range map[string]string{
		strings.Replace(form, "%", "n-{type-string, format-int32}", 1):                              "int32",
		strings.Replace(form, "%", "n-{type-string, format-'uri-template'}", 1):                     "uri-template",
		strings.Replace(form, "%", "n-{type-string, format-\"time\"}", 1):                           "time",
		"( A = 1 -> true ; " + strings.Replace(form, "%", "n-{type-string, format-uuid}", 1) + " )": "uuid",
		"mcp_elicit_all([ask(k, hi, {type-object, properties-{n-{type-string, format-x}}})], A)":    "x",
		strings.Replace(form, "%", "n-{type-string, format-date}", 1):                               "",
		strings.Replace(form, "%", "n-{type-string, format-'date-time'}", 1):                        "",
		strings.Replace(form, "%", "n-{type-string, format-email}, u-{format-uri}", 1):              "",
		strings.Replace(form, "%", "format-{type-string}", 1):                                       "",
		"A = {type-string, format-int32}":                                                           "",
		"mine(hi, {format-int32}, A)":                                                               "",
	} {
		path := filepath.Join(t.TempDir(), "kb.pl")
		text := "capabilities([elicitation]).\nmine(_, _, 1).\nt(A) :-\n  " + goal + ".\n"
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		loaded, err := Load(context.Background(), []string{path}, &Options{Lenient: true, Lint: true})
		report := loaded.Report(err)
		if want == "" {
			require.NotContains(t, codesOf(report), "format", goal)
			require.NotContains(t, codesOf(report), "schema", goal)
			continue
		}
		require.Contains(t, report.Error(), "forms have no format "+want+", and clients may refuse", goal)
		require.Contains(t, report.Error(), "kb.pl:4:", goal)
	}
}

// TestMembers checks the warning about inputs that are objects without named members.
func TestMembers(t *testing.T) {
	t.Parallel()
	for mode, warned := range map[string]bool{
		"+dict": true, "+object": true, "?dict": true, "+list(dict)": true, "+non_empty_list(list(object))": true,
		"+maybe(dict)": true, "+types([integer, dict])": true, "+object([x-dict])": true, "+pair(atom, object)": true,
		"+compound": true, "-dict": false, "--list(dict)": false, "+object([x-integer])": false, "+pair(atom, atom)": false,
		"+list(atom)": false, "+nothing": false, "+any": false,
	} {
		text := ":- mode(t(+atom, " + mode + "), zero_or_one).\ntools([tool(t, t, 2)]).\nt(_, X) :- X = 1.\n"
		for more, silenced := range map[string]bool{
			"argnames is [k, x]":                         false,
			"arguments is [k - 'A key.', x - 'A pair.']": true,
		} {
			report := checkText(t, text+":- info(t/2, [comment is 'Tries.', "+more+"]).\n").Error()
			if warned && !silenced {
				require.Contains(t, report, "tool t does not say which members its input x has", mode+more)
				continue
			}
			require.NotContains(t, report, "members", mode+more)
		}
	}
}

// Goals of a tool that may seem to read, and of another tool that makes it change something. RULE is a body that
// changes facts.
var (
	seemsToRead = strings.Split(`d(X)
\+ d(9), X = 1
findall(Y, d(Y), [X|_])
forall(d(_), true), X = 1
deeper(X)
e(X)
p(X)
plain(X)
m:d(X)
print(s(1)), X = 1
format("~p", [s(1)]), X = 1
format("~v", [a]), X = 1
must_be(mine, 1), X = 1
maplist(d, [X])
aggregate_all(max(Y), d(Y), X)
call(d, X)
each(d(X))
length(a, b, c, X)
tabl(X)
tnot(tabl(9)), X = 1
phrase(g, [X])
append([X], [], [_])
nb_getval(k, X)`, "\n")
	mayAddRules = strings.Split(`assertz(d(5))
assertz((HEAD :- RULE))
asserta((HEAD => RULE))
assertz((HEAD, true => RULE))
assertz(user:(HEAD :- RULE))
assertz((user:HEAD :- RULE))
assertz((HEAD :- RULE), _)
maplist(assertz, [(HEAD :- RULE)])
C = (HEAD :- RULE), assertz(C)
assertz((w2 :- assertz((HEAD :- RULE)))), w2
G = assertz((HEAD :- RULE)), call(G)
each(assertz((HEAD :- RULE)))
findall(x, assertz((HEAD :- RULE)), _)
( d(8) -> true ; assertz((HEAD :- RULE)) )
format("~@", [assertz((HEAD :- RULE))])
term_to_atom(T, 'assertz((HEAD :- RULE))'), call(T)
stored(G), call(G)
add((HEAD :- RULE)). add(R) :- assertz(R)
incr_assertz((HEAD :- RULE))
format_predicate(v, own(_, _))
load_files(later, [stream(S)])
retract(d(1)), assertz((HEAD :- RULE))
catch(throw((HEAD :- RULE)), R, assertz(R))
nb_setval(k, 2)`, "\n")
)

const mayChangeRules = `:- dynamic(d/1). :- dynamic(e/1). :- dynamic(q/1). :- dynamic(h/1). :- dynamic(m:d/1).
:- dynamic(user:portray/1). :- multifile(user:portray/1). :- multifile(error:has_type/2).
:- dynamic(error:has_type/2). :- dynamic(w2/0). :- table(tabl/1). :- use_module(library(increval)).
:- meta_predicate(each(0)). :- persistent(p/1).
d(1). d(2). e(1). q(1). q(2). q(3). plain(1). m:d(1).
deeper(X) :- d(X). deeper(3).
tabl(X) :- plain(X).
g --> [a].
each(G) :- call(G).
own(_, _) :- RULE.
stored(assertz((HEAD :- RULE))).
:- mode(r(-any), zero_or_more). :- mode(w, zero_or_more).
:- info(r/1, [comment is 'Tries.', argnames is [x]]). :- info(w/0, [comment is 'Tries.']).
tools([tool(r, r, 1), tool(w, w, 0)]).
`

// TestReadsWhateverRuns generates programs with two tools. If the first tool is derived to change nothing, it changes
// nothing, whatever the second one did before.
func TestReadsWhateverRuns(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(30, 1))
	said, unsaid := 0, 0
	for n, read := range seemsToRead {
		for range deep.Count(6, 60) {
			write := mayAddRules[random.IntN(len(mayAddRules))]
			head := []string{"d(_)", "d(9)", "e(_)", "p(_)", "m:d(_)", "user:portray(_)", "error:has_type(mine, _)",
				"append(_, _, _)", "plain(_)", "g(_, _)"}[(n+random.IntN(10))%10]
			rule := []string{"retract(q(_))", "retract(q(_)), fail", "assertz(h(1))", "once(retract(q(_)))"}[random.IntN(4)]
			text := strings.NewReplacer("HEAD", head, "RULE", rule).Replace(mayChangeRules + "r(X) :- " + read + ".\nw :- " +
				write + ".\n")
			path := filepath.Join(t.TempDir(), "kb.pl")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			own := engine.Predicate{Name: "length", Arity: 4, Call: func(c *engine.Call) (bool, error) { return true, nil }}
			s, err := Load(t.Context(), []string{path}, &Options{Lenient: true, Predicates: []engine.Predicate{own}})
			require.NoError(t, err)
			if hint := s.Tools[0].ReadOnly; hint == nil || !*hint {
				unsaid++
				continue
			}
			said++
			for range 8 {
				before := changeable(t, s)
				if random.IntN(3) == 0 {
					_, _ = s.Program.Once(t.Context(), "w", nil)
					continue
				}
				_, _ = s.Program.Once(t.Context(), "catch(forall(r(_), true), _, true)", nil)
				require.Equal(t, before, changeable(t, s), text)
			}
		}
	}
	require.Greater(t, said, unsaid/4, "%d said, %d not", said, unsaid)
}

// changeable returns the clauses and flags of a program that a goal may have changed.
func changeable(t *testing.T, s *Snapshot) string {
	t.Helper()
	const goal = `findall(C-B, (member(H, [d(_), e(_), q(_), h(_), p(_), m:d(_), user:portray(_), w2]),
	    catch(clause(H, B), _, fail), C = H), Clauses), findall(F-V, (member(F, [double_quotes, unknown]),
	    current_prolog_flag(F, V)), Flags), term_to_atom(Clauses-Flags, Text)`
	answer, err := s.Program.Once(t.Context(), goal, nil)
	require.NoError(t, err)
	return fmt.Sprint(answer.Get("Text"))
}

// TestReadsAfterReload checks that a tool loses its hint after a reload in which it inherits a rule, even if the new
// files add no rule.
func TestReadsAfterReload(t *testing.T) {
	t.Parallel()
	text := ":- dynamic(d/1). :- dynamic(q/1).\nd(1).\ntools([tool(r, r, 1)]).\nr(X) :- d(X).\n"
	path := filepath.Join(t.TempDir(), "kb.pl")
	require.NoError(t, os.WriteFile(path, []byte(text+"w :- assertz((d(X) :- retract(q(X)))).\n"), 0o600))
	b, err := Open(t.Context(), []string{path}, nil)
	require.NoError(t, err)
	require.Nil(t, b.Snapshot().Tools[0].ReadOnly)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	require.NoError(t, b.Reload(t.Context()).Err)
	require.True(t, *b.Snapshot().Tools[0].ReadOnly)
	require.NoError(t, os.WriteFile(path, []byte(text+"w :- assertz((d(X) :- retract(q(X)))).\n"), 0o600))
	require.NoError(t, b.Reload(t.Context()).Err)
	_, err = b.Snapshot().Program.Once(t.Context(), "w", nil)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	require.NoError(t, b.Reload(t.Context()).Err)
	require.Nil(t, b.Snapshot().Tools[0].ReadOnly)
	require.Nil(t, b.Snapshot().Tools[0].OpenWorld)
}
