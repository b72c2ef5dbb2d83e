package engine_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/debug"
	"github.com/mcplogic/mcplogic/engine/host"
)

// This file checks lists, totals and conditions over undefined propositions in all cases, that is, for each assignment
// of truth values to these propositions: an answer that is not undefined has to be right in every case.

// openTotals is a random program. Its propositions c0, c1 and so on are totals and conditions over the propositions of
// an openProgram and over earlier ones.
type openTotals struct {
	r      *rand.Rand
	base   openProgram
	tabled []bool
	rules  [][][]openTotal // the clauses of each proposition
	keys   int             // global variables and predicates
	lines  []string        // the clauses of these predicates
}

// openTotal is a goal, and its result when each proposition has a truth value.
type openTotal struct {
	text  string
	uses  []int
	holds func(truth []bool) bool
	rules []string // the propositions that the goal calls
}

// literal is a proposition, one of those before the total n, or its negation.
func (p *openTotals) literal(n int) openTotal {
	i, negated := p.r.Intn(len(p.base)+n), p.r.Intn(2) == 1
	name, tabled := fmt.Sprintf("p%d", i), true
	if i >= len(p.base) {
		name, tabled = fmt.Sprintf("c%d", i-len(p.base)), p.tabled[i-len(p.base)]
	}
	if negated && tabled && p.r.Intn(2) == 1 {
		name = "tnot(" + name + ")"
	} else if negated {
		name = `\+ ` + name
	}
	return openTotal{text: name, uses: []int{i}, holds: func(truth []bool) bool { return truth[i] != negated }}
}

// goal is a random total or condition.
func (p *openTotals) goal(n int) openTotal {
	lits := []openTotal{p.literal(n), p.literal(n), p.literal(n)}
	var each []string
	g := openTotal{}
	for i, l := range lits {
		each = append(each, fmt.Sprintf("I = %d, %s", i+1, l.text))
		g.uses = append(g.uses, l.uses...)
	}
	all, k := "( "+strings.Join(each, " ; ")+" )", p.r.Intn(4)
	solutions := func(truth []bool) (list []int) {
		for i, l := range lits {
			if l.holds(truth) {
				list = append(list, i+1)
			}
		}
		return list
	}
	sum := func(truth []bool) (n int) {
		for _, i := range solutions(truth) {
			n += i
		}
		return n
	}
	last := func(truth []bool) int {
		if list := solutions(truth); len(list) > 0 {
			return list[len(list)-1]
		}
		return 0
	}
	count := func(truth []bool) int { return len(solutions(truth)) }
	marks := strings.Repeat("x", k)
	total, j := fmt.Sprintf("aggregate_all(count, %s, %d)", all, k), 1+p.r.Intn(3)
	a, b := lits[0], lits[1]
	p.keys++ // one total may call another
	h := fmt.Sprintf("h%d", p.keys)
	forms := []openTotal{
		{text: fmt.Sprintf("aggregate_all(count, %s, %d)", all, k), holds: func(t []bool) bool { return count(t) == k }},
		{text: fmt.Sprintf("aggregate_all(count, %s, N), N >= %d", all, k),
			holds: func(t []bool) bool { return count(t) >= k }},
		{text: fmt.Sprintf(`\+ aggregate_all(count, %s, %d)`, all, k), holds: func(t []bool) bool { return count(t) != k }},
		{text: fmt.Sprintf("aggregate_all(sum(I), %s, S), S < %d", all, k+2),
			holds: func(t []bool) bool { return sum(t) < k+2 }},
		{text: fmt.Sprintf("aggregate_all(max(I), %s, %d)", all, k),
			holds: func(t []bool) bool { return k > 0 && last(t) == k }},
		{text: fmt.Sprintf("findall(I, %s, L), length(L, %d)", all, k), holds: func(t []bool) bool { return count(t) == k }},
		{text: fmt.Sprintf("findall(I, %s, [_ | _])", all), holds: func(t []bool) bool { return count(t) > 0 }},
		{text: fmt.Sprintf("findall(I, %s, L), ( L = [] -> %s ; %s )", all, a.text, b.text), holds: func(t []bool) bool {
			return count(t) == 0 && a.holds(t) || count(t) > 0 && b.holds(t)
		}},
		{text: fmt.Sprintf("setof(I, %s, L), length(L, %d)", all, k),
			holds: func(t []bool) bool { return k > 0 && count(t) == k }},
		{text: fmt.Sprintf("( bagof(I, %s, [_, _]) -> %s ; %s )", all, a.text, b.text), holds: func(t []bool) bool {
			return count(t) == 2 && a.holds(t) || count(t) != 2 && b.holds(t)
		}},
		{text: fmt.Sprintf("forall(%s, I < %d)", all, k), holds: func(t []bool) bool { return count(t) == 0 || last(t) < k }},
		{text: fmt.Sprintf("( forall(%s, I =< %d) -> fail ; true )", all, k),
			holds: func(t []bool) bool { return last(t) > k }},
		{text: fmt.Sprintf("with_output_to(atom(A), forall(%s, write(x))), A == '%s'", all, marks),
			holds: func(t []bool) bool { return count(t) == k }},
		{text: fmt.Sprintf("S = s(0), ( %s, arg(1, S, V0), V is V0 + 1, nb_setarg(1, S, V), fail ; arg(1, S, %d) )", all, k),
			holds: func(t []bool) bool { return count(t) == k }},
		{text: fmt.Sprintf("S = s(0), ( %s, nb_setarg(1, S, I), fail ; true ), %s, arg(1, S, %d)", all, b.text, k),
			holds: func(t []bool) bool { return last(t) == k && b.holds(t) }},
		{text: fmt.Sprintf("nb_setval(k%d, 0), ( %s, nb_setval(k%[1]d, I), fail ; true ), nb_getval(k%[1]d, %[3]d)", p.keys,
			all, k), holds: func(t []bool) bool { return last(t) == k }},
		{text: fmt.Sprintf("setup_call_cleanup(true, once(%s), true), I > %d", all, k), holds: func(t []bool) bool {
			list := solutions(t)
			return len(list) > 0 && list[0] > k
		}},
		{text: fmt.Sprintf("with_output_to(atom(_), ignore(once(%s))), with_output_to(atom(A), ignore((%s, write(x)))), "+
			"A == x", all, a.text), holds: a.holds},
		{text: fmt.Sprintf(`\+ ( findall(I, %s, L), member(%d, L), !, %s )`, all, k, b.text), holds: func(t []bool) bool {
			return !(k > 0 && lits[max(k, 1)-1].holds(t) && b.holds(t))
		}},
		{text: fmt.Sprintf("catch(( findall(I, %s, L), L = [_], throw(one) ), one, true), %s", all, b.text),
			holds: func(t []bool) bool {
				return count(t) == 1 && b.holds(t)
			}},
		{text: fmt.Sprintf("engine_create(I, %s, E), engine_next(E, J), J =:= %d", all, k), holds: func(t []bool) bool {
			list := solutions(t)
			return len(list) > 0 && list[0] == k
		}},
		{text: fmt.Sprintf("engine_create(x, aggregate_all(count, %s, %d), E), ( engine_next(E, _) -> %s ; %s )", all, k,
			a.text,
			b.text), holds: func(t []bool) bool { return count(t) == k && a.holds(t) || count(t) != k && b.holds(t) }},
		{text: h + "(R), R == yes", holds: func(t []bool) bool { return count(t) == k }, rules: []string{
			fmt.Sprintf("%s(yes) :- aggregate_all(count, %s, %d), !.", h, all, k), h + "(no)."}},
		{text: h + "(R), R == no", holds: func(t []bool) bool { return count(t) != k }, rules: []string{
			fmt.Sprintf(":- dynamic %s/1.", h), fmt.Sprintf("%s(yes) :- aggregate_all(count, %s, %d), !.", h, all, k),
			h + "(no)."}},
		{text: h, holds: func(t []bool) bool { return count(t) > 0 || b.holds(t) }, rules: []string{
			fmt.Sprintf("%s :- ( findall(I, %s, L), L = [_ | _] ; %s ), !.", h, all, b.text)}},
		{text: h, holds: func(t []bool) bool { return count(t) > 0 }, rules: []string{
			fmt.Sprintf("%s :- findall(I, %s, []), !, fail.", h, all), h + "."}},
		{text: h, holds: func(t []bool) bool { return count(t) == k && a.holds(t) || count(t) != k && b.holds(t) },
			rules: []string{fmt.Sprintf("%s :- ( findall(I, %s, L), length(L, %d), !, %s ; %s ).", h, all, k, a.text, b.text)}},
		{text: fmt.Sprintf("call(( findall(I, %s, L), length(L, %d), !, %s ; %s ))", all, k, a.text, b.text),
			holds: func(t []bool) bool { return count(t) == k && a.holds(t) || count(t) != k && b.holds(t) }},
		{text: fmt.Sprintf("G = ( findall(I, %s, L), length(L, %d), !, %s ; %s ), call(G)", all, k, a.text, b.text),
			holds: func(t []bool) bool { return count(t) == k && a.holds(t) || count(t) != k && b.holds(t) }},
		{text: fmt.Sprintf("( between(0, 3, N), aggregate_all(count, %s, N) -> N >= %d ; fail )", all, k),
			holds: func(t []bool) bool { return count(t) >= k }},
		{text: fmt.Sprintf("( between(1, 4, N), %s(N, M) -> M =:= %d ; fail )", h, k+1),
			holds: func(t []bool) bool { return count(t) == k }, rules: []string{
				fmt.Sprintf("%s(N, N) :- M is N - 1, aggregate_all(count, %s, M).", h, all)}},
		{text: a.text, holds: a.holds},
	}
	// first is the first of three alternatives that holds. The last one always holds.
	first := func(t []bool) bool {
		return j == 1 && count(t) == k || count(t) != k && (j == 2 && a.holds(t) || j == 3 && !a.holds(t))
	}
	choice := fmt.Sprintf("( %s, Q = 1 ; %s, Q = 2 ; Q = 3 )", total, a.text)
	some := func(t []bool) bool { return j == 3 || j == 2 && a.holds(t) || j == 1 && count(t) == k }
	clauses := []string{fmt.Sprintf("%s(1) :- %s.", h, total), fmt.Sprintf("%s(2) :- %s.", h, a.text), h + "(3)."}
	cutting := []string{clauses[0], fmt.Sprintf("%s(2) :- %s, !.", h, a.text), clauses[2]}
	changing := append([]string{fmt.Sprintf(":- dynamic %s/1.", h)}, clauses...)
	forms = append(forms,
		openTotal{text: fmt.Sprintf("once(%s), Q =:= %d", choice, j), holds: first},
		openTotal{text: fmt.Sprintf("G = once(%s), call(G), Q =:= %d", choice, j), holds: first},
		openTotal{text: fmt.Sprintf("ignore(%s), Q =:= %d", choice, j), holds: first},
		openTotal{text: fmt.Sprintf("limit(1, %s), Q =:= %d", choice, j), holds: first},
		openTotal{text: fmt.Sprintf("call_nth(%s, 1), Q =:= %d", choice, j), holds: first},
		openTotal{text: fmt.Sprintf("( %s -> Q =:= %d ; fail )", choice, j), holds: first},
		openTotal{text: fmt.Sprintf("( %s -> Q =:= %d )", choice, j), holds: first},
		openTotal{text: fmt.Sprintf(`\+ ( %s, !, Q =\= %d )`, choice, j), holds: first},
		openTotal{text: fmt.Sprintf(`forall(once(%s), Q =:= %d)`, choice, j), holds: first},
		openTotal{text: fmt.Sprintf("findall(Q, once(%s), [%d])", choice, j), holds: first},
		openTotal{text: fmt.Sprintf("once(%s(Q)), Q =:= %d", h, j), holds: first, rules: clauses},
		openTotal{text: fmt.Sprintf("( %s(Q) -> Q =:= %d )", h, j), holds: first, rules: clauses},
		openTotal{text: fmt.Sprintf("once(%s(Q)), Q =:= %d", h, j), holds: first, rules: cutting},
		openTotal{text: fmt.Sprintf("once(%s(Q)), Q =:= %d", h, j), holds: first, rules: changing},
		openTotal{text: fmt.Sprintf("%s(Q), Q =:= %d", h, j), rules: cutting,
			holds: func(t []bool) bool { return some(t) && !(j == 3 && a.holds(t)) }},
		openTotal{text: fmt.Sprintf("%s(Q), Q =:= %d", h, j), holds: some, rules: changing},
		openTotal{text: fmt.Sprintf("( %s *-> Q =:= %d ; fail )", choice, j), holds: some},
		openTotal{text: fmt.Sprintf(`\+ forall(%s, Q =\= %d)`, choice, j), holds: some},
		openTotal{text: fmt.Sprintf("( ( %s ; %s ) -> %[2]s ; true )", total, b.text),
			holds: func(t []bool) bool { return count(t) != k || b.holds(t) }},
		openTotal{text: fmt.Sprintf("once(( member(N, [3, 2, 1, 0]), aggregate_all(count, %s, N) )), N =:= %d", all, k),
			holds: func(t []bool) bool { return count(t) == k }},
		openTotal{text: fmt.Sprintf("once(( between(%d, 3, N), aggregate_all(count, %s, N) ; N = 7 )), N =:= 7", k, all),
			holds: func(t []bool) bool { return count(t) < k }},
		openTotal{text: fmt.Sprintf("once(( %s(N), aggregate_all(count, %s, N) )), N =:= %d", h, all, k),
			holds: func(t []bool) bool { return count(t) == k },
			rules: []string{h + "(0).", h + "(1).", h + "(2).", h + "(3)."}},
		openTotal{text: fmt.Sprintf("catch(( %s, throw(one) ; %s ), one, %s)", total, a.text, b.text),
			holds: func(t []bool) bool { return count(t) == k && b.holds(t) || count(t) != k && a.holds(t) }},
		openTotal{text: fmt.Sprintf("( %s ; true ), once(( member(Q, [1, 2]), Q > 1 ))", total),
			holds: func([]bool) bool { return true }},
	)
	f := forms[p.r.Intn(len(forms))]
	p.lines = append(p.lines, f.rules...)
	g.text, g.holds = f.text, f.holds
	return g
}

func randomTotals(seed int) *openTotals {
	p := &openTotals{r: rand.New(rand.NewSource(int64(seed)))}
	p.base = randomOpen(p.r)
	for n := range 4 {
		var clauses [][]openTotal
		many := p.r.Intn(3) // a single clause if no table merges equal answers
		for range max(many, 1) {
			body := []openTotal{p.goal(n)}
			if p.r.Intn(2) == 1 {
				body = append(body, p.goal(n))
			}
			clauses = append(clauses, body)
		}
		p.rules, p.tabled = append(p.rules, clauses), append(p.tabled, many > 0)
	}
	return p
}

// text is the program. Each goal of a body is a predicate of its own, called from a clause with many variables, so that
// it finds the continuation of a call that needs more slots than it has.
func (p *openTotals) text() string {
	var b strings.Builder
	b.WriteString(p.base.text("p"))
	for i, clauses := range p.rules {
		if p.tabled[i] {
			fmt.Fprintf(&b, ":- table c%d/0.\n", i)
		}
		for j, body := range clauses {
			goals := []string{"vars(A, B, C, D, E, F, G)"}
			for k := range body {
				goals = append(goals, fmt.Sprintf("g%d_%d_%d(A)", i, j, k))
			}
			fmt.Fprintf(&b, "c%d :- %s, vars(A, B, C, D, E, F, G).\n", i, strings.Join(goals, ", "))
		}
		for j, body := range clauses {
			for k, g := range body {
				fmt.Fprintf(&b, "g%d_%d_%d(X) :- %s, X == f(1).\n", i, j, k, g.text)
			}
		}
	}
	b.WriteString(strings.Join(p.lines, "\n") + "\nvars(f(1), f(2), f(3), f(4), f(5), f(6), f(7)).\n")
	return b.String()
}

// truths returns the truth values of all propositions, for each assignment of truth values to the undefined ones of the
// base.
func (p *openTotals) truths() (all [][]bool) {
	sure, maybe := p.base.wellFounded()
	all = [][]bool{sure}
	for i := range sure {
		if maybe[i] && !sure[i] {
			for _, truth := range all {
				other := append([]bool{}, truth...)
				other[i] = true
				all = append(all, other)
			}
		}
	}
	for n, truth := range all {
		for _, clauses := range p.rules {
			holds := false
			for _, body := range clauses {
				each := true
				for _, g := range body {
					each = each && g.holds(truth)
				}
				holds = holds || each
			}
			truth = append(truth, holds)
		}
		all[n] = truth
	}
	return all
}

// rests reports for each proposition whether it depends on an undefined one.
func (p *openTotals) rests() []bool {
	sure, maybe := p.base.wellFounded()
	var rests []bool
	for i := range sure {
		rests = append(rests, maybe[i] && !sure[i])
	}
	for _, clauses := range p.rules {
		open := false
		for _, body := range clauses {
			for _, g := range body {
				for _, i := range g.uses {
					open = open || rests[i]
				}
			}
		}
		rests = append(rests, open)
	}
	return rests
}

// verdict is "true", "no" or "?" for a goal without variables.
func verdict(t *testing.T, p *engine.Program, goal string, o *engine.RunOptions) string {
	t.Helper()
	switch v := " " + verdictsWith(t, p, goal, o) + " "; {
	case strings.Contains(v, " true "):
		return "true"
	case v == " no ":
		return "no"
	}
	return "?"
}

// TestTotalsOfUndefined compares random totals over undefined propositions with their results in each case.
func TestTotalsOfUndefined(t *testing.T) {
	t.Parallel()
	undefined, sure := 0, 0
	for seed := range randomPrograms(t, 180, 2000) {
		program := randomTotals(seed)
		text := program.text()
		truths, rests := program.truths(), program.rests()
		modes := []host.NativeMode{host.NativeOn, host.NativeOff, host.NativeCheck}
		p, err := engine.LoadText(t.Context(), "t.pl", text, &engine.Options{Native: modes[seed%3]})
		require.NoError(t, err)
		stress := engine.Stress{Verify: seed%5 == 1, Grow: seed%5 == 2, GC: seed%5 == 3, Eager: seed%2 == 0}
		for i := range program.rules {
			always, never := true, true
			for _, truth := range truths {
				always, never = always && truth[len(program.base)+i], never && !truth[len(program.base)+i]
			}
			name := fmt.Sprintf("c%d", i)
			for goal, negated := range map[string]bool{name: false, `\+ ` + name: true, `\+ \+ ` + name: false,
				"findall(x, " + name + ", [])": true} {
				o := engine.Stressed(&engine.RunOptions{}, stress)
				if seed%10 == 4 {
					o.Debugger = &debug.Debugger{}
					o.Debugger.Trace(true)
				}
				got := verdict(t, p, goal, o)
				yes, no := always, never
				if negated {
					yes, no = no, yes
				}
				switch got {
				case "true":
					require.True(t, yes, "%d: %s is not true\n%s", seed, goal, text)
					sure++
				case "no":
					require.True(t, no, "%d: %s is not false\n%s", seed, goal, text)
					sure++
				default:
					require.True(t, rests[len(program.base)+i], "%d: %s is not undefined\n%s", seed, goal, text)
					undefined++
				}
			}
		}
	}
	require.Greater(t, sure, undefined/2)
	require.Greater(t, undefined, sure/10)
	t.Logf("%d verdicts are sure, %d are not", sure, undefined)
}

// TestCommitsInDoubt commits to an alternative after an earlier alternative whose failure is undefined. If the
// undefined proposition were true, another solution would be committed to.
func TestCommitsInDoubt(t *testing.T) {
	t.Parallel()
	const total = "aggregate_all(count, u, 0)"
	text := `
:- table u/0.
u :- tnot(u).
:- dynamic d/1.
c(1) :- ` + total + `.
c(2).
d(1) :- ` + total + `.
d(2).
k(1) :- ` + total + `.
k(2) :- !.
k(3).
f(1).
odd(N) :- ` + total + `, 1 is N mod 2.
bad :- ` + total + `, number_codes(_, "x").
cutting :- ( fail ; undefined ), !, number_codes(_, "x").
mild :- ` + total + `, f(X), X == 2.
otherwise :- number_codes(_, "x").
harsh :- ` + total + `, otherwise.
loop(0).
loop(N) :- N > 0, ( ` + total + ` ; true ), M is N - 1, loop(M).
`
	const choice = "( " + total + ", X = 1 ; X = 2 )"
	for goal, want := range map[string]string{
		"once(" + choice + ")":                  "X=2?",
		"( " + choice + " -> true )":            "X=2?",
		"( " + choice + " -> true ; X = 3 )":    "X=2?",
		"( true ; fail ), once(" + choice + ")": "X=2?",
		choice + ", !":                          "X=2?",
		"limit(1, " + choice + ")":              "X=2?",
		"once(c(X))":                            "X=2?",
		"once(d(X))":                            "X=2?",
		"once(( member(X, [1, 2]), ( X > 1 ; " + total + " ) ))":                                  "X=2?",
		"findall(Y, once(( " + total + ", Y = 1 ; Y = 2 )), [X])":                                 "X=2?",
		"catch(( " + total + ", throw(x) ; X = 2 ), x, X = 1)":                                    "X=2?",
		"catch(( " + total + ", atom(X) ; X = 2 ), x, X = 1)":                                     "X=2",
		"catch(( " + total + ", must_be(integer, a) ; X = 2 ), error(_, _), X = 1)":               "X=2?",
		"catch(( " + total + ", X is a ; X = 2 ), error(_, _), X = 1)":                            "X=2?",
		"catch(( " + total + ", nowhere(X) ; X = 2 ), error(_, _), X = 1)":                        "X=2?",
		"catch(( " + total + ", G = nowhere(X), call(G) ; X = 2 ), error(_, _), X = 1)":           "X=2?",
		"catch(( " + total + ", \\+ \\+ atom_length(X, _) ; X = 2 ), error(_, _), X = 1)":         "X=2?",
		"catch(( " + total + ", user:must_be(integer, a) ; X = 2 ), error(_, _), X = 1)":          "X=2?",
		"catch(( forall(" + total + ", must_be(integer, a)), fail ; X = 2 ), error(_, _), X = 1)": "X=2?",
		"catch(( maplist(odd, [1, a]), fail ; X = 2 ), error(_, _), X = 1)":                       "X=2?",
		"catch(( bad ; X = 2 ), error(_, _), X = 1)":                                              "X=2?",
		"catch(( cutting ; X = 2 ), error(_, _), X = 1)":                                          "X=1?",
		"catch(( harsh ; X = 2 ), error(_, _), X = 1)":                                            "X=2?",
		"catch(( mild ; X = 2 ), error(_, _), X = 1)":                                             "X=2",
		"catch(( " + total + ", f(X), X \\== 1 ; X = 2 ), error(_, _), X = 1)":                    "X=2",
		"catch(( " + total + ", \\+ f(_) ; X = 2 ), error(_, _), X = 1)":                          "X=2",
		choice:                      "X=2",
		"c(X)":                      "X=2",
		"d(X)":                      "X=2",
		"k(X)":                      "X=2",
		"( c(X) *-> true ; X = 3 )": "X=2",
		"( " + total + " ; true ), once(( X = 2 ; X = 3 ))":                   "X=2",
		"numlist(1, 20000, L), ( member(_, L), " + total + ", fail ; X = 2 )": "X=2",
		"loop(20000), X = 2": "X=2",
	} {
		p, err := engine.LoadText(t.Context(), "t.pl", text+"q(X) :- "+goal+".\n", nil)
		require.NoError(t, err)
		require.Equal(t, want, verdicts(t, p, "q(X)"), goal)
	}
}
