package goals

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/questions"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/debug"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines mcplogic repl: the prompt, goals and their answers.

// repl holds the flags of mcplogic repl and the state of a session.
type repl struct {
	// The flags.
	sandbox settings.Sandbox
	limits  settings.Limits
	// limit is the most answers of a goal that are printed without a terminal, 0 for all.
	limit int

	// The session. rest is kept because one line may hold several goals.
	cmd            *cobra.Command
	stdout, stderr io.Writer
	in             lineSource
	base           replBase
	session        engine.Session
	rest           string // of the line that held the last goal

	last lastGoal
	// tracer shows the ports of goals after trace/0, spy/1 and their kin.
	tracer *portTracer
}

func NewRepl() *cobra.Command {
	r := &repl{}
	cmd := &cobra.Command{
		Use:   "repl [flags] [PATH...]",
		Short: "Ask goals at a prompt",
		RunE: func(cmd *cobra.Command, args []string) error {
			r.cmd, r.stdout, r.stderr = cmd, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return r.run(args)
		},
	}
	flags := cmd.Flags()
	r.limits.Add(flags, 0, 1<<30)
	r.sandbox.AddReading(flags)
	flags.IntVar(&r.limit, "limit", 1000, "most answers to print for a goal when there is no terminal; 0: all")
	return cmd
}

// run reads goals and calls them until the input ends or a goal halts. It returns the exit code as an error. A goal
// that throws is no error of the session: the exit code is that of halt/1, or 0 at the end of the input. Where
// there is no terminal, files that are refused end the session before it begins.
func (r *repl) run(paths []string) error {
	r.sandbox.Read = append(r.sandbox.Read, ".") // the user's own folder, for the user's own goals
	r.in = newLineSource(r.cmd, r.stdout)
	defer r.in.close()
	loading, err := r.sandbox.Reading(r.cmd)
	if err != nil {
		return err
	}
	r.base = replBase{o: loading, session: &r.session, stderr: r.stderr, replay: r.replay,
		interruptible: func() (context.Context, context.CancelFunc) { return r.in.interruptible(r.cmd.Context()) }}
	r.base.o.LeaveOpen = true
	if err := r.base.open(paths, r.in.isTerminal()); err != nil {
		return err
	}
	r.tracer = newPortTracer(r.stderr)
	if r.in.isTerminal() {
		r.tracer.key = r.in.key
		r.tracer.line = func(ctx context.Context) (string, bool) { return cli.NextLine(r.in.reader(ctx)) }
	}
	cli.CollectFor(cli.WhileServing)
	if r.in.isTerminal() {
		fmt.Fprintf(r.stdout, "%s. Goals end with a full stop; help. shows more, and halt. or Ctrl-D ends.\n",
			cli.VersionLine())
	}
	defer r.atHalt()
	if t, ok := r.in.(*terminal); ok {
		t.complete = func(prefix string) []string { return inner.Of(r.base.program()).Completions(prefix) }
	}
	for {
		g, err := r.readGoal()
		switch {
		case err == io.EOF:
			return nil
		case err == nil:
			err = r.goal(g)
		}
		var end cli.Exit
		var report source.Diagnostics
		switch {
		case errors.As(err, &end):
			return noUnlessZero(end)
		case errors.As(err, &report):
			cli.PrintDiagnostics(r.stderr, report)
		case err != nil && err != errInterrupted:
			return err
		}
	}
}

// atHalt calls the goals for the end of the session.
func (r *repl) atHalt() {
	ctx, stop := r.in.interruptible(r.cmd.Context())
	defer stop()
	CallAtHalt(ctx, r.base.program(), r.options(ctx, r.stdout))
	r.session.Close()
}

// noUnlessZero returns an exit code as an error, and nil for 0.
func noUnlessZero(code cli.Exit) error {
	if code == cli.ExitDone {
		return nil
	}
	return code
}

// The prompts.
const (
	goalPrompt   = "?- "
	tracePrompt  = "[trace] ?- "
	goOnPrompt   = "|    "
	clausePrompt = "|: "
)

// readGoal reads lines until they hold a goal. Files that have changed meanwhile are loaded again first, so that the
// goal meets them.
func (r *repl) readGoal() (*source.Goal, error) {
	prompt := goalPrompt
	if r.tracer.debugger.Tracing() {
		prompt = tracePrompt
	}
	return r.readTerm("goal", prompt, goOnPrompt)
}

// mayEnd reports whether a term may end in a line: the line has a full stop, perhaps within quotes. Without
// this each line of a long text would be parsed again with all lines before it.
func mayEnd(line string) bool {
	for i := range len(line) {
		if line[i] == '.' && (i+1 == len(line) || strings.IndexByte(" \t\r%", line[i+1]) >= 0) {
			return true
		}
	}
	return false
}

// readTerm reads lines until they hold a term. The first line is asked for by one prompt, the following ones by
// another. The error is io.EOF at the end of the input, errInterrupted after Ctrl-C, and Diagnostics for a text that
// is no term. The prompt goes on after the latter two.
func (r *repl) readTerm(name, first, next string) (*source.Goal, error) {
	text := r.rest
	r.rest = ""
	for begins, ends := true, false; ; { // whether the last line is the first of a goal, and may be the last
		var g *source.Goal
		rest, err := text, source.ErrIncomplete
		if begins || ends {
			g, rest, err = inner.Of(r.base.program()).ReadGoal(name, text)
		}
		prompt := next
		switch err {
		case io.EOF:
			text, prompt = "", first
		case source.ErrIncomplete:
		default:
			if r.rest = rest; strings.TrimSpace(rest) == "" {
				r.rest = ""
			}
			r.in.remember(strings.TrimSuffix(text, rest))
			return g, err
		}
		line, err := r.in.line(prompt)
		if err == io.EOF && text != "" {
			at := source.Position{File: name}
			return nil, source.Diagnostics{{Position: at, Severity: source.SeverityError, Code: "syntax",
				Message: "the input ends within a goal; is a full stop missing?"}}
		}
		if err != nil {
			return nil, err
		}
		begins, ends = text == "", mayEnd(line)
		text += line + "\n"
		if name == "goal" {
			r.base.refresh()
		}
	}
}

// goal calls a goal. Some goals, such as [file], are commands of the prompt instead, because the prompt loads and
// watches the files of a session.
func (r *repl) goal(g *source.Goal) error {
	files, ok := consulted(g.Term)
	switch {
	case ok:
		return r.consult(files)
	case g.Term == engine.Term(term.Atom("make")):
		r.base.reload()
		return r.say("true")
	case g.Term == engine.Term(term.Atom("end_of_file")):
		return cli.Exit(cli.ExitDone)
	case g.Term == engine.Term(term.Atom("exit")) || g.Term == engine.Term(term.Atom("quit")):
		if _, defined := inner.Of(r.base.program()).Predicate("user", string(g.Term.(term.Atom)), 0); !defined {
			return cli.Exit(cli.ExitDone)
		}
	}
	if w := r.asksWhy(g); w != nil {
		return w.explain(r)
	}
	text := engine.FormatTerm(g.Term)
	err := r.call(g)
	if err == nil && isSetting(g.Term) {
		r.base.settings = append(r.base.settings, text)
	}
	return err
}

// isSetting reports whether a goal sets something that a reload would forget, such as an operator or a
// flag. A reload makes a new program, which begins with the defaults.
func isSetting(goal engine.Term) bool {
	name, arity, _ := term.Indicator(goal)
	switch fmt.Sprintf("%s/%d", name, arity) {
	case "use_module/1", "use_module/2", "ensure_loaded/1", "op/3", "set_prolog_flag/2":
		return true
	}
	return false
}

// replay calls a setting again for a program that was loaded anew. Errors are ignored: they were shown when the
// setting was made.
func (r *repl) replay(program *engine.Program, goal string) {
	o := &engine.RunOptions{Limits: engine.Limits{Time: replayTime, Memory: int(r.limits.Memory)}}
	_, _ = program.Once(context.Background(), goal, o)
}

// start begins a run of a goal. next runs to the next answer and reports whether there is one. It ends the line in
// which the output of the goal has ended, so that answers begin on a line of their own. The caller closes the run. The
// goal counts as the last one from here on, so that why can say what is missing when it fails.
func (r *repl) start(ctx context.Context, g *source.Goal) (run *engine.Run, next func() (bool, error), err error) {
	program := r.base.program()
	out := &cli.LineWriter{W: r.stdout}
	o := r.options(ctx, out)
	importAsked(ctx, program, g.Term, &engine.RunOptions{Error: r.stderr, Session: &r.session})
	o.Residual = true
	run, err = inner.Of(program).StartTerm(g.Term, g.Vars, o)
	if err != nil {
		return nil, nil, err
	}
	interview := r.interview(ctx, program, run)
	r.last = lastGoal{goal: g, interview: interview}
	return run, func() (bool, error) {
		defer out.FreshLine()
		return r.next(ctx, run, interview)
	}, nil
}

// call runs a goal and shows its answers. At a terminal the user asks for each next one. Elsewhere all are printed, up
// to the limit. The error is an exit if the goal halts; other errors of the goal are printed, and the result is nil.
func (r *repl) call(g *source.Goal) error {
	ctx, stop := r.in.interruptible(r.cmd.Context())
	defer stop()
	run, next, err := r.start(ctx, g)
	if err != nil {
		return r.failed(ctx, err)
	}
	defer run.Close()
	for n := 1; ; n++ {
		found, err := next()
		if err != nil {
			return r.failed(ctx, err)
		}
		if !found {
			return r.say(noneText(run, n-1))
		}
		r.last.values = run.Solution().Values()[:len(g.Vars)]
		text, err := run.FormatAnswer(ctx, r.in.isTerminal())
		if err != nil {
			return r.failed(ctx, err)
		}
		if run.Done() {
			if err := r.say(text); err != nil {
				return err
			}
			return r.cut(ctx, run)
		}
		fmt.Fprint(r.stdout, text)
		if n == r.limit && !r.in.isTerminal() {
			fmt.Fprintln(r.stdout, " .")
			fmt.Fprintf(r.stderr, "mcplogic: there may be more than %s; see --limit\n", spell.Count(n, "answer"))
			return r.cut(ctx, run)
		}
		if !r.in.more(ctx, func() string { whole, _ := run.FormatAnswer(ctx, false); return whole }) {
			if err := r.say(" "); err != nil {
				return err
			}
			return r.cut(ctx, run)
		}
		fmt.Fprintln(r.stdout, " ;")
	}
}

// cut ends a goal of which no more answers are wanted.
func (r *repl) cut(ctx context.Context, run *engine.Run) error {
	if err := run.Cut(ctx); err != nil {
		return r.failed(ctx, err)
	}
	return nil
}

// options returns what a goal runs with: the limits of the flags, the session, and the streams of the prompt.
func (r *repl) options(ctx context.Context, out io.Writer) *engine.RunOptions {
	return &engine.RunOptions{Limits: r.limits.Engine(),
		Input: r.in.reader(ctx), Output: out, Error: r.stderr, Terminal: r.in.isTerminal(), Session: &r.session,
		Debugger: r.debugger(), TraceValues: true}
}

// debugger returns the debugger of the session, nil for goals that run before its first line.
func (r *repl) debugger() *debug.Debugger {
	if r.tracer == nil {
		return nil
	}
	return r.tracer.debugger
}

// interview returns the dialogue in which a goal asks the user. Questions to a client appear at the prompt, and their
// answers are lines of the same input.
func (r *repl) interview(ctx context.Context, program *engine.Program, run *engine.Run) *bridge.Interview {
	lines := r.in.reader(ctx)
	a := &questions.Asker{Out: r.stderr, Read: func(context.Context) (string, bool) { return cli.NextLine(lines) }}
	i := bridge.NewInterview(program, run)
	i.Ask = a.Question
	return i
}

// next runs to the next answer. Questions that the goal asks on the way are answered first.
func (r *repl) next(ctx context.Context, run *engine.Run, interview *bridge.Interview) (found bool, err error) {
	for {
		state, err := run.Next(ctx)
		if err != nil || state != engine.Waiting {
			return state == engine.Answer, err
		}
		if err := interview.Answer(ctx); err != nil {
			return false, err
		}
	}
}

// say ends an answer. At a terminal an empty line follows, as with SWI-Prolog.
func (r *repl) say(text string) error {
	_, err := fmt.Fprintln(r.stdout, text+".")
	r.gap()
	return err
}

// gap prints an empty line at a terminal. In the output of a script it would only be noise.
func (r *repl) gap() {
	if r.in.isTerminal() {
		fmt.Fprintln(r.stdout)
	}
}

// failed prints the error of a goal. The prompt goes on after it, but for two: a goal that halts ends the session with
// its exit code, and so does the end of the command's context where no person can have interrupted the goal.
func (r *repl) failed(ctx context.Context, err error) error {
	var halt *engine.Halt
	switch {
	case errors.As(err, &halt):
		return cli.Exit(halt.Code)
	case aborted(err):
		fmt.Fprintln(r.stderr, "% Execution Aborted")
	case ctx.Err() != nil && r.in.isTerminal(): // also while the goal was reading
		fmt.Fprintln(r.stderr, "% interrupted")
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		cli.PrintError(r.stderr, err)
	}
	r.gap()
	return nil
}

// consult loads the files that a goal names. The name user means clauses that are typed in. As in
// SWI-Prolog, a name stands for the file with .pl if there is one. The first file that cannot be loaded makes the
// answer false; those before it stay.
func (r *repl) consult(files []string) error {
	for _, file := range files {
		if file == "user" {
			if err := r.typedClauses(); err != nil {
				return err
			}
			continue
		}
		if cli.FileExists(file + ".pl") {
			file += ".pl"
		}
		if !r.base.add(file) {
			return r.say("false")
		}
	}
	return r.say("true")
}

// typedClauses reads clauses up to the end of the input or end_of_file and adds each at the end of its
// predicate. A clause with an error is reported and left out, as in a file.
func (r *repl) typedClauses() error {
	for {
		g, err := r.readTerm("user", clausePrompt, clausePrompt)
		var report source.Diagnostics
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &report):
			cli.PrintDiagnostics(r.stderr, report)
			continue
		case err != nil:
			return err
		case g.Term == engine.Term(term.EndOfFile):
			return nil
		}
		if err := r.typed(g); err != nil {
			return err
		}
	}
}

// typed adds a clause that was typed in, or calls it when it is a directive. A clause is expanded like one
// in a file, so that grammar rules work, and goes to the end of its predicate.
func (r *repl) typed(g *source.Goal) error {
	directive, ok := term.Is(g.Term, ":-", 1)
	if !ok {
		directive, ok = term.Is(g.Term, "?-", 1)
	}
	goal := &source.Goal{}
	if ok {
		goal.Term = directive[0]
	} else {
		clauses := term.NewVar("")
		each := term.New("->", term.New("is_list", clauses), term.New("maplist", term.Atom("assertz"), clauses))
		goal.Term = term.New(",", term.New("expand_term", g.Term, clauses), term.New(";", each, term.New("assertz", clauses)))
	}
	return r.once(goal)
}

// once calls a directive that was typed in. A directive has one answer, and a warning says when it has
// none. A setting is noted as after a goal.
func (r *repl) once(g *source.Goal) error {
	ctx, stop := r.in.interruptible(r.cmd.Context())
	defer stop()
	run, next, err := r.start(ctx, g)
	if err != nil {
		return r.failed(ctx, err)
	}
	defer run.Close()
	found, err := next()
	switch {
	case err != nil:
		return r.failed(ctx, err)
	case !found:
		at := source.Position{File: "user"}
		cli.PrintDiagnostics(r.stderr, source.Diagnostics{{Position: at, Severity: source.SeverityWarning,
			Message: "the directive fails"}})
	case isSetting(g.Term):
		r.base.settings = append(r.base.settings, engine.FormatTerm(g.Term))
	}
	return nil
}
