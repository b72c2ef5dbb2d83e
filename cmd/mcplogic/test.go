package main

import (
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
	sandbox   sandbox
	asJSON    bool
	reference bool
	only      string
	time      time.Duration
	memory    size

	program *engine.Program
	output  engine.Buffer // of the goals, with --json
	second  *secondOpinion
	counts  testCounts

	stdout, stderr io.Writer
}

// testCounts counts the tests by how they ended.
type testCounts struct {
	Passed    int `json:"passed"`
	Failed    int `json:"failed"`
	Blocked   int `json:"blocked"`
	Fixme     int `json:"fixme"`
	Disagreed int `json:"disagreed"`
}

// testResult says how one test ended. Its JSON form is a line of the output of --json.
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
	// Reference says, when the other interpreter was asked, what it found: agrees, disagrees,
	// or why it could not be asked.
	Reference string `json:"reference,omitempty"`
}

// newTest makes the command that runs tests.
func newTest() *cobra.Command {
	t := &testRun{memory: 1 << 30}
	cmd := &cobra.Command{
		Use:   "test [flags] PATH...",
		Short: "Run the plunit tests in *.plt files",
		Long: `Load files and folders with the *.plt files in them and run their tests.

A folder stands for all *.pl and *.plt files below it, name.plt for name.pl too, and name.pl for
name.plt too. Tests are written as for SWI-Prolog's plunit: between :- begin_tests(Unit) and
:- end_tests(Unit), as clauses test(Name) :- Goal or test(Name, Options) :- Goal.

With --json each test is an object with unit, test, file, line, status, message, expected, got and
output, on a line of its own, and the last line counts them. With --reference each test is also
run on ichiban/prolog, an independent ISO interpreter, and disagreements are reported.

The exit code is 0 when all tests pass, 1 when some fail or the files have errors, 2 when there
are no tests or for wrong usage.`,
		Example: `  mcplogic test examples/birds
  mcplogic test --json --run birds:described examples/birds`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			t.stdout, t.stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			return t.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	t.sandbox.add(flags)
	flags.BoolVar(&t.asJSON, "json", false, "print results as JSON, one a line")
	flags.BoolVar(&t.reference, "reference", false, "run the tests on ichiban/prolog too")
	flags.StringVar(&t.only, "run", "", "run only this UNIT, or UNIT:TEST")
	flags.DurationVar(&t.time, "timeout", time.Minute, "longest time of a test; 0: none")
	flags.Var(&t.memory, "max-memory", "most memory that goals may take")
	return cmd
}

// run loads the files of rules and of tests and runs the tests. It returns the exit code as an error.
func (t *testRun) run(cmd *cobra.Command, args []string) error {
	paths, err := testPaths(args)
	if err != nil {
		return err
	}
	snapshot, report := kb.Load(cmd.Context(), paths, t.sandbox.load(cmd))
	collectFor(whileServing)
	printDiagnostics(t.stderr, report)
	if snapshot == nil {
		return notLoaded(report)
	}
	t.program = snapshot.Program
	if t.reference {
		if t.second, err = newSecondOpinion(cmd.Context(), t.program); err != nil {
			return err
		}
	}
	err = t.runAll(cmd.Context())
	t.program.AtHalt(cmd.Context(), &engine.RunOptions{Memory: int(t.memory), Output: t.stderr, Error: t.stderr})
	if err != nil {
		return err
	}
	return t.finish()
}

// testPaths lists the files that paths stand for. Rules bring the tests beside them along, and tests the rules.
func testPaths(args []string) ([]string, error) {
	var paths, tests []string
	for _, path := range args {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, cmp.Or(pathError(path), err)
		case info.IsDir():
			found, err := testFiles(path)
			if err != nil {
				return nil, err
			}
			paths, tests = append(paths, path), append(tests, found...)
		case filepath.Ext(path) == ".plt":
			paths, tests = append(paths, existing(sibling(path, ".pl"))...), append(tests, path)
		default:
			paths, tests = append(paths, path), append(tests, existing(sibling(path, ".plt"))...)
		}
	}
	if len(tests) == 0 {
		return nil, fmt.Errorf("there are no .plt files in %s", strings.Join(args, ", "))
	}
	return append(paths, tests...), nil
}

// sibling returns the path with another extension.
func sibling(path, ext string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ext }

// existing returns the path as a list, which is empty if there is no such file.
func existing(path string) []string {
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	return []string{path}
}

// testFiles lists the *.plt files below a folder, without hidden ones.
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

// runAll runs the tests one by one and prints what came of each.
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

// goal returns the goal whose answers are the results of the tests. The flags choose which tests run.
func (t *testRun) goal() string {
	spec := "all"
	if unit, test, both := strings.Cut(t.only, ":"); both {
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

// broken prints an error of the run as a whole, or that a test has halted. Either ends the command.
func (t *testRun) broken(err error) error {
	var halt *engine.Halt
	if errors.As(err, &halt) {
		fmt.Fprintf(t.stderr, "a test called halt(%d)\n", halt.Code)
	} else {
		fmt.Fprintf(t.stderr, "error: %s\n", err)
	}
	return exit(exitNo)
}

// report prints the result that an answer holds. With --reference the other interpreter is asked first.
func (t *testRun) report(ctx context.Context, s engine.Solution) error {
	args := s.Get("R").(*term.Compound).Args
	line, _ := args[4].(term.Int)
	res := testResult{Unit: plain(args[0]), Test: plain(args[1]), File: plain(args[3]), Line: int(line),
		Output: t.output.String()}
	t.output.Reset()
	if args[2] != term.Term(term.Nil) {
		res.Forall = engine.FormatTerm(args[2])
	}
	res.judge(args[5])
	t.counts.add(res.Status)
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

// judge reads the outcome that library(plunit) gives a test.
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

// plain returns a text as it is and any other term as writeq shows it.
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

// print prints a result for people. A test that passes is not worth a line, unless the other interpreter disagrees.
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
	if strings.HasPrefix(r.Reference, "disagrees") {
		fmt.Fprintf(w, "    ichiban/prolog %s\n", r.Reference)
	}
}

// finish prints the counts and returns the exit code.
func (t *testRun) finish() error {
	c := t.counts
	if t.asJSON {
		if err := printJSON(t.stdout, c); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(t.stdout, c.text(t.second))
	}
	if c.Failed > 0 || c.Disagreed > 0 {
		return exit(exitNo)
	}
	return nil
}

// text is the counts in words.
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
