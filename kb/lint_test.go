package kb

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// lints are the codes of mistakes in programs that load and run.
var lints = []string{"left_recursion", "right_recursion", "not_monotone", "negation", "unbound", "unevaluated"}

// linted returns what is wrong with a text, of these.
func linted(t *testing.T, name, text string) (list engine.Diagnostics) {
	p := engine.New(&engine.Options{Lint: true, Lenient: true, Declarations: nil})
	_ = p.Load(t.Context(), engine.Source{Name: name, Text: text})
	for _, d := range p.Diagnostics() {
		if slices.Contains(lints, d.Code) {
			list = append(list, d)
		}
	}
	return list
}

// Programs that are right have no such mistakes: the examples, the library, the benchmarks and the cases of the
// language.
func TestNoFalseLints(t *testing.T) {
	n := 0
	for _, pattern := range []string{"../examples/*/*.pl", "../engine/internal/lib/*.pl",
		"../engine/internal/lib/system/*.pl", "../bench/*/*.pl", "../bench/*.pl",
		"../testdata/*/*.pl", "../bridge/testdata/kb/*.pl"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			for _, d := range linted(t, name, string(text)) {
				t.Error(d)
			}
			n++
		}
	}
	if testing.Short() {
		return
	}
	tables, err := filepath.Glob("../testdata/lang/*.jsonl")
	require.NoError(t, err)
	for _, name := range tables {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			var c struct {
				ID    any `json:"id"`
				Setup string
			}
			if json.Unmarshal(lines.Bytes(), &c) != nil || !strings.Contains(c.Setup, ":-") {
				continue
			}
			for _, d := range linted(t, filepath.Base(name), c.Setup) {
				t.Error(d)
			}
			n++
		}
	}
	t.Log(n, "programs")
}

// lintCases are programs with a mistake, and programs that look like those and have none.
var lintCases = map[string]struct{ wrong, right []string }{
	"unevaluated": {
		wrong: []string{
			"len([], 0).\nlen([_|T], N) :- len(T, M), N = M + 1.",
			"fact(0, 1).\nfact(N, F) :- N > 0, M = N - 1, fact(M, G), F = N * G.",
			":- mode(total(+integer, +integer, -integer), one).\ntotal(A, B, T) :- T = A + B.",
			"grade(P, G) :- points(P, N), G = N // 10, G > 4.\npoints(ann, 70).",
			"price(tea, 3).\nwith_tax(P, T) :- price(P, N), T = N * 1.2.",
			"half(X, Y) :- ( X >= 2 -> Y = X / 2 ; Y = 0 ).",
		},
		right: []string{
			"split(A, B, P) :- A > B, P = A - B.",
			"d(X, X, 1).\nd(U + V, X, D) :- d(U, X, A), d(V, X, B), D = A + B.",
			"spec(Name, Arity, S) :- Arity >= 0, atom(Name), S = Name/Arity.",
			"sum(A, B, T) :- T is A + B.",
			"pairs([], []).\npairs([K|Ks], [P|Ps]) :- P = K - 1, pairs(Ks, Ps).",
			"sum(A, B, E) :- E = A + B.",
			"calc(X, Y) :- E = X * 2, call(eval, E, Y).\neval(E, V) :- V is E.",
		},
	},
	"left_recursion": {
		wrong: []string{
			"path(X, Y) :- edge(X, Y).\npath(X, Y) :- path(X, Z), edge(Z, Y).\nedge(a, b).",
			"anc(X, Y) :- anc(Z, Y), parent(X, Z).\nanc(X, Y) :- parent(X, Y).\nparent(a, b).",
			"near(X, Y) :- near(Y, X).\nnear(a, b).",
			"part(X, Y, N) :- part(X, Z, N), in(Z, Y).\npart(a, b, 1).\nin(b, c).",
			"knows(X, Y) :- friend(X, Y).\nknows(X, Y) :- knows(X, Z), knows(Z, Y).\nfriend(a, b).",
		},
		right: []string{
			":- table path/2.\npath(X, Y) :- edge(X, Y).\npath(X, Y) :- path(X, Z), edge(Z, Y).\nedge(a, b).",
			"path(X, Y) :- edge(X, Y).\npath(X, Y) :- edge(X, Z), path(Z, Y).\nedge(a, b).",
			"len([], 0).\nlen([_|T], N) :- len(T, M), N is M + 1.",
			"add(0, Y, Y).\nadd(s(X), Y, s(Z)) :- add(X, Y, Z).",
			"nat(0).\nnat(N) :- nat(M), N is M + 1.",
			"again.\nagain :- again.",
			"path(X, Y) :- path(X, Y, []).\npath(X, Y, _) :- edge(X, Y).\nedge(a, b).",
		},
	},
	"negation": {
		wrong: []string{
			":- mode(single(-atom), zero_or_more).\nsingle(X) :- \\+ married(X), person(X).\nmarried(a).\nperson(b).",
			"free(R) :- room(R), \\+ booked(R, D), day(D).\nroom(1). day(m). booked(1, m).",
			"p(X) :- q(X), \\+ r(X, Y), s(Y).\nq(1). r(1, 2). s(2).",
			":- mode(other(+atom, -atom), zero_or_more).\nother(X, Y) :- \\+ same(X, Y).\nsame(a, a).",
			"p(X) :- ( q(X), \\+ r(Y), s(Y) ; s(X) ).\nq(1). r(1). s(2).",
		},
		right: []string{
			":- mode(single(-atom), zero_or_more).\nsingle(X) :- person(X), \\+ married(X).\nmarried(a).\nperson(b).",
			"single(X) :- \\+ married(X), person(X).\nmarried(a).\nperson(b).",
			":- mode(single(+atom), zero_or_one).\nsingle(X) :- \\+ married(X), person(X).\nmarried(a).\nperson(b).",
			"childless(X) :- person(X), \\+ parent(X, _).\nperson(a). parent(b, c).",
			"childless(X) :- person(X), \\+ ( parent(X, Y), alive(Y) ).\nperson(a). parent(b, c). alive(c).",
			"p(X) :- \\+ \\+ X = 1, q(X).\nq(1).",
			"p :- \\+ ( q(X), r(X) ), \\+ ( s(X), r(X) ).\nq(1). r(1). s(2).",
			"p(X) :- \\+ ( X = Y, q(Y) ), q(Y).\nq(1).",
		},
	},
	"unbound": {
		wrong: []string{
			"rich(X) :- Income > 1000, income(X, Income).\nincome(ann, 2000).",
			":- mode(age(+atom, -integer), one).\nage(P, A) :- A > 17, known(P, A).\nknown(ann, 20).",
			"next(X, Y) :- Y is X + Z, step(Z).\nstep(1).",
			"p(X) :- ( q(X), Y =< 3 ; true ), r(Y).\nq(1). r(2).",
			"total(L, T) :- T is Sum * 2, sum_list(L, Sum).",
		},
		right: []string{
			"rich(X) :- income(X, Income), Income > 1000.\nincome(ann, 2000).",
			"adult(A) :- A > 17.",
			":- mode(age(+atom, +integer), one).\nage(P, A) :- A > 17, known(P, A).\nknown(ann, 20).",
			":- mode(age(+atom, -integer), one).\n:- mode(age(+atom, +integer), one).\n" +
				"age(P, A) :- ( var(A) -> true ; A > 17 ), " +
				"known(P, A).\nknown(ann, 20).",
			"total(L, T) :- sum_list(L, Sum), T is Sum * 2.",
			"p(X) :- freeze(Y, Y > X), q(Y).\nq(1).",
			":- mode(next(+integer, -integer), one).\nnext(X, Y) :- Y is X + 1.",
		},
	},
	"right_recursion": {
		wrong: []string{
			":- table path/2.\n:- mode(path(+atom, -atom), zero_or_more).\npath(X, Y) :- edge(X, Y).\n" +
				"path(X, Y) :- edge(X, Z), path(Z, Y).\nedge(a, b).",
			":- mode(anc(+atom, -atom), zero_or_more).\n:- table anc/2.\nanc(X, Y) :- up(X, Z), anc(Z, Y).\n" +
				"anc(X, Y) :- up(X, Y).\nup(a, b).",
			":- table r/3.\n:- mode(r(+atom, +atom, -atom), zero_or_more).\nr(L, X, Y) :- e(L, X, Z), r(L, Z, Y).\n" +
				"r(L, X, Y) :- e(L, X, Y).\ne(l, a, b).",
			":- table (needs/2) as subsumptive.\n:- mode(needs(+atom, -atom), zero_or_more).\nneeds(X, Y) :- uses(X, Y).\n" +
				"needs(X, Y) :- uses(X, Z), good(Z), needs(Z, Y).\nuses(a, b). good(b).",
			":- table q/2.\n:- mode(q(-atom, +atom), zero_or_more).\nq(X, Y) :- e(Z, Y), q(X, Z).\n" +
				"q(X, Y) :- e(X, Y).\ne(a, b).",
		},
		right: []string{
			":- table path/2.\n:- mode(path(+atom, -atom), zero_or_more).\npath(X, Y) :- edge(X, Y).\n" +
				"path(X, Y) :- path(X, Z), edge(Z, Y).\nedge(a, b).",
			":- table path/2.\npath(X, Y) :- edge(X, Y).\npath(X, Y) :- edge(X, Z), path(Z, Y).\nedge(a, b).",
			":- mode(path(+atom, -atom), zero_or_more).\npath(X, Y) :- edge(X, Y).\n" +
				"path(X, Y) :- edge(X, Z), path(Z, Y).\nedge(a, b).",
			":- table fib/2.\n:- mode(fib(+integer, -integer), one).\nfib(0, 0).\nfib(1, 1).\n" +
				"fib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, G), fib(B, H), F is G + H.",
			":- table down/2.\n:- mode(down(+integer, -integer), one).\ndown(0, 0).\n" +
				"down(N, F) :- N > 0, M is N - 1, down(M, F).",
			":- table path/2.\n:- mode(path(-atom, -atom), zero_or_more).\npath(X, Y) :- edge(X, Y).\n" +
				"path(X, Y) :- edge(X, Z), path(Z, Y).\nedge(a, b).",
		},
	},
	"not_monotone": {
		wrong: []string{
			":- table cost(_, min).\ncost(a, 1).\ncost(X, C) :- edge(Y, X), cost(Y, D), C is 10 - D.\nedge(a, b).",
			":- table best(_, max).\nbest(a, 1).\nbest(X, C) :- edge(Y, X), best(Y, D), D < 5, C is D + 1.\nedge(a, b).",
			":- table dist(_, _, min).\ndist(X, Y, D) :- edge(X, Y, D).\n" +
				"dist(X, Y, D) :- dist(X, Z, A), A > 3, edge(Z, Y, B), " +
				"D is A + B.\nedge(a, b, 1).",
			":- table win(_, max).\nwin(X, 1) :- move(X, Y), \\+ win(Y, 1).\nmove(a, b).",
			":- table size(_, max).\nsize(X, N) :- findall(M, ( in(X, Y), size(Y, M) ), L), sum_list(L, N).\nin(a, b).",
		},
		right: []string{
			":- table dist(_, _, min).\ndist(X, Y, D) :- edge(X, Y, D).\ndist(X, Y, D) :- dist(X, Z, A), edge(Z, Y, B), " +
				"D is A + B.\nedge(a, b, 1).",
			":- table dist(_, min).\ndist(a, 0).\ndist(X, D) :- dist(Y, A), A < 10, edge(Y, X), D is A + 1.\nedge(a, b).",
			":- table best(_, max).\nbest(a, 1).\nbest(X, C) :- edge(Y, X), best(Y, D), D > 0, C is D - 1.\nedge(a, b).",
			":- table cost/2.\ncost(a, 1).\ncost(X, C) :- edge(Y, X), cost(Y, D), C is 10 - D.\nedge(a, b).",
			":- table dist(_, min).\ndist(a, 0).\n" +
				"dist(X, D) :- dist(Y, A), edge(Y, X), \\+ closed(X), D is A + 1.\nedge(a, b). closed(c).",
		},
	},
	"undeclared": {
		wrong: []string{
			"tools([tool(greet, hello, 1)]).\nhello(x).\ntool_call(greets, _, text(hi)).",
			"tool_call(hello, _, text(hi)).",
			"prompts([prompt(p, 'P.', [])]).\nprompt_get(q, _, hi).\nprompt_get(p, _, hi).",
			"resources([resource('a://b', b, 'B.', 'text/plain')]).\nresource_read('a://c', _, text(hi)).\n" +
				"resource_read('a://b', _, text(hi)).",
			"prompts([prompt(p, 'P.', [])]).\nprompt_get(p, _, hi).\ncompletion(prompt(pp), a, _, [x]).",
		},
		right: []string{
			"tools([tool(greet, hello, 1)]).\nhello(x).\ntool_call(greet, _, text(hi)).",
			"tools([tool(greet, hello, 1)]).\nhello(x).\ntool_call(_, _, text(hi)).",
			"prompts([prompt(p, 'P.', [])]).\nprompt_get(p, _, hi).",
			"resource_templates([resource_template('a://{x}', b, 'B.', 'text/plain')]).\nresource_read('a://c', _, text(hi)).",
			"hello(x).\nother(hello).\ntool_calls(hello, _, text(hi)).",
		},
	},
	"item_fact": {
		wrong: []string{
			"tool(greet, hello, 1).\nhello(x).",
			"tool(greet, hello, 1, [title('Greets')]).\nhello(x).",
			"prompt(greet, 'Greets.', []).\nprompt_get(greet, _, hi).",
			"resource('a://b', b, 'B.', 'text/plain').",
			"resource_template('a://{x}', b, 'B.', 'text/plain').",
		},
		right: []string{
			"tools([tool(greet, hello, 1)]).\nhello(x).",
			"tool(hammer, nails, 12).\nhello(x).",
			"tools(L) :- findall(tool(A, B, C), tool(A, B, C), L).\ntool(greet, hello, 1).\nhello(x).",
			"prompt(greet, 'Greets.', now).",
			"resource(water, 'Water', 'Wet.', 3).",
		},
	},
}

// Each mistake is found, and programs that are right are left alone.
func TestLints(t *testing.T) {
	for code, cases := range lintCases {
		require.GreaterOrEqual(t, min(len(cases.wrong), len(cases.right)), 5, code)
		check := func(text string) []string {
			folder := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(folder, "a.pl"), []byte(text+"\n"), 0o600))
			_, report := Load(t.Context(), []string{folder}, &Options{Lint: true})
			for _, d := range report {
				require.NotEqual(t, engine.SeverityError, d.Severity, "%s: %s", text, d)
			}
			return codesOf(report)
		}
		for _, text := range cases.wrong {
			require.Contains(t, check(text), code, text)
		}
		for _, text := range cases.right {
			require.NotContains(t, check(text), code, text)
			for _, other := range lints {
				require.NotContains(t, check(text), other, text)
			}
		}
	}
}
