package kb

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// lints are the codes of mistakes in programs that load and run.
var lints = []string{"left_recursion", "right_recursion", "not_monotone", "negation", "unbound", "unevaluated",
	"format_arguments", "never", "unreached", "overlap", "gap", "endless", "output_type",
	"unasked", "no_row", "zero_divisor", "reassigned", "inexact", "free_variable", "distinct_sum"}

// odd are the mistakes that cases of the language and a benchmark of exceptions contain on purpose.
var odd = []string{"never", "unreached", "negation"}

// oddFiles are the files that contain mistakes on purpose, with the codes of these mistakes.
var oddFiles = map[string][]string{"exceptions.pl": odd, "faults.pl": {"unbound", "never", "output_type"},
	"counter.pl": {"output_type"}, "plain.pl": {"never"}}

// linted returns the diagnostics of a text with these codes.
func linted(t *testing.T, name, text string) (list source.Diagnostics) {
	p := engine.New(&engine.Options{Lint: true, Lenient: true, Declarations: nil})
	_ = p.Load(t.Context(), source.File{Name: name, Text: text})
	for _, d := range p.Diagnostics() {
		if slices.Contains(lints, d.Code) {
			list = append(list, d)
		}
	}
	return list
}

// Correct programs get no such diagnostics: the examples, the library, the benchmarks and the cases of the language.
func TestNoFalseLints(t *testing.T) {
	t.Parallel()
	n := 0
	for _, pattern := range []string{"../examples/*/*.pl", "../engine/internal/lib/*.pl", "../packs/*.pl",
		"../engine/internal/lib/system/*.pl", "../tools/bench/*/*.pl", "../tools/bench/*.pl",
		"../testdata/*/*.pl", "../bridge/testdata/kb/*.pl"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			for _, d := range linted(t, name, string(text)) {
				if !slices.Contains(oddFiles[filepath.Base(name)], d.Code) {
					t.Error(d)
				}
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
			if n++; n%deep.Count(4, 1) != 0 {
				continue
			}
			for _, d := range linted(t, filepath.Base(name), c.Setup) {
				if !slices.Contains(odd, d.Code) {
					t.Error(d)
				}
			}
		}
	}
	t.Log(n, "programs")
}

// fewest is the least number of programs with each mistake, and of similar programs without it.
const fewest = 20

// Each mistake is found, and correct programs get no diagnostic. The programs are in testdata/lint, each under a line
// that describes it. A code with several messages has a file for each message: a suffix follows the code in the file's
// name, and the first line has words of the message.
func TestLints(t *testing.T) {
	files, err := filepath.Glob("testdata/lint/*.pl")
	require.NoError(t, err)
	require.Len(t, files, 57)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".pl")
		code, _, _ := strings.Cut(name, "-")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			first, _, _ := strings.Cut(string(text), "\n")
			words, several := strings.CutPrefix(first, "%% ")
			if !several {
				words = ""
			}
			count := map[string]int{}
			for head, program := range programsIn(string(text)) {
				kind, _, _ := strings.Cut(head, ":")
				count[kind]++
				checkLint(t, code, words, head, program)
			}
			require.GreaterOrEqual(t, min(count["wrong"], count["right"]), fewest)
			require.Len(t, count, 2)
		})
	}
}

// programsIn yields the programs of a text, each under a line with a comment.
func programsIn(text string) iter.Seq2[string, string] {
	return func(yield func(head, program string) bool) {
		for _, one := range strings.Split("\n"+text, "\n% ")[1:] {
			if head, program, _ := strings.Cut(one, "\n"); !yield(head, program+"\n") {
				return
			}
		}
	}
}

// Correct programs get no diagnostic although they look like faulty ones: both kinds of text, comparisons of texts with
// names, defaults, guards, cuts, and sums of different values.
func TestRightPrograms(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/right/neighbours.pl")
	require.NoError(t, err)
	n := 0
	for head, program := range programsIn(string(text)) {
		checkLint(t, "never", "", head, program)
		n++
	}
	require.Equal(t, 40, n)
}

// Programs of six kinds have mistakes that models make. The line above each names the expected diagnostic, or says that
// the mistake is missed, which shows the limits of the search.
func TestWrongPrograms(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/wrong/*.pl")
	require.NoError(t, err)
	require.Len(t, files, 6)
	found, all := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for head, program := range programsIn(string(text)) {
			all++
			report := checkText(t, program)
			code, _, _ := strings.Cut(head, ":")
			if code == "missed" {
				require.Empty(t, report, "%s is found now", head)
				continue
			}
			found++
			require.Contains(t, codesOf(report), code, "%s: %s", filepath.Base(file), head)
			require.Empty(t, report.Errors(), head)
		}
	}
	require.Equal(t, 75, all)
	t.Log(found, "of", all, "are found")
}

// confirmWitness runs the goal with the values that a message about an overlap or a gap names.
func confirmWitness(t *testing.T, d source.Diagnostic, program string) {
	goal, _, _ := strings.Cut(d.Message, " fits ")
	if d.Code != "overlap" && d.Code != "gap" {
		return
	}
	p, err := engine.LoadText(t.Context(), "a.pl", program, &engine.Options{Lenient: true})
	require.NoError(t, err)
	answers := 0
	for _, err := range p.Query(t.Context(), goal, nil) {
		require.NoError(t, err)
		answers++
	}
	require.Equal(t, map[string]int{"overlap": 2, "gap": 0}[d.Code], min(answers, 2), "%s\n%s", d.Message, program)
}

// checkLint expects a diagnostic with some words for a faulty program, and no diagnostic for a correct one.
func checkLint(t *testing.T, code, words, head, program string) {
	report := checkText(t, program)
	require.Empty(t, report.Errors(), head)
	wrong := strings.HasPrefix(head, "wrong:")
	found := false
	for _, d := range report {
		found = found || d.Code == code && strings.Contains(d.Message, words)
		if wrong {
			confirmWitness(t, d, program)
		} else if d.Code == code || slices.Contains(lints, d.Code) || d.Code == "undeclared" || d.Code == "item_fact" {
			t.Errorf("%s: %s", head, d)
		}
	}
	if wrong && !found {
		t.Errorf("%s: is not found; there are %v\n%s", head, codesOf(report), program)
	}
}

// exchanged are facts for goals with exchanged variables.
const exchanged = "order(o1, ann).\norder(o2, bob).\ncity(ann, bern).\ncity(bob, basel).\n"

// Each cause is reported once. A caller of a goal that never succeeds is not reported as an endless recursion. An
// inexact output is not reported beside the calculation that makes it inexact. Of two goals, the one that never
// succeeds is reported.
func TestNeverHasOneCause(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ok(P) :- adult(P), m(P).\nadult(P) :- born(P, D), D @< '2016-01-01'.\nm(a).\n" +
			"born(a, date(2015, 1, 2)).\n": "D@<",
		"double(L, N) :- size(L, M), N is 2 * M.\nsize([_|T], N) :- size(T, M), N is M + 1.\n": "size/2",
		":- mode(tax(+decimal, -decimal(2)), one).\ntax(X, Y) :- Y is X * 1.19.\n":             "1.19 is",
		":- mode(tax(+decimal, -decimal(2)), one).\ntax(X, Y) :- Z is X * 1.19, Y is Z + 1.\n": "1.19 is",
		"late(O) :- order(O, _C), \\+ city(O, bern).\n" + exchanged:                            "city(O,bern) never succeeds",
		"at(O, T) :- order(O, _), city(O, T).\n" + exchanged:                                   "city(O,T) never succeeds",
		"at(L) :- findall(T, (order(O,_),city(O,T)), L).\n" + exchanged:                        "city(O,T) never succeeds",
	} {
		found := linted(t, "a.pl", text)
		require.Len(t, found, 1, "%v", found)
		require.NotContains(t, found[0].Message, " _ ")
		require.True(t, strings.HasPrefix(found[0].Message, want), found[0].Message)
	}
}

// Programs of any size are analyzed completely: many clauses, a predicate with many clauses, predicates that all call
// each other, and deeply nested terms.
func TestLintsOfLargePrograms(t *testing.T) {
	t.Parallel()
	size := deep.Count(5_000, 100_000)
	var many, single, optional, mutual strings.Builder
	optional.WriteString(":- mode(p(+integer, ?integer), zero_or_more).\n")
	for i := range size {
		fmt.Fprintf(&many, "p%d(X, Y) :- X > %d, Y is X + 1.\n", i, i)
		fmt.Fprintf(&single, "p(X, Y) :- X > %d, Y is X + %d.\n", i, i)
		fmt.Fprintf(&optional, "p(X, Y) :- X > %d, Y = %d.\n", i, i)
	}
	for i := range 500 {
		fmt.Fprintf(&mutual, "q%d(0).\nq%d(X) :- X > 0, Y is X - 1, q%d(Y).\n", i, i, (i*7+1)%500)
	}
	nested := "d(" + strings.Repeat("f(", size) + "a" + strings.Repeat(")", size) + ").\n"
	branches := "b(X) :- " + strings.Repeat("( X > 1 -> ", size/10) + "true" + strings.Repeat(" ; true )", size/10) + ".\n"
	for _, text := range []string{many.String(), single.String(), optional.String(), mutual.String(), nested, branches,
		"goal_expansion(log(_), true).\nterm_expansion(off(_), []).\noff(a).\nrun(X) :- log(X).\n"} {
		require.Empty(t, linted(t, "a.pl", text+"late(X) :- status(X, done).\nstatus(a, done).\n"))
		found := linted(t, "a.pl", text+"late(X) :- status(X, overdeu).\nstatus(a, overdue).\n")
		require.Len(t, found, 1)
		require.Equal(t, "never", found[0].Code)
	}
}

// A text that is read as a stream is analyzed too, by its first facts and the types of the others.
func TestLintsOfLongTexts(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := 0; text.Len() < 2*largeFile; i++ {
		fmt.Fprintf(&text, "size(item%d, %d).\n", i, i)
	}
	text.WriteString("late(X) :- status(X, overdeu).\nstatus(a, overdue).\nweight(X) :- size(X, heavy).\n")
	var found []string
	for _, d := range checkText(t, text.String()) {
		found = append(found, d.Code+": "+d.Message)
	}
	require.Len(t, found, 2)
	require.Contains(t, found[0], "did you mean overdue?")
	require.Contains(t, found[1], "size/2 has an integer from 0 to ")
}

// A note says what the analysis leaves out of a program that is too large, too deep or changed by hooks.
func TestLintsSayWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	late := "late(X) :- status(X, overdeu).\nstatus(a, overdue).\n"
	var wide, long strings.Builder
	for i := range 500 {
		fmt.Fprintf(&wide, "q%d(X, Y) :- ", i)
		for j := range 40 {
			fmt.Fprintf(&wide, "q%d(X, Y%d), ", (i*7+j*13)%500, j)
		}
		fmt.Fprintf(&wide, "Y = f(Y%d).\n", i%40)
		for j := range 12 {
			fmt.Fprintf(&wide, "q%d(%d, c%d).\n", i, i+j, j)
		}
	}
	long.WriteString("p(X) :- X > 1")
	for i := range 11_000 {
		fmt.Fprintf(&long, ", X > %d", i)
	}
	long.WriteString(".\n")
	nested := "p(X) :- " + strings.Repeat("( X > 1 -> ", 1500) + "true" + strings.Repeat(" ; true )", 1500) + ".\n"
	for text, want := range map[string]string{
		late + wide.String(): "the values of arguments take too many steps to follow; not looked for were goals that never " +
			"succeed, clauses that no call reaches, overlaps, gaps and outputs without a value",
		late + long.String(): "p/1 has too many goals; not looked for were variables without a value",
		late + nested: "the goals of p/1 are too many, or nested too deep; not looked for were those that never " +
			"succeed",
		"goal_expansion(status(X, overdeu), status(X, overdue)).\n" + late: "goal_expansion/2 makes something else of " +
			"clauses, of this one first; not looked for were mistakes in those",
		"term_expansion(p(X), (p(X) :- q(X))).\np(a).\nq(a).\n": "term_expansion/2 makes something else of clauses, of " +
			"this one first; not looked for were mistakes in those",
		":- use_module(library(chr)).\n:- chr_constraint a.\na <=> true.\n": "library(chr) makes something else of " +
			"clauses, of this one first; not looked for were mistakes in those",
	} {
		var notes []string
		for _, d := range checkText(t, text) {
			if d.Severity == source.SeverityNote {
				require.Equal(t, "unchecked", d.Code)
				require.Positive(t, d.Line)
				notes = append(notes, d.Message)
			}
		}
		require.Contains(t, notes, want)
	}
}
