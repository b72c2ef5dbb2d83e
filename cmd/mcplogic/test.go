package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic test.

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
	t.sandbox.addReading(flags)
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
	o, err := t.sandbox.reading(cmd)
	if err != nil {
		return err
	}
	o.Coverage, o.LeaveOpen = t.coverage.begin(), true
	defer t.session.Close()
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
	if err != nil && cmd.Context().Err() != nil {
		fmt.Fprintf(t.stderr, "interrupted after %s: %s\n", cmp.Or(t.last, "no test"), t.counts.text(t.second))
	}
	// The goals of at_halt/1 run also when the tests have ended with an error.
	callAtHalt(cmd.Context(), t.program, &engine.RunOptions{Memory: int(t.memory), Output: t.stderr, Error: t.stderr,
		Session: &t.session})
	if err != nil {
		return err
	}
	return t.finish()
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

// again runs the tests, and runs them again after each change of the files, until the command is stopped. Its result
// is that of the last run.
func (t *testRun) again(cmd *cobra.Command, args []string) error {
	for {
		// Each run works on a copy, so that counts, results and coverage begin anew.
		next := *t
		next.watched = &watched{args: args}
		last := next.run(cmd, args)
		if _, said := errors.AsType[exit](last); last != nil && !said {
			fmt.Fprintf(t.stderr, "mcplogic: %s\n", last)
		}
		fmt.Fprintln(t.stderr, "waiting for changes")
		if !next.watched.wait(cmd.Context()) {
			return last
		}
	}
}
