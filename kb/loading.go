package kb

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// This file defines the state of one load: the files that it has read, how it reports errors, and how it asks the
// program for its declarations.

// ruleFile is a file and the hash of its contents. ok is false if it could not be read.
type ruleFile struct {
	name string
	size int64
	sum  [sha256.Size]byte
	ok   bool
}

// declared are the predicates that declare things. Files may add clauses to them without the directives multifile and
// discontiguous.
var declared = []struct {
	name  string
	arity int
}{
	{"tools", 1}, {"capabilities", 1}, {"tool_call", 3}, {"tool_call", 4}, {"input_schema", 2}, {"output_schema", 2},
	{"prompts", 1}, {"prompt_get", 3}, {"resources", 1}, {"resource_templates", 1}, {"resource_read", 3},
	{"completion", 4}, {"cache_policy", 4}, {"tool_ui", 2}, {"resource_ui_meta", 2}, {"events", 1},
}

// loadingOf returns a load of paths without texts.
func loadingOf(paths []string, o *Options) *loading {
	return &loading{o: o, paths: paths, ctx: context.Background(), began: time.Now(), sandbox: newSandbox(paths, o),
		texts: map[string][]string{}, names: map[string]*Tool{}}
}

// loading is one load of a knowledge base.
type loading struct {
	o         *Options
	paths     []string
	ctx       context.Context // ends it
	began     time.Time
	found     foundFiles
	sources   []source.File
	summed    []ruleFile // see textFiles
	read      []ruleFile // the other files as they were after the load
	sandbox   *fileSandbox
	loadCache *host.LoadCache // the cache of the last load, or nil
	// defines reports whether a text that is not loaded defines a predicate. nil: there are no such texts.
	defines  func(name string, arity int) bool
	deps     []string // other files that were read, sorted
	program  *engine.Program
	snapshot *Snapshot
	report   source.Diagnostics
	texts    map[string][]string // lines of files that diagnostics show
	// silences says which files have comments that silence warnings.
	silences map[string]bool
	names    map[string]*Tool // the tools so far, nil when one is added later
	broken   bool             // there are syntax errors, so that clauses may be missing
	foreign  bool             // a file is no Prolog text, see otherTexts
	lasting  bool             // the previous program has the module of events
	left     bool             // runUnder has returned although the load still runs

	modes map[string][]*modeDirective // by module:name/arity
	infos map[string]*infoDirective
	types map[string]typename.Names // by module
}

func (l *loading) diagnose(at source.Position, severity source.Severity, code, format string, args ...any) {
	d := source.Diagnostic{Position: at, Severity: severity, Code: code,
		Message: fmt.Sprintf(format, args...)}
	if lines := l.lines(at.File); at.Line > 0 && at.Line <= len(lines) {
		d.Source = strings.TrimRight(lines[at.Line-1], "\r")
	}
	l.report = append(l.report, d)
}

// fix gives the last diagnostic a fix that replaces the word at its place by another, if the word is there.
func (l *loading) fix(word, other string) {
	d := &l.report[len(l.report)-1]
	d.Fix = source.ReplaceWord(d.Place, d.Source, word, other)
}

func (l *loading) fail(at source.Position, code, format string, args ...any) {
	l.diagnose(at, source.SeverityError, code, format, args...)
}

func (l *loading) warn(at source.Position, code, format string, args ...any) {
	l.diagnose(at, source.SeverityWarning, code, format, args...)
}

// unknown reports a word that is not among known. A misspelling of one of them is an error. Any other word is a
// warning, since it may have a meaning elsewhere.
func (l *loading) unknown(at source.Position, code, kind, word string, known []string) {
	if near := spell.Nearest(word, known); near != "" {
		l.fail(at, code, "unknown %s %s; did you mean %s?", kind, word, near)
		l.fix(word, near)
		return
	}
	l.warn(at, code, "unknown %s %s; known are %s", kind, word, strings.Join(known, ", "))
}

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

func (l *loading) text(file string) (text string, ok bool) {
	for _, s := range l.sources {
		if s.Name == file && s.Open == nil {
			return s.Text, true
		}
	}
	if l.sandbox != nil && l.sandbox.draft != nil { // the item was added by a goal, not by a load
		if text, ok := l.sandbox.draft(file); ok {
			return text, true
		}
	}
	data, err := l.o.tree().ReadFile(filepath.FromSlash(file))
	return string(data), err == nil
}

// answer is one solution of a declaration predicate.
type answer struct {
	values []engine.Term
	place  source.Position
	layout *source.Layout // the layout of the fact that gave the answer, or nil
}

// places returns the positions of the n items of the list in the first argument.
func (a answer) places(n int) []source.Position {
	list := make([]source.Position, n)
	var rest *source.Layout
	if a.layout != nil && len(a.layout.Args) > 0 {
		rest = a.layout.Args[0]
	}
	for i := range list {
		list[i] = partAt(a.place, rest.Item(0))
		rest = rest.Arg(1)
	}
	return list
}

// partAt returns the position of a part of the term at whole. Its offset is left out, as in all diagnostics.
func partAt(whole source.Position, layout *source.Layout) source.Position {
	if layout == nil || layout.Pos.Line == 0 {
		return whole
	}
	return source.Position{File: whole.File, Place: source.Place{Line: layout.Pos.Line, Column: layout.Pos.Column}}
}

// maxAnswers bounds the solutions of a declaration predicate.
const maxAnswers = 10_000

// ask returns the solutions of a declaration predicate. A nil in args stands for a variable whose value is wanted.
// There are no solutions when the provider does not define the predicate.
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
	at := clausePlace(info, 0)
	for i := range info.Clauses { // if any clause is restricted, the answers count as restricted
		if p := clausePlace(info, i); inner.Of(l.program).IsRestricted(p.File) {
			at = p
		}
	}
	answers := make([]answer, len(values))
	for i, v := range values {
		answers[i] = answer{values: v, place: at}
		if facts && i < len(info.Clauses) {
			answers[i].place, answers[i].layout = clausePlace(info, i), info.Clauses[i].Layout
		}
	}
	return answers
}

// solutions runs a goal to its end.
func (l *loading) solutions(module string, goal engine.Term, vars []*term.Var) ([][]engine.Term, error) {
	o := &engine.RunOptions{Module: module, Limits: l.o.Directives, Transaction: true, Output: l.o.Output,
		Error: l.o.Output}
	o.Time = max(o.Time, 0)
	r, err := inner.Of(l.program).StartTerm(goal, vars, o)
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

// allFacts reports whether all clauses are facts. Solution i then comes from clause i.
func allFacts(info inspect.Predicate) bool {
	return !slices.ContainsFunc(info.Clauses, func(c inspect.Clause) bool { return !c.Fact })
}

// clausePlace is the position of clause i, from 0.
func clausePlace(info inspect.Predicate, i int) source.Position {
	if i >= len(info.Clauses) {
		return info.Position
	}
	c := info.Clauses[i]
	return partAt(c.Position, c.Layout)
}

// show writes a term for a message.
func (l *loading) show(t engine.Term) string {
	const most = 200
	text := l.program.FormatTerm("", t)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}
