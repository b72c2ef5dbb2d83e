package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the exit codes and the checks of arguments that commands share. It also defines how diagnostics and
// errors are printed.

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
	"float64": "a number", "bool": "true or false", "stringToString": "NAME=VALUE"}

// flagError says of a flag that is not there which one may be meant, and of a wrong value what the flag takes.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var bounds outOfRange
	switch {
	case errors.As(err, &invalid) && errors.As(err, &bounds):
		return fmt.Errorf("--%s takes %s, got %s", invalid.GetFlag().Name, bounds, invalid.GetValue())
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spell.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
	case errors.As(err, &invalid) && invalid.GetFlag().Name == "sql":
		return errors.New("--sql takes NAME=ADDRESS, such as --sql crm=sqlite:crm.db")
	case errors.As(err, &invalid) && valueForms[invalid.GetFlag().Value.Type()] != "":
		f := invalid.GetFlag()
		return fmt.Errorf("--%s takes %s, got %s", f.Name, valueForms[f.Value.Type()], invalid.GetValue())
	}
	return err
}

// goalError is why the last argument is no goal, nil if it may be one: a file or folder is taken for a PATH, and a
// folder without a slash if nothing else is given.
func goalError(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	last := args[len(args)-1]
	info, err := os.Stat(last)
	if err != nil || !strings.ContainsAny(last, "/.") && (len(args) > 1 || !info.IsDir()) {
		return nil
	}
	return fmt.Errorf("%s is a path; give a GOAL behind it; see %s --help", last, cmd.CommandPath())
}

// exit is an error that says with which code to end; its text, if any, has been printed. Commands return it in place
// of an error, so that execute prints nothing more.
type exit int

// Error is not shown.
func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// wordsOf returns the words of a command behind the name of the program, such as case add.
func wordsOf(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// needPaths is the check of arguments of commands that take one PATH or more. It is the same for all, so
// that they say the same.
func needPaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s needs a PATH: a .pl file or a folder; see %s --help", wordsOf(cmd), cmd.CommandPath())
	}
	return nil
}

// needPathsAnd returns the check of arguments of commands that take one PATH or more and then n words; last says what
// those are.
func needPathsAnd(n int, last string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return fmt.Errorf("%s needs a PATH and %s; see %s --help", wordsOf(cmd), last, cmd.CommandPath())
		}
		return nil
	}
}

// needWords returns the check of arguments of commands that take between least and most words; what says which.
func needWords(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("%s needs %s; see %s --help", wordsOf(cmd), what, cmd.CommandPath())
		}
		return nil
	}
}

// commandGroup returns a command that has others below it. By itself it prints its help to standard output, with the
// exit code of wrong usage: a script that names no command has a mistake.
func commandGroup(use, short string, list ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_ = cmd.Help()
			return exit(exitUsage)
		}}
	cmd.AddCommand(list...)
	return cmd
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
	hint := "see " + cmd.CommandPath() + " --help"
	if near := spell.Nearest(args[0], names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("unknown command %q; %s", args[0], hint)
}

// printDiagnostics prints diagnostics for people. Of very many it prints the first ones and how many more
// there are. A last line counts errors and warnings, unless there is one diagnostic only.
func printDiagnostics(w io.Writer, report source.Diagnostics) {
	colour := colourful(w)
	first, more := report.First(maxPrinted)
	for _, d := range first {
		text := d.String()
		if colour {
			text = strings.Replace(text, string(d.Severity)+":", paint(d.Severity), 1)
		}
		fmt.Fprintln(w, text)
	}
	if more > 0 {
		fmt.Fprintf(w, "... and %d more\n", more)
	}
	if len(report) > 1 {
		fmt.Fprintln(w, tally(report))
	}
}

// maxPrinted is how many diagnostics are printed at a time. One mistake early in a text can bring thousands.
const maxPrinted = 100

// printError prints what ended a goal, with its backtrace. Only exceptions have one.
func printError(w io.Writer, err error) {
	word := "error:"
	if colourful(w) {
		word = paint(source.SeverityError)
	}
	fmt.Fprintf(w, "%s %s\n", word, err)
	var ex *engine.Exception
	if errors.As(err, &ex) {
		fmt.Fprint(w, ex.Backtrace())
	}
}

// notLoaded returns the error with which a command ends when its files were not loaded. Files that are not
// there are wrong usage; errors in files are a result of the command.
func notLoaded(report source.Diagnostics) error {
	if slices.ContainsFunc(report, func(d source.Diagnostic) bool { return d.Code == "path" }) {
		return exit(exitUsage)
	}
	return exit(exitNo)
}

// tally counts diagnostics by their severities, as in "1 error, 2 warnings".
func tally(report source.Diagnostics) string {
	count := map[source.Severity]int{}
	for _, d := range report {
		count[d.Severity]++
	}
	var parts []string
	for _, severity := range []source.Severity{source.SeverityError, source.SeverityWarning, source.SeverityNote} {
		if n := count[severity]; n > 0 {
			parts = append(parts, spell.Count(n, string(severity)))
		}
	}
	return strings.Join(parts, ", ")
}

// paint returns a severity as text in its colour. 31 is red, 33 yellow and 1 bold in ECMA-48.
func paint(s source.Severity) string {
	number := 33
	if s == source.SeverityError {
		number = 31
	}
	return fmt.Sprintf("\x1b[1;%dm%s:\x1b[0m", number, s)
}

// colourful reports whether w is a terminal whose user has not forbidden colours. NO_COLOR and TERM are the usual ways
// to do that. An empty NO_COLOR forbids nothing.
func colourful(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

// isTerminal reports whether a stream is a character device other than the null device, which is always empty.
func isTerminal(stream any) bool {
	switch wrapped := stream.(type) {
	case *commandOutput:
		stream = wrapped.w
	case *typing:
		stream = os.Stdin
	}
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// summary says in one line what a knowledge base offers.
func summary(s *kb.Snapshot) string {
	events := ""
	if len(s.Events) > 0 {
		events = ", " + spell.Count(len(s.Events), "event")
	}
	return fmt.Sprintf("%s: %s, %s, %s%s", spell.Count(len(s.Files), "file"), spell.Count(len(s.Tools), "tool"),
		spell.Count(len(s.Prompts), "prompt"), spell.Count(len(s.Resources)+len(s.Templates), "resource"), events)
}

// tellReload prints the result of a reload on standard error. The protocol tells clients, and only of what has changed
// for them: it has no message for errors in files.
func tellReload(w io.Writer, c kb.Change) {
	printDiagnostics(w, c.Diagnostics)
	if c.Err != nil {
		fmt.Fprintln(w, "mcplogic: not reloaded, because there are errors; the last good version goes on")
		return
	}
	fmt.Fprintf(w, "mcplogic: reloaded %s\n", summary(c.Snapshot))
}
