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
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
)

// This file defines loading, from paths to a snapshot or a report of errors. It also defines the databases whose tables
// are predicates.

// Load loads files and folders. It is an error if the context ends before. If the files have errors, Load returns them
// with the warnings as an error of type [source.Diagnostics], sorted by position. The warnings of a successful load are
// in [Snapshot.Diagnostics].
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

// Report returns all diagnostics of a load, given its two results. If the snapshot is nil, they are in the error.
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

// endTime is how long a load may continue after its context has ended.
const endTime = time.Second

// runUnder calls run under a context. Some steps of a load cannot be interrupted. When the context ends during such a
// step, runUnder does not wait for the step. Only l.left may be used after that.
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

// otherTexts finds files whose first term has a syntax error and which either lack the name suffix of a Prolog text or
// contain a zero byte. No load forgives them. If the suffix is missing, the first error says that the file is perhaps
// not a Prolog text.
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
	for _, p := range l.snapshot.Providers { // they refer to items that other modules declare
		l.metadata(p)
	}
}

// Database is a database with tables. It is either an address, postgres://USER@HOST/DATABASE or sqlite:FILE, or a
// handle of any driver, which the program opens and closes.
type Database struct {
	Address string
	DB      *sql.DB
	Dialect string // of DB: postgres or sqlite
}

// OpenDatabases returns databases by their names. A database is connected to when it is first asked; a wrong address or
// handle is an error then.
func OpenDatabases(databases map[string]Database) relation.Databases {
	given := map[string]sqltables.Database{}
	for name, d := range databases {
		given[name] = sqltables.Database(d)
	}
	return sqltables.Open(given)
}

// DatabaseAddresses returns the databases that environment variables such as MCPLOGIC_SQL_CRM name, by their names in
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
