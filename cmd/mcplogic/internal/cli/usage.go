// Package cli is what the commands of mcplogic share and that knows no command: exit codes and checks of arguments,
// printing of diagnostics, errors and JSON, lines and keys of a terminal, files, the version, and how much garbage Go
// keeps. A command gives its streams. The garbage and the version belong to the process.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

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
	ExitDone  = iota // for query: there is a solution
	ExitNo           // no solution, errors in the knowledge base, failed tests
	ExitUsage        // wrong usage, or the command could not start
	ExitThrew        // the goal threw
	ExitLimit        // a limit of the goal ran out

	ExitInterrupted = 130 // a signal ended the command, as shells have it
)

// CommandOutput is the standard output of a command, which remembers the first write that failed.
type CommandOutput struct {
	W    io.Writer
	Lost atomic.Pointer[error]
}

// Write writes to the standard output.
func (o *CommandOutput) Write(p []byte) (int, error) {
	n, err := o.W.Write(p)
	if err != nil {
		o.Lost.CompareAndSwap(nil, &err)
	}
	return n, err
}

// Keyboard is the standard input of a command that reads it to its end. It ends with the command's context, and a
// person at a terminal is told that the command waits.
func Keyboard(cmd *cobra.Command) io.Reader {
	if IsTerminal(cmd.InOrStdin()) {
		fmt.Fprintf(cmd.ErrOrStderr(), "mcplogic %s reads from the keyboard, up to Ctrl-D\n", cmd.Name())
	}
	return Typed(cmd)
}

// Typed is the standard input of a command, which ends with the command's context.
func Typed(cmd *cobra.Command) io.Reader {
	if in := cmd.InOrStdin(); in != io.Reader(os.Stdin) {
		return in
	}
	return &Typing{cmd.Context()}
}

// GoalError is why the last argument is no goal, nil if it may be one: a file or folder is taken for a PATH, and a
// folder without a slash if nothing else is given.
func GoalError(cmd *cobra.Command, args []string) error {
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

// Exit is an error that says with which code to end; its text, if any, has been printed. Commands return it in place
// of an error, so that execute prints nothing more.
type Exit int

// Error is not shown.
func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// wordsOf returns the words of a command behind the name of the program, such as case add.
func wordsOf(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// NeedPaths is the check of arguments of commands that take one PATH or more. It is the same for all, so
// that they say the same.
func NeedPaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s needs a PATH: a .pl file or a folder; see %s --help", wordsOf(cmd), cmd.CommandPath())
	}
	return nil
}

// NeedPathsAnd returns the check of arguments of commands that take one PATH or more and then n words; last says what
// those are.
func NeedPathsAnd(n int, last string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return fmt.Errorf("%s needs a PATH and %s; see %s --help", wordsOf(cmd), last, cmd.CommandPath())
		}
		return nil
	}
}

// NeedWords returns the check of arguments of commands that take between least and most words; what says which.
func NeedWords(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("%s needs %s; see %s --help", wordsOf(cmd), what, cmd.CommandPath())
		}
		return nil
	}
}

// CommandGroup returns a command that has others below it. By itself it prints its help to standard output, with the
// exit code of wrong usage: a script that names no command has a mistake.
func CommandGroup(use, short string, list ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_ = cmd.Help()
			return Exit(ExitUsage)
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

// PrintDiagnostics prints diagnostics for people. Of very many it prints the first ones and how many more
// there are. A last line counts errors and warnings, unless there is one diagnostic only.
func PrintDiagnostics(w io.Writer, report source.Diagnostics) {
	colour := colourful(w)
	first, more := report.First(MaxPrinted)
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

// MaxPrinted is how many diagnostics are printed at a time. One mistake early in a text can bring thousands.
const MaxPrinted = 100

// PrintError prints what ended a goal, with its backtrace. Only exceptions have one.
func PrintError(w io.Writer, err error) {
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

// NotLoaded returns the error with which a command ends when its files were not loaded. Files that are not
// there are wrong usage; errors in files are a result of the command.
func NotLoaded(report source.Diagnostics) error {
	if slices.ContainsFunc(report, func(d source.Diagnostic) bool { return d.Code == "path" }) {
		return Exit(ExitUsage)
	}
	return Exit(ExitNo)
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
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(w)
}

// IsTerminal reports whether a stream is a character device other than the null device, which is always empty.
func IsTerminal(stream any) bool {
	switch wrapped := stream.(type) {
	case *CommandOutput:
		stream = wrapped.W
	case *Typing:
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

// Summary says in one line what a knowledge base offers.
func Summary(s *kb.Snapshot) string {
	events := ""
	if len(s.Events) > 0 {
		events = ", " + spell.Count(len(s.Events), "event")
	}
	return fmt.Sprintf("%s: %s, %s, %s%s", spell.Count(len(s.Files), "file"), spell.Count(len(s.Tools), "tool"),
		spell.Count(len(s.Prompts), "prompt"), spell.Count(len(s.Resources)+len(s.Templates), "resource"), events)
}

// TellReload prints the result of a reload on standard error. The protocol tells clients, and only of what has changed
// for them: it has no message for errors in files.
func TellReload(w io.Writer, c kb.Change) {
	PrintDiagnostics(w, c.Diagnostics)
	if c.Err != nil {
		fmt.Fprintln(w, "mcplogic: not reloaded, because there are errors; the last good version goes on")
		return
	}
	fmt.Fprintf(w, "mcplogic: reloaded %s\n", Summary(c.Snapshot))
}

// Tell returns a function that tells people something on standard error.
func Tell(cmd *cobra.Command) func(message string) {
	return func(message string) { fmt.Fprintln(cmd.ErrOrStderr(), "mcplogic:", message) }
}

// Busy tells a person at a terminal what takes more than a second. Call done when it has ended.
func Busy(stderr io.Writer, doing string) (done func() bool) {
	if !IsTerminal(stderr) {
		return func() bool { return false }
	}
	return time.AfterFunc(time.Second, func() { fmt.Fprintln(stderr, "mcplogic:", doing) }).Stop
}

// LoadFiles is kb.Load with all diagnostics. It tells what it is at.
func LoadFiles(ctx context.Context, stderr io.Writer, paths []string, o *kb.Options) (*kb.Snapshot,
	source.Diagnostics) {
	defer Busy(stderr, "loading "+strings.Join(paths, ", "))()
	snapshot, err := kb.Load(ctx, paths, o)
	return snapshot, snapshot.Report(err)
}

// OpenBase is kb.Open with all diagnostics. There is no base if there is an error.
func OpenBase(ctx context.Context, paths []string, o *kb.Options) (*kb.Base, source.Diagnostics, error) {
	base := kb.Begin(ctx, paths, o)
	err := base.Opened(context.Background())
	report := base.Snapshot().Report(err)
	if err != nil {
		base = nil
	}
	return base, report, err
}
