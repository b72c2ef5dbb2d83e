package kb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/typename"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
)

// This file defines loading: from paths to a snapshot or a report of what is wrong. It also defines the databases whose
// tables are predicates.

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

// Load loads files and folders until a context is done, which is an error. Errors in the files are [source.Diagnostics]
// as an error, with the warnings, sorted by position; those of a load that goes well are in [Snapshot.Diagnostics].
func Load(ctx context.Context, paths []string, o *Options) (*Snapshot, error) {
	if ctx == nil {
		return nil, errNoContext
	}
	given := o.complete()
	snapshot, report := newLoading(paths, &given, false).runUnder(ctx)
	if snapshot == nil {
		return nil, report
	}
	if given.Store != nil {
		given.Store.adopt(nil, snapshot.Program, func() {})
	}
	return snapshot, nil
}

// Report returns all diagnostics of a load, given its results. They are in the snapshot, which may be nil, or else in
// the error.
func (s *Snapshot) Report(err error) (report source.Diagnostics) {
	if s != nil {
		return s.Diagnostics
	}
	errors.As(err, &report)
	return report
}

// newLoading finds and reads the files. Unless hold is true, large files are opened and not read.
func newLoading(paths []string, o *Options, hold bool) *loading {
	l := loadingOf(paths, o)
	l.found = find(o.tree(), paths)
	if o.Empty {
		l.found.report = slices.DeleteFunc(l.found.report, func(d source.Diagnostic) bool { return d.Message == emptyFolder })
	}
	var report source.Diagnostics
	l.sources, report = readSources(o.tree(), l.found.files, hold)
	for i, s := range l.sources {
		l.sources[i].Restricted = o.saving != "" && s.Name == filepath.ToSlash(o.saving) && !o.Trust
	}
	l.found.report = append(l.found.report, report...)
	return l
}

// loadingOf returns a load of paths that has no texts yet.
func loadingOf(paths []string, o *Options) *loading {
	return &loading{o: o, paths: paths, ctx: context.Background(), began: time.Now(), sandbox: newSandbox(paths, o),
		texts: map[string][]string{}, names: map[string]*Tool{}}
}

// emptyFolder is said of a folder without rules.
const emptyFolder = "there are no .pl files in this folder"

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
	loadCache *host.LoadCache // of the last load, or nil
	// defines reports whether a text that is not loaded defines a predicate. nil: there are none.
	defines  func(name string, arity int) bool
	deps     []string // other files that were read, sorted
	program  *engine.Program
	snapshot *Snapshot
	report   source.Diagnostics
	texts    map[string][]string // lines of files that were displayed
	// silences says of files whether they have comments that silence warnings.
	silences map[string]bool
	names    map[string]*Tool // the tools so far, nil when one is added later
	broken   bool             // there are syntax errors, so that clauses may be missing
	foreign  bool             // a file is no Prolog text, see otherTexts
	lasting  bool             // the program before has the module of events
	left     bool             // the load goes on though nobody waits for it

	modes map[string][]*modeDirective // by module:name/arity
	infos map[string]*infoDirective
	types map[string]typename.Names // by module
}

// endTime is how long a load may go on after its context has ended.
const endTime = time.Second

// runUnder calls run under a context. Some steps of a load cannot be interrupted. When the context ends during one,
// runUnder returns without waiting for it, and nothing else of l may be used.
func (l *loading) runUnder(ctx context.Context) (*Snapshot, source.Diagnostics) {
	var snapshot *Snapshot
	var report source.Diagnostics
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
			at := source.Position{File: strings.Join(l.found.files[:min(1, len(l.found.files))], "")}
			return nil, source.Diagnostics{{Position: at, Severity: source.SeverityError, Code: "stopped",
				Message: fmt.Sprintf("loading was stopped: %s; it is at something that does not end", context.Cause(ctx))}}
		}
	}
	if crash != nil {
		panic(crash)
	}
	return snapshot, report
}

// otherTexts finds the files that begin with no clause and have either no name of a Prolog text or a zero byte. No load
// forgives them. The first error of one with another name says that it is perhaps no Prolog text.
func (l *loading) otherTexts() {
	for _, s := range l.sources {
		at := slices.IndexFunc(l.report, func(d source.Diagnostic) bool { return d.Code == "syntax" && d.File == s.Name })
		named := slices.Contains(textSuffixes, filepath.Ext(s.Name))
		if at < 0 || named && !strings.Contains(s.Text, "\x00") {
			continue
		}
		source.Read(s.Name, s.Text, &source.Options{Each: func(c *source.Clause) bool {
			l.foreign = l.foreign || c.Err != nil
			if c.Err != nil && !named {
				l.report[at].Message = "this is perhaps " + noRules + ": " + l.report[at].Message
			}
			return false
		}})
	}
}

// noRules is said of files that hold no program.
const noRules = "no file of rules, whose name ends in .pl"

// run loads everything even after errors, to report all of them.
func (l *loading) run(ctx context.Context) (*Snapshot, source.Diagnostics) {
	if s := l.o.Store; s != nil && s.warn == nil {
		return nil, source.Diagnostics{{Severity: source.SeverityError, Code: "persistent",
			Message: zeroStore}}
	}
	l.ctx, l.report = ctx, l.found.report
	l.program = engine.New(l.engineOptions())
	if err := l.program.Load(ctx, l.sources...); err != nil {
		l.broken = slices.ContainsFunc(l.program.Diagnostics(), func(d source.Diagnostic) bool { return d.Code == "syntax" })
	}
	l.loadEvents(ctx)
	l.snapshot = &Snapshot{Program: l.program, Version: 1, Files: l.found.files}
	if inner.Of(l.program).Complete() {
		l.declarations()
		l.snapshot.described = described{l.o, l.modes, l.infos, l.types}
		l.providers()
		l.readSettings()
	}
	l.report = append(l.report, l.program.Diagnostics()...)
	l.otherTexts()
	l.checkIgnores()
	l.report = slices.DeleteFunc(l.report.Sorted(), l.ignored)
	l.deps = l.sandbox.opened()
	if l.report.Err() != nil && !l.forgives() {
		return nil, l.report
	}
	l.snapshot.Diagnostics = l.report
	l.digest()
	return l.snapshot, l.report
}

// forgives reports whether the load succeeds in spite of errors.
func (l *loading) forgives() bool {
	return l.o.Lenient && !l.foreign && inner.Of(l.program).Complete() && l.found.report.Err() == nil
}

func (l *loading) engineOptions() *engine.Options {
	scattered := make([]string, len(declared))
	for i, d := range declared {
		scattered[i] = indicator(d.name, d.arity)
	}
	opts := &engine.Options{Files: l.sandbox, FileName: l.sandbox.relative,
		Predicates: append(slices.Concat(l.o.Predicates, eventPredicates()), l.o.settingPredicate()),
		Scattered:  scattered,
		Directives: l.o.Directives, Native: l.o.Native,
		TableMemory: l.o.TableMemory,
		Input:       l.o.Input, Output: l.o.Output,
		Error: cmp.Or(l.o.Error, l.o.Output), Canonical: l.o.canonical(), Lenient: l.o.Lenient, SWI: l.o.SWI, Lint: l.o.Lint,
		LeaveOpen: l.o.LeaveOpen,
		LoadCache: l.loadCache, Coverage: l.o.Coverage, Advice: listAdvice(), KnownElsewhere: l.defines}
	if len(l.sandbox.Write) > 0 {
		opts.OpenWrite, opts.Changer = l.sandbox.OpenWrite, l.sandbox
	}
	opts.RestrictedFiles, opts.Trust = l.sandbox.restricted(l.o), l.o.Trust
	opts.Journal, opts.Databases = l.o.Store.journal(), l.o.Databases
	if l.o.AllowEnv {
		opts.Env = os.LookupEnv
	}
	return opts
}

func (l *loading) diagnose(at source.Position, severity source.Severity, code, format string, args ...any) {
	d := source.Diagnostic{Position: at, Severity: severity, Code: code,
		Message: fmt.Sprintf(format, args...)}
	if lines := l.lines(at.File); at.Line > 0 && at.Line <= len(lines) {
		d.Source = strings.TrimRight(lines[at.Line-1], "\r")
	}
	l.report = append(l.report, d)
}

// fix gives the diagnostic that was added last the fix that puts another word for the one at its place, if that is
// there.
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

// unknown reports a word that is not among known. A misspelling of one of them is an error. Another word is a
// warning, since somebody may know what it means.
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
	if l.sandbox != nil && l.sandbox.draft != nil { // an item that a goal adds has no load
		if text, ok := l.sandbox.draft(file); ok {
			return text, true
		}
	}
	data, err := l.o.tree().ReadFile(filepath.FromSlash(file))
	return string(data), err == nil
}

// providers collects what each module offers.
func (l *loading) providers() {
	for _, m := range inner.Of(l.program).Modules() {
		p := &Provider{Module: m.Name, File: m.File, Types: l.typesOf(m.Name),
			own: map[string]inspect.Predicate{}}
		for _, d := range declared {
			if info, ok := inner.Of(l.program).Defines(m.Name, d.name, d.arity); ok {
				p.own[indicator(d.name, d.arity)] = info
			}
		}
		l.snapshot.Providers = append(l.snapshot.Providers, p)
	}
	for _, p := range l.snapshot.Providers {
		l.capabilities(p)
		l.tools(p)
		l.allAssumable(p)
		l.schemas(p)
		l.prompts(p)
		l.resources(p)
		l.events(p)
	}
	for _, p := range l.snapshot.Providers {
		l.undeclared(p)
	}
	l.askers()
	l.effects()
	l.missingValues()
	l.checkOtherExamples()
	l.checkDirectives()
	for _, p := range l.snapshot.Providers { // they speak of what others declare
		l.metadata(p)
	}
}

// answer is one solution of a declaration predicate.
type answer struct {
	values []engine.Term
	place  source.Position
	layout *source.Layout // of the fact that gave it, or nil
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

// maxAnswers is the most solutions of a declaration predicate.
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
	for i := range info.Clauses { // what restricted rules may have given is restricted
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

// allFacts reports whether all clauses are facts. Solution i is then that of clause i.
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

// Database is where tables are: at an address, postgres://USER@HOST/DATABASE or sqlite:FILE, or behind a handle that
// the program has opened, with any driver. The program closes its handle.
type Database struct {
	Address string
	DB      *sql.DB
	Dialect string // of DB: postgres or sqlite
}

// OpenDatabases returns databases by their names. Nothing is connected to before it is asked, and what is wrong with an
// address or a handle is an error then.
func OpenDatabases(databases map[string]Database) relation.Databases {
	given := map[string]sqltables.Database{}
	for name, d := range databases {
		given[name] = sqltables.Database(d)
	}
	return sqltables.Open(given)
}

// DatabaseAddresses returns the databases that environment variables such as MCPLOGIC_SQL_CRM give, by the names in
// lower case.
func DatabaseAddresses() map[string]Database {
	found := map[string]Database{}
	for _, entry := range os.Environ() {
		name, address, _ := strings.Cut(entry, "=")
		if name, ok := strings.CutPrefix(name, sqltables.Variable("")); ok && name != "" {
			found[strings.ToLower(name)] = Database{Address: address}
		}
	}
	return found
}
