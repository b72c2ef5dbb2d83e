package engine_test

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
)

// typedText makes programs that combine values of several kinds. Each goal is on its own line.
type typedText struct {
	r *rand.Rand
	// plain is the program. noted is the same program with a note after each goal that it has succeeded, and a note
	// after the last goal of each conjunction.
	plain, noted strings.Builder
	line         int
	// ends has the notes after conjunctions, by the lines of their goals, and the notes after the clauses of a
	// predicate, by the line of its first clause.
	ends map[int][]string
	last int // the last of these notes
	// asked is the type of the first argument of r4/2.
	asked string
}

// conjunction writes a conjunction of goals and a note after it. It returns the note.
func (w *typedText) conjunction(goals ...func()) string {
	w.last++
	end, from := fmt.Sprint("e", w.last), w.line+2
	for i, goal := range goals {
		if i > 0 {
			w.both(",")
		}
		goal()
	}
	fmt.Fprintf(&w.noted, ", note(%s)", end)
	for line := from; line <= w.line+1; line++ {
		if w.ends[line] == nil {
			w.ends[line] = []string{end}
		}
	}
	return end
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

// goal writes a goal for a rule of the given layer.
func (w *typedText) goal(layer, depth int) {
	if n := w.r.Intn(16); depth < 3 && n < 9 {
		w.both([]string{"\n( ", "\n( ", "\n\\+ ( ", "\nfindall(X, ( ", "\nforall(( ", "\ncatch(( ", "\nonce(( ",
			"\nmaplist([X]>>( ", "\nmaplist([X, Y]>>( "}[n])
		inner := func() { w.goal(layer, depth+1) }
		if between := []string{" -> ", " ; ", "", "", "), ( ", "), _, ( ", "", "", ""}[n]; between != "" {
			w.conjunction(inner)
			w.both(between)
			w.conjunction(inner)
		} else {
			w.conjunction(inner, inner)
		}
		if n == 0 {
			w.both(" ; ")
			w.conjunction(inner)
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
	case n == 18:
		w.both("\n")
		at := w.line + 1
		w.noted.WriteString("( ")
		w.both(fmt.Sprintf("aggregate_all(%s, ( ", w.pick("count", "count", "sum(X)", "max(X)", "min(Y)", "max(X, Y)",
			"min(Y, X)", "bag(X)", "set(Y-X)", "sum(X + 1)", "max(X * Y)")))
		w.conjunction(func() {
			w.write(fmt.Sprintf("%s%d(%s, %s)", w.pick("p", "r"), w.r.Intn(layer+1), w.value(), w.value()))
		})
		w.both(fmt.Sprintf(" ), %s)", w.value()))
		fmt.Fprintf(&w.noted, ", note(%d) )", at)
		return
	default:
		goal = fmt.Sprintf("X = %s", w.pick("f(Y)", "g(Y, Z)", "[Y|Z]", "Y + 1"))
	}
	w.write(goal)
}

// write writes a goal of one line.
func (w *typedText) write(goal string) {
	w.both("\n")
	w.plain.WriteString(goal)
	if strings.Contains(goal, " @") || strings.Contains(goal, " \\==") {
		fmt.Fprintf(&w.noted, "( \\+ %s, note(-%d), fail ; %[1]s, note(%[2]d) )", goal, w.line+1)
		return
	}
	fmt.Fprintf(&w.noted, "( %s, note(%d), ( text_in(%[1]s) -> true ; note(no_text(%[2]d)) ) )", goal, w.line+1)
}

// program writes facts and rules in layers.
func (w *typedText) program() {
	w.both("note(N) :- hit(N), ! ; assertz(hit(N)).\n:- dynamic hit/1.\n" +
		"text_in(G) :- sub_term(T, G), nonvar(T), ( string(T) ; T = [_|_] ; atom(T), catch(_ is T, _, fail) ), !.\n")
	columns := [][]string{{"a", "b", "c"}, {"'A'", "pi"}, {`"a"`, `"bc"`}}
	separate := w.r.Intn(3) == 0 // each argument has values of a single kind
	for p := range 4 {
		first, second := []string{w.constant(), w.constant(), w.constant()}, []string(nil)
		if second = first; separate {
			first, second = columns[w.r.Intn(len(columns))], columns[w.r.Intn(len(columns))]
		}
		for range 1 + w.r.Intn(3) {
			w.both(fmt.Sprintf("p%d(%s, %s).\n", p, w.pick(first...), w.pick(second...)))
		}
	}
	w.asked = w.pick(slices.Sorted(maps.Keys(inputs))...)
	w.both(fmt.Sprintf(":- mode(r4(+%s, ?any), zero_or_more).\n", w.asked))
	for layer := range 5 {
		first := w.line + 1
		for range 1 + w.r.Intn(2) {
			w.both(fmt.Sprintf("r%d(%s, %s) :- ", layer, w.value(), w.value()))
			head, goals := w.line+1, make([]func(), 1+w.r.Intn(3))
			for i := range goals {
				goals[i] = func() { w.goal(min(layer, 3), 0) }
			}
			end := w.conjunction(goals...)
			w.ends[first] = append(w.ends[first], end)
			if head > first {
				w.ends[head] = []string{end}
			}
			w.both(".\n")
		}
	}
}

// inputs are types of the only argument that calls give to r4/2, with values.
var inputs = map[string][]string{"atom": {"a", "b", "c", "'A'", "zz", "pi"}, "string": {`"bc"`, `"zz"`, `"a"`},
	"integer": {"1", "2", "7", "-3", "0"}, "number": {"1", "7", "0.5", "-2.5"}, "oneof([a, 1])": {"a", "1"},
	"positive_integer": {"1", "2", "7", "100"}, "any": {"a", "1", "f(_)", `"a"`, "[]"}}

// TestNeverSucceeds makes and runs programs. No goal succeeds that the lint reports as never succeeding, and no
// comparison fails that it reports as never failing. If the lint reports a conjunction or a predicate as never
// succeeding, its end is never reached. A goal that it reports as never succeeding but for texts that have a value
// only succeeds with such a text.
func TestNeverSucceeds(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for seed := range randomPrograms(t, 300, 10_000) {
		w := &typedText{r: rand.New(rand.NewSource(int64(seed))), ends: map[int][]string{}}
		w.program()
		never := map[string]string{}
		p := engine.New(&engine.Options{Lint: true, Lenient: true})
		require.NoError(t, p.Load(t.Context(), source.File{Name: "a.pl", Text: w.plain.String()}), w.plain.String())
		for _, d := range p.Diagnostics() {
			if d.Code != "never" {
				continue
			}
			kind, notes := "goals", []string{fmt.Sprint(d.Line)}
			switch {
			case strings.Contains(d.Message, " never fails"):
				kind, notes = "comparisons that never fail", []string{fmt.Sprint(-d.Line)}
			case strings.Contains(d.Message, "with the goals around it"):
				kind, notes = "goals with those around them", w.ends[d.Line]
			case strings.Contains(d.Message, " never succeeds for values that "):
				goal, rest, _ := strings.Cut(d.Message, " never succeeds for values that ")
				first, _, _ := strings.Cut(rest, " gives: ")
				_, err := p.Once(t.Context(), first+", "+goal, &engine.RunOptions{Limits: engine.Limits{Inferences: 20_000}})
				require.Error(t, err, "seed %d: %s\n%s", seed, d.Message, w.plain.String())
				kind, notes = "goals for values of others", []string{"none"}
			case strings.Contains(d.Message, "no call reaches this clause"):
				kind, notes = "clauses", w.ends[d.Line][:1]
			case strings.HasPrefix(strings.Split(w.plain.String(), "\n")[d.Line-1], "r"):
				kind, notes = "predicates", w.ends[d.Line]
			case strings.Contains(d.Message, "but for texts that have a value"):
				kind, notes = "goals for calls as mode/2 has them, but for texts that have a value",
					[]string{fmt.Sprintf("no_text(%d)", d.Line)}
			case strings.Contains(d.Message, "as mode/2 has them"):
				kind = "goals for calls as mode/2 has them"
			}
			require.NotEmpty(t, notes)
			count[kind]++
			for _, note := range notes {
				never[note] = d.Message
			}
		}
		if len(never) == 0 {
			continue
		}
		p, err := engine.LoadText(t.Context(), "a.pl", w.noted.String(), nil)
		require.NoError(t, err)
		for layer := range 5 {
			values := inputs[w.asked]
			if layer < 4 {
				values = []string{"_", "a", `"a"`, "1", "f(_)", "pi"}
			}
			for _, x := range values {
				_, _ = p.Once(t.Context(), fmt.Sprintf("forall(limit(20, r%d(%s, _)), true)", layer, x),
					&engine.RunOptions{Limits: engine.Limits{Inferences: 20_000, Time: time.Minute}})
			}
		}
		s, err := p.Once(t.Context(), "findall(N, hit(N), L)", nil)
		require.NoError(t, err)
		for _, note := range strings.Split(strings.Trim(s.Text("L"), "[]"), ",") {
			require.Empty(t, never[note], "seed %d, note %s\n%s", seed, note, w.noted.String())
		}
	}
	require.Positive(t, count["goals"])
	t.Log(count)
}
