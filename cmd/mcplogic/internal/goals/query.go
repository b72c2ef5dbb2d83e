// Package goals is the commands that run goals of the person at a terminal: query, why and repl, with the tracer, the
// history of the prompt and the second opinion of another Prolog.
package goals

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	goruntime "runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/debug"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic query, with its flags --batch and --code.

func NewQuery() *cobra.Command {
	q := &query{}
	cmd := q.command("query", "Print the solutions of a goal", 0, q.run)
	flags := cmd.Flags()
	flags.IntVar(&q.limit, "limit", 0, "most solutions to print; 0: all")
	flags.BoolVar(&q.asJSON, "json", false, "print answers as JSON, one a line")
	flags.StringVar(&q.batch, "batch", "", "run the goals of this file of JSON lines; - is standard input")
	flags.StringVar(&q.code, "code", "", "print the code of this predicate, NAME/ARITY, instead")
	flags.StringVar(&q.profile, "profile", "", "write where the goal spends its time to this file, for pprof or as .txt")
	flags.BoolVar(&q.reference, "reference", false, "ask ichiban/prolog instead")
	return cmd
}

// command makes a command that loads rules and calls a goal, with the flags for that. run gets the arguments.
func (q *query) command(name, short string, longest time.Duration,
	run func(*cobra.Command, []string) error) *cobra.Command {
	cmd := &cobra.Command{
		Use:   name + " [flags] [PATH...] GOAL",
		Short: short,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.stdin, q.stdout, q.stderr = &cli.InputLines{R: cli.Typed(cmd)}, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return run(cmd, args)
		},
	}
	flags := cmd.Flags()
	q.limits.Add(flags, longest, 1<<30)
	q.sandbox.AddReading(flags)
	q.given.Add(flags)
	flags.StringArrayVar(&q.files, "file", nil, "load this file or folder too; may be repeated")
	return cmd
}

// run chooses among the forms of the command: a batch, the code of a predicate, another interpreter, or a goal. The
// last argument is the goal, so that paths can be left out.
func (q *query) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	if (q.batch != "" || q.reference || q.code != "") && q.given.Some() {
		return errors.New("--assume, --without, --now and --seed are for one goal; " +
			"leave out --batch, --reference and --code")
	}
	if (q.batch != "" || q.reference) && q.sandbox.IsOpen() {
		return errors.New("goals of --batch and --reference reach no files and no environment; " +
			"leave out --allow-read, --allow-write and --allow-env")
	}
	if q.batch != "" {
		q.files = append(q.files, args...)
		return q.runBatch(ctx)
	}
	if q.code != "" {
		return q.printCode(cmd, append(q.files, args...))
	}
	goal, paths, err := q.goalOf(cmd, args)
	if err != nil {
		return err
	}
	if q.reference {
		return q.askReference(ctx, paths, goal)
	}
	program, err := q.load(cmd, paths)
	if err == nil {
		q.giving, err = q.given.Read(program, goal, cmd.ErrOrStderr())
	}
	if err != nil {
		return err
	}
	defer func() {
		// Goals of at_halt/1 run after the answers, also when the goal threw.
		q.giving = engine.Given{}
		o := q.options()
		// With --json nothing but JSON goes to standard output.
		if o.Output = q.stdout; q.asJSON {
			o.Output = q.stderr
		}
		CallAtHalt(ctx, program, o)
		q.session.Close()
	}()
	if q.profile != "" {
		q.profiled = &inspect.Profile{}
	}
	if parsed, err := program.ParseTerm("", goal); err == nil {
		importAsked(ctx, program, parsed, &engine.RunOptions{Error: q.stderr, Session: &q.session})
		noteTexts(program, parsed, q.stderr)
	}
	answer := q.printAnswers
	if q.asJSON {
		answer = q.printLines
	}
	err = answer(ctx, program, goal)
	if failed := q.writeProfile(); failed != nil {
		return failed
	}
	return err
}

// goalOf returns the goal, which is the last argument, and the paths, of --file and of the other arguments.
func (q *query) goalOf(cmd *cobra.Command, args []string) (goal string, paths []string, err error) {
	if len(args) == 0 {
		return "", nil, fmt.Errorf("%s needs a GOAL; see mcplogic %[1]s --help", cmd.Name())
	}
	last := len(args) - 1
	for _, name := range []string{"sql", "set", "strict", "store"} {
		if last+len(q.files) == 0 && cmd.Flags().Changed(name) {
			return "", nil, fmt.Errorf("--%s needs a PATH; see mcplogic %s --help", name, cmd.Name())
		}
	}
	return args[last], append(q.files, args[:last]...), cli.GoalError(cmd, args)
}

// profileLines is how many predicates and how many lines a profile as text shows.
const profileLines = 40

// writeProfile writes the profile that --profile asks for: as text to standard error for -, as text for *.txt, else in
// the format of pprof. It is written whatever became of the goal. An error here is wrong usage, and hides the exit
// code of the goal.
func (q *query) writeProfile() error {
	if q.profiled == nil {
		return nil
	}
	var data bytes.Buffer
	var err error
	if q.profile == "-" || strings.HasSuffix(q.profile, ".txt") {
		err = q.profiled.WriteText(&data, profileLines)
	} else {
		err = q.profiled.WritePprof(&data)
	}
	switch {
	case err != nil:
		return err
	case q.profile == "-":
		_, err = q.stderr.Write(data.Bytes())
		return err
	}
	return os.WriteFile(q.profile, data.Bytes(), 0o666)
}

// printCode prints the code of a predicate, as it is linked. No goal is run, though loading may run
// directives. The exit code is 1 if there is no such predicate.
func (q *query) printCode(cmd *cobra.Command, paths []string) error {
	module, name, arity, ok := debug.ParseIndicator(q.code)
	if !ok {
		return fmt.Errorf("got --code %s, want NAME/ARITY", q.code)
	}
	program, err := q.load(cmd, paths)
	if err != nil {
		return err
	}
	listing, found := inner.Of(program).Code(module, name, arity)
	if !found {
		fmt.Fprintf(q.stderr, "mcplogic: there is no predicate %s%s\n", q.code,
			inner.Of(program).Suggestion(module, name, arity))
		return cli.Exit(cli.ExitNo)
	}
	fmt.Fprint(q.stdout, listing)
	return nil
}

// batchCase is one line of the input.
type batchCase struct {
	// ID is any JSON. It comes back with the answer as it was.
	ID json.RawMessage `json:"id"`
	// Setup is the text of a program for this goal alone. The files of the command line are loaded before it.
	Setup string `json:"setup"`
	Goal  string `json:"goal"`
	// Max is the most solutions to give. 0: as many as --limit says.
	Max int `json:"max"`
}

// batchResult is one line of the output. Solutions has those that the goal had before it ended, also when
// it ended with an error.
type batchResult struct {
	ID        json.RawMessage     `json:"id"`
	Solutions []map[string]string `json:"solutions"`
	// Undefined has the numbers of the solutions that are neither true nor false.
	Undefined []int `json:"undefined,omitempty"`
	queryResult
}

// runBatch answers line after line. A line that is wrong gets an answer that says so, and the next one follows.
// Answers are in the order of the lines, and one goal runs at a time. How a goal ended stands in its answer alone: the
// exit code is 0 unless the files or the batch cannot be read, or the command is interrupted.
func (q *query) runBatch(ctx context.Context) error {
	in := io.Reader(q.stdin)
	if q.batch != "-" {
		f, err := os.Open(q.batch)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	common, err := new(kb.Options).Sources(q.files)
	if err != nil {
		return q.notFound(err)
	}
	// A Scanner would bound the length of a line, and a line may hold a whole program.
	lines := bufio.NewReader(in)
	out := bufio.NewWriter(q.stdout)
	defer out.Flush()
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := cli.PrintJSON(out, q.answer(ctx, common, number, line)); err != nil {
				return err
			}
			// The writer of the lines may wait for an answer before it writes the next line.
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// answer answers one line. A panic in the engine spoils only this line. An id that is missing or cannot be
// read is null in the answer.
func (q *query) answer(ctx context.Context, common []source.File, number int, line []byte) (b batchResult) {
	b.Solutions = []map[string]string{}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(q.stderr, "line %d: internal error: %v\n%s", number, p, goruntime.Stack())
			b.Status, b.Error = "error", fmt.Sprintf("internal error: %v", p)
		}
	}()
	var c batchCase
	err := json.Unmarshal(line, &c)
	if b.ID = c.ID; b.ID == nil {
		b.ID = json.RawMessage("null")
	}
	if err != nil {
		b.Status, b.Error = "error", fmt.Sprintf("line %d: %s", number, err)
		return b
	}
	if c.Max <= 0 {
		c.Max = q.limit
	}
	// Without spare capacity append makes a new array. The cases share common.
	sources := append(common[:len(common):len(common)], source.File{Name: "setup.pl", Text: c.Setup})
	if q.reference {
		q.reply(ctx, sources, c, &b)
		return b
	}
	output := &host.Buffer{Max: maxOutput}
	b.queryResult = q.solveFresh(ctx, sources, c, output, func(bindings map[string]string, undefined bool) bool {
		if undefined {
			b.Undefined = append(b.Undefined, len(b.Solutions))
		}
		b.Solutions = append(b.Solutions, bindings)
		return true
	})
	b.Output = output.String()
	return b
}

// solveFresh loads texts into a new program and runs a goal there, so that nothing a case asserts reaches
// the next one. Directives have no more time and memory than the goal: no line is to take longer than its
// limits say. The goal has no input, as that may be the lines of the batch. The program has the predicates of the
// engine only, not those by which goals talk to clients.
func (q *query) solveFresh(ctx context.Context, sources []source.File, c batchCase, output io.Writer,
	each func(bindings map[string]string, undefined bool) bool) queryResult {
	o := q.options()
	o.Input, o.Output = nil, output
	o.Session = &engine.Session{}
	defer o.Session.Close()
	load := &engine.Options{LeaveOpen: true, SWI: bool(q.sandbox.Loading.Dialect), Output: output, Error: q.stderr}
	load.Directives = engine.Limits{Time: cmp.Or(q.sandbox.Loading.Time, -1),
		Memory: min(int(q.sandbox.Loading.Memory), o.Memory)}
	if at := &load.Directives.Time; o.Time > 0 && (*at < 0 || o.Time < *at) {
		*at = o.Time
	}
	program := engine.New(load)
	if err := program.Load(ctx, sources...); err != nil {
		return queryResult{Status: "error", Error: "load: " + err.Error()}
	}
	return solve(ctx, program, c.Goal, o, c.Max, each)
}

// reply answers a line of a batch.
func (q *query) reply(ctx context.Context, sources []source.File, c batchCase, b *batchResult) {
	answer := q.second(ctx, sources, c.Goal, c.Max)
	b.Solutions = answer.Solutions
	b.Status, b.Error, b.Output = answer.Status, answer.Error, answer.Output
}
