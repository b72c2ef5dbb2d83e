package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// This file compares tables that are computed from rows with tables that clauses compute. It generates programs with
// modes, arithmetic and negation, and runs each as it is and with an additional goal that prevents the computation from
// rows.

// rowWriter writes a program.
type rowWriter struct {
	r     *rand.Rand
	modes []string // the mode of the last argument of q0, q1, ...; "_" for none
	text  strings.Builder
}

func (w *rowWriter) pick(list ...string) string { return list[w.r.IntN(len(list))] }

// one reports true once in n times.
func (w *rowWriter) one(n int) bool { return w.r.IntN(n) == 0 }

// rule ends with MORE, where a goal may be put.
func (w *rowWriter) rule(head string, goals ...string) {
	fmt.Fprintf(&w.text, "%s :- %sMORE.\n", head, strings.Join(goals, ", "))
}

func (w *rowWriter) generate() string {
	w.modes = make([]string, 1+w.r.IntN(3))
	for i := range w.modes {
		w.modes[i] = w.pick("min", "min", "max", "max", "sum", "_")
	}
	slices.Sort(w.modes)
	for i := range w.modes {
		fmt.Fprintf(&w.text, ":- table q%d(_, _, %s).\n", i, w.modes[i])
	}
	w.text.WriteString(":- table r/2, s/1, t/2, u/2, v/2.\n")
	for range 2 + w.r.IntN(8) {
		fmt.Fprintf(&w.text, "e(%d, %d).\n", w.r.IntN(5), w.r.IntN(5))
	}
	for range 3 + w.r.IntN(12) {
		weight := strconv.Itoa(w.r.IntN(6))
		switch w.r.IntN(150) {
		case 0:
			weight = "a"
		case 1:
			weight = strconv.Itoa(1<<60 - 2)
		case 2:
			weight = "1.5"
		}
		fmt.Fprintf(&w.text, "w(%d, %d, %s).\n", w.r.IntN(5), w.r.IntN(5), weight)
	}
	for i := range w.modes {
		w.rules(i)
	}
	for range 1 + w.r.IntN(2) {
		goals := []string{fmt.Sprintf("q%d(X, Y, V)", w.r.IntN(len(w.modes)))}
		w.rule(w.pick("r(X, V)", "r(X, Y)", "r(Y, V)"), append(goals, w.conditions(len(w.modes), "X", "Y", "V")...)...)
	}
	w.rule("s(X)", "e(X, Y)", w.pick("tnot(s(Y))", "tnot(r(X, Y))", `\+ r(Y, _)`, `\+ r(X, X)`))
	w.passing()
	return w.text.String()
}

// passing writes a recursion that passes its second argument on as it is, over steps that deny a table.
func (w *rowWriter) passing() {
	w.rule("v(X, Y)", "e(X, Y)")
	if w.one(2) {
		w.rule("v(X, Y)", "e(X, Z)", "v(Z, Y)")
	}
	w.rule("u(X, Y)", "w(X, Y, _)", w.pick(`\+ v(Y, 1)`, `\+ v(X, Y)`, `\+ v(Y, _)`, `\+ r(X, Y)`, "tnot(v(Y, X))"))
	w.rule("t(X, Y)", w.pick("e(X, Y)", "v(X, Y)", "u(X, Y)"))
	w.rule("t(X, Y)", w.pick("u(X, Z)", "u(Z, X)", "t(X, Z)"), "t(Z, Y)")
}

// rules writes the rules of q, i of them. Some begin with facts, and others continue from a table. Tables with the same
// mode may depend on each other, except for sums; other tables are read only if they come earlier. A clause's result
// for a preliminary value is then covered by its result for the final value, so the order of evaluation does not
// matter.
func (w *rowWriter) rules(i int) {
	head, mode := fmt.Sprintf("q%d", i), w.modes[i]
	first := slices.Index(w.modes, mode)
	last := first
	for last < len(w.modes) && w.modes[last] == mode {
		last++
	}
	if mode == "sum" {
		first, last = i, i
	}
	for range 1 + w.r.IntN(2) {
		w.rule(head+w.pick("(X, Y, V)", "(Y, X, V)", "(X, X, V)"), append([]string{"w(X, Y, V)"},
			w.conditions(first, "X", "Y", "V")...)...)
	}
	for range w.r.IntN(3) {
		if last == 0 {
			break
		}
		from := w.r.IntN(last)
		goals := []string{fmt.Sprintf("q%d(X, Y, V0)", from), "w(Y, Z, W)"}
		mutual := from >= first && mode != "_"
		if w.one(4) {
			other := w.r.IntN(last)
			goals[1] = fmt.Sprintf("q%d(Y, Z, W)", other)
			mutual = mutual || other >= first && mode != "_"
		}
		if w.one(3) {
			goals[0], goals[1] = goals[1], goals[0]
		}
		if mutual {
			if w.one(3) {
				goals = append(goals, "V0 "+map[string]string{"min": "<", "max": ">="}[mode]+" 7")
			}
			goals = append(goals, w.conditions(first, "X", "Z", "7")...)
		} else {
			goals = append(goals, w.conditions(first, "X", "Z", "V0")...)
		}
		switch n := w.r.IntN(7); {
		case n == 0 && !mutual:
			goals = append(goals, "V is max(V0 - W, -20)")
		case n == 1 && (!mutual || mode == "min"):
			goals = append(goals, "V is V0 + W", "V < 30")
		case n == 2 && !mutual:
			goals = append(goals, "V is max(min(V0 * 2 - W + 1, 40), -10)")
		case n == 3:
			goals = append(goals, "V is max(V0, W)")
		case n == 4:
			goals = append(goals, "V is min(V0 * 2 - 1, W) // 2 - -3")
		default:
			goals = append(goals, "V is min(V0 + W, 40)")
		}
		w.rule(head+"(X, Z, V)", goals...)
	}
}

// conditions returns conditions on two nodes and a value. Tables from a given number on are not negated.
func (w *rowWriter) conditions(first int, x, y, v string) (list []string) {
	n := strconv.Itoa(w.r.IntN(12))
	switch w.r.IntN(14) {
	case 0:
		list = append(list, v+w.pick(" < ", " >= ", " =\\= ", " =:= ")+n)
	case 1:
		list = append(list, fmt.Sprintf("%s + %s mod 3 =< %s // 2 + 4", v, x, y))
	case 2:
		list = append(list, fmt.Sprintf(`\+ e(%s, %s)`, x, w.pick(y, "_", "0")))
	case 3:
		if first > 0 {
			list = append(list, fmt.Sprintf(`\+ q%d(%s, %s, _)`, w.r.IntN(first), x, w.pick(y, "_")))
		}
	case 4:
		list = append(list, x+w.pick(` \== `, " == ", ` \= `)+y)
	case 5:
		list = append(list, fmt.Sprintf("%s is %s + 1", y, x))
	}
	return list
}

// TestGeneratedRows reads MCPLOGIC_PROGRAMS and MCPLOGIC_SEED.
func TestGeneratedRows(t *testing.T) {
	t.Parallel()
	programs, seed := randomPrograms(t, 100, 400), uint64(deep.Number(t, "MCPLOGIC_SEED", 1))
	for i := range programs {
		w := &rowWriter{r: rand.New(rand.NewPCG(seed, uint64(i)))}
		text := w.generate()
		var goals []string
		for n := range w.modes {
			goals = append(goals, fmt.Sprintf("q%d(X, Y, V)", n), fmt.Sprintf("q%d(%d, Y, V)", n, w.r.IntN(6)),
				fmt.Sprintf("q%d(X, %d, V)", n, w.r.IntN(5)))
		}
		goals = append(goals, "r(X, Y)", fmt.Sprintf("r(X, %d)", w.r.IntN(9)), fmt.Sprintf("r(%d, X)", w.r.IntN(5)),
			fmt.Sprintf("t(%d, Y)", w.r.IntN(5)), fmt.Sprintf("t(X, %d)", w.r.IntN(5)), "t(X, Y)", "s(X)", "s(1)",
			fmt.Sprintf("e(X, Y), r(X, %d)", w.r.IntN(40)))
		var results [2][]string
		for side, more := range []string{"", ", catch(true, _, true)"} {
			prog, err := engine.LoadText(t.Context(), "generated.pl", strings.ReplaceAll(text, "MORE", more), nil)
			require.NoError(t, err, text)
			for _, goal := range goals {
				results[side] = append(results[side], rowsOf(t, prog, goal))
			}
		}
		for n, goal := range goals {
			if results[1][n] != "endless" {
				assert.Equal(t, results[1][n], results[0][n], "program %d, %s:\n%s", i, goal, text)
			}
		}
	}
}

// rowsOf returns the sorted answers of a goal with their conditions, or an error.
func rowsOf(t *testing.T, prog *engine.Program, goal string) string {
	s, err := prog.Once(t.Context(), "term_variables("+goal+", Vs), findall(Vs-M, (call_delays("+goal+
		", D), (D == true -> M = true ; M = undefined)), L0), sort(L0, L), term_to_atom(L, A)",
		&engine.RunOptions{Limits: engine.Limits{Inferences: 100_000}})
	switch {
	case err != nil && (strings.Contains(err.Error(), "limit") || strings.Contains(err.Error(), "without end")):
		return "endless"
	case err != nil: // without the clause, which another goal may have left
		text := err.Error()
		return strings.TrimSpace(text[strings.LastIndexByte(text, ':')+1:])
	}
	return s.Text("A")
}

// TestMutualRows asks for two relations that depend on each other, one after the other. The second costs no more than
// reading its answers.
func TestMutualRows(t *testing.T) {
	t.Parallel()
	var edges strings.Builder
	for i := range 1600 {
		fmt.Fprintf(&edges, "e(%d, %d).\n", i%40, i/40)
	}
	prog, err := engine.LoadText(t.Context(), "mutual.pl", `
:- table even/2, odd/2.
odd(X, Y) :- e(X, Y).
odd(X, Z) :- even(X, Y), e(Y, Z).
even(X, Z) :- odd(X, Y), e(Y, Z).
`+edges.String()+`
cost(G, N, C) :- statistics(inferences, I0), aggregate_all(count, G, N), statistics(inferences, I), C is I - I0.
`, nil)
	require.NoError(t, err)
	s, err := prog.Once(t.Context(), "cost(odd(_, _), N, C), cost(even(_, _), M, D), F is C / D", nil)
	require.NoError(t, err)
	require.Equal(t, "1600", s.Text("N"))
	require.Equal(t, "1600", s.Text("M"))
	require.Greater(t, s.Text("F"), "1.5")
}
