// Command command is what the page runs as WebAssembly: a part of mcplogic that is small enough to be loaded with a
// page.
//
//	command check|query|why [GOAL]
//
// It loads the rules of the current folder. Answers, reasons, diagnostics and exit codes are those of mcplogic. What
// only a server makes of declarations, such as tools, is not checked.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/reasons"
	"github.com/mcplogic/mcplogic/engine/source"
)

// Exit codes, as mcplogic has them.
const (
	exitDone = iota
	exitNo
	exitUsage
	exitThrew
	exitLimit
)

// The bounds of a goal.
const (
	mostAnswers = 100
	mostMemory  = 256 << 20
	longest     = 15 * time.Second
	longestWhy  = 5 * time.Second
)

// command is one run.
type command struct {
	program        *engine.Program
	goal           string
	stdout, stderr io.Writer
}

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// folder opens files below the current folder, which has nothing else than those of the page.
type folder struct{}

// OpenRead opens a file.
func (folder) OpenRead(path string) (io.ReadCloser, error) { return os.Open(path) }

// scattered are the predicates that several files may declare things with.
var scattered = []string{"tools/1", "capabilities/1", "tool_call/3", "tool_call/4", "prompts/1", "prompt_get/3",
	"resources/1", "resource_templates/1", "resource_read/3", "completion/4"}

// sources reads the rules.
func sources() (list []source.File, err error) {
	names, err := filepath.Glob("*.pl")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list = append(list, source.File{Name: name, Text: string(text)})
	}
	return list, nil
}

// run runs a command and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		return exitUsage
	}
	list, err := sources()
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitUsage
	}
	check := args[0] == "check"
	program := engine.New(&engine.Options{Files: folder{}, Scattered: scattered, Lint: check, Lenient: !check,
		Output: stdout, Error: stderr, Directives: engine.Limits{Time: longest, Memory: mostMemory}})
	err = program.Load(ctx, list...)
	for _, d := range program.Diagnostics() {
		fmt.Fprintln(stderr, d)
	}
	switch {
	case check && err != nil:
		return exitNo
	case check:
		fmt.Fprintf(stdout, "%d files, no errors\n", len(list))
		return exitDone
	}
	c := &command{program, args[len(args)-1], stdout, stderr}
	if args[0] == "why" {
		return c.why(ctx)
	}
	return c.query(ctx)
}

// options are those of a run of the goal.
func (c *command) options() *engine.RunOptions {
	return &engine.RunOptions{Limits: engine.Limits{Time: longest, Memory: mostMemory}, Output: c.stdout, Error: c.stderr,
		Residual: true}
}

// query prints the answers as the prompt of SWI-Prolog does.
func (c *command) query(ctx context.Context) int {
	r, err := c.program.Start(c.goal, c.options())
	if err != nil {
		fmt.Fprintln(c.stderr, "error:", err)
		return exitUsage
	}
	defer r.Close()
	for n := 0; ; n++ {
		state, err := r.Next(ctx)
		switch {
		case err != nil:
			return c.failed(err)
		case state != engine.Answer && n == 0:
			fmt.Fprintln(c.stdout, "false.")
			return exitNo
		case state != engine.Answer:
			return exitDone
		}
		text, err := r.FormatAnswer(ctx, false)
		if err != nil {
			return c.failed(err)
		}
		fmt.Fprintln(c.stdout, text+".")
		if n+1 == mostAnswers {
			fmt.Fprintf(c.stderr, "The first %d answers.\n", mostAnswers)
			return exitDone
		}
	}
}

// failed prints what has ended a goal.
func (c *command) failed(err error) int {
	fmt.Fprintln(c.stderr, "error:", err)
	var exception *engine.Exception
	if errors.As(err, &exception) {
		fmt.Fprint(c.stderr, exception.Backtrace())
		if exception.Limit() != "" {
			return exitLimit
		}
	}
	return exitThrew
}

// why prints why the goal has its first answer, or what it lacks.
func (c *command) why(ctx context.Context) int {
	o := &engine.WhyOptions{Limits: engine.Limits{Time: longestWhy}, Run: *c.options()}
	o.Run.Output = io.Discard
	proof, err := c.program.Why(ctx, c.goal, o)
	var few *reasons.FewAnswersError
	switch {
	case err == nil:
		fmt.Fprintln(c.stdout, proof.Text)
		return exitDone
	case !errors.As(err, &few):
		return c.failed(err)
	}
	misses, err := c.program.WhyNot(ctx, c.goal, o)
	if err != nil {
		return c.failed(err)
	}
	fmt.Fprintln(c.stdout, misses.Whole())
	return exitNo
}
