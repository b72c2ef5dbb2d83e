package main

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic version.

// The release script sets these by -ldflags; see .ci/release. They are empty in all other builds.
var releaseVersion, releaseCommit string

// version returns the version of this command: that of the release, else that of the module, else dev, for a
// build from a working copy.
func version() string {
	if releaseVersion != "" {
		return releaseVersion
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}

// commit returns the commit that this command was built from, "" if the build does not know it. Twelve
// digits are enough to find it. What the build itself has noted counts for less than what the release
// script says. A build from files that differ from the commit says so.
func commit() string {
	revision, modified := releaseCommit, ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = cmp.Or(revision, s.Value)
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = ", modified"
			}
		}
	}
	if revision == "" {
		return ""
	}
	return revision[:min(len(revision), 12)] + modified
}

// versionLine is what mcplogic version and --version print.
func versionLine() string {
	name := version()
	if c := commit(); c != "" {
		name += " (commit " + c + ")"
	}
	return fmt.Sprintf("mcplogic %s %s %s/%s", name, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// nativeLine says whether there is native code.
func nativeLine() string {
	if engine.NativeAvailable() {
		return "native code: " + runtime.GOARCH
	}
	return "native code: none, as the processor or the system does not allow it"
}

// newVersion makes the command that prints the version, or the digest of rules.
func newVersion() *cobra.Command {
	f := &loadFlags{}
	cmd := &cobra.Command{
		Use:   "version [flags] [PATH...]",
		Short: "Print the version and the commit, or the digest of the rules in PATH",
		RunE: func(cmd *cobra.Command, paths []string) error {
			if len(paths) > 0 {
				return printRules(cmd, f, paths)
			}
			fmt.Fprintln(cmd.OutOrStdout(), versionLine())
			fmt.Fprintln(cmd.OutOrStdout(), nativeLine())
			return nil
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// printRules loads rules and prints their digest, and what it is a digest of.
func printRules(cmd *cobra.Command, f *loadFlags, paths []string) error {
	snapshot, report := kb.Load(cmd.Context(), paths, f.load(cmd))
	printDiagnostics(cmd.ErrOrStderr(), report)
	if snapshot == nil {
		return notLoaded(report)
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
