package goals

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines how mcplogic query runs one goal, and prints its solutions and how it ended.

// query holds the flags of mcplogic query and its streams.
type query struct {
	// The flags. files has the paths of --file, limit is the most solutions, 0 for all. batch and profile are names of
	// files, code is the indicator of a predicate.
	sandbox   settings.Sandbox
	limits    settings.Limits
	files     []string
	limit     int
	asJSON    bool
	batch     string
	code      string
	reference bool
	profile   string

	// given are the flags of what the goal is given, giving is what they say.
	given  settings.GivenFlags
	giving engine.Given
	// session is that of the load, the goal and the goals of at_halt/1.
	session engine.Session
	// profiled are the samples of the goal, nil without --profile.
	profiled *inspect.Profile

	// The streams of the command. Goals get them too.
	stdin          *cli.InputLines
	stdout, stderr io.Writer
}

// load returns the program of the paths. It prints the diagnostics of loading. Errors among them end the
// command, with --json after a line that says so. A goal without files and folders needs no snapshot, only
// the engine. What directives print goes to standard output, with --json to standard error.
func (q *query) load(cmd *cobra.Command, paths []string) (*engine.Program, error) {
	if len(paths) == 0 && !q.sandbox.IsOpen() && settings.FirstGiven(cmd.Flags(), (&settings.LoadFlags{}).Add) == "" {
		p := engine.New(&engine.Options{SWI: bool(q.sandbox.Loading.Dialect)})
		return p, p.Load(cmd.Context())
	}
	o, err := q.sandbox.Reading(cmd)
	if err != nil {
		return nil, err
	}
	o.LeaveOpen = true
	if o.Input = q.stdin; !q.asJSON {
		o.Output, o.Error = q.stdout, q.stderr
	}
	snapshot, report := cli.LoadFiles(cmd.Context(), q.stderr, paths, o)
	cli.CollectFor(cli.WhileServing)
	cli.PrintDiagnostics(q.stderr, report)
	if snapshot != nil {
		importNamed(cmd.Context(), snapshot.Program, paths, &engine.RunOptions{Error: q.stderr, Session: &q.session})
		return snapshot.Program, nil
	}
	if q.asJSON {
		err := cli.PrintJSON(q.stdout, queryResult{Status: "error", Error: report.Error()})
		return nil, errors.Join(cli.NotLoaded(report), err)
	}
	return nil, cli.NotLoaded(report)
}

// importNamed imports the exports of module files into user, so that the goal can call them. It does so for files that
// paths name themselves. Files of a folder stay in their modules.
func importNamed(ctx context.Context, program *engine.Program, paths []string, o *engine.RunOptions) {
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			continue
		}
		name := term.Atom(filepath.ToSlash(path))
		o.Bind = map[string]any{"File": name}
		if _, err := program.Once(ctx, "ensure_loaded(File)", o); err != nil {
			cli.PrintError(o.Error, err)
		}
	}
}

// importAsked imports into user what a goal names and one module of a folder alone exports, so that the goal can call
// it. Nothing else is imported: a module that lacks an import is to lack it here as it does in a server.
func importAsked(ctx context.Context, program *engine.Program, goal engine.Term, o *engine.RunOptions) {
	const most = 7 // arguments that call/N adds
	type indicator struct {
		name  string
		arity int
	}
	seen := map[indicator]bool{}
	for part := range term.Parts(goal) {
		name, arity, ok := term.Indicator(part)
		for n := arity; ok && n <= arity+most; n++ {
			p := indicator{string(name), n}
			if seen[p] {
				continue
			}
			seen[p] = true
			if _, known := inner.Of(program).Predicate("user", p.name, n); known {
				continue
			}
			if module, ok := inner.Of(program).ModuleOf(p.name, n, true); ok {
				o.Bind = map[string]any{"M": term.Atom(module), "P": term.New("/", name, term.Int(n))}
				if _, err := program.Once(ctx, "import(M:P)", o); err != nil {
					cli.PrintError(o.Error, err)
				}
			}
		}
	}
}

// noteTexts warns of texts in a goal where mode/2 wants dates and the like: rules compare them as texts.
func noteTexts(program *engine.Program, goal engine.Term, w io.Writer) {
	for part := range term.Parts(goal) {
		for _, note := range inner.Of(program).TextsFor("user", part) {
			fmt.Fprintln(w, "warning: "+note)
		}
	}
}

// options returns the limits and streams for a goal. The caller sets the output, which each form of the
// command treats in its own way. Each call makes a tracer of its own.
func (q *query) options() *engine.RunOptions {
	tracer := newPortTracer(q.stderr)
	if q.stdin.IsTerminal() && cli.IsTerminal(q.stderr) {
		tracer.key = firstKey(q.stdin)
		tracer.line = func(context.Context) (string, bool) { return cli.NextLine(q.stdin) }
	}
	return &engine.RunOptions{Limits: q.limits.Engine(),
		Input: q.stdin, Error: q.stderr, Debugger: tracer.debugger, Profile: q.profiled, TraceValues: true,
		Session: &q.session, Given: q.giving}
}

// printAnswers prints the solutions as the prompt of SWI-Prolog does. It stops at the limit. A blank before
// the full stop says that there may be more solutions. A limit of 0 is never reached, because answers count from 1.
func (q *query) printAnswers(ctx context.Context, program *engine.Program, goal string) error {
	out := &cli.LineWriter{W: q.stdout}
	o := q.options()
	o.Output, o.Terminal, o.Residual = out, q.stdin.IsTerminal() && cli.IsTerminal(q.stdout), true
	r, err := program.Start(goal, o)
	if err != nil {
		cli.PrintError(q.stderr, err)
		return cli.Exit(cli.ExitUsage)
	}
	defer r.Close()
	holds := false // an answer is true
	for n := 0; ; {
		found, err := NextSolution(ctx, r)
		out.FreshLine()
		if err != nil {
			return q.goalError(err)
		}
		if !found {
			fmt.Fprintln(q.stdout, noneText(r, n)+".")
			return noUnless(holds)
		}
		n++
		holds = holds || !r.Solution().Undefined()
		text, err := r.FormatAnswer(ctx, false)
		if err != nil {
			return q.goalError(err)
		}
		fmt.Fprint(q.stdout, text)
		if r.Done() || n == q.limit {
			fmt.Fprintln(q.stdout, map[bool]string{true: ".", false: " ."}[r.Done()])
			if err := r.Cut(ctx); err != nil {
				return q.goalError(err)
			}
			return noUnless(holds)
		}
		fmt.Fprintln(q.stdout, " ;")
	}
}

// noneText is how the end of the answers is shown, behind n of them.
func noneText(r *engine.Run, n int) string {
	if n == 0 && r.Undefined() {
		return "undefined"
	}
	return "false"
}

// NextSolution runs to the next solution. A goal that asks the user is an error, because the command has no
// client that could be asked.
func NextSolution(ctx context.Context, r *engine.Run) (found bool, err error) {
	state, err := r.Next(ctx)
	if err == nil && state == engine.Waiting {
		err = errors.New("the goal asks the user of a client; try mcplogic call")
	}
	return state == engine.Answer, err
}

// noUnless returns the exit code for a goal: 0 if it had a solution that is true, else that of a goal without
// solutions.
func noUnless(found bool) error {
	if found {
		return nil
	}
	return cli.Exit(cli.ExitNo)
}

// goalError prints what ended a goal and returns its exit code. halt/1 is no error: the goal chooses the code.
func (q *query) goalError(err error) error {
	var halt *engine.Halt
	_, code := ending(err)
	switch is := errors.As(err, &halt); {
	case is && code == 0:
		return nil
	case !is:
		cli.PrintError(q.stderr, err)
	}
	return cli.Exit(code)
}

// queryResult is how a goal ended, as JSON. The help text of the command says what each field means.
type queryResult struct {
	Status  string `json:"status"`
	Error   string `json:"error"`
	Message string `json:"message,omitempty"`
	Output  string `json:"output"`

	code int // the exit code
}

// maxOutput bounds the output of a goal that is kept for its line of JSON, in bytes. The rest is dropped.
const maxOutput = 16 << 20

// printLines prints a line of JSON for each solution, then one that says how the goal ended. Each line is
// printed when its solution is found.
func (q *query) printLines(ctx context.Context, program *engine.Program, goal string) error {
	output := &host.Buffer{Max: maxOutput}
	o := q.options()
	o.Output = output
	n := 0
	var printErr error
	end := solve(ctx, program, goal, o, q.limit, func(bindings map[string]string, undefined bool) bool {
		n++
		line := map[string]any{"solution": bindings}
		if undefined {
			line["undefined"] = true
		}
		printErr = cli.PrintJSON(q.stdout, line)
		return printErr == nil
	})
	if printErr != nil {
		return printErr
	}
	end.Output = output.String()
	if err := cli.PrintJSON(q.stdout, end); err != nil || end.code == cli.ExitDone {
		return err
	}
	return cli.Exit(end.code)
}

// solve passes the solutions of a goal to each, at most limit of them, or all if that is 0. It returns how the goal
// ended: as false without any solution, as undefined if none is true and one may be, and as an error also when there
// were solutions before it. When each returns false, solve stops.
func solve(ctx context.Context, program *engine.Program, goal string, o *engine.RunOptions, limit int,
	each func(bindings map[string]string, undefined bool) bool) queryResult {
	r, err := program.Start(goal, o)
	if err != nil {
		end := failure(program, err)
		// The goal could not be read, so it never ran.
		end.code = cli.ExitUsage
		return end
	}
	defer r.Close()
	end := queryResult{Status: "false", code: cli.ExitNo}
	for n := 0; limit == 0 || n < limit; n++ {
		found, err := NextSolution(ctx, r)
		if err != nil {
			return failure(program, err)
		}
		if !found {
			if n == 0 {
				end.Status = noneText(r, n)
			}
			break
		}
		undefined := r.Solution().Undefined()
		switch {
		case !undefined:
			end = queryResult{Status: "true"}
		case n == 0:
			end.Status = "undefined"
		}
		values, err := r.FormatValues(ctx)
		if err != nil {
			return failure(program, err)
		}
		if !each(values, undefined) {
			break
		}
	}
	if err := r.Cut(ctx); err != nil {
		return failure(program, err)
	}
	return end
}

// failure says which error ended a goal: the whole ball, and the message for people. An error that is no
// exception, such as a question that nobody can answer, has its text only.
func failure(program *engine.Program, err error) queryResult {
	var ex *engine.Exception
	var halt *engine.Halt
	end := queryResult{Error: err.Error()}
	end.Status, end.code = ending(err)
	switch {
	case errors.As(err, &ex):
		end.Error, end.Message = inner.Of(program).FormatNumbered(ex.Term), ex.Error()
	case errors.As(err, &halt):
		end.Error, end.Message = fmt.Sprintf("halt(%d)", halt.Code), err.Error()
	}
	return end
}

// ending returns the status of a goal that an error has ended, and the exit code.
func ending(err error) (status string, code int) {
	var ex *engine.Exception
	var halt *engine.Halt
	switch {
	case errors.As(err, &halt):
		return "error", halt.Code
	case errors.As(err, &ex) && ex.Limit() != "":
		return "limit", cli.ExitLimit
	}
	return "error", cli.ExitThrew
}

// CallAtHalt calls the goals that at_halt/1 has registered, the last one first. The command calls them and not the
// engine, because a program in a server does not end. Their errors do not change the exit code. The limits in o are
// for all of them together.
func CallAtHalt(ctx context.Context, p *engine.Program, o *engine.RunOptions) {
	if _, ok := inner.Of(p).Defines("at_halt", "goal", 1); ok {
		// Goals that were registered before a reload need the library. It prints what goes wrong.
		_, _ = p.Once(ctx, "use_module(library(at_halt)), at_halt:call_goals", o)
	}
}
