package engine_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
)

// typedText makes programs in which values of several kinds meet. Each goal stands in a line of its own.
type typedText struct {
	r *rand.Rand
	// plain is the program, noted the same with a note behind each goal that it has succeeded.
	plain, noted strings.Builder
	line         int
}

func (w *typedText) pick(list ...string) string { return list[w.r.Intn(len(list))] }

func (w *typedText) both(text string) {
	w.plain.WriteString(text)
	w.noted.WriteString(text)
	w.line += strings.Count(text, "\n")
}

func (w *typedText) constant() string {
	return w.pick("a", "b", "c", "'A'", `"a"`, `"bc"`, "1", "2", "7", "0.5", "pi", "f(a)", "g(1, b)", "[]", "[a, 1]",
		"[1, 2]", "[f(a), b]", "[[1], [2]]")
}

func (w *typedText) value() string {
	if w.r.Intn(5) == 0 {
		return w.constant()
	}
	return w.pick("X", "Y", "Z")
}

// goal writes a goal of a rule of some layer.
func (w *typedText) goal(layer, depth int) {
	if n := w.r.Intn(16); depth < 3 && n < 9 {
		w.both([]string{"\n( ", "\n( ", "\n\\+ ( ", "\nfindall(X, ( ", "\nforall(( ", "\ncatch(( ", "\nonce(( ",
			"\nmaplist([X]>>( ", "\nmaplist([X, Y]>>( "}[n])
		w.goal(layer, depth+1)
		w.both([]string{" -> ", " ; ", ", ", ", ", "), ( ", "), _, ( ", ", ", ", ", ", "}[n])
		w.goal(layer, depth+1)
		if n == 0 {
			w.both(" ; ")
			w.goal(layer, depth+1)
		}
		w.both([]string{" )", " )", " )", " ), Y)", "))", "))", " ))", " ), [a, 1])", " ), [1, 2], Z)"}[n])
		return
	}
	goal := ""
	switch n := w.r.Intn(20); {
	case n < 5:
		goal = fmt.Sprintf("p%d(%s, %s)", w.r.Intn(4), w.value(), w.value())
	case n < 8:
		goal = fmt.Sprintf("r%d(%s, %s)", w.r.Intn(layer+1), w.value(), w.value())
	case n == 8:
		goal = fmt.Sprintf("%s %s %s", w.value(), w.pick("=", "==", "\\==", "=@=", "@<", "@>="), w.value())
	case n == 9:
		goal = fmt.Sprintf("%s %s %s", w.value(), w.pick("<", ">", "=<", ">=", "=:=", "=\\="), w.value())
	case n == 10:
		goal = fmt.Sprintf("%s is %s %s %s", w.value(), w.value(), w.pick("+", "-", "*", "//", "mod"), w.value())
	case n == 11:
		goal = fmt.Sprintf("%s(%s)", w.pick("atom", "string", "integer", "number", "atomic",
			"compound", "callable", "is_list", "float", "nonvar"), w.value())
	case n == 12:
		goal = fmt.Sprintf("%s(%s, [%s, %s])", w.pick("member", "memberchk"), w.value(), w.value(), w.value())
	case n == 13:
		goal = fmt.Sprintf("between(1, %s, %s)", w.pick("3", "X", "inf"), w.value())
	case n == 14:
		goal = fmt.Sprintf("%s(%s, %s)", w.pick("atom_length", "atom_string", "atom_number", "atom_chars",
			"length", "sum_list", "msort", "number_codes", "string_lower", "last", "term_to_atom", "=.."), w.value(), w.value())
	case n == 15:
		goal = fmt.Sprintf("%s(%s, %s)", w.pick("member", "memberchk", "list_to_set", "reverse", "max_member", "succ",
			"max_list"), w.value(), w.value())
	case n == 16:
		goal = fmt.Sprintf("%s(%s, %s, %s)", w.pick("nth0", "nth1", "select", "subtract", "delete", "append"), w.value(),
			w.value(), w.value())
	case n == 17:
		goal = fmt.Sprintf("format(%s(%s), \"%s\", [%s])", w.pick("atom", "string", "codes", "chars"), w.value(),
			w.pick("~w", "~a", "~d", "~q~n", "~2f"), w.value())
	case n == 18: // the goal within has a line of its own
		goal = fmt.Sprintf("aggregate_all(%s,\n%s%d(%s, %s), %s)", w.pick("count", "count", "sum(X)", "max(X)", "min(Y)",
			"max(X, Y)", "min(Y, X)", "bag(X)", "set(Y-X)", "sum(X + 1)", "max(X * Y)"), w.pick("p", "r"), w.r.Intn(layer+1),
			w.value(), w.value(), w.value())
	default:
		goal = fmt.Sprintf("X = %s", w.pick("f(Y)", "g(Y, Z)", "[Y|Z]", "Y + 1"))
	}
	w.both("\n")
	w.plain.WriteString(goal)
	if strings.Contains(goal, " @") || strings.Contains(goal, " \\==") {
		fmt.Fprintf(&w.noted, "( \\+ %s, note(-%d), fail ; %[1]s, note(%[2]d) )", goal, w.line+1)
		return
	}
	fmt.Fprintf(&w.noted, "( %s, note(%d) )", goal, w.line+1)
	w.line += strings.Count(goal, "\n")
}

// program writes facts and rules in layers.
func (w *typedText) program() {
	w.both("note(N) :- hit(N), ! ; assertz(hit(N)).\n:- dynamic hit/1.\n")
	for p := range 4 {
		kinds := []string{w.constant(), w.constant(), w.constant()}
		for range 1 + w.r.Intn(3) {
			w.both(fmt.Sprintf("p%d(%s, %s).\n", p, w.pick(kinds...), w.pick(kinds...)))
		}
	}
	for layer := range 4 {
		for range 1 + w.r.Intn(2) {
			w.both(fmt.Sprintf("r%d(%s, %s) :- ", layer, w.value(), w.value()))
			for range w.r.Intn(3) {
				w.goal(layer, 0)
				w.both(",")
			}
			w.goal(layer, 0)
			w.both(".\n")
		}
	}
}

// TestNeverSucceeds makes programs, and runs them: no goal that the search for mistakes says never succeeds does so,
// and no comparison fails that it says never fails. A goal that never succeeds with the goals around it may succeed
// alone.
func TestNeverSucceeds(t *testing.T) {
	t.Parallel()
	said, fails := 0, 0
	for seed := range randomPrograms(t, 300, 10_000) {
		w := &typedText{r: rand.New(rand.NewSource(int64(seed)))}
		w.program()
		never := map[string]string{}
		p := engine.New(&engine.Options{Lint: true, Lenient: true})
		require.NoError(t, p.Load(t.Context(), source.File{Name: "a.pl", Text: w.plain.String()}), w.plain.String())
		for _, d := range p.Diagnostics() {
			if d.Code == "never" && !strings.Contains(d.Message, "with the goals around it") {
				line := fmt.Sprint(d.Position.Line)
				if strings.Contains(d.Message, " never fails") {
					line = "-" + line
					fails++
				}
				never[line] = d.Message
				said++
			}
		}
		if len(never) == 0 {
			continue
		}
		p, err := engine.LoadText(t.Context(), "a.pl", w.noted.String(), nil)
		require.NoError(t, err)
		for layer := range 4 {
			for _, x := range []string{"_", "a", `"a"`, "1", "f(_)", "pi"} {
				_, _ = p.Once(t.Context(), fmt.Sprintf("forall(limit(20, r%d(%s, _)), true)", layer, x),
					&engine.RunOptions{Limits: engine.Limits{Inferences: 20_000, Time: time.Minute}})
			}
		}
		s, err := p.Once(t.Context(), "findall(N, hit(N), L)", nil)
		require.NoError(t, err)
		for _, line := range strings.Split(strings.Trim(s.Text("L"), "[]"), ",") {
			require.Empty(t, never[line], "seed %d, line %s\n%s", seed, line, w.plain.String())
		}
	}
	require.Positive(t, said)
	t.Log(said-fails, "goals never succeed,", fails, "never fail")
}
