package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines how diagnostics and errors are printed.

// printDiagnostics prints diagnostics for people. Of very many it prints the first ones and how many more
// there are. A last line counts errors and warnings, unless there is one diagnostic only.
func printDiagnostics(w io.Writer, report engine.Diagnostics) {
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
		word = paint(engine.SeverityError)
	}
	fmt.Fprintf(w, "%s %s\n", word, err)
	var ex *engine.Exception
	if errors.As(err, &ex) {
		fmt.Fprint(w, ex.Backtrace())
	}
}

// notLoaded returns the error with which a command ends when its files were not loaded. Files that are not
// there are wrong usage; errors in files are a result of the command.
func notLoaded(report engine.Diagnostics) error {
	if slices.ContainsFunc(report, func(d engine.Diagnostic) bool { return d.Code == "path" }) {
		return exit(exitUsage)
	}
	return exit(exitNo)
}

// tally counts errors and warnings, as in "1 error, 2 warnings".
func tally(report engine.Diagnostics) string {
	errs := len(report.Errors())
	warnings := len(report) - errs
	switch {
	case errs == 0:
		return spell.Count(warnings, "warning")
	case warnings == 0:
		return spell.Count(errs, "error")
	}
	return spell.Count(errs, "error") + ", " + spell.Count(warnings, "warning")
}

// paint returns a severity as text in its colour. 31 is red, 33 yellow and 1 bold in ECMA-48.
func paint(s engine.Severity) string {
	number := 33
	if s == engine.SeverityError {
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
	return fmt.Sprintf("%s: %s, %s, %s", spell.Count(len(s.Files), "file"), spell.Count(len(s.Tools), "tool"),
		spell.Count(len(s.Prompts), "prompt"), spell.Count(len(s.Resources)+len(s.Templates), "resource"))
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

// plain returns a text as it is, and any other term as writeq shows it: names of tests may be any terms.
func plain(t term.Term) string {
	if text, ok := term.Text(t); ok {
		return text
	}
	return engine.FormatTerm(t)
}
