// Package engine is an embeddable Prolog.
//
// [LoadText] and [LoadFS] make a [Program] from texts. Any number of goroutines may then query the program.
// [Program.Query] iterates over the answers of a goal. [Program.Once] returns the first answer. [Program.Prepare] makes
// a [Query] that is asked often. [Program.Start] makes a [Run], which can wait for something outside and be rolled
// back. All of them keep to the limits of [RunOptions]. Pass untrusted values in Bind, never as a part of the goal's
// text. [Options] hold predicates written in Go, which [Func] makes from functions. docs/embedding.md explains all of
// this with examples.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/reuse"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/folder"
)

//go:generate go run ./internal/lib/index internal/lib/index.go
//go:generate go run ./internal/generate manual ../docs/builtins.md
//go:generate go run ./internal/generate libraries ../docs/programs.md
//go:generate go run ./internal/generate decisions ../docs/differences.md
//go:generate go run ./internal/generate diagnostics ../docs/diagnostics.md
//go:generate go run ./internal/generate version internal/compile/version.go
//go:generate go run ./internal/generate image internal/base/base.image
//go:generate go run ./internal/generate images internal/base/libraries.image

// directiveTime is the default time limit of each goal that loading runs.
const directiveTime = 10 * time.Second

// New returns a program without clauses of its own. o may be nil, here and wherever options are taken.
func New(o *Options) *Program {
	p := &Program{loaded: base.New(), serial: serials.Add(1)}
	p.db = p.loaded.DB()
	if o != nil {
		p.opts = *o
	}
	p.opts.Directives.Time = max(cmp.Or(p.opts.Directives.Time, directiveTime), 0)
	p.runIO, p.globals = p.commonIO(), p.loaded.Globals
	p.changes = commit.New(p.loaded, p.opts.Journal)
	p.loaded.Configure(p.loadOptions())
	p.db.User().Flags.SWI = p.opts.SWI
	if p.opts.Coverage != nil {
		p.loaded.Define(counter(p.opts.Coverage).builtin())
	}
	for i := range p.opts.Predicates {
		b := &p.opts.Predicates[i]
		if mistake := b.mistake(p.db); mistake != "" {
			p.loaded.Diagnose(source.Diagnostic{Severity: source.SeverityError, Code: "declaration",
				Message: fmt.Sprintf("the predicate %s/%d written in Go %s", b.Name, b.Arity, mistake)})
			continue
		}
		p.loaded.Define(b.builtin())
	}
	return p
}

// loadOptions returns the options of loading.
func (p *Program) loadOptions() load.Options {
	o := load.Options{Solve: p.solve, Declarations: p.opts.Declarations, Advice: p.opts.Advice,
		KnownElsewhere: p.opts.KnownElsewhere, Canonical: p.opts.Canonical, Lenient: p.opts.Lenient, Lint: p.opts.Lint,
		Databases: p.opts.Databases, Limits: stacks.Limits(p.opts.Directives)}
	if p.opts.Files != nil {
		o.Files = p.opts.Files
	}
	if o.Trust = p.opts.Trust; p.opts.RestrictedFiles != nil {
		o.RestrictedFiles = p.opts.RestrictedFiles
	}
	if p.opts.LoadCache != nil {
		o.Incremental = reuse.For(p.opts.LoadCache, p.loaded)
	}
	if p.opts.Coverage != nil {
		o.Cover = p.opts.Coverage.Add
	}
	for _, s := range p.opts.Scattered {
		o.Scattered = append(o.Scattered, functorNamed(s))
	}
	return o
}

// functorNamed returns the functor of an indicator such as "tools/1", or 0 for other texts.
func functorNamed(indicator string) code.Cell {
	slash := strings.LastIndexByte(indicator, '/')
	arity, err := strconv.Atoi(indicator[slash+1:])
	if slash < 1 || err != nil || arity < 0 || arity > load.MaxArity {
		return 0
	}
	return code.Functor(indicator[:slash], arity)
}

// LoadText returns the program of one text. The error is a [source.Diagnostics] list when the text has errors, and when
// ctx ends before the load does.
func LoadText(ctx context.Context, name, text string, o *Options) (*Program, error) {
	return loadProgram(ctx, o, source.File{Name: name, Text: text})
}

// loadProgram returns the program of some texts.
func loadProgram(ctx context.Context, o *Options, sources ...source.File) (*Program, error) {
	p := New(o)
	if err := p.Load(ctx, sources...); err != nil {
		return nil, err
	}
	return p, nil
}

// Assert adds clauses at the end of their predicates, as assertz/1 does. It adds all of them or, with an error, none. A
// clause is Head or Head :- Body, given as a term or as a Go value that [TermOf] converts, such as a struct for a fact.
// Module:Clause adds to another module than user. Predicates without clauses become dynamic. Runs that have begun do
// not see the clauses; later runs do.
//
// The error is an *[Exception] for a term that cannot be a clause and for a predicate that is not dynamic, and a
// [ConvertError] for a value without a term. Any goroutine may call Assert at any time.
func (p *Program) Assert(clauses ...any) error {
	_, err := p.AssertAll(func(yield func(Term, error) bool) {
		for _, c := range clauses {
			if t, err := clauseOf(c); !yield(t, err) || err != nil {
				return
			}
		}
	})
	return err
}

// clauseOf returns the term of a clause. A nil Go value is not a clause.
func clauseOf(value any) (Term, error) {
	t, err := convert.Term(value)
	if _, isTerm := value.(Term); err == nil && !isTerm && t == Term(term.Atom("null")) {
		return nil, errNilTerm
	}
	return t, err
}

// errNilTerm is the error of a clause that is nil, or has a part that is.
var errNilTerm = errors.New("a clause, or a part of it, is nil")

// AssertAll adds the clauses of a sequence as [Program.Assert] does and returns their number. For Go values the
// sequence yields engine.TermOf(value). An error of the sequence ends it and is returned. After an error nothing has
// been added. The sequence does not see the changes of its own AssertAll and must not wait for them.
func (p *Program) AssertAll(clauses iter.Seq2[Term, error]) (n int, err error) {
	return p.replace(nil, clauses)
}

// SetFacts replaces the clauses of a predicate of module user by those of a sequence, and returns the number of the new
// clauses. The predicate is dynamic or not defined yet. The replacement is atomic: a run sees all of the old clauses or
// all of the new ones. A clause of another predicate is an error. [ErrConflict] means that somebody else removed one of
// the clauses meanwhile; then nothing was changed. Otherwise SetFacts works like [Program.AssertAll].
func (p *Program) SetFacts(name string, arity int, clauses iter.Seq2[Term, error]) (n int, err error) {
	if p.zero() {
		return 0, errZeroProgram
	}
	if arity < 0 || arity > load.MaxArity {
		return 0, p.thrown(errArity())
	}
	return p.replace(assertable(p.db.User(), code.Functor(name, arity)), clauses)
}

// replace adds clauses in a transaction. If only is not nil, replace first removes the clauses of that predicate, and
// all new clauses have to belong to it.
func (p *Program) replace(only *database.Pred, clauses iter.Seq2[Term, error]) (n int, err error) {
	if clauses == nil {
		return 0, errors.New("the sequence of clauses is nil")
	}
	if p.zero() {
		return 0, errZeroProgram
	}
	tx := p.db.Begin(false)
	defer tx.Rollback() // nothing after a commit
	if only != nil {
		if err := p.claim(tx, only); err != nil {
			return 0, err
		}
		for _, c := range only.Clauses() {
			tx.Erase(c)
		}
	}
	for t, err := range clauses {
		if err == nil {
			err = p.assert(tx, only, t)
		}
		if err != nil {
			return 0, fmt.Errorf("clause %d: %w", n+1, err)
		}
		n++
	}
	if err := p.commit(tx, ""); err != nil {
		return 0, err
	}
	return n, nil
}

// maxClause bounds the parts of a clause. It also excludes cyclic terms.
const maxClause = 1 << 22

// errArity is the error of a predicate with too many arguments.
func errArity() error {
	return throwFormal(term.New("representation_error", term.Atom("max_procedure_arity")))
}

// assert adds one clause. If only is not nil, the clause has to belong to that predicate.
func (p *Program) assert(tx *database.Tx, only *database.Pred, t Term) error {
	module, t, err := p.qualified(p.db.User(), t)
	if err != nil {
		return err
	}
	head, goals := t, Term(term.True)
	if args, ok := term.Is(t, ":-", 2); ok {
		goals = args[1]
		if module, head, err = p.qualified(module, args[0]); err != nil {
			return err
		}
	}
	name, arity, ok := term.Indicator(head)
	if !ok {
		return p.thrown(callableError(head))
	}
	if arity > load.MaxArity {
		return p.thrown(errArity())
	}
	pred := assertable(module, code.Functor(string(name), arity))
	if only != nil && pred != only {
		return fmt.Errorf("%s is no clause of %s", inspect.ShowTerm(t), only.Indicator())
	}
	if err := p.claim(tx, pred); err != nil {
		return err
	}
	if err := checkClause(head, goals); err != nil {
		return p.thrown(err)
	}
	tx.Add(load.Clause(pred, head, goals), false)
	return nil
}

// claim makes a predicate dynamic, unless it is static.
func (p *Program) claim(tx *database.Tx, pred *database.Pred) error {
	if pred.IsStatic() || pred.Functor == code.FCut {
		return p.thrown(throwFormal(term.New("permission_error", term.Atom("modify"), term.Atom("static_procedure"),
			term.New("/", term.Atom(pred.Name()), term.Int(pred.Arity())))))
	}
	tx.Claim(pred)
	return nil
}

// qualified returns the parts of Module:Term. For other terms the module is the given one.
func (p *Program) qualified(module *database.Module, t Term) (*database.Module, Term, error) {
	for {
		args, ok := term.Is(t, ":", 2)
		if !ok {
			return module, t, nil
		}
		name, isAtom := args[0].(term.Atom)
		if !isAtom {
			return nil, nil, p.thrown(TermError("type_error", "module", args[0]))
		}
		module, t = p.db.Module(string(name)), args[1]
	}
}

// assertable returns the predicate that a clause asserted in a module belongs to.
func assertable(module *database.Module, functor code.Cell) *database.Pred {
	if p := module.Resolve(functor); p != nil && (p.Module == module || p.Has(database.Locked) || !p.Module.Library) {
		return p
	}
	return module.Lookup(functor)
}

// checkClause returns an error for a clause that is too large, or whose body cannot be called.
func checkClause(head, goals Term) error {
	n := 0
	for part := range term.Parts(term.New(":-", head, goals)) {
		switch n++; {
		case n > maxClause:
			return throwFormal(term.New("representation_error", term.Atom("max_clause_size")))
		case part == nil:
			return errNilTerm
		}
	}
	if body.Bad(goals) != nil {
		return TermError("type_error", "callable", goals)
	}
	return nil
}

// callableError is the error of a term that cannot be called.
func callableError(t Term) error {
	if _, unbound := t.(*term.Var); unbound {
		return throwFormal(term.Atom("instantiation_error"))
	}
	return TermError("type_error", "callable", t)
}

// LoadFS returns the program of files in a file system, such as an embed.FS or os.DirFS(folder). Each pattern is the
// name of a file, the name of a folder, or a pattern as path.Match has them. A folder stands for all .pl files below
// it, in lexical order. A path.Match pattern stands for the .pl files and folders that it matches. Hidden files and
// folders, whose names begin with a dot, are left out in both cases. Tests in .plt files are loaded only by name.
// Without patterns the whole file system is loaded. A file is loaded once, in the order of the patterns.
//
// The program may also read files of the file system, unless the options set Files. The error is an *fs.PathError for a
// name that cannot be found or read and for a pattern that matches nothing. It is [source.Diagnostics] if the texts
// have errors.
func LoadFS(ctx context.Context, fsys fs.FS, o *Options, patterns ...string) (*Program, error) {
	opts := Options{}
	if o != nil {
		opts = *o
	}
	if opts.Files == nil {
		opts.Files = fsFiles{fsys}
	}
	sources, err := sourcesFS(fsys, patterns)
	if err != nil {
		return nil, err
	}
	return loadProgram(ctx, &opts, sources...)
}

// sourcesFS reads the files that patterns stand for.
func sourcesFS(fsys fs.FS, patterns []string) ([]source.File, error) {
	if fsys == nil {
		return nil, &fs.PathError{Op: "load", Path: ".", Err: fs.ErrInvalid}
	}
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	var sources []source.File
	seen := map[string]bool{}
	for _, pattern := range patterns {
		names, err := filesFS(fsys, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if seen[name] {
				continue
			}
			seen[name] = true
			text, err := fs.ReadFile(fsys, name)
			if err != nil {
				return nil, err
			}
			sources = append(sources, source.File{Name: name, Text: string(text)})
		}
	}
	return sources, nil
}

// filesFS lists the files that a name or pattern stands for.
func filesFS(fsys fs.FS, pattern string) (files []string, err error) {
	name := path.Clean(pattern)
	info, err := fs.Stat(fsys, name)
	if err == nil && !info.IsDir() {
		return []string{name}, nil
	}
	names := []string{name}
	if err != nil {
		if names, err = matchesFS(fsys, name, err); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		below, err := belowFS(fsys, name)
		if err != nil {
			return nil, err
		}
		files = append(files, below...)
	}
	if len(files) == 0 {
		return nil, &fs.PathError{Op: "load", Path: pattern, Err: errors.New("there are no .pl files in this folder")}
	}
	return files, nil
}

// matchesFS lists the files and folders that match a pattern and are not hidden. missing is the error of opening the
// pattern as a name.
func matchesFS(fsys fs.FS, pattern string, missing error) ([]string, error) {
	if !strings.ContainsAny(pattern, `*?[\`) {
		return nil, missing
	}
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, &fs.PathError{Op: "load", Path: pattern, Err: err}
	}
	var shown []string
	for _, name := range names {
		if !hiddenMatch(pattern, name) {
			shown = append(shown, name)
		}
	}
	if len(shown) == 0 {
		return nil, &fs.PathError{Op: "load", Path: pattern, Err: fmt.Errorf("no file matches: %w", fs.ErrNotExist)}
	}
	return shown, nil
}

// hiddenMatch reports whether a part of a path begins with a dot although the matching part of the pattern does not.
func hiddenMatch(pattern, name string) bool {
	parts := strings.Split(pattern, "/")
	for i, part := range strings.Split(name, "/") {
		if folder.Hidden(part) && !folder.Hidden(parts[i]) {
			return true
		}
	}
	return false
}

// belowFS lists the program files below a folder. For a program file it returns the file itself.
func belowFS(fsys fs.FS, name string) ([]string, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if folder.IsProgram(name) {
			return []string{name}, nil
		}
		return nil, nil
	}
	var failed error
	files, _ := folder.In(fsys).Files(name, func(_ string, err error) { failed = errors.Join(failed, err) })
	for i := range files {
		files[i] = filepath.ToSlash(files[i])
	}
	return files, failed
}

// fsFiles opens the files of a file system.
type fsFiles struct{ fsys fs.FS }

func (f fsFiles) OpenRead(name string) (io.ReadCloser, error) { return f.fsys.Open(f.name(name)) }

// name is the name in the file system for a path of the program.
func (f fsFiles) name(name string) string {
	if name = path.Clean(strings.TrimPrefix(name, "/")); name == "" {
		return "."
	}
	return name
}

// Stat describes a file or folder.
func (f fsFiles) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.fsys, f.name(name)) }

// ReadDir lists a folder.
func (f fsFiles) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.fsys, f.name(name)) }

// ReadLink returns the target of a link.
func (f fsFiles) ReadLink(name string) (string, error) { return fs.ReadLink(f.fsys, f.name(name)) }

// Folder is the root of the file system.
func (f fsFiles) Folder() string { return "/" }
