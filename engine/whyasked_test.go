package engine_test

import (
	"errors"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// This file checks that a proof explains the goal as it was asked. A plain interpreter, which shares nothing with the
// explainer, runs the goal to the same answer and notes each clause that the answer used with its goal at exit, each
// built-in goal at exit, and each goal without an answer as it was asked. Every node of the proof has to be among them.

// askedTrace is that interpreter. It supports cuts only at the top level of a clause body.
const askedTrace = `
:- use_module(library(solution_sequences)).
:- dynamic(tr_clause/3).
% tr_bad(+Goal, +N, +Nodes, -Bad): Bad are those of the nodes, node(Kind, Line, GoalText), that the nth answer of the
% goal, a text, has no part in.
tr_bad(Goal, N, Nodes, Bad) :-
    tr_prepared,
    term_string(G, Goal),
    call_nth(tr(G, [], T1), N), tr_tables(T1, T),
    findall(Node, ( member(Node, Nodes), \+ tr_has(Node, T) ), Bad).
tr_has(Text, T) :-
    term_string(node(Kind, Line, G), Text),
    member(Step, T), tr_step(Kind, Line, G, Step), !.
tr_step(used, Line, G, used(Line, G1)) :- G =@= G1.
tr_step(built, _, G, built(G1)) :- G =@= G1.
tr_step(built, _, G, posted(_:G0)) :- copy_term_nat(G0, G1), G =@= G1.
tr_step(absent, _, \+ G, absent(G1)) :- G =@= G1.
tr(true, T, T) :- !.
tr((A, B), T0, T) :- !, tr(A, T0, T1), tr(B, T1, T).
tr((_ -> _ ; B), T0, [posted(G)|T0]) :- tr_constraint(B, G), !, call(G).
tr((C -> A ; B), T0, T) :- !, ( tr(C, T0, T1) -> tr(A, T1, T) ; tr_absent(C, T0, T1), tr(B, T1, T) ).
tr((C *-> A ; B), T0, T) :- !, ( tr(C, T0, T1) *-> tr(A, T1, T) ; tr_absent(C, T0, T1), tr(B, T1, T) ).
tr((A ; B), T0, T) :- !, ( tr(A, T0, T) ; ( \+ tr(A, [], _) -> tr_absent(A, T0, T1) ; T1 = T0 ), tr(B, T1, T) ).
tr(\+ A, T0, T) :- !, \+ tr(A, [], _), tr_absent(A, T0, T).
tr(once(A), T0, T) :- !, ( tr(A, T0, T) -> true ).
tr(ignore(A), T0, T) :- !, ( tr(A, T0, T) -> true ; tr_absent(A, T0, T) ).
tr(catch(A, C, R), T0, T) :- !, catch(tr(A, T0, T), C, tr(R, T0, T)).
tr(findall(X, A, L), T0, T) :- !, findall(X-T1, tr(A, [], T1), L1), tr_all(L1, L, T0, T2), tr_none(L1, A, T2, T).
tr(forall(C, A), T0, T) :- !, \+ ( tr(C, [], _), \+ tr(A, [], _) ),
    findall(x-T1, tr((C, A), [], T1), L1), tr_all(L1, _, T0, T2), tr_none(L1, C, T2, T).
tr(aggregate_all(Spec, A, R), T0, T) :- !, copy_term(A, A1), aggregate_all(Spec, A, R), tr_collected(A1, T0, T).
tr(setof(X, A, L), T0, T) :- !, setof(X, A, L), tr_plain(A, A1), tr_collected(A1, T0, T).
tr(bagof(X, A, L), T0, T) :- !, bagof(X, A, L), tr_plain(A, A1), tr_collected(A1, T0, T).
tr(k(X, Y), T0, [tabled(Open, G)|T0]) :- !, copy_term(k(X, Y), Open), call(k(X, Y)), copy_term_nat(k(X, Y), G).
tr(G, T0, T) :- tr_user(G), !, tr_clauses(G, Cs), tr_try(Cs, G, T0, T).
tr(G, T0, [posted(clpfd:G)|T0]) :- G = (_ in _), !, call(clpfd:G).
tr(G, T0, [built(G1)|T0]) :- call(G), copy_term_nat(G, G1).
tr_constraint(V, _) :- var(V), !, fail.
tr_constraint(clpfd:G, clpfd:G).
tr_constraint((_ -> _ ; B), G) :- tr_constraint(B, G).
tr_plain(A, B) :- A = _^A1, !, tr_plain(A1, B).
tr_plain(A, A).
tr_collected(A, T0, T) :- findall(x-T1, tr(A, [], T1), L1), tr_all(L1, _, T0, T2), tr_none(L1, A, T2, T).
% tr_tables(+T0, -T): T has what all derivations of the answers of tables in T0 used, too.
tr_tables(T0, T) :- tr_tables(T0, [], T).
tr_tables(T0, Done, T) :-
    (   member(tabled(Open, G), T0), \+ ( member(D, Done), D =@= Open-G )
    ->  findall(x-T1, ( copy_term(Open, G1), tr_clauses(G1, Cs), tr_try(Cs, G1, [], T1), G1 =@= G ), L1),
        tr_all(L1, _, T0, T2), tr_tables(T2, [Open-G|Done], T)
    ;   T = T0
    ).
tr_clauses(G, Cs) :- functor(G, N, A), functor(H, N, A), findall(c(H, B, L), tr_clause(H, B, L), Cs).
tr_prepared :- tr_clause(_, _, _), !.
tr_prepared :-
    forall(( member(G, [e(_, _), f(_), g(_, _), d(_, _), r0(_, _), r1(_, _), r2(_, _), r3(_, _)]),
        tr_placed(G, B, L) ), assertz(tr_clause(G, B, L))),
    forall(tr_placed('k tabled'(X, Y), B, L), assertz(tr_clause(k(X, Y), B, L))).
tr_placed(H, B, L) :- clause(H, B, R), clause_property(R, line_count(L)).
tr_user(G) :- functor(G, N, 2), memberchk(N, [d, e, g]).
tr_user(G) :- functor(G, f, 1).
tr_user(G) :- functor(G, N, 2), sub_atom(N, 0, 1, _, r), N \== rational.
tr_try([c(H, B, L)|Cs], G, T0, T) :-
    (   tr_split(B, Before, After)
    ->  (   G = H, tr(Before, T0, T1)
        ->  tr_rest(After, T1, T2), tr_exit(L, G, T2, T)
        ;   tr_try(Cs, G, T0, T)
        )
    ;   (   G = H, tr(B, T0, T2), tr_exit(L, G, T2, T)
        ;   tr_try(Cs, G, T0, T)
        )
    ).
tr_rest(B, T0, T) :- ( tr_split(B, Before, After) -> ( tr(Before, T0, T1) -> tr_rest(After, T1, T) ) ; tr(B, T0, T) ).
tr_exit(L, G, T, [used(L, G1)|T]) :- copy_term_nat(G, G1).
tr_split(!, true, true) :- !.
tr_split((A, B), Before, After) :-
    ( tr_split(A, Before, After0) -> After = (After0, B) ; tr_split(B, Before0, After), Before = (A, Before0) ).
tr_absent(G, T, [absent(G1)|T]) :- copy_term_nat(G, G1).
tr_all([], [], T, T).
tr_all([X-T1|Xs], [X|Ys], T0, T) :- append(T1, T0, T2), tr_all(Xs, Ys, T2, T).
tr_none([], A, T0, T) :- !, tr_absent(A, T0, T).
tr_none(_, _, T, T).
`

// askedText makes random programs from constructs that inspect variables before they are bound: defaults, conditions,
// negations, collections, exceptions, tables, constraints, rows of a data file. Every goal terminates.
type askedText struct {
	*whyText
	rows []string // the rows of the data file
}

func (w *askedText) below(layer int, x, y string) string {
	switch {
	case layer == 0:
		return fmt.Sprintf("e(%s, %s)", x, y)
	case w.r.Intn(5) == 0:
		return fmt.Sprintf("k(%s, %s)", x, y)
	}
	return fmt.Sprintf("r%d(%s, %s)", w.r.Intn(layer), x, y)
}

func (w *askedText) body(layer int) string {
	u := func(x, y string) string { return w.below(layer, x, y) }
	return w.pick(
		u("X", "Z")+", ( g(Z, Y) -> true ; Y = 9 )", "( Y = 1, f(X) -> true ; Y = 0 )", "( var(Y) -> Y = X ; true )",
		"e(X, _), findall(A, e(A, Z), L), length(L, Y), Z = Y", "catch(Y is 6 // X, _, Y = none)",
		"once("+u("X", "Z")+"), ( \\+ g(Z, Y) -> Y = Z ; g(Z, Y) )", "( "+u("X", "Y")+" *-> true ; Y = 5 )",
		"aggregate_all(count, "+u("X", "_")+", Y)", "aggregate_all(max(Y), e(_, Y), Y), f(X)", "X \\== Y, Y = X",
		"nonvar(X), \\+ nonvar(Y), "+u("X", "Y"), "\\+ "+u("X", "_")+", Y = 3", "forall(e(X, A), f(A)), Y = 2",
		"ignore(g(X, Y)), ignore(Y = 4)", "( "+u("X", "Y")+" ; Y = 6 ), !", u("X", "Z")+", "+u("Z", "Y"),
		"f(X), \\+ "+u("X", "3")+", g(X, Y)", "( "+u("X", "Y")+", Y > 2 -> true ; "+u("Y", "X")+" -> true ; Y = 8 )",
		"\\+ ( g(X, Z), Z > 1 ), e(X, Y)", "ground(X), ( ground(Y) -> true ; Y = g )", u("X", "Y")+", !, f(X)",
		"once(( g(X, Y) ; Y = 7 ))", u("X", "Y"), u("X", "Y")+", Y >= 1",
		"e(X, Z), Y #= Z + 1", "Y in 1..2, "+u("X", "Y"), "X #> 1, Y = X", "d(X, Y)", "\\+ d(X, _), Y = 0",
		"( d(X, Z) -> Y = Z ; Y = 0 )", "setof(A, B^"+u("A", "B")+", L), length(L, Y)", "bagof(A, e(X, A), L), length(L, Y)",
		"aggregate_all(sum(A), d(_, A), Y)", "aggregate_all(bag(A), "+u("X", "A")+", L), length(L, Y)",
		"\\+ forall("+u("X", "A")+", d(A, _)), Y = 1", "findall(A, ( "+u("X", "A")+" ; d(A, _) ), L), length(L, Y)",
	)
}

func (w *askedText) program() []string {
	w.line(":- use_module(library(clpfd)).")
	w.line(":- table k/2.")
	w.line(":- facts(d/2, 'd.csv', [types([integer, integer])]).")
	for range 3 + w.r.Intn(5) {
		w.line("e(%d, %d).", w.r.Intn(4), w.r.Intn(4))
	}
	for range 1 + w.r.Intn(2) {
		w.line("f(%d).", w.r.Intn(4))
	}
	for range 1 + w.r.Intn(3) {
		w.line("g(%d, %d).", w.r.Intn(4), w.r.Intn(4))
	}
	w.line("k(X, Y) :- %s.", w.pick("e(X, Y)", "r0(X, Y)", "g(X, Y)"))
	w.line("k(X, Y) :- %s.", w.pick("k(X, Z), e(Z, Y)", "k(Y, X)", "k(X, Z), \\+ g(Z, _), e(Z, Y)", "d(X, Y)"))
	for range 1 + w.r.Intn(3) {
		w.rows = append(w.rows, fmt.Sprintf("%d,%d\n", w.r.Intn(4), w.r.Intn(4)))
	}
	for layer := range w.layers {
		for range 1 + w.r.Intn(3) {
			if w.r.Intn(6) == 0 {
				w.line("r%d(X, Y) :- g(X, Y), !.", layer)
				w.line("r%d(_, 7).", layer)
				continue
			}
			w.line("r%d(X, Y) :- %s.", layer, w.body(layer))
		}
	}
	return w.hiding("r%d")
}

// leftOut is the note of a clause that a cut has left out.
var leftOut = regexp.MustCompile(` is not tried after a cut$| comes before it and cuts, as `)

var ruleLine = regexp.MustCompile(`^(\w+)\(.*\) :- `)

// asked checks the proof of the nth answer of a goal.
func (c *whyChecker) asked(goal string, n int, p *engine.Proof) {
	at := map[string]string{}
	var nodes []string
	for _, node := range p.Nodes {
		at[node.ID] = node.At
		kind, line := "", "0"
		switch node.By {
		case "rule", "fact", "table":
			_, line, _ = strings.Cut(node.At, ":")
			kind = "used"
		case "builtin", "constraint":
			kind = "built"
		case "absent":
			kind = "absent"
		}
		if kind != "" && !strings.Contains(node.Goal, "...") && !strings.HasPrefix(node.Goal, "catch(") {
			nodes = append(nodes, fmt.Sprintf("node(%s, %s, (%s))", kind, line, node.Goal))
		}
		for _, via := range node.Via {
			m := placeOf.FindStringSubmatch(via)
			require.NotNil(c.t, m, via)
			nodes = append(nodes, fmt.Sprintf("node(used, %s, (%s))", m[2], m[1]))
		}
	}
	s, err := c.p.Once(c.t.Context(), "tr_bad(Goal, N, Nodes, Bad)", &engine.RunOptions{
		Bind: map[string]any{"Goal": goal, "N": n, "Nodes": nodes}})
	require.NoError(c.t, err, "%s, answer %d\n%s", goal, n, p.Text)
	require.Equal(c.t, "[]", s.Text("Bad"), "%s, answer %d\n%s", goal, n, p.Text)
	c.allClauses(p, at)
}

// allClauses checks that each absent goal has all rules of its predicate below it, if the predicate has more than one.
func (c *whyChecker) allClauses(p *engine.Proof, at map[string]string) {
	for _, node := range p.Nodes {
		name, _, _ := strings.Cut(strings.TrimPrefix(node.Goal, "\\+ "), "(")
		if node.By != "absent" || len(node.From) == 0 || !strings.HasPrefix(node.Goal, "\\+ "+name+"(") {
			continue
		}
		below, tried := map[string]bool{}, len(c.lines)
		for _, kid := range p.Nodes {
			if slices.Contains(node.From, kid.ID) {
				below[at[kid.ID]] = true
				if leftOut.MatchString(kid.Note) { // later clauses are not tried either
					line, _ := strconv.Atoi(strings.TrimPrefix(kid.At, "why.pl:"))
					tried = min(tried, line)
				}
			}
		}
		for i, line := range c.lines[:tried] {
			if m := ruleLine.FindStringSubmatch(line); m != nil && m[1] == name {
				require.True(c.t, below["why.pl:"+strconv.Itoa(i+1)], "%s lacks line %d\n%s", node.Goal, i+1, p.Text)
			}
		}
	}
}

// factsMatter checks that each fact named in a proof is a part of the reason: without the fact, the answer or the proof
// changes.
func (w *askedText) factsMatter(c *whyChecker, goal string, n int, p *engine.Proof) {
	for _, node := range p.Nodes {
		file, text, ok := strings.Cut(node.At, ":")
		if node.By != "fact" || !ok {
			continue
		}
		line, err := strconv.Atoi(text)
		require.NoError(c.t, err)
		lines, rows := slices.Clone(w.lines), slices.Clone(w.rows)
		if file == "d.csv" {
			rows[line-1] = "\n"
		} else {
			lines[line-1] = ""
		}
		other := w.load(c.t, append(lines, ":- dynamic e/2, f/1, g/2."), rows)
		again, err := other.Why(c.t.Context(), goal, &engine.WhyOptions{Answer: n, Nodes: 3000, Depth: 60, Bytes: 1 << 20,
			Limits: engine.Limits{Time: time.Hour}})
		require.True(c.t, err != nil || again.Text != p.Text, "%s does not matter for %s\n%s", node.Goal, goal, p.Text)
	}
}

// load loads a program with the rows of its data file.
func (w *askedText) load(t *testing.T, lines, rows []string) *engine.Program {
	p, err := engine.LoadFS(t.Context(), fstest.MapFS{
		"why.pl": {Data: []byte(strings.Join(lines, "\n") + "\n")},
		"d.csv":  {Data: []byte(strings.Join(rows, ""))}}, nil, "why.pl")
	require.NoError(t, err)
	return p
}

// randomPrograms is the number of programs, or MCPLOGIC_PROGRAMS if it is set.
func randomPrograms(t testing.TB, few, many int) int {
	return deep.Number(t, "MCPLOGIC_PROGRAMS", deep.Count(few, many))
}

// TestWhyIsAsAsked explains answers of random programs.
func TestWhyIsAsAsked(t *testing.T) {
	proofs := 0
	for seed := range randomPrograms(t, 60, 150) {
		w := &askedText{whyText: &whyText{r: rand.New(rand.NewSource(int64(seed))), layers: 4}}
		lines := w.program()
		ok := t.Run(strconv.Itoa(seed), func(t *testing.T) {
			p := w.load(t, append(slices.Clone(lines), askedTrace), w.rows)
			c := &whyChecker{t: t, p: p, lines: lines}
			for _, x := range []string{"0", "1", "2", "3", "X"} {
				goal := fmt.Sprintf("r%d(%s, Y)", w.r.Intn(w.layers), x)
				for n := 1; n <= 3; n++ {
					proof, err := p.Why(t.Context(), goal, &engine.WhyOptions{Answer: n, Nodes: 3000, Depth: 60, Bytes: 1 << 20,
						Limits: engine.Limits{Time: time.Hour}, Run: engine.RunOptions{Limits: engine.Limits{Inferences: 100_000}}})
					var thrown *engine.Exception
					if errors.Is(err, engine.ErrNoSolution) || errors.As(err, &thrown) {
						break
					}
					require.NoError(t, err)
					require.Nil(t, proof.Truncated, goal)
					c.asked(goal, n, proof)
					if n == 1 {
						w.factsMatter(c, goal, n, proof)
					}
					proofs++
				}
			}
		})
		if !ok {
			t.Logf("program:\n%s", strings.Join(lines, "\n"))
			break
		}
	}
	t.Logf("%d proofs are those of the goals as they were asked", proofs)
}
