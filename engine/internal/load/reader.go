package load

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines where the loader gets the terms of a text from: the parser, or a reader around it
// that knows what a load before has made of the text. It also defines what such a reader may ask and do.

// Reader reads one text for a loader.
type Reader interface {
	// Next returns the next term, io.EOF at the end of the text. It may add clauses on its way there.
	Next() (*syntax.Read, error)
	// Compile gives a clause of the term at work its code. The clause is no fact.
	Compile(c *database.Clause, goalLines []int32) error
	// Added is told what came of the term at work, if that is one clause and depends on nothing but
	// the text and what the methods of the loader tell.
	Added(r Result)
	// End is told that there are no more terms.
	End()
}

// Incremental makes the readers of a program that takes over what a load before has made of the same texts.
type Incremental interface {
	// Begin is told that texts are about to be loaded, End that all of them have been.
	Begin()
	End()
	// Reader returns a reader of the text that l loads; nil if the text is only to be parsed.
	Reader(l *Loader, text string) Reader
}

// plainReader is the reader that knows nothing but the parser.
type plainReader struct{ l *Loader }

func (r plainReader) Next() (*syntax.Read, error) { return r.l.parser.Read() }

func (r plainReader) Compile(c *database.Clause, goalLines []int32) error {
	return r.l.p.compiler.CompileLines(c, goalLines)
}

func (plainReader) Added(Result) {}

func (plainReader) End() {}

// newReader returns the reader of a text that is held as a whole. Libraries are cached elsewhere, compiled as a
// whole.
func (l *Loader) newReader(text string) Reader {
	if l.p.opts.Incremental != nil && !l.p.sealed && !l.library {
		if r := l.p.opts.Incremental.Reader(l, text); r != nil {
			return r
		}
	}
	return plainReader{l}
}

// Result is the clause that came of a term.
type Result struct {
	Read     *syntax.Read
	Clause   *database.Clause
	Lines    []int32        // of its goals
	Warnings []Diagnostic   // about its variables
	Grammar  bool           // the term is a grammar rule
	Body     *syntax.Layout // of its body, nil if that is not as it was read
}

// result collects what comes of the term at work.
type result struct {
	clause   *database.Clause
	lines    []int32
	warnings []Diagnostic
	// dependent says that other things than the term have a part in it, or that there are several clauses.
	dependent bool
}

// add notes a clause.
func (r *result) add(c *database.Clause, lines []int32) {
	r.dependent = r.dependent || r.clause != nil
	r.clause, r.lines = c, lines
}

// added tells the reader what came of the term at work.
func (l *Loader) added(read *syntax.Read) {
	r := l.result
	l.result = result{}
	if r.dependent || r.clause == nil || expansions[r.clause.Pred.Functor] {
		return
	}
	_, grammar := term.Is(read.Term, "-->", 2)
	if grammar && !l.TranslatesGrammar() {
		return
	}
	from := Result{Read: read, Clause: r.clause, Lines: r.lines, Warnings: r.warnings, Grammar: grammar}
	if n := len(l.p.bodies); n > 0 && !r.clause.IsFact() {
		from.Body = l.p.bodies[n-1].layout
	}
	l.reader.Added(from)
}

// Program returns the program that is loaded into.
func (l *Loader) Program() *Program { return l.p }

// Name returns the name of the file.
func (l *Loader) Name() string { return l.name }

// Module returns the module that is being loaded.
func (l *Loader) Module() *database.Module { return l.module }

// Input returns the text.
func (l *Loader) Input() *syntax.Input { return l.input }

// Parser returns the parser of what follows. A module header or a unit of tests brings another.
func (l *Loader) Parser() *syntax.Parser { return l.parser }

// QuietStyles says which styles that decide about the warnings of a clause are not checked.
type QuietStyles struct{ Singleton, Branches bool }

// QuietStyles returns them.
func (l *Loader) QuietStyles() QuietStyles {
	return QuietStyles{Singleton: l.quiet["singleton"], Branches: l.quiet["var_branches"]}
}

// TakesTerms reports whether a term is taken as it is read.
func (l *Loader) TakesTerms() bool {
	return l.unit == nil && (l.library || len(l.hooks("term_expansion")) == 0)
}

// TakesGoals reports whether the goals of a body, if they are no constraints, are taken as they are read.
func (l *Loader) TakesGoals() bool { return len(l.hooks("goal_expansion")) == 0 }

// TranslatesGrammar reports whether grammar rules are translated as the language has it.
func (l *Loader) TranslatesGrammar() bool {
	pred := l.module.Resolve(TranslateRule)
	return pred != nil && pred.Module == l.p.db.System()
}

// TranslateRule is the functor of the predicate that translates grammar rules.
var TranslateRule = code.Functor("dcg_translate_rule", 2)

// expansions are predicates whose clauses change what the next ones come to.
var expansions = map[code.Cell]bool{
	code.Functor("term_expansion", 2): true, code.Functor("goal_expansion", 2): true, TranslateRule: true,
}

// ReadAt makes a clause that is not read the one at work.
func (l *Loader) ReadAt(at syntax.Place) {
	l.unread = syntax.Read{Pos: syntax.Position{File: l.name, Place: at}}
	l.read = &l.unread
}

// ClauseError reports that the clause at work cannot be compiled.
func (l *Loader) ClauseError(err error) { l.report(SeverityError, "clause", "%s", err) }

// KeepSearch says what remembers the search in the body of the clause that was added last.
func (l *Loader) KeepSearch(s Search) { l.p.bodies[len(l.p.bodies)-1].search = s }

// NoteSearch notes the body of the clause at work, which has not been read.
func (l *Loader) NoteSearch(s Search) {
	l.p.bodies = append(l.p.bodies, bodyNote{loader: l, module: l.module, at: l.at(), search: s})
}

// Compiler returns the compiler of the program.
func (p *Program) Compiler() *compile.Compiler { return p.compiler }

// Diagnose adds to what loading reports.
func (p *Program) Diagnose(list ...Diagnostic) { p.diagnostics = append(p.diagnostics, list...) }
