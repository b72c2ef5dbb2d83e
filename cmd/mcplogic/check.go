package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/cases"
	"github.com/mcplogic/mcplogic/internal/guide"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines mcplogic check.

// newCheck makes the command that loads files and prints what is wrong with them. Diagnostics go to standard error and
// the summary to standard output; with --json the diagnostics are the output. A PATH that is not there is an error
// with the exit code 2, as for other commands.
func newCheck() *cobra.Command {
	var asJSON, strict bool
	f := &settings.Sandbox{}
	var asked clientChecks
	cmd := &cobra.Command{
		Use:   "check [--json] [--strict] [--run] [--clients] PATH...",
		Short: "Load files and report what is wrong",
		Args:  cli.NeedPaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			// Loading is what a server does at its start. Whatever it would refuse is reported, and nothing is served.
			opts := f.Load(cmd)
			opts.Lint = true
			snapshot, report := cli.LoadFiles(cmd.Context(), cmd.ErrOrStderr(), args, opts)
			if kept, wrong := cases.Read(args); snapshot != nil {
				report = append(report, append(wrong, cases.Check(kept, snapshot)...)...)
			}
			more, lines, err := asked.report(cmd, f, args, snapshot)
			if err != nil {
				return err
			}
			fails := snapshot == nil || strict && slices.ContainsFunc(report, func(d source.Diagnostic) bool {
				return d.Severity != source.SeverityNote
			})
			if asJSON {
				return checkJSON(cmd, append(report, more...), fails || strict && len(more) > 0)
			}
			cli.PrintDiagnostics(cmd.ErrOrStderr(), append(report, more...))
			if guide.Helps(report) {
				fmt.Fprintln(cmd.ErrOrStderr(), "mcplogic guide tells how rules are written")
			}
			if snapshot == nil && slices.ContainsFunc(report, func(d source.Diagnostic) bool { return d.Code == "path" }) {
				return cli.Exit(cli.ExitUsage)
			}
			if fails || strict && len(more) > 0 {
				return cli.Exit(cli.ExitNo)
			}
			fmt.Fprintln(cmd.OutOrStdout(), cli.Summary(snapshot))
			for _, line := range lines {
				fmt.Fprintln(cmd.OutOrStdout(), line)
			}
			for _, d := range inner.Of(snapshot.Program).DataFiles() {
				fmt.Fprintln(cmd.OutOrStdout(), dataSummary(d))
			}
			for _, p := range inner.Of(snapshot.Program).Pushdowns() {
				fmt.Fprintln(cmd.OutOrStdout(), pushdownSummary(snapshot.Program, p))
			}
			printWays(cmd, snapshot.Program, opts.Databases)
			printRecursions(cmd, snapshot.Program, opts.Databases)
			return nil
		},
	}
	f.Add(cmd.Flags())
	cmd.Flags().BoolVar(&strict, "strict", false, "count warnings as errors")
	cmd.Flags().BoolVar(&asked.run, "run", false, "call each tool on values that facts have; what calls change is undone")
	cmd.Flags().BoolVar(&asked.clients, "clients", false, "say what known clients refuse of the tools, and how to mend it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print diagnostics as JSON, one a line")
	return cmd
}

// checkJSON prints the diagnostics as JSON, one a line. Nothing else goes to standard output, since programs read it:
// without diagnostics it is empty. The exit code is the same as without --json.
func checkJSON(cmd *cobra.Command, report source.Diagnostics, fails bool) error {
	for _, d := range report {
		if err := cli.PrintJSON(cmd.OutOrStdout(), d); err != nil {
			return err
		}
	}
	if fails {
		return cli.Exit(cli.ExitNo)
	}
	return nil
}

// dataSummary says in one line which facts a data file gave. It names the types of the columns and whether
// they were guessed, since a wrong guess shows nowhere else. Nor does a first line that names the columns and has
// become a fact.
func dataSummary(d inspect.DataFile) string {
	guessed := ""
	if d.Guessed {
		guessed = ", guessed"
		if d.Columns == nil {
			guessed += ", without a header"
		}
	}
	return fmt.Sprintf("%s: %s of %s (%s%s)", d.Name, spell.Count(d.Rows, "fact"), d.Predicate,
		strings.Join(d.Types, ", "), guessed)
}

// pushdownSummary says which goals of a clause become one statement of a database, and shows the statement. For goals
// that do not it says what prevented that.
func pushdownSummary(p *engine.Program, d inspect.Pushdown) string {
	at := fmt.Sprintf("%s:%d", inner.Of(p).FileName(d.At.File), d.At.Line)
	goals := strings.Join(d.Goals, ", ")
	switch {
	case d.InBlocks:
		return fmt.Sprintf("%s: in blocks: %s\n    %s", at, goals, d.Statement)
	case d.Refused != "":
		return fmt.Sprintf("%s: not one question: %s\n    %s", at, goals, d.Refused)
	}
	return fmt.Sprintf("%s: one question: %s\n    %s", at, goals, d.Statement)
}

// estimateTime is how long check waits for the size of a table.
const estimateTime = 5 * time.Second

// printWays says how each question to a database is put, how many statements it takes, and how many rows its tables
// have.
func printWays(cmd *cobra.Command, p *engine.Program, databases relation.Databases) {
	sizes, ok := databases.(relation.Estimator)
	if !ok {
		return
	}
	known := map[string]int{}
	for _, d := range inner.Of(p).Questions() {
		rows, most := []string{}, 0
		for _, table := range d.Query.Tables {
			key := d.Query.Database + "." + table
			n, told := known[key]
			if !told {
				ctx, cancel := context.WithTimeout(cmd.Context(), estimateTime)
				n, _ = sizes.Rows(ctx, d.Query.Database, table)
				cancel()
				known[key] = n
			}
			if n < 0 {
				most = -1
				rows = append(rows, table+" of unknown size")
				continue
			}
			if most >= 0 {
				most = max(most, n)
			}
			rows = append(rows, fmt.Sprintf("%s %d", table, n))
		}
		statements := "1 statement"
		if d.IsRepeated() {
			statements = "at most " + spell.Count(sizes.Statements(d.Query, most), "statement")
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s:%d: %s, %s: %s\n    rows: %s\n", inner.Of(p).FileName(d.At.File), d.At.Line,
			d.Way, statements, strings.Join(d.Goals, ", "), strings.Join(rows, ", "))
	}
}

// printRecursions says which calls of tabled predicates are one statement, and why others are not.
func printRecursions(cmd *cobra.Command, p *engine.Program, databases relation.Databases) {
	planner, ok := databases.(relation.RecursionPlanner)
	if !ok {
		return
	}
	for _, r := range inner.Of(p).Recursions() {
		at, why := fmt.Sprintf("%s:%d", inner.Of(p).FileName(r.At.File), r.At.Line), ""
		for _, asked := range r.Asked {
			ctx, cancel := context.WithTimeout(cmd.Context(), estimateTime)
			statement, prevented, err := planner.PlanRecursion(ctx, asked)
			cancel()
			if err != nil {
				prevented = err.Error()
			}
			if prevented == "" {
				fmt.Fprintf(cmd.OutOrStdout(), "%s: recursion there, 1 statement: %s\n    %s\n", at, r.Goal, statement)
				why = ""
				break
			}
			why = cmp.Or(why, prevented)
		}
		if why != "" {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: recursion here: %s\n    %s\n", at, r.Goal, why)
		}
	}
}
