package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

	exitInterrupted = 130 // a signal ended the command, as shells have it
)

// commandOutput is the standard output of a command, which remembers the first write that failed.
type commandOutput struct {
	w    io.Writer
	lost atomic.Pointer[error]
}

// Write writes to the standard output.
func (o *commandOutput) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.lost.CompareAndSwap(nil, &err)
	}
	return n, err
}

// keyboard is the standard input of a command that reads it to its end. It ends with the command's context, and a
// person at a terminal is told that the command waits.
func keyboard(cmd *cobra.Command) io.Reader {
	if isTerminal(cmd.InOrStdin()) {
		fmt.Fprintf(cmd.ErrOrStderr(), "mcplogic %s reads from the keyboard, up to Ctrl-D\n", cmd.Name())
	}
	return typed(cmd)
}

// typed is the standard input of a command, which ends with the command's context.
func typed(cmd *cobra.Command) io.Reader {
	if in := cmd.InOrStdin(); in != io.Reader(os.Stdin) {
		return in
	}
	return &typing{cmd.Context()}
}

// valueForms says what flags of a type take.
var valueForms = map[string]string{"duration": "a time such as 5s or 2m", "int": "a whole number",
	"bool": "true or false", "stringToString": "NAME=VALUE"}

// flagError says of a flag that is not there which one may be meant, and of a wrong value what the flag takes.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spell.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
	case errors.As(err, &invalid) && valueForms[invalid.GetFlag().Value.Type()] != "":
		f := invalid.GetFlag()
		return fmt.Errorf("--%s takes %s, got %s", f.Name, valueForms[f.Value.Type()], invalid.GetValue())
	}
	return err
}

// goalError is why the last argument is no goal, nil if it may be one: a file or folder is taken for a PATH.
func goalError(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	last := args[len(args)-1]
	if _, err := os.Stat(last); err != nil || !strings.ContainsAny(last, "/.") {
		return nil
	}
	return fmt.Errorf("%s is a path; give a GOAL behind it; see mcplogic %s --help", last, cmd.Name())
}

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

// unknownCommand is the check of arguments of the root. Arguments there are the name of a command that is not there.
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
