// Command mcplogic serves folders of Prolog rules to MCP clients, checks them, and asks them
// questions.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// The exit codes.
const (
	exitDone  = iota // for query: there is a solution
	exitNo           // no solution, errors in the knowledge base, failed tests
	exitUsage        // wrong usage, or the command could not start
	exitThrew        // the goal threw
	exitLimit        // a limit of the goal ran out
)

// main runs the command with signals that end it in order: the first ends its context, and goals and servers with it.
func main() {
	collectFor(whileLoading)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := execute(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// exit is an error that says with which code to end; its text, if any, has been printed.
type exit int

// Error is not shown.
func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// execute is the command without the process around it. It returns the exit code.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var code exit
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintf(stderr, "mcplogic: %s\n", err)
	return exitUsage
}

const rootText = `mcplogic makes a server for the Model Context Protocol of Prolog rules.

A PATH is a .pl file or a folder of such files.`

// newRoot makes the command with all its subcommands. Errors are printed by execute, in one place.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "mcplogic",
		Short:         "Serve Prolog rules to MCP clients",
		Long:          rootText,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_ = cmd.Help()
			return exit(exitUsage)
		},
	}
	root.SetVersionTemplate(versionLine() + "\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newServe(), newCheck(), newQuery(), newTest(), newCall(), newList(), newConfig(), newInit(),
		newRepl(), newVersion())
	return root
}

// unknownCommand is the check of arguments of a command that is not there.
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

// needPaths is the check of arguments of commands that take one PATH or more.
func needPaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s needs a PATH: a .pl file or a folder; see mcplogic %s --help", cmd.Name(), cmd.Name())
	}
	return nil
}
