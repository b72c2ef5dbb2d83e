package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic table.

func newTable() *cobra.Command {
	cmd := cli.CommandGroup("table export", "Write a decision table in another format", newTableExport())
	cmd.Example = "  mcplogic table export rules/ rate/4 --to rate.xlsx"
	return cmd
}

// newTableExport makes the command that writes a table. It exits with 1 if the files do not load or have no such table.
func newTableExport() *cobra.Command {
	var to string
	f := &settings.Sandbox{}
	cmd := &cobra.Command{
		Use:   "export [--to FILE] PATH... NAME/ARITY",
		Short: "Write a decision table as CSV, TSV, XLSX or DMN",
		Long: `Load files and folders, and write the decision table of a predicate: to a file with the extension
.csv, .tsv, .xlsx or .dmn, or as CSV to standard output. What is printed to standard error is the
directive that reads it; a model has its hit policy itself.`,
		Example: "  mcplogic table export rules/ rate/4 --to rate.xlsx",
		Args:    cli.NeedPathsAnd(1, "NAME/ARITY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			paths, predicate := args[:len(args)-1], args[len(args)-1]
			snapshot, err := kb.Load(cmd.Context(), paths, f.Load(cmd))
			cli.PrintDiagnostics(cmd.ErrOrStderr(), snapshot.Report(err))
			if snapshot == nil {
				return cli.Exit(cli.ExitNo)
			}
			format := "csv"
			if to != "" {
				format = strings.TrimPrefix(filepath.Ext(to), ".")
			}
			write, directive, err := inner.Of(snapshot.Program).Table(predicate, format)
			if err != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "error:", err)
				return cli.Exit(cli.ExitNo)
			}
			if to == "" {
				return write(cmd.OutOrStdout())
			}
			fmt.Fprintf(cmd.ErrOrStderr(), directive+"\n", filepath.Base(to))
			const mode = 0o644
			return cli.WriteWhole(to, mode, func(w io.Writer) error { return write(w) })
		},
	}
	f.Add(cmd.Flags())
	cmd.Flags().StringVar(&to, "to", "", "the file to write, with the extension .csv, .tsv, .xlsx or .dmn")
	return cmd
}
