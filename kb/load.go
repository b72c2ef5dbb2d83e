package kb

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines loading: from paths to a snapshot or a report of what is wrong.

// declared are the predicates that declare things. Files add clauses to them without saying
// multifile or discontiguous.
var declared = []struct {
	name  string
	arity int
}{
	{"tools", 1}, {"capabilities", 1}, {"tool_call", 3}, {"tool_call", 4}, {"input_schema", 2}, {"output_schema", 2},
	{"prompts", 1}, {"prompt_get", 3}, {"resources", 1}, {"resource_templates", 1}, {"resource_read", 3},
	{"completion", 4}, {"cache_policy", 4}, {"tool_ui", 2}, {"resource_ui_meta", 2},
}

// indicatorOperators are the argument indicators that are no operators of the language itself.
var indicatorOperators = []engine.Operator{
	{Priority: 200, Type: "fy", Name: "?"}, {Priority: 200, Type: "fy", Name: "@"},
	{Priority: 200, Type: "fy", Name: "++"}, {Priority: 200, Type: "fy", Name: "--"},
}

// Load loads files and folders until a context is done, which is an error. It returns nil for the
// snapshot when there are errors among the diagnostics, which are sorted by place.
func Load(ctx context.Context, paths []string, o *Options) (*Snapshot, engine.Diagnostics) {
	given := o.complete()
	return newLoading(paths, &given, false).runUnder(ctx)
}

// newLoading finds and reads the files. Unless all texts are to be held, large files are only
// opened.
func newLoading(paths []string, o *Options, hold bool) *loading {
	l := &loading{o: o, began: time.Now(), found: find(paths), sandbox: newSandbox(paths, o), texts: map[string][]string{}}
	var report engine.Diagnostics
	l.sources, report = readSources(l.found.files, hold)
	l.found.report = append(l.found.report, report...)
	return l
}

// loading is one load of a knowledge base.
type loading struct {
	o         *Options
	ctx       context.Context // ends it
	began     time.Time
	found     found
	sources   []engine.Source
	sandbox   *Sandbox
	loadCache *engine.LoadCache // of the last load, or nil
	deps      []string          // other files that were read, sorted
	program   *engine.Program
	snapshot  *Snapshot
	report    engine.Diagnostics
	texts     map[string][]string // lines of files that were displayed
	names     map[string]*Tool    // the tools so far
	broken    bool                // there are syntax errors, so that clauses may be missing
	left      bool                // the load goes on though nobody waits for it

	modes map[string][]*modeDirective // by module:name/arity
	infos map[string]*infoDirective
}

// endTime is how long a load may take to end when its context has.
const endTime = time.Second

// runUnder is run for a context that may end while something goes on that nothing can end; that is then left
// alone, and so is all else of l.
func (l *loading) runUnder(ctx context.Context) (*Snapshot, engine.Diagnostics) {
	var snapshot *Snapshot
	var report engine.Diagnostics
	var crash any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				crash = fmt.Sprintf("%v\n\n%s", r, debug.Stack())
			}
		}()
		snapshot, report = l.run(ctx)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		select {
		case <-done:
		case <-time.After(endTime):
			l.left = true
			at := engine.Position{File: strings.Join(l.found.files[:min(1, len(l.found.files))], "")}
			return nil, engine.Diagnostics{{Position: at, Severity: engine.SeverityError, Code: "stopped",
				Message: fmt.Sprintf("loading was stopped: %s; it is at something that does not end", context.Cause(ctx))}}
		}
	}
	if crash != nil {
		panic(crash)
	}
	return snapshot, report
}

// run loads everything even when there are errors on the way, to report all of them.
func (l *loading) run(ctx context.Context) (*Snapshot, engine.Diagnostics) {
	l.ctx, l.report = ctx, l.found.report
	l.program = engine.New(l.engineOptions())
	if err := l.program.Load(ctx, l.sources...); err != nil {
		l.broken = slices.ContainsFunc(l.program.Diagnostics(), func(d engine.Diagnostic) bool { return d.Code == "syntax" })
	}
	l.snapshot = &Snapshot{Program: l.program, Version: 1, Files: l.found.files}
	if l.program.Complete() {
		l.declarations()
		l.snapshot.described = described{l.o, l.modes, l.infos}
		l.providers()
	}
	l.report = append(l.report, l.program.Diagnostics()...)
	l.report = l.report.Sorted()
	l.deps = l.sandbox.opened()
	if l.report.Err() != nil {
		return nil, l.report
	}
	l.snapshot.Diagnostics = l.report
	return l.snapshot, l.report
}

func (l *loading) engineOptions() *engine.Options {
	scattered := make([]string, len(declared))
	for i, d := range declared {
		scattered[i] = indicator(d.name, d.arity)
	}
	opts := &engine.Options{Files: l.sandbox, FileName: l.sandbox.relative, Predicates: l.o.Predicates, Scattered: scattered, Operators: indicatorOperators,
		DirectiveTime: max(l.o.LoadTime, 0), DirectiveMemory: l.o.LoadMemory, Output: l.o.Output, Error: l.o.Output,
		LoadCache: l.loadCache}
	if len(l.sandbox.Write) > 0 {
		opts.OpenWrite = l.sandbox.OpenWrite
	}
	if l.o.AllowEnv {
		opts.Env = os.LookupEnv
	}
	return opts
}

// diagnose reports something at a place.
func (l *loading) diagnose(at engine.Position, severity engine.Severity, code, format string, args ...any) {
	d := engine.Diagnostic{Position: at, Severity: severity, Code: code,
		Message: fmt.Sprintf(format, args...)}
	if lines := l.lines(at.File); at.Line > 0 && at.Line <= len(lines) {
		d.Source = strings.TrimRight(lines[at.Line-1], "\r")
	}
	l.report = append(l.report, d)
}

func (l *loading) fail(at engine.Position, code, format string, args ...any) {
	l.diagnose(at, engine.SeverityError, code, format, args...)
}

func (l *loading) warn(at engine.Position, code, format string, args ...any) {
	l.diagnose(at, engine.SeverityWarning, code, format, args...)
}

// unknown reports a word that is none of those known: an error when it is nearly one of them,
// since that is a slip, a warning when somebody may know what it means.
func (l *loading) unknown(at engine.Position, code, kind, word string, known []string) {
	if near := spell.Nearest(word, known); near != "" {
		l.fail(at, code, "unknown %s %s; did you mean %s?", kind, word, near)
		return
	}
	l.warn(at, code, "unknown %s %s; known are %s", kind, word, strings.Join(known, ", "))
}

// lines returns the text of a file of the knowledge base, which another may have loaded.
func (l *loading) lines(file string) []string {
	lines, ok := l.texts[file]
	if !ok {
		if text, ok := l.text(file); ok {
			lines = strings.Split(text, "\n")
		}
		l.texts[file] = lines
	}
	return lines
}

// text returns the text of a file.
func (l *loading) text(file string) (text string, ok bool) {
	for _, s := range l.sources {
		if s.Name == file && s.Open == nil {
			return s.Text, true
		}
	}
	data, err := os.ReadFile(filepath.FromSlash(file))
	return string(data), err == nil
}

// providers collects what each module offers.
func (l *loading) providers() {
	for _, m := range l.program.Modules() {
		p := &Provider{Module: m.Name, File: m.File, own: map[string]engine.PredicateInfo{}}
		for _, d := range declared {
			if info, ok := l.program.Defines(m.Name, d.name, d.arity); ok {
				p.own[indicator(d.name, d.arity)] = info
			}
		}
		l.snapshot.Providers = append(l.snapshot.Providers, p)
	}
	for _, p := range l.snapshot.Providers {
		l.capabilities(p)
		l.tools(p)
		l.schemas(p)
		l.prompts(p)
		l.resources(p)
	}
	l.checkDirectives()
	for _, p := range l.snapshot.Providers { // they speak of what others declare
		l.metadata(p)
	}
}

// answer is one solution of a declaration predicate.
type answer struct {
	values []engine.Term
	place  engine.Position
	layout *engine.Layout // of the fact that gave it, or nil
}

// places returns the places of the n items of the list in the first argument.
func (a answer) places(n int) []engine.Position {
	list := make([]engine.Position, n)
	var rest *engine.Layout
	if a.layout != nil && len(a.layout.Args) > 0 {
		rest = a.layout.Args[0]
	}
	for i := range list {
		list[i] = partAt(a.place, engine.Item(rest, 0))
		rest = rest.Arg(1)
	}
	return list
}

// partAt returns the position of a part of what stands at whole. Its offset is left out, as in all diagnostics.
func partAt(whole engine.Position, part *engine.Layout) engine.Position {
	if part == nil || part.Pos.Line == 0 {
		return whole
	}
	return engine.Position{File: whole.File, Place: engine.Place{Line: part.Pos.Line, Column: part.Pos.Column}}
}

// maxAnswers is the most solutions of a declaration predicate.
const maxAnswers = 10_000

// ask returns the solutions of a declaration predicate for args, a nil standing for a variable
// whose value is wanted. It returns none when the provider does not define it.
func (l *loading) ask(p *Provider, name string, args ...engine.Term) []answer {
	info, ok := p.own[indicator(name, len(args))]
	if !ok {
		return nil
	}
	goal, vars := make([]engine.Term, len(args)), []*term.Var{}
	for i, arg := range args {
		if goal[i] = arg; arg == nil {
			v := term.NewVar("")
			goal[i], vars = v, append(vars, v)
		}
	}
	values, err := l.solutions(p.Module, term.New(term.Atom(name), goal...), vars)
	if err != nil {
		l.fail(clausePlace(info, 0), "declaration", "%s/%d: %s", name, len(args), err)
	}
	facts := len(vars) == len(args) && allFacts(info)
	answers := make([]answer, len(values))
	for i, v := range values {
		answers[i] = answer{values: v, place: clausePlace(info, 0)}
		if facts && i < len(info.Clauses) {
			answers[i].place, answers[i].layout = clausePlace(info, i), info.Clauses[i].Layout
		}
	}
	return answers
}

// solutions runs a goal to its end.
func (l *loading) solutions(module string, goal engine.Term, vars []*term.Var) ([][]engine.Term, error) {
	r, err := l.program.StartTerm(goal, vars, &engine.RunOptions{Module: module, Time: max(l.o.LoadTime, 0),
		Memory: l.o.LoadMemory, Transaction: true, Output: l.o.Output, Error: l.o.Output})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var list [][]engine.Term
	for len(list) < maxAnswers {
		state, err := r.Next(l.ctx)
		if err != nil || state != engine.Answer {
			return list, err
		}
		list = append(list, r.Solution().Values())
	}
	return list, fmt.Errorf("more than %d solutions", maxAnswers)
}

// allFacts reports whether each clause gives the solution that is written there.
func allFacts(info engine.PredicateInfo) bool {
	return !slices.ContainsFunc(info.Clauses, func(c engine.ClauseInfo) bool { return !c.Fact })
}

// clausePlace is the place of clause i, from 0.
func clausePlace(info engine.PredicateInfo, i int) engine.Position {
	if i >= len(info.Clauses) {
		return info.Position
	}
	c := info.Clauses[i]
	return partAt(c.Position, c.Layout)
}

func indicator(name string, arity int) string { return fmt.Sprintf("%s/%d", name, arity) }

// show writes a term for a message.
func (l *loading) show(t engine.Term) string {
	const most = 200
	text := l.program.FormatTerm("", t)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}
