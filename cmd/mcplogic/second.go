package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/reference"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic query --reference: the same questions, asked elsewhere.

// askReference prints the answers of the other interpreter. It loads the files as one text, without the declarations of
// a knowledge base, which it does not know.
func (q *query) askReference(ctx context.Context, paths []string, goal string) error {
	sources, report := kb.Sources(paths)
	printDiagnostics(q.stderr, report)
	if report.Err() != nil {
		return notLoaded(report)
	}
	answer := q.second(ctx, sources, goal, q.limit)
	if q.asJSON {
		return q.printSecond(answer)
	}
	return q.showSecond(answer)
}

// second runs a goal on the other interpreter, under the same limits of time and memory. It counts no
// inferences, so --max-inferences has no effect on it. The memory is that of the whole process, because the
// interpreter does not count its own.
func (q *query) second(ctx context.Context, sources []engine.Source, goal string, limit int) reference.Result {
	var program strings.Builder
	for _, s := range sources {
		program.WriteString(s.Text + "\n")
	}
	return q.secondLimits().Run(ctx, program.String(), goal, limit)
}

// secondLimits returns the limits of the other interpreter. A time of 0 is no limit here, where package reference takes
// it for its default.
func (q *query) secondLimits() reference.Limits {
	l := reference.Limits{Time: q.limits.time, Memory: int64(q.limits.memory)}
	if l.Time == 0 {
		l.Time = math.MaxInt64
	}
	return l
}

// printSecond prints lines of JSON as printLines does, so that the output of the two engines can be
// compared line by line.
func (q *query) printSecond(answer reference.Result) error {
	for _, bindings := range answer.Solutions {
		if err := printJSON(q.stdout, map[string]any{"solution": bindings}); err != nil {
			return err
		}
	}
	result := queryResult{Status: answer.Status, Error: answer.Error, Output: answer.Output}
	if err := printJSON(q.stdout, result); err != nil {
		return err
	}
	return exitFor(answer.Status)
}

// showSecond prints solutions for people, all at once. The interpreter is asked for all of them before any
// is printed. An error goes to standard error, after the solutions before it.
func (q *query) showSecond(answer reference.Result) error {
	out := &lineWriter{w: q.stdout}
	_, _ = io.WriteString(out, answer.Output)
	out.freshLine()
	for i, bindings := range answer.Solutions {
		end := " ;"
		if i == len(answer.Solutions)-1 && answer.Status == "true" {
			end = "."
		}
		fmt.Fprintln(q.stdout, bindingText(bindings)+end)
	}
	switch answer.Status {
	case "true":
	case "false":
		fmt.Fprintln(q.stdout, "false.")
	default:
		fmt.Fprintf(q.stderr, "error: %s\n", answer.Error)
	}
	return exitFor(answer.Status)
}

// exitFor returns the exit code for a status of the other interpreter. That interpreter does not tell a
// goal that cannot be read from one that throws, so both have one code.
func exitFor(status string) error {
	switch status {
	case "true":
		return nil
	case "false":
		return exit(exitNo)
	case "limit":
		return exit(exitLimit)
	}
	return exit(exitThrew)
}

// bindingText is X = a, Y = b on lines of their own, sorted by name; true for none.
func bindingText(bindings map[string]string) string {
	var lines []string
	for _, name := range sortedKeys(bindings) {
		lines = append(lines, name+" = "+bindings[name])
	}
	if len(lines) == 0 {
		return "true"
	}
	return strings.Join(lines, ",\n")
}
