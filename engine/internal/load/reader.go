package load

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines where the loader gets the terms of a text from: the parser, or an incremental reader around it.
// An incremental reader knows the clauses that an earlier load made from the text. The methods in this file are its
// interface to the loader.

// Reader reads one text for a loader.
type Reader interface {
	// Next returns the next term, or io.EOF at the end of the text. It may add clauses before it returns.
	Next() (*syntax.Read, error)
	// Compile compiles a clause of the current term. lines are the source lines of its goals. The clause must not be a
	// fact.
	Compile(c *database.Clause, lines []int32) error
	// Added receives the clause of the current term. It is called only if the term gives exactly one clause, and this
	// clause depends only on the text and the results of the methods of the loader.
	Added(r Result)
	// End is called after the last term.
	End()
}

// Incremental makes readers that reuse the results of an earlier load of the same texts.
type Incremental interface {
	// Begin is called before the texts are loaded, End after all of them.
	Begin()
	End()
	// Reader returns a reader of the text that l loads. It returns nil if the text should only be parsed.
	Reader(l *Loader, text string) Reader
	// Facts returns the facts that the last load kept under a key, or nil. KeepFacts stores facts for the next load.
	Facts(key FactsKey) *Facts
	KeepFacts(key FactsKey, f *Facts)
	// Inferred returns the inferred types of arguments.
	Inferred() *flow.Memory
}

// plainReader reads with the parser alone. It reuses nothing, so it ignores results.
type plainReader struct{ l *Loader }

func (r plainReader) Next() (*syntax.Read, error) { return r.l.parser.Read() }

func (r plainReader) Compile(c *database.Clause, lines []int32) error {
	return r.l.p.compiler.CompileLines(c, lines)
}

func (plainReader) Added(Result) {}

func (plainReader) End() {}

// newReader returns the reader of a text in memory. Libraries are not read incrementally, as package base has their
// compiled form.
func (l *Loader) newReader(text string) Reader {
	if l.p.opts.Incremental != nil && !l.p.sealed && !l.library {
		if r := l.p.opts.Incremental.Reader(l, text); r != nil {
			return r
		}
	}
	return plainReader{l}
}

// Result is a term and the clause that it gave.
type Result struct {
	Read     *syntax.Read
	Clause   *database.Clause
	Lines    []int32             // of its goals
	Warnings []source.Diagnostic // about its variables
	Grammar  bool                // the term is a grammar rule
	Body     *syntax.Layout      // of its body, or nil if the body was expanded
}

// result collects the clauses and notes of the current term.
type result struct {
	clause   *database.Clause
	lines    []int32
	warnings []source.Diagnostic
	// dependent is set if the clause depends on more than the term, or if there are several clauses.
	dependent bool
}

// add records a clause.
func (r *result) add(c *database.Clause, lines []int32) {
	r.dependent = r.dependent || r.clause != nil
	r.clause, r.lines = c, lines
}

// added passes the result of the current term to the reader.
func (l *Loader) added(read *syntax.Read) {
	r := l.result
	l.result = result{}
	// A clause of a hook changes the expansion of later terms, so it is read in each load.
	if r.dependent || r.clause == nil || expansions[r.clause.Pred.Functor] {
		return
	}
	_, grammar := term.Is(read.Term, "-->", 2)
	if grammar && !l.TranslatesGrammar() {
		return
	}
	from := Result{Read: read, Clause: r.clause, Lines: r.lines, Warnings: r.warnings, Grammar: grammar}
	if n := len(l.p.bodies); n > 0 && !r.clause.IsFact() {
		from.Body = l.p.bodies[n-1].body.Layout
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

// Parser returns the parser of the rest of the text. A module header or a unit of tests replaces it.
func (l *Loader) Parser() *syntax.Parser { return l.parser }

// QuietStyles says which style checks are off, among those that give the warnings of a clause.
type QuietStyles struct{ Singleton, Branches bool }

// QuietStyles returns the style checks that are off.
func (l *Loader) QuietStyles() QuietStyles {
	return QuietStyles{Singleton: l.quiet["singleton"], Branches: l.quiet["var_branches"]}
}

// TakesTerms reports whether terms are added as they are read, without term expansion.
func (l *Loader) TakesTerms() bool {
	return l.unit == nil && (l.library || len(l.hooks(termHooks)) == 0)
}

// TakesGoals reports whether goals are added as they are read, without goal expansion. Constraints are still expanded.
func (l *Loader) TakesGoals() bool { return len(l.hooks(goalHooks)) == 0 }

// TranslatesGrammar reports whether grammar rules are translated by the predicate of the system.
func (l *Loader) TranslatesGrammar() bool {
	pred := l.module.Resolve(TranslateRule)
	return pred != nil && pred.Module == l.p.db.System()
}

// TranslateRule is the functor of the predicate that translates grammar rules.
var TranslateRule = code.Functor("dcg_translate_rule", 2)

// expansions are the predicates whose clauses change how later terms are expanded.
var expansions = map[code.Cell]bool{
	termHooks[0]: true, termHooks[1]: true, goalHooks[0]: true, goalHooks[1]: true, TranslateRule: true,
}

// ReadAt makes a clause at a place the current clause, without parsing it. Diagnostics get that place.
func (l *Loader) ReadAt(at syntax.Place) {
	l.unread = syntax.Read{Pos: syntax.Position{File: l.name, Place: at}}
	l.read = &l.unread
}

// ClauseError reports that the current clause cannot be compiled.
func (l *Loader) ClauseError(err error) { l.report(source.SeverityError, "clause", "%s", err) }

// KeepSearch sets the [Search] of the body of the clause that was added last. There must be such a clause.
func (l *Loader) KeepSearch(s Search) { l.p.bodies[len(l.p.bodies)-1].search = s }

// NoteSearch records the body of the current clause, which is not parsed.
func (l *Loader) NoteSearch(s Search) {
	l.p.bodies = append(l.p.bodies, bodyNote{loader: l, module: l.module, at: l.at(), search: s})
}

// Compiler returns the compiler of the program.
func (p *Program) Compiler() *compile.Compiler { return p.compiler }

// Diagnose adds to the diagnostics of the load.
func (p *Program) Diagnose(list ...source.Diagnostic) { p.diagnostics = append(p.diagnostics, list...) }

// This part defines the texts that are loaded: how a text outside memory is opened, and how diagnostics find its lines.

func openFile(s *source.File) (io.ReadCloser, error) {
	if s.Open != nil {
		return s.Open()
	}
	return heldText{strings.NewReader(s.Text)}, nil
}

// heldText is a text in memory as an open file that can seek.
type heldText struct{ *strings.Reader }

func (heldText) Close() error { return nil }

// sourceLines finds lines of a text. Diagnostics mostly ask for lines in ascending order, so it remembers the offset of
// the last one. It opens the text again for each requested line.
type sourceLines struct {
	source source.File
	line   int   // from 1; 0: nowhere
	offset int64 // of that line, in bytes
}

// maxLine is the largest number of bytes returned for a line.
const maxLine = 1 << 20

// at returns line n, from 1, without its line end. It returns only the beginning of a very long line, and "" if there
// is no such line.
func (s *sourceLines) at(n int) string {
	if n < 1 {
		return ""
	}
	if s.line == 0 || n < s.line {
		s.line, s.offset = 1, 0
	}
	r, err := openFile(&s.source)
	if err != nil {
		return ""
	}
	defer r.Close()
	if seeker, ok := r.(io.Seeker); ok {
		_, err = seeker.Seek(s.offset, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, r, s.offset)
	}
	if err != nil {
		return ""
	}
	return s.find(bufio.NewReader(r), n)
}

// find reads on from the current line to line n. A line longer than the buffer is read in parts.
func (s *sourceLines) find(r *bufio.Reader, n int) string {
	for s.line < n {
		part, err := r.ReadSlice('\n')
		s.offset += int64(len(part))
		if err == nil {
			s.line++
		} else if !errors.Is(err, bufio.ErrBufferFull) {
			s.line = 0
			return ""
		}
	}
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) || len(line) >= maxLine {
			return string(bytes.TrimRight(line, "\r\n"))
		}
	}
}
