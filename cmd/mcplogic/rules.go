package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
)

// This file defines mcplogic version, for the command itself and for rules.

func newVersion() *cobra.Command {
	f := &settings.LoadFlags{}
	cmd := &cobra.Command{
		Use:   "version [flags] [PATH...]",
		Short: "Print the version and the commit, or the digest of the rules in PATH",
		RunE: func(cmd *cobra.Command, paths []string) error {
			if len(paths) > 0 {
				return printRules(cmd, f, paths)
			}
			fmt.Fprintln(cmd.OutOrStdout(), cli.VersionLine())
			fmt.Fprintln(cmd.OutOrStdout(), cli.NativeLine())
			return nil
		},
	}
	f.Add(cmd.Flags())
	return cmd
}

// printRules loads rules and prints their digest, and what it is a digest of.
func printRules(cmd *cobra.Command, f *settings.LoadFlags, paths []string) error {
	snapshot, report := cli.LoadFiles(cmd.Context(), cmd.ErrOrStderr(), paths, f.Load(cmd))
	cli.PrintDiagnostics(cmd.ErrOrStderr(), report)
	if snapshot == nil {
		return cli.NotLoaded(report)
	}
	r := snapshot.Rules
	fmt.Fprintf(cmd.OutOrStdout(), "rules %s\nengine %s\n", r.Digest, strings.TrimSpace(r.Engine+" "+r.Module))
	for _, name := range slices.Sorted(maps.Keys(r.Settings)) {
		fmt.Fprintf(cmd.OutOrStdout(), "setting %s\n", name)
	}
	for _, file := range r.Files {
		fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", file.Sum, file.Name)
	}
	return nil
}
