package load

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/records"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// This file defines decision/2 and decision/3: directives that make a predicate of a decision table.

// decisionLoad is the loading of one table.
type decisionLoad struct {
	factsLoad
	table   tables.Options
	several bool // answers
	partial bool // inputs without a row are meant
}

// decision runs decision(Name/Arity, File) and decision(Name/Arity, File, Options).
func (l *Loader) decision(args []term.Term) {
	d := &decisionLoad{factsLoad: factsLoad{directive: l.position(), module: l.module}}
	name, ok := l.decisionOf(d, args)
	if !ok {
		return
	}
	if l.files() == nil {
		l.decisionError("%s: this program may not read files", name)
		return
	}
	name = l.resolveFile(name)
	d.Loader = l.p.newLoader(name, l.module)
	d.restricted, d.reader = l.Restricted(), plainReader{d.Loader}
	d.lines = &sourceLines{source: Source{Name: name, Open: d.open}}
	d.ReadAt(syntax.Place{Line: 1})
	switch err := d.load(); {
	case errors.Is(err, fs.ErrNotExist):
		l.decisionError("there is no file %s", name)
	case err != nil:
		l.decisionError("%s cannot be read: %s", name, rootCause(err))
	}
	l.p.loaded[name] = l.module
}

// decisionError reports a mistake in a decision directive.
func (l *Loader) decisionError(format string, args ...any) {
	l.report(SeverityError, "decision", format, args...)
}

// decisionOf reads the arguments of the directive. It returns the name of the file.
func (l *Loader) decisionOf(d *decisionLoad, args []term.Term) (name string, ok bool) {
	if !l.predicateOf(&d.factsLoad, args[0], "decision") {
		return "", false
	}
	if name, ok = fileName(args[1]); !ok {
		l.decisionError("%s is no file name", syntax.ShowTerm(args[1]))
		return "", false
	}
	d.table.Hit = "unique"
	if len(args) > 2 {
		options, isList := term.Slice(args[2])
		if !isList {
			l.decisionError("the options must be a list, got %s", syntax.ShowTerm(args[2]))
			return "", false
		}
		for _, o := range options {
			if !l.decisionOption(d, o) {
				return "", false
			}
		}
	}
	if d.options.Format == "" {
		d.options.Format, _ = records.FormatOf(path.Ext(name))
	}
	if d.options.Format != records.CSV && d.options.Format != records.TSV {
		l.decisionError("the extension of the file is not that of a table; say format(csv) or format(tsv)")
		return "", false
	}
	_, d.several, _ = tables.PolicyNamed(string(d.table.Hit))
	return name, true
}

// decisionOptions are the options of a decision directive.
var decisionOptions = []string{"hit", "separator", "format", "complete"}

// decisionOption reads one option.
func (l *Loader) decisionOption(d *decisionLoad, t term.Term) bool {
	name, arity, _ := term.Indicator(t)
	if arity != 1 {
		l.decisionError("%s is not an option", syntax.ShowTerm(t))
		return false
	}
	text, ok := term.Text(t.(*term.Compound).Args[0])
	switch name {
	case "hit":
		if d.table.Hit, _, ok = tables.PolicyNamed(text); !ok {
			l.decisionError("%s is no hit policy; they are %s%s", syntax.ShowTerm(t), strings.Join(policyNames(), ", "),
				spell.Hint(text, policyNames()))
			return false
		}
	case "separator":
		r, size := utf8.DecodeRuneInString(text)
		d.options.Separator, ok = r, ok && size == len(text) && r != '"' && r != '\n' && r != '\r' && r != utf8.RuneError
	case "format":
		d.options.Format = records.Format(text)
		ok = d.options.Format == records.CSV || d.options.Format == records.TSV
	case "complete":
		d.partial, ok = text == "false", text == "true" || text == "false"
	default:
		l.decisionError("unknown option %s%s", syntax.ShowTerm(t), spell.Hint(string(name), decisionOptions))
		return false
	}
	if !ok {
		l.decisionError("bad option %s", syntax.ShowTerm(t))
	}
	return ok
}

// policyNames are the names of the hit policies.
func policyNames() (list []string) {
	for _, p := range tables.Policies {
		list = append(list, string(p.Policy))
	}
	return list
}

// load reads the table and adds the clauses of its predicate.
func (d *decisionLoad) load() error {
	if pred := d.Definition(d.module, d.functor); pred == nil {
		return nil
	}
	d.modes()
	r, err := d.open()
	if err != nil {
		return err
	}
	defer r.Close()
	d.table.Arity, d.table.Ended = d.options.Arity, d.p.ended
	d.table.Next = tables.CSV(r, d.options.Format, d.options.Separator)
	t, found, err := tables.Read(&d.table)
	if err != nil {
		return err
	}
	for _, m := range found {
		d.mistake(SeverityError, m.At, m.Error())
	}
	if len(found) > 0 || len(t.Columns) == 0 {
		return nil
	}
	t.File = d.name
	d.check(t)
	d.add(t)
	return nil
}

// check reports rows that overlap, and inputs that no row is for.
func (d *decisionLoad) check(t *tables.Table) {
	if t.Hit != "unique" && t.Hit != "any" {
		return
	}
	overlaps, gap, _ := t.Check(d.p.ended)
	for _, o := range overlaps {
		what := "hold"
		if t.Hit == "any" {
			what = "hold, with other outputs,"
		}
		first, second := t.Rows[o.Rows[0]].At, t.Rows[o.Rows[1]].At
		d.mistake(SeverityError, second, fmt.Sprintf("the rows %d and %d %s for %s", first.Line, second.Line, what,
			t.WitnessText(&o)))
	}
	if gap != nil && !d.partial && len(t.Rows) > 0 {
		d.mistake(SeverityWarning, t.Columns[0].At, "no row holds for "+t.WitnessText(gap)+
			"; say complete(false) if that is meant")
	}
}

// mistake reports what is odd about a cell.
func (d *decisionLoad) mistake(sev Severity, at tables.Place, message string) {
	d.reportAt(tables.Characters(at, d.line(at.Line)), sev, "decision", "%s", message)
}

// modes takes inputs, outputs and types from the first mode directive of the predicate.
func (d *decisionLoad) modes() {
	d.table.Named = typename.Names{}
	for _, dec := range d.p.declarations {
		if args, ok := term.Is(dec.Term, "type", 2); ok && dec.Module == d.module.Name {
			d.table.Named.Add(args)
		}
		args, ok := term.Is(dec.Term, "mode", 2)
		if !ok || dec.Module != d.module.Name || d.table.Modes != nil {
			continue
		}
		template, ok := args[0].(*term.Compound)
		if ok && code.Functor(string(template.Functor), len(template.Args)) == d.functor {
			d.table.Modes = template.Args
		}
	}
}

// add adds the clauses of a table, and declares its predicate where the program does not.
func (d *decisionLoad) add(t *tables.Table) {
	name := code.AtomText(d.functor.FunctorAtom())
	if len(t.Rows) == 0 {
		d.mistake(SeverityWarning, t.Columns[0].At, "the table has no rows")
		d.begin(d.Definition(d.module, d.functor))
	}
	for _, c := range t.Clauses(name) {
		if d.p.ended() {
			return
		}
		d.unread.Pos.Place = c.At.Place
		d.addTerm(inModule(d.module, c.Term()))
		d.result = result{}
		d.p.yielder.Step()
	}
	if d.table.Modes == nil {
		number := term.Atom("zero_or_one")
		if d.several {
			number = "zero_or_more"
		}
		d.declares("mode", term.New("mode", t.Mode(name), number))
	}
	d.p.tableRows.Store(d.name, t)
}

// declares adds a declaration of the predicate at the directive.
func (d *decisionLoad) declares(name string, t term.Term) {
	d.p.declarations = append(d.p.declarations, Declaration{Position: d.directive, Name: name, Term: t,
		Module: d.module.Name})
}

// SourceAt says what stands in the cells of the row of a decision table that is at a place, or which label the rule
// there has and what its source is, "" for none.
func (p *Program) SourceAt(file string, line int) string {
	if source, ok := p.ruleSources.Load(syntax.At(file, line, 0)); ok {
		return source.(string)
	}
	if t, ok := p.tableRows.Load(file); ok {
		return t.(*tables.Table).CellsAt(line)
	}
	return ""
}
