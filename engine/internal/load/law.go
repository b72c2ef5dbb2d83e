package load

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/law"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file reads labelled rules and their directives for package law, and adds the clauses that they become.

// legislator is the view that package law has of a program.
type legislator struct{ *Program }

func (p legislator) Declarations() []source.Declaration              { return p.declarations }
func (p legislator) Module(name string) *database.Module             { return p.db.Module(name) }
func (p legislator) Define(pred *database.Pred, flags database.Flag) { p.definer.Set(pred, flags) }

func (p legislator) loader(name string, m *database.Module) *Loader {
	l := p.newLoader(name, m)
	l.reader = plainReader{l}
	return l
}

func (p legislator) Add(m *database.Module, at syntax.Position, clause term.Term) {
	l := p.loader(at.File, m)
	l.read = &syntax.Read{Pos: at}
	l.addTerm(clause)
}

func (p legislator) Clear(pred *database.Pred) {
	p.Relink(pred)
	for _, c := range slices.Clone(pred.Clauses()) {
		p.db.EraseNow(c)
	}
}

func (p legislator) Table(pred *database.Pred) {
	p.loader("", pred.Module).tablePred(pred.Module, pred.Name(), make([]term.Term, pred.Arity()), database.Tabled)
}

func (p legislator) Rewrite(pred *database.Pred, table bool, change func(body term.Term) term.Term) bool {
	l, own := p.loader(pred.File, pred.Module), pred.Behind()
	earlier, ok := l.takeClauses(own, "tabled")
	if !ok {
		return false
	}
	for i := range earlier {
		earlier[i].body = change(earlier[i].body)
	}
	behind := func(head term.Term) (*database.Pred, term.Term) { return own, head }
	if table && own == pred {
		l.tablePred(pred.Module, pred.Name(), make([]term.Term, pred.Arity()), database.Tabled)
		behind = func(head term.Term) (*database.Pred, term.Term) { return tabledHead(pred, head) }
	}
	l.putBehind(earlier, behind)
	return true
}

// usesLaw reports whether the text being loaded uses library(law).
func (l *Loader) usesLaw() bool {
	pred := l.module.Resolve(code.Functor("overrides", 2))
	return !l.library && pred != nil && pred.Module.Library && pred.Module.Name == "law"
}

// lawText is the view that package law has of the text being loaded. Labelled rules are discontiguous, because articles
// appear in the order of their law.
func (l *Loader) lawText() law.Text {
	module := l.module
	return law.Text{Name: l.name, Module: module, Report: l.reportAt, Meta: l.metaSpec,
		Define: func(functor code.Cell) *database.Pred {
			pred := l.Definition(module, functor)
			if pred != nil {
				l.p.definer.Set(pred, database.Defined|database.Discontiguous)
			}
			return pred
		}}
}

// noteRuleDirective stores a directive about labelled rules until all rules are known. It reports whether t is such a
// directive.
func (l *Loader) noteRuleDirective(key string, t term.Term) bool {
	if l.read == nil || !law.Directives[key] || !l.usesLaw() {
		return false
	}
	c := t.(*term.Compound)
	d := law.Directive{Text: l.lawText(), At: l.at(), Name: string(c.Functor), Args: c.Args}
	if whole, ok := term.Is(l.read.Term, ":-", 1); ok && whole[0] == t { // its arguments have positions
		d.Layout = l.read.Layout.Arg(0)
	}
	l.p.laws.Note(d)
	return true
}

// unlabelled takes the label off a clause. The rule is nil for a clause without a label. ok is false after an error.
func (l *Loader) unlabelled(read *syntax.Read) (plain *syntax.Read, r *law.Rule, ok bool) {
	if !law.IsLabelled(read) || !l.usesLaw() {
		return read, nil, true
	}
	plain, r = law.Unlabelled(read, l.lawText(), l.at())
	return plain, r, r != nil
}

// addRule adds the clauses of a labelled rule. list holds the terms that the expansion of its clause gave.
func (l *Loader) addRule(r *law.Rule, list []term.Term) {
	l.result.dependent = true
	written := l.read
	clause, applies := l.p.laws.Add(legislator{l.p}, r, list, written)
	if clause == nil {
		return
	}
	l.rule, l.read = r, clause
	defer func() { l.read, l.rule = written, nil }()
	l.addTerm(clause.Term)
	if applies == nil {
		return
	}
	last := l.last
	applies = l.coverApplies(r, applies)
	l.read = &syntax.Read{Pos: written.Pos}
	l.addTerm(applies)
	l.last = last
}

// IsHelper reports, by its name, whether a predicate is a helper of labelled rules or decision tables.
func IsHelper(name string) bool {
	return law.IsHelper(name) || strings.HasSuffix(name, tables.RowsSuffix) || strings.HasSuffix(name, tables.NodesSuffix)
}

// Labels returns the labels of the rules of each predicate, by its indicator.
func (p *Program) Labels() map[string][]string { return p.laws.Labels() }
