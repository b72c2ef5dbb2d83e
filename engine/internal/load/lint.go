package load

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/lint"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for mistakes in programs that load and run.

// lintNotes are the terms of the texts, with the loaders that give the lines of each file.
type lintNotes struct {
	clauses []lint.Clause
	loaders map[string]*Loader
}

// Lints reports whether the load looks for mistakes in the text. Facts of data say nothing: of a text that is read as a
// stream no term is kept.
func (l *Loader) Lints() bool {
	return l.p.opts.Lint && !l.library && l.unit == nil && l.lines.source.Open == nil
}

// NoteLint records a term that was read, if mistakes are looked for.
func (l *Loader) NoteLint(read *syntax.Read) {
	if !l.Lints() {
		return
	}
	if _, rule := term.Is(read.Term, ":-", 2); rule && read.Layout == nil {
		return
	}
	if l.p.lint.loaders == nil {
		l.p.lint.loaders = map[string]*Loader{}
	}
	l.p.lint.loaders[l.name] = l
	l.p.lint.clauses = append(l.p.lint.clauses, lint.Clause{File: l.name, Module: l.module.Name, Read: read})
}

// reportLint warns of such mistakes.
func (p *Program) reportLint() {
	notes := p.lint
	p.lint = lintNotes{}
	if !p.Complete() {
		return
	}
	for _, f := range lint.Check(notes.clauses, p.libraryMeta) {
		l := notes.loaders[f.File]
		d := Diagnostic{Position: syntax.At(f.File, f.At.Line, f.At.Column), Severity: SeverityWarning, Code: f.Code,
			Message: f.Message, Source: l.line(f.At.Line)}
		switch {
		case f.Insert != "":
			d.Fix = InsertLine(f.Line, f.Insert)
		case f.Replace != "" && f.To.Line == f.At.Line:
			d.Fix = replaceBetween(d.Source, f)
		}
		p.Diagnose(d)
	}
}

// libraryMeta returns the meta_predicate specification of a predicate of the system or a library as a module knows it.
func (p *Program) libraryMeta(module, name string, arity int) string {
	m := p.db.FindModule(module)
	if m == nil {
		m = p.db.User()
	}
	if pred := m.Resolve(code.Functor(name, arity)); pred != nil && !pred.Module.Library && pred.Module != p.db.System() {
		return ""
	}
	return m.MetaOf(name, arity)
}

// replaceBetween is the fix of a finding that replaces a word between two places of a line. It returns nil if the word
// is not there.
func replaceBetween(line string, f lint.Finding) *Fix {
	runes := []rune(line)
	if f.To.Column > len(runes) || f.At.Column > f.To.Column {
		return nil
	}
	before, _, ok := strings.Cut(string(runes[f.At.Column-1:f.To.Column-1]), f.Replace)
	if !ok {
		return nil
	}
	column := f.At.Column + len([]rune(before))
	return &Fix{f.At.Line, column, f.At.Line, column + len([]rune(f.Replace)), f.With}
}
