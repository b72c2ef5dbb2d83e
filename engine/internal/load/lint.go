package load

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/law"
	"github.com/mcplogic/mcplogic/engine/internal/lint"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the search for mistakes in programs that load and run.

// lintNotes holds the terms of the texts, with the loaders that give the lines of each file.
type lintNotes struct {
	clauses []lint.Clause
	loaders map[string]*Loader
	// facts has the facts of each predicate. If there are too many, only the types of the rest are kept. last is the
	// last term kept in full.
	facts map[flow.Key]*lint.Facts
	last  *syntax.Read
}

// maxClauses bounds the clauses that are kept for the checks.
const maxClauses = 500_000

// Lints reports whether the load looks for mistakes in the text.
func (l *Loader) Lints() bool { return l.p.opts.Lint && !l.library && l.unit == nil }

// NoteLint records a term that was read, if mistakes are looked for.
func (l *Loader) NoteLint(read *syntax.Read) { l.noteLint(read, nil) }

// noteLint is NoteLint for a clause of a labelled rule, nil for other terms.
func (l *Loader) noteLint(read *syntax.Read, labelled *law.Rule) {
	if _, rule := term.Is(read.Term, ":-", 2); !l.Lints() || rule && read.Layout == nil {
		return
	}
	notes := &l.p.lint
	if notes.loaders == nil {
		notes.loaders, notes.facts = map[string]*Loader{}, map[flow.Key]*lint.Facts{}
	}
	notes.loaders[l.name] = l
	one := lint.Clause{File: l.name, Module: l.module.Name, Read: read}
	if labelled != nil {
		one.Label, one.Denies = labelled.Label, labelled.Against
	}
	if name, arity, ok := lint.IsFact(read.Term); ok && !one.Denies {
		k := flow.Key{Module: l.module.Name, Name: string(name), Arity: arity}
		if notes.facts[k] == nil {
			notes.facts[k] = &lint.Facts{}
		}
		if notes.facts[k].Add(read.Term) {
			notes.last = read
			return
		}
	}
	if len(notes.clauses) <= maxClauses {
		notes.clauses = append(notes.clauses, one)
	}
}

// lintChanged records that a hook has changed the last term: the loaded clause is not the written one.
func (l *Loader) lintChanged(by string) {
	list := l.p.lint.clauses
	if last := len(list) - 1; last >= 0 && list[last].Read == l.read {
		list[last].Changed = by
	} else if name, arity, ok := lint.IsFact(l.read.Term); ok && l.p.lint.last == l.read {
		l.p.lint.facts[flow.Key{Module: l.module.Name, Name: string(name), Arity: arity}].Changed = true
	}
}

// reportLint warns of the mistakes that the checks find.
func (p *Program) reportLint() {
	notes := p.lint
	p.lint = lintNotes{}
	if !p.Complete() {
		return
	}
	if len(notes.clauses) > maxClauses {
		last := notes.clauses[maxClauses]
		p.Diagnose(source.Diagnostic{Position: syntax.At(last.File, last.Read.Pos.Line, last.Read.Pos.Column),
			Severity: source.SeverityNote, Code: "unchecked", Message: fmt.Sprintf("this is clause %d; not looked for were "+
				"mistakes in the rules of so many", maxClauses+1)})
		return
	}
	for _, f := range lint.Check(notes.clauses, notes.facts, lintWorld{p}) {
		l := notes.loaders[f.File]
		d := source.Diagnostic{Position: syntax.At(f.File, f.At.Line, f.At.Column), Severity: source.SeverityWarning,
			Code:    f.Code,
			Message: f.Message, Source: l.line(f.At.Line)}
		switch {
		case f.Note:
			d.Severity = source.SeverityNote
		case f.Insert != "":
			d.Fix = source.InsertLine(f.Line, f.Insert)
		case f.Replace != "" && f.To.Line == f.At.Line:
			d.Fix = replaceBetween(d.Source, f)
		}
		p.Diagnose(d)
	}
}

// lintWorld tells the checks about the program that was loaded.
type lintWorld struct{ p *Program }

// find returns what a functor refers to in a module, nil if it is undefined.
func (w lintWorld) find(module, name string, arity int) *database.Pred {
	m := w.p.db.FindModule(module)
	if m == nil {
		m = w.p.db.User()
	}
	return m.Resolve(code.Functor(name, arity))
}

// Resolve returns the predicate that a goal of a module calls.
func (w lintWorld) Resolve(module, name string, arity int) flow.Key {
	if pred := w.find(module, name, arity); pred != nil {
		module = pred.Module.Name
	}
	return flow.Key{Module: module, Name: name, Arity: arity}
}

// Library reports whether a predicate is one of the system or of a library, which need not be loaded yet.
func (w lintWorld) Library(k flow.Key) bool {
	if pred := w.find(k.Module, k.Name, k.Arity); pred != nil {
		return pred.Module.Library || pred.Module == w.p.db.System()
	}
	return w.p.exporter(code.Functor(k.Name, k.Arity)) != ""
}

// Meta returns the meta_predicate specification of a predicate of the system or a library. It returns "" for a
// predicate of the program, which may call its goals at any time.
func (w lintWorld) Meta(k flow.Key) string {
	m := w.p.db.FindModule(k.Module)
	if m == nil {
		m = w.p.db.User()
	}
	if pred := m.Resolve(code.Functor(k.Name, k.Arity)); pred != nil && !w.Library(k) {
		return ""
	}
	return m.MetaOf(k.Name, k.Arity)
}

// maxData bounds the examined facts of a data file.
const maxData = 100_000

// Data calls f for each predicate whose facts all come from a data file, a decision table or a table of a database. The
// data may have other values tomorrow.
func (w lintWorld) Data(f func(lint.Data)) {
	for _, name := range slices.Sorted(maps.Keys(w.p.decided)) {
		t := w.p.decided[name]
		short, _, _ := strings.Cut(name, "/")
		pred := w.find(t.Module, short, len(t.Columns))
		k := flow.Key{Module: t.Module, Name: short, Arity: len(t.Columns)}
		if pred != nil && len(t.Rows) > 0 && !w.Open(k, len(pred.Clauses())) {
			d := lint.Data{Key: k, Needs: t.Needs(), Columns: typesOfTable(t)}
			for i, column := range d.Columns {
				if listed := t.Columns[i].Values(); listed != nil {
					column = flow.Type{}
					for _, value := range listed {
						column = flow.Union(column, flow.Constant(value))
					}
					d.Columns[i] = column
				} else {
					column = column.Coarse()
				}
				d.Listed, d.Classes = append(d.Listed, t.Columns[i].Values() != nil), append(d.Classes, column)
			}
			f(d)
		}
	}
	for pred, q := range w.p.queries {
		k := flow.Key{Module: pred.Module.Name, Name: pred.Name(), Arity: pred.Arity()}
		types := w.typesOfQuery(q)
		f(lint.Data{Key: k, Columns: types, Classes: types})
	}
	for _, file := range w.p.DataFiles() {
		name, arity, _ := strings.Cut(file.Predicate, "/")
		n, _ := strconv.Atoi(arity)
		k := flow.Key{Module: file.Module, Name: name, Arity: n}
		pred := w.find(k.Module, k.Name, k.Arity)
		if pred == nil || w.Open(k, file.Rows) || file.Rows == 0 || file.Rows > maxData {
			continue
		}
		d, seen := lint.Data{Key: k, Columns: make([]flow.Type, n), Classes: make([]flow.Type, n)}, map[code.Cell]bool{}
		for i := range d.Columns {
			clear(seen)
			for _, c := range pred.Clauses() {
				if value := c.HeadArg(i); !value.IsAtomic() || value.Tag() == code.Blob || !seen[value] {
					d.Columns[i] = flow.Union(d.Columns[i], typeOfCell(c, value))
					seen[value] = true
				}
			}
			d.Classes[i] = d.Columns[i].Coarse()
		}
		f(d)
	}
}

// typesOfTable returns the types of the arguments of a decision table. They are known where each row has its own
// values: for inputs of text and for constant outputs.
func typesOfTable(t *tables.Table) []flow.Type {
	types := make([]flow.Type, len(t.Columns))
	for i, c := range t.Columns {
		for _, row := range t.Rows {
			values := row.Cells[i].Tests.Items
			if c.Output {
				values = []term.Term{row.Cells[i].Value}
			}
			for _, value := range values {
				types[i] = flow.Union(types[i], flow.Env{}.Of(value))
			}
			tests := row.Cells[i].Tests
			if tests.Any || tests.Not || c.Loose || c.Output && t.Hit != "unique" && t.Hit != "any" && t.Hit != "first" {
				types[i] = flow.Any
			}
		}
		if !types[i].Listed() {
			types[i] = flow.Any
		}
	}
	return types
}

// typesOfQuery returns the types of the columns of a table, from the directive or else from the database.
func (w lintWorld) typesOfQuery(q *relation.Query) []flow.Type {
	var known []string
	if typer, ok := w.p.opts.Databases.(relation.Typer); ok {
		ctx, cancel := context.WithTimeout(w.p.goalContext(), checkTime)
		defer cancel()
		known, _ = typer.Types(ctx, q) // the directive has reported an error
	}
	types := make([]flow.Type, len(q.Columns))
	for i, c := range q.Columns {
		own := ""
		if i < len(known) {
			own = known[i]
		}
		t := flow.Any
		switch {
		case c.Type == "atom":
			t = flow.Atom
		case c.Type == "string" && own == "atom":
			t = flow.String
		case c.Type == "" || c.Type == own:
			t = columnTypes[own]
		}
		if types[i] = flow.Any; !t.Empty() && !t.IsAny() {
			types[i] = flow.Union(t, flow.Constant(term.Atom("null")))
		}
	}
	return types
}

// columnTypes are the types that [relation.Typer] has.
var columnTypes = map[string]flow.Type{"atom": flow.Atom, "integer": flow.Integer, "float": flow.Float}

// typeOfCell returns the type of an argument of a fact.
func typeOfCell(c *database.Clause, value code.Cell) flow.Type {
	switch value.Tag() {
	case code.Atom:
		return flow.Constant(term.Atom(code.AtomText(value.Atom())))
	case code.Int:
		return flow.Constant(term.Int(value.Int()))
	case code.Blob:
		switch c.Cells[value.Addr()].BlobKind() {
		case code.FloatBlob:
			return flow.Float
		case code.StringBlob:
			return flow.String
		}
		return flow.Number
	}
	return flow.Any
}

// Inferred stores the inferred types of arguments.
func (w lintWorld) Inferred(r *flow.Result) {
	w.p.types = map[flow.Key][]flow.Type{}
	r.Known(func(k flow.Key, types []flow.Type) { w.p.types[k] = types })
}

// Types returns the types, in words, that the arguments of a predicate have after a call. It returns nil if nothing is
// known, and unless the load has looked for mistakes.
func (p *Program) Types(module, name string, arity int) (list []string) {
	for _, t := range p.types[flow.Key{Module: module, Name: name, Arity: arity}] {
		list = append(list, t.String())
	}
	return list
}

// Memory returns the inferred types of the program that this one replaces.
func (w lintWorld) Memory() *flow.Memory {
	if w.p.opts.Incremental == nil {
		return nil
	}
	return w.p.opts.Incremental.Inferred()
}

// Function reports whether a function is evaluated in goals.
func (w lintWorld) Function(name string, arity int) bool {
	_, ok := arith.Arithmetic.Function(name, arity)
	return ok
}

// Open reports whether a predicate may have clauses beyond the given number in the text.
func (w lintWorld) Open(k flow.Key, clauses int) bool {
	pred := w.find(k.Module, k.Name, k.Arity)
	if pred == nil || pred.Module.Name != k.Module || pred.Has(database.Multifile) || isOpen(pred) {
		return true
	}
	own := clausesOf(pred)
	return own == nil || len(own.Clauses()) != clauses
}

// isOpen reports whether a predicate may have answers other than those of its clauses at the end of the load.
func isOpen(pred *database.Pred) bool {
	return strings.ContainsAny(pred.Meta(), ":^/0123456789") || pred.Has(database.Dynamic|database.ThreadLocal|
		database.Persistent|database.ModeDirected|database.InContext)
}

// clausesOf returns the predicate that has the clauses of a tabled one, nil if there is none.
func clausesOf(pred *database.Pred) *database.Pred {
	if pred.Has(database.Tabled) {
		return pred.Module.Find(pred.TableFunctor())
	}
	return pred
}

// replaceBetween is the fix of a finding that replaces a word between two places of a line. It returns nil if the line
// does not have the word there.
func replaceBetween(line string, f lint.Finding) *source.Fix {
	runes := []rune(line)
	if f.To.Column > len(runes) || f.At.Column > f.To.Column {
		return nil
	}
	before, _, ok := strings.Cut(string(runes[f.At.Column-1:f.To.Column-1]), f.Replace)
	if !ok {
		return nil
	}
	column := f.At.Column + len([]rune(before))
	return &source.Fix{Line: f.At.Line, Column: column, EndLine: f.At.Line, EndColumn: column + len([]rune(f.Replace)),
		Text: f.With}
}

// This part defines the warnings about variables: variables that occur once, variables that occur more than once
// although their name says otherwise, and variables that occur once in a branch.

// variableWarnings checks the variables of a term as it was read.
func (l *Loader) variableWarnings(read *syntax.Read) {
	if l.library || l.quiet["singleton"] {
		return
	}
	l.singletons(read)
	l.markedTwice(read)
	if !l.quiet["var_branches"] {
		l.branchSingletons(read)
	}
}

// isMarked reports whether the name of a variable declares that it occurs once, as _X and __x do and _x does not.
func isMarked(name string) bool {
	rest, ok := strings.CutPrefix(name, "_")
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && (first == '_' || rest != strings.ToLower(rest) && !unicode.IsLower(first))
}

// mostNames is with how many variables of a clause the name of one is compared.
const mostNames = 100

// singletons warns of unmarked variables that occur once. They may be others by a slip, but for an element of a list.
func (l *Loader) singletons(read *syntax.Read) {
	var names []string
	near, at := "", syntax.Place{}
	for _, v := range read.Vars {
		if v.Count != 1 || isMarked(v.Name) {
			continue
		}
		if len(names) == 0 {
			at = v.Pos
		}
		names = append(names, v.Name)
		for _, other := range read.Vars[:min(len(read.Vars), mostNames)] {
			if spell.Slip(v.Name, other.Name) && v.Name+"s" != other.Name {
				near = ", or " + other.Name + " if that is the same"
			}
		}
	}
	if len(names) == 1 {
		fix := &source.Fix{Line: at.Line, Column: at.Column, EndLine: at.Line,
			EndColumn: at.Column + utf8.RuneCountInString(names[0]), Text: "_" + names[0]}
		if near != "" {
			fix = nil
		}
		l.reportFix(fix, at, source.SeverityWarning, "singleton",
			"variable %s occurs only once; write _%s if that is meant%s",
			names[0], names[0], cmp.Or(near, constantMeant(read.Term, names[0])))
	} else if len(names) > 1 {
		l.reportAt(at, source.SeverityWarning, "singleton",
			"variables %s occur only once; begin them with _ if that is meant%s",
			strings.Join(names, ", "), near)
	}
}

// markedTwice warns of marked variables that occur more than once.
func (l *Loader) markedTwice(read *syntax.Read) {
	for _, v := range read.Vars {
		if v.Count > 1 && isMarked(v.Name) && onOnePath(read.Term, v.Var, 0) > 1 {
			l.reportAt(v.Pos, source.SeverityWarning, "multiple",
				"variable %s is marked as one that occurs once, but occurs %d times",
				v.Name, v.Count)
		}
	}
}

// onOnePath returns the largest number of occurrences of a variable on one path through the branches of a term.
func onOnePath(t term.Term, v *term.Var, depth int) int {
	if t == term.Term(v) {
		return 1
	}
	c, ok := t.(*term.Compound)
	if !ok || depth > maxGoalDepth {
		return 0
	}
	most, sum := 0, 0
	for _, a := range c.Args {
		n := onOnePath(a, v, depth+1)
		most, sum = max(most, n), sum+n
	}
	if len(c.Args) == 2 && (c.Functor == ";" || c.Functor == "|") {
		return most
	}
	return sum
}

// branchSingletons warns of variables that occur several times in the clause but only once on the path through some
// branch of a disjunction or through a negation.
func (l *Loader) branchSingletons(read *syntax.Read) {
	head, body := term.Term(nil), read.Term
	for _, neck := range []term.Atom{":-", "-->", "=>"} {
		if args, ok := term.Is(read.Term, neck, 2); ok {
			head, body = args[0], args[1]
		}
	}
	if args, ok := term.Is(read.Term, ":-", 1); ok {
		body = args[0]
	} else if head == nil {
		return
	}
	b := branches{l: l, read: read, reported: map[*term.Var]bool{}, left: maxBranchSteps}
	outside := map[*term.Var]int{}
	b.left -= countVariables(head, outside, true)
	b.walk(body, outside, 0)
}

// branches looks for variables that occur once in a branch.
type branches struct {
	l        *Loader
	read     *syntax.Read
	reported map[*term.Var]bool
	left     int // steps
}

// maxBranchSteps bounds the search for such variables in one clause to some tens of milliseconds. A nested term takes
// one step for each enclosing branch.
const maxBranchSteps = 1 << 20

// walk searches the branches in a body. outside are the variables that also occur on the path before or after it.
func (b *branches) walk(body term.Term, outside map[*term.Var]int, depth int) {
	parts := sequence(body)
	if b.left -= len(parts); depth > maxGoalDepth || b.left < 0 {
		return
	}
	for i, part := range parts {
		inner := branchesOf(part)
		if inner == nil {
			continue
		}
		met := maps.Clone(outside)
		b.left -= len(met)
		for j, other := range parts {
			if j != i && b.left >= 0 {
				b.left -= countVariables(other, met, false)
			}
		}
		where := "branch"
		if _, ok := term.Is(part, "\\+", 1); ok {
			where = "\\+"
		}
		for _, branch := range inner {
			b.check(branch, met, where)
			b.walk(branch, met, depth+1)
		}
	}
}

// check warns of the variables that occur once in a branch and not outside it.
func (b *branches) check(branch term.Term, outside map[*term.Var]int, where string) {
	inside := map[*term.Var]int{}
	if b.left -= countVariables(branch, inside, true) + len(b.read.Vars); b.left < 0 {
		return
	}
	for _, v := range b.read.Vars {
		if inside[v.Var] != 1 || outside[v.Var] > 0 || v.Count == 1 || strings.HasPrefix(v.Name, "_") || b.reported[v.Var] {
			continue
		}
		b.reported[v.Var] = true
		what := "a branch"
		if where == "\\+" {
			what = "a negation"
		}
		b.l.reportAt(v.Pos, source.SeverityWarning, "branch", "variable %s occurs only once in %s", v.Name, what)
	}
}

// constantMeant explains how to write a constant, if the variable occurs in a fact.
func constantMeant(t term.Term, name string) string {
	if functor, arity, _ := term.Indicator(t); arity == 2 && (functor == ":-" || functor == "-->" || functor == "=>") ||
		functor == ":-" || !unicode.IsUpper([]rune(name)[0]) {
		return ""
	}
	return ", or '" + name + "' if that is a constant"
}

// sequence returns the goals of a conjunction.
func sequence(body term.Term) []term.Term {
	var parts []term.Term
	stack := []term.Term{body}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if goals, ok := shapes.Junction(t); ok && !isDisjunction(t) {
			stack = append(stack, goals[1], goals[0])
			continue
		}
		parts = append(parts, t)
	}
	return parts
}

// isDisjunction reports whether a goal is a disjunction, with a semicolon or a bar.
func isDisjunction(goal term.Term) bool {
	_, semicolon := term.Is(goal, ";", 2)
	_, bar := term.Is(goal, "|", 2)
	return semicolon || bar
}

// branchesOf returns the branches of a disjunction or the goal of a negation. It returns nil for other goals.
func branchesOf(goal term.Term) []term.Term {
	if args, ok := term.Is(goal, "\\+", 1); ok {
		return args
	}
	var list []term.Term
	for isDisjunction(goal) {
		goals, _ := shapes.Junction(goal)
		list, goal = append(list, goals[0]), goals[1]
	}
	if list == nil {
		return nil
	}
	return append(list, goal)
}

// countVariables counts the occurrences of variables in a term and returns the number of steps. It skips negations,
// which bind nothing, unless negations is set.
func countVariables(t term.Term, counts map[*term.Var]int, negations bool) (steps int) {
	stack := []term.Term{t}
	for ; len(stack) > 0; steps++ {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch t := t.(type) {
		case *term.Var:
			counts[t]++
		case *term.Compound:
			if t.Functor != "\\+" || len(t.Args) != 1 || negations {
				stack = append(stack, t.Args...)
			}
		}
	}
	return steps
}

// styles lists the kinds of warnings that style_check/1 switches on and off.
var styles = map[string]bool{
	"singleton": true, "discontiguous": true, "var_branches": true, "no_effect": true,
	"charset": true, "atom": true,
}

// styleCheck runs style_check(+Style) and style_check(-Style), which apply to the end of the file.
func (l *Loader) styleCheck(args []term.Term) {
	c, ok := args[0].(*term.Compound)
	if !ok || len(c.Args) != 1 || c.Functor != "+" && c.Functor != "-" {
		l.report(source.SeverityError, "style", "style_check takes +Style or -Style, not %s", syntax.ShowTerm(args[0]))
		return
	}
	name, _ := c.Args[0].(term.Atom)
	if !styles[string(name)] {
		l.report(source.SeverityError, "style", "%s is not a style; want singleton, discontiguous or var_branches",
			syntax.ShowTerm(c.Args[0]))
		return
	}
	if l.quiet == nil {
		l.quiet = map[string]bool{}
	}
	l.quiet[string(name)] = c.Functor == "-"
}
