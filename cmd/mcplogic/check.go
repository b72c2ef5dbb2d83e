package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic check.

// newCheck makes the command that loads files and prints what is wrong with them.
func newCheck() *cobra.Command {
	var asJSON bool
	f := &sandbox{}
	cmd := &cobra.Command{
		Use:   "check [--json] PATH...",
		Short: "Load files and report what is wrong",
		Long: `Load files and folders and report all errors and warnings, with their places.

The exit code is 1 when there are errors, 0 otherwise. With --json each diagnostic is an object
with file, line, column, severity, code and message, on a line of its own on standard output.`,
		Example: `  mcplogic check examples/birds
  mcplogic check --json rules.pl more.pl`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			snapshot, report := kb.Load(cmd.Context(), args, f.load(cmd))
			if asJSON {
				return checkJSON(cmd, report)
			}
			printDiagnostics(cmd.ErrOrStderr(), report)
			if snapshot == nil {
				return exit(exitNo)
			}
			fmt.Fprintln(cmd.OutOrStdout(), summary(snapshot))
			return nil
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print diagnostics as JSON, one a line")
	return cmd
}

// checkJSON prints the diagnostics as JSON, one a line.
func checkJSON(cmd *cobra.Command, report engine.Diagnostics) error {
	for _, d := range report {
		if err := printJSON(cmd.OutOrStdout(), d); err != nil {
			return err
		}
	}
	if report.Err() != nil {
		return exit(exitNo)
	}
	return nil
}

// summary says in one line what a knowledge base offers.
func summary(s *kb.Snapshot) string {
	return fmt.Sprintf("%s: %s, %s, %s", spell.Count(len(s.Files), "file"), spell.Count(len(s.Tools), "tool"),
		spell.Count(len(s.Prompts), "prompt"), spell.Count(len(s.Resources)+len(s.Templates), "resource"))
}
