// Package tests is mcplogic test: a run of the plunit tests, examples and cases of a folder, what it has covered, and
// its results, which the commands that run cases and replay calls print in the same forms.
package tests

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/goals"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/cases"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic test. It also defines mcplogic test --watch.

func New() *cobra.Command {
	t := &testRun{memory: 1 << 30}
	cmd := &cobra.Command{
		Use:   "test [flags] PATH...",
		Short: "Run the plunit tests in *.plt files, the examples of info/2 and the cases",
		Args:  cli.NeedPaths,
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
	t.sandbox.AddReading(flags)
	flags.BoolVar(&t.asJSON, "json", false, "print results as JSON, one a line")
	flags.BoolVar(&t.reference, "reference", false, "run the tests on ichiban/prolog too")
	flags.StringVar(&t.only, "run", "", "run only this UNIT, or UNIT:TEST; * and ? match any text and any character")
	flags.BoolVarP(&t.verbose, "verbose", "v", false, "name each test on standard error when it begins")
	flags.StringVar(&t.junit, "junit", "", "write the results to this file as JUnit does")
	flags.StringVar(&t.coverage.format, "coverage", "", "say what the tests have reached: text, json, lcov or html")
	flags.Lookup("coverage").NoOptDefVal = "text"
	flags.StringVar(&t.coverage.file, "coverage-file", "", "write the coverage to this file")
	flags.Float64Var(&t.coverage.threshold, "threshold", 0, "least percentage of clauses that the tests must reach")
	flags.BoolVar(&t.watch, "watch", false, "run the tests again after each change of the files")
	flags.DurationVar(&t.time, "timeout", time.Minute, "longest time of a test; 0: none")
	flags.Var(&t.memory, "max-memory", "most memory that goals may take")
	_ = cmd.RegisterFlagCompletionFunc("run", t.completeUnits)
	return cmd
}

// completeUnits completes the value of --run in a shell, by the units of the files that are given already.
func (t *testRun) completeUnits(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	paths, _, err := cli.TestPaths(args)
	if err != nil || len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	cmd.SetErr(io.Discard)
	snapshot, _ := kb.Load(cmd.Context(), paths, t.sandbox.Load(cmd))
	if snapshot == nil {
		return nil, cobra.ShellCompDirectiveError
	}
	t.program = snapshot.Program
	words := t.units(cmd.Context())
	if len(snapshot.Examples()) > 0 {
		words = append(words, exampleUnit)
	}
	if kept, _ := cases.Read(args); len(kept) > 0 {
		words = append(words, caseUnit)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// units returns the names of the units of tests.
func (t *testRun) units(ctx context.Context) (names []string) {
	for s, err := range t.program.Query(ctx, "plunit:unit(Unit, _, _, _, _, _)", nil) {
		if err != nil {
			break
		}
		names = append(names, inner.Plain(s.Get("Unit")))
	}
	return names
}

// run loads the files of rules and of tests and runs the tests. It returns the exit code as an error. Of the flags only
// --run chooses tests: "examples" is a unit too.
func (t *testRun) run(cmd *cobra.Command, args []string) error {
	paths, tested, err := cli.TestPaths(args)
	if err != nil {
		return err
	}
	o, err := t.sandbox.Reading(cmd)
	if err != nil {
		return err
	}
	o.Coverage, o.LeaveOpen = t.coverage.begin(), true
	defer t.session.Close()
	load := kb.Load
	if t.watched != nil {
		load = t.watched.load
	}
	loaded := cli.Busy(t.stderr, "loading "+strings.Join(args, ", "))
	snapshot, err := load(cmd.Context(), paths, o)
	loaded()
	report := snapshot.Report(err)
	cli.CollectFor(cli.WhileServing)
	cli.PrintDiagnostics(t.stderr, report)
	if snapshot == nil {
		return cli.NotLoaded(report)
	}
	kept, wrong := cases.Read(args)
	wrong = append(wrong, cases.Check(kept, snapshot)...)
	cli.PrintDiagnostics(t.stderr, wrong)
	t.errors = report.Err() != nil || len(wrong) > 0
	t.program = snapshot.Program
	if !tested && len(snapshot.Examples())+len(kept)+len(wrong) == 0 {
		return fmt.Errorf("there are no .plt files, no cases and no examples of info/2 in %s", strings.Join(args, ", "))
	}
	if t.reference {
		if t.second, err = goals.NewSecondOpinion(cmd.Context(), t.program); err != nil {
			return err
		}
	}
	if unit, name, _ := strings.Cut(t.only, ":"); unit == caseUnit {
		kept = slices.DeleteFunc(kept, func(c *cases.Case) bool { return name != "" && c.Name != name })
	}
	alone := strings.HasPrefix(t.only+":", caseUnit+":")
	if tested && t.only != exampleUnit && !alone {
		err = t.runAll(cmd.Context())
	}
	if err == nil && (t.only == "" || t.only == exampleUnit) {
		err = t.runExamples(cmd.Context(), snapshot.Examples())
	}
	if err == nil && (t.only == "" || alone) {
		err = t.runCases(cmd.Context(), kept, snapshot)
	}
	if err != nil && cmd.Context().Err() != nil {
		fmt.Fprintf(t.stderr, "interrupted after %s: %s\n", cmp.Or(t.last, "no test"), t.counts.Text(t.second))
	}
	// The goals of at_halt/1 run also when the tests have ended with an error.
	goals.CallAtHalt(cmd.Context(), t.program, &engine.RunOptions{Limits: engine.Limits{Memory: int(t.memory)},
		Output: t.stderr, Error: t.stderr, Session: &t.session})
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
		if err := cli.PrintJSON(t.stdout, c); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(t.stdout, c.Text(t.second))
	}
	if err := WriteJUnit(t.junit, t.results); err != nil {
		return err
	}
	if err := t.coverage.report(t.stdout, t.stderr); err != nil {
		return err
	}
	if c.Failed > 0 || c.Disagreed > 0 || t.errors {
		return cli.Exit(cli.ExitNo)
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
		if _, said := errors.AsType[cli.Exit](last); last != nil && !said {
			fmt.Fprintf(t.stderr, "mcplogic: %s\n", last)
		}
		fmt.Fprintln(t.stderr, "waiting for changes")
		if !next.watched.wait(cmd.Context()) {
			return last
		}
	}
}

// watchPause is the time between two polls of the files. A poll reads their names, sizes and times.
const watchPause = 250 * time.Millisecond

// watched are the files of one run of the tests. args are the arguments of the command, paths the files that they stood
// for when they were loaded.
type watched struct {
	args  []string
	paths []string
	base  *kb.Base // nil when the files could not be loaded
	stamp string   // of the files, when there is no base
	cases string   // the stamp of the cases
}

// load loads the files as kb.Load does, and keeps the base, which can tell whether they have changed. The stamp is
// taken before the load, so that a change during it is noticed.
func (w *watched) load(ctx context.Context, paths []string, o *kb.Options) (_ *kb.Snapshot, err error) {
	w.paths, w.stamp, w.cases = paths, new(kb.Options).Stamp(paths), cases.Stamp(w.args)
	if w.base, err = kb.Open(ctx, paths, o); err != nil {
		return nil, err
	}
	return w.base.Snapshot(), nil
}

// wait polls until the files have changed. It returns false when the context ends.
func (w *watched) wait(ctx context.Context) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(watchPause):
		}
		if w.changed() {
			return true
		}
	}
}

// changed reports whether files have come, gone or changed since the load.
func (w *watched) changed() bool {
	paths, _, err := cli.TestPaths(w.args)
	switch {
	case err != nil || w.paths == nil: // something is missing, or was
		return (err == nil) != (w.paths != nil)
	case !slices.Equal(paths, w.paths) || cases.Stamp(w.args) != w.cases:
		return true
	case w.base != nil:
		return w.base.Touched()
	}
	return new(kb.Options).Stamp(paths) != w.stamp
}
