package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic test.

// testRun holds the flags of mcplogic test and what it has found.
type testRun struct {
	// The flags. only chooses tests, as --run describes it. time and memory are limits of each test; junit is a file.
	sandbox   sandbox
	asJSON    bool
	reference bool
	only      string
	time      time.Duration
	memory    size
	junit     string
	watch     bool
	coverage  coverage

	// What is under test, and the result so far. second is nil without --reference.
	program *engine.Program
	errors  bool          // the files have errors
	output  engine.Buffer // of the goals, with --json
	second  *secondOpinion
	counts  testCounts
	results []testResult // for JUnit
	began   time.Time    // of the test that runs
	watched *watched     // nil without --watch

	stdout, stderr io.Writer
}

// testCounts counts the tests by how they ended. A test that passes and leaves a choice point has passed.
// One about which the interpreters disagree is counted as Disagreed too.
type testCounts struct {
	Passed    int `json:"passed"`
	Failed    int `json:"failed"`
	Blocked   int `json:"blocked"`
	Fixme     int `json:"fixme"`
	Disagreed int `json:"disagreed"`
}

// testResult says how one test ended. Its JSON form is a line of the output of --json. Want and Got are
// texts of terms; which tests have them is library(plunit)'s to say.
type testResult struct {
	Unit    string `json:"unit"`
	Test    string `json:"test"`
	Forall  string `json:"forall,omitempty"` // values of the variables of its generator
	File    string `json:"file"`
	Line    int    `json:"line"`
	Status  string `json:"status"` // passed, choice_point, failed, blocked or fixme
	Message string `json:"message,omitempty"`
	Want    string `json:"expected,omitempty"`
	Got     string `json:"got,omitempty"`
	Output  string `json:"output,omitempty"`
	// Why is the goal that made the test fail, with its values.
	Why     string  `json:"why,omitempty"`
	Seconds float64 `json:"seconds"`
	// Reference says, when the other interpreter was asked, what it found: agrees, disagrees,
	// or why it could not be asked.
	Reference string `json:"reference,omitempty"`
}

// newTest makes the command that runs tests.
func newTest() *cobra.Command {
	t := &testRun{memory: 1 << 30}
	cmd := &cobra.Command{
		Use:   "test [flags] PATH...",
		Short: "Run the plunit tests in *.plt files, and the examples of info/2",
		Long: `Load files and folders with the *.plt files in them and run their tests.

A folder stands for all *.pl and *.plt files below it, name.plt for name.pl too, and name.pl for
name.plt too. Errors in the files are printed, and the tests that are left run, unless --strict is
given. Tests are written as for SWI-Prolog's plunit: between :- begin_tests(Unit) and
:- end_tests(Unit), as clauses test(Name) :- Goal or test(Name, Options) :- Goal.

The examples of info/2 are tests of the unit examples: Title - Goal - {Bindings}, where the goal has to
have a solution with these bindings, {true}, {fail} or {error(Formal, Context)}.

With --json each test is an object with unit, test, file, line, status, message, expected, got and
output, on a line of its own, and the last line counts them. With --reference each test is also
run on ichiban/prolog, an independent ISO interpreter, and disagreements are reported.

With --coverage it says which clauses and branches of the rules the tests have reached: as text, with
--coverage=json and --coverage=lcov for programs, with --coverage=html as a page with the texts coloured.
--threshold wants a share of the clauses. --junit writes the results in the format of JUnit. With --watch
the tests run again after each change of the files, until the command is interrupted.

The exit code is 0 when all tests pass, 1 when some fail, the files have errors or the coverage is below
the threshold, 2 when there are no tests and examples, or for wrong usage.`,
		Example: `  mcplogic test examples/birds
  mcplogic test --json --run birds:described examples/birds
  mcplogic test --coverage --threshold 80 examples/birds
  mcplogic test --watch examples/birds`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			t.stdout, t.stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			if err := t.coverage.check(); err != nil {
				return err
			}
			if t.watch {
				return t.again(cmd, args)
			}
			return t.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	t.sandbox.add(flags)
	t.sandbox.loading.addStrict(flags)
	flags.BoolVar(&t.asJSON, "json", false, "print results as JSON, one a line")
	flags.BoolVar(&t.reference, "reference", false, "run the tests on ichiban/prolog too")
	flags.StringVar(&t.only, "run", "", "run only this UNIT, or UNIT:TEST; * and ? match any text and any character")
	flags.StringVar(&t.junit, "junit", "", "write the results to this file as JUnit does")
	flags.StringVar(&t.coverage.format, "coverage", "", "say what the tests have reached: text, json, lcov or html")
	flags.Lookup("coverage").NoOptDefVal = "text"
	flags.StringVar(&t.coverage.file, "coverage-file", "", "write the coverage to this file")
	flags.Float64Var(&t.coverage.threshold, "threshold", 0, "least percentage of clauses that the tests must reach")
	flags.BoolVar(&t.watch, "watch", false, "run the tests again after each change of the files")
	flags.DurationVar(&t.time, "timeout", time.Minute, "longest time of a test; 0: none")
	flags.Var(&t.memory, "max-memory", "most memory that goals may take")
	return cmd
}

// run loads the files of rules and of tests and runs the tests. It returns the exit code as an error. Of the flags only
// --run chooses tests: "examples" is a unit too.
func (t *testRun) run(cmd *cobra.Command, args []string) error {
	paths, tested, err := testPaths(args)
	if err != nil {
		return err
	}
	o := t.sandbox.load(cmd)
	o.Coverage = t.coverage.begin()
	load := kb.Load
	if t.watched != nil {
		load = t.watched.load
	}
	snapshot, report := load(cmd.Context(), paths, o)
	collectFor(whileServing)
	printDiagnostics(t.stderr, report)
	if snapshot == nil {
		return notLoaded(report)
	}
	t.errors = report.Err() != nil
	t.program = snapshot.Program
	if !tested && len(snapshot.Examples()) == 0 {
		return fmt.Errorf("there are no .plt files and no examples of info/2 in %s", strings.Join(args, ", "))
	}
	if t.reference {
		if t.second, err = newSecondOpinion(cmd.Context(), t.program); err != nil {
			return err
		}
	}
	if tested && t.only != exampleUnit {
		err = t.runAll(cmd.Context())
	}
	if err == nil && (t.only == "" || t.only == exampleUnit) {
		err = t.runExamples(cmd.Context(), snapshot.Examples())
	}
	// The goals of at_halt/1 run also when the tests have ended with an error.
	callAtHalt(cmd.Context(), t.program, &engine.RunOptions{Memory: int(t.memory), Output: t.stderr, Error: t.stderr})
	if err != nil {
		return err
	}
	return t.finish()
}

// testPaths lists the files that paths stand for, and reports whether there are tests among them. Rules bring the
// tests beside them along, and tests the rules. All rules come before all tests, so that tests find them loaded.
func testPaths(args []string) (all []string, tested bool, err error) {
	var paths, tests []string
	within := false // a file of rules has tests in it
	for _, path := range args {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, false, cmp.Or(pathError(path), err)
		case info.IsDir():
			found, err := testFiles(path)
			if err != nil {
				return nil, false, err
			}
			paths, tests = append(paths, path), append(tests, found...)
		case filepath.Ext(path) == ".plt":
			paths, tests = append(paths, existing(sibling(path, ".pl"))...), append(tests, path)
		default:
			paths, tests = append(paths, path), append(tests, existing(sibling(path, ".plt"))...)
			within = within || holdsTests(path)
		}
	}
	return append(paths, tests...), within || len(tests) > 0, nil
}

// holdsTests reports whether a file of rules seems to have tests in it. It searches the text: a comment with
// begin_tests( costs only a run without tests.
func holdsTests(path string) bool {
	text, err := os.ReadFile(path)
	return err == nil && bytes.Contains(text, []byte("begin_tests("))
}

// sibling returns the path with another extension: the tests of rules, or the rules of tests.
func sibling(path, ext string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ext }

// existing returns the path as a list, which is empty if there is no such file. Rules need not have tests
// beside them.
func existing(path string) []string {
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	return []string{path}
}

// testFiles lists the *.plt files below a folder. Hidden files and folders are left out, as they are when
// rules are loaded.
func testFiles(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir() && filepath.Ext(path) == ".plt":
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// runAll runs the tests and prints each result before the next test begins: results are the answers of one goal. With
// --json the output of a test is collected for its result; else it goes to standard output as it comes, and freshLine
// ends a line that it has left open.
func (t *testRun) runAll(ctx context.Context) error {
	out := &lineWriter{w: t.stdout}
	o := &engine.RunOptions{Memory: int(t.memory), Output: out, Error: t.stderr}
	if t.asJSON {
		o.Output = &t.output
	}
	r, err := t.program.Start(t.goal(), o)
	if err != nil {
		return t.broken(err)
	}
	defer r.Close()
	for {
		t.began = time.Now()
		found, err := nextSolution(ctx, r)
		out.freshLine()
		if err != nil {
			return t.broken(err)
		}
		if !found {
			return nil
		}
		if err := t.report(ctx, r.Solution()); err != nil {
			return err
		}
	}
}

// goal returns the goal whose answers are the results of the tests that the flags choose. It is a text, in which names
// are quoted where they need it, so that any name can be chosen.
func (t *testRun) goal() string {
	spec := "all"
	if strings.ContainsAny(t.only, "*?") {
		unit, test, both := strings.Cut(t.only, ":")
		if !both {
			test = "*"
		}
		spec = engine.FormatTerm(term.New("matching", term.Atom(unit), term.Atom(test)))
	} else if unit, test, both := strings.Cut(t.only, ":"); both {
		spec = engine.FormatTerm(term.New(":", term.Atom(unit), term.Atom(test)))
	} else if t.only != "" {
		spec = engine.FormatTerm(term.Atom(t.only))
	}
	options := ""
	if t.time > 0 {
		options = fmt.Sprintf("timeout(%g)", t.time.Seconds())
	}
	return fmt.Sprintf("plunit:set_test_options([%s]), plunit:test_result(%s, R)", options, spec)
}

// broken prints an error of the run as a whole, or that a test has halted. Either ends the command, since
// the tests behind it have not run.
func (t *testRun) broken(err error) error {
	var halt *engine.Halt
	if errors.As(err, &halt) {
		fmt.Fprintf(t.stderr, "a test called halt(%d)\n", halt.Code)
	} else {
		fmt.Fprintf(t.stderr, "error: %s\n", err)
	}
	return exit(exitNo)
}

// report prints the result that an answer holds, the term result(Unit, Test, Forall, File, Line, Outcome). With
// --reference it asks the other interpreter before that, unless the test was blocked or is to be fixed.
func (t *testRun) report(ctx context.Context, s engine.Solution) error {
	args := s.Get("R").(*term.Compound).Args
	line, _ := args[4].(term.Int)
	res := testResult{Unit: plain(args[0]), Test: plain(args[1]), File: plain(args[3]), Line: int(line),
		Output: t.output.String(), Seconds: time.Since(t.began).Seconds()}
	// The next answer begins with no output, so each result has that of its own test.
	t.output.Reset()
	if args[2] != term.Term(term.Nil) {
		res.Forall = engine.FormatTerm(args[2])
	}
	res.judge(args[5])
	res.Why = t.why(ctx, &res, args)
	// The search for the reason runs the goal again, whose output is not shown.
	t.output.Reset()
	t.counts.add(res.Status)
	t.note(res)
	if t.second != nil && (res.Status == "passed" || res.Status == "choice_point" || res.Status == "failed") {
		if res.Reference = t.second.about(ctx, args, res.Status != "failed"); strings.HasPrefix(res.Reference, "disagrees") {
			t.counts.Disagreed++
		}
	}
	if t.asJSON {
		return printJSON(t.stdout, res)
	}
	res.print(t.stdout)
	return nil
}

// note keeps a result for JUnit.
func (t *testRun) note(res testResult) {
	if t.junit != "" {
		t.results = append(t.results, res)
	}
}

// judge reads the outcome that library(plunit) gives a test: an atom, or a term whose name is the status
// and whose arguments are a message and what was expected and found.
func (r *testResult) judge(outcome term.Term) {
	name, _, _ := term.Indicator(outcome)
	r.Status = string(name)
	c, ok := outcome.(*term.Compound)
	if !ok {
		return
	}
	r.Message = plain(c.Args[0])
	switch name {
	case "failed":
		r.Want, r.Got = plain(c.Args[1]), plain(c.Args[2])
	case "fixme":
		r.Got = plain(c.Args[1])
	}
}

// plain returns a text as it is, and any other term as writeq shows it: names of tests may be any terms.
func plain(t term.Term) string {
	if text, ok := term.Text(t); ok {
		return text
	}
	return engine.FormatTerm(t)
}

// add counts one test.
func (c *testCounts) add(status string) {
	switch status {
	case "failed":
		c.Failed++
	case "blocked":
		c.Blocked++
	case "fixme":
		c.Fixme++
	default:
		c.Passed++
	}
}

// print prints a result for people, as a diagnostic at the place of the test. A test that passes is not
// worth a line, unless the other interpreter disagrees.
func (r *testResult) print(w io.Writer) {
	severity, text := engine.SeverityWarning, r.Message
	switch r.Status {
	case "passed":
		if !strings.HasPrefix(r.Reference, "disagrees") {
			return
		}
		text = "passed"
	case "failed":
		severity = engine.SeverityError
	case "choice_point":
		text = "succeeded with a choice point"
	case "blocked":
		text = "blocked: " + r.Message
	case "fixme":
		text = fmt.Sprintf("to be fixed: %s (%s)", r.Message, r.Got)
	}
	name := r.Unit + ":" + r.Test
	if r.Forall != "" {
		name += " with " + r.Forall
	}
	at := engine.Position{File: r.File, Place: engine.Place{Line: r.Line}}
	d := engine.Diagnostic{Position: at, Severity: severity, Message: fmt.Sprintf("test %s: %s", name, text)}
	printDiagnostics(w, engine.Diagnostics{d})
	if r.Status == "failed" && r.Want != "" {
		fmt.Fprintf(w, "    expected: %s\n    got:      %s\n", r.Want, r.Got)
	}
	if r.Why != "" {
		fmt.Fprintf(w, "    %s\n", r.Why)
	}
	if strings.HasPrefix(r.Reference, "disagrees") {
		fmt.Fprintf(w, "    ichiban/prolog %s\n", r.Reference)
	}
}

// finish prints the counts and returns the exit code. A disagreement counts as a failure: one of the two
// engines is wrong.
func (t *testRun) finish() error {
	c := t.counts
	if t.asJSON {
		if err := printJSON(t.stdout, c); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(t.stdout, c.text(t.second))
	}
	if t.junit != "" {
		if err := writeJUnit(t.junit, t.results); err != nil {
			return err
		}
	}
	if err := t.coverage.report(t.stdout, t.stderr); err != nil {
		return err
	}
	if c.Failed > 0 || c.Disagreed > 0 || t.errors {
		return exit(exitNo)
	}
	return nil
}

// text returns the counts in words. Failures come first, and kinds of which there is none are left out.
func (c testCounts) text(second *secondOpinion) string {
	parts := []string{fmt.Sprintf("%d passed", c.Passed)}
	if c.Failed > 0 {
		parts = append([]string{fmt.Sprintf("%d failed", c.Failed)}, parts...)
	}
	if c.Blocked > 0 {
		parts = append(parts, fmt.Sprintf("%d blocked", c.Blocked))
	}
	if c.Fixme > 0 {
		parts = append(parts, fmt.Sprintf("%d to be fixed", c.Fixme))
	}
	if second != nil {
		parts = append(parts, fmt.Sprintf("ichiban/prolog agrees with %d, disagrees with %d, cannot say of %d",
			second.agreed, c.Disagreed, second.unable))
	}
	return strings.Join(parts, ", ")
}
