package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the exit codes and the checks of arguments that commands share.

// The exit codes.
const (
	// Scripts tell by the code how a goal ended, without reading what was printed. A goal that calls halt/1 chooses its
	// code itself, which may be any.
	exitDone  = iota // for query: there is a solution
	exitNo           // no solution, errors in the knowledge base, failed tests
	exitUsage        // wrong usage, or the command could not start
	exitThrew        // the goal threw
	exitLimit        // a limit of the goal ran out
)

// exit is an error that says with which code to end; its text, if any, has been printed. Commands return it in place
// of an error, so that execute prints nothing more.
type exit int

// Error is not shown.
func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// needPaths is the check of arguments of commands that take one PATH or more. It is the same for all, so
// that they say the same.
func needPaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s needs a PATH: a .pl file or a folder; see mcplogic %s --help", cmd.Name(), cmd.Name())
	}
	return nil
}

// needPathsAnd returns the check of arguments of commands that take one PATH or more and then n words; last says what
// those are.
func needPathsAnd(n int, last string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return fmt.Errorf("%s needs a PATH and %s; see mcplogic %s --help", cmd.Name(), last, cmd.Name())
		}
		return nil
	}
}

// unknownCommand is the check of arguments of the root. Arguments there are the name of a command that is
// not there.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	hint := "see mcplogic --help"
	if near := spell.Nearest(args[0], names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("unknown command %q; %s", args[0], hint)
}
