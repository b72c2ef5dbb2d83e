package load

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/records"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// This file defines decision/2 and decision/3: directives that define a predicate by a decision table.

// decisionLoad is the loading of one table.
type decisionLoad struct {
	factsLoad
	table   tables.Options
	several bool    // answers
	by      *Loader // of the directive
	wanted  string  // the decision of a model that the directive names
	sheet   string
	partial bool // inputs without a row are intended
}

// decision runs decision(Name/Arity, File) and decision(Name/Arity, File, Options).
func (l *Loader) decision(args []term.Term) {
	d := &decisionLoad{factsLoad: factsLoad{Loader: l, directive: l.position(), module: l.module}}
	known := len(l.p.diagnostics)
	defer func() {
		if slices.ContainsFunc(l.p.diagnostics[known:], func(one source.Diagnostic) bool {
			return one.Severity == source.SeverityError
		}) {
			d.without()
		}
	}()
	name, ok := l.decisionOf(d, args)
	if !ok {
		return
	}
	load := d.load
	if path.Ext(name) == modelExtension {
		d.wanted, load = database.FunctorText(d.functor), d.model
	}
	l.tableFile(d, name, load)
}

// tableFile loads a file for a directive.
func (l *Loader) tableFile(d *decisionLoad, name string, load func() error) {
	if l.files() == nil {
		l.decisionError("%s: this program may not read files", name)
		return
	}
	name = l.resolveFile(name)
	d.by, d.Loader = l, l.p.newLoader(name, l.module)
	d.restricted, d.reader, d.ofTable = l.Restricted(), plainReader{d.Loader}, true
	d.lines = &sourceLines{source: source.File{Name: name, Open: d.open}}
	d.ReadAt(syntax.Place{Line: 1})
	switch err := load(); {
	case errors.Is(err, fs.ErrNotExist):
		l.decisionError("there is no file %s", name)
	case err != nil:
		l.decisionError("%s cannot be read: %s", name, rootCause(err))
	}
	l.p.loaded[name] = l.module
}

// decisionError reports a mistake in a decision directive.
func (l *Loader) decisionError(format string, args ...any) {
	l.report(source.SeverityError, "decision", format, args...)
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
	if path.Ext(name) == modelExtension {
		return name, true
	}
	if d.options.Format == "" && path.Ext(name) == ".xlsx" {
		d.options.Format = workbook
	}
	if !tableFormats[d.options.Format] {
		l.decisionError("the extension of the file is not that of a table; say format(csv), format(tsv) or format(xlsx)")
		return "", false
	}
	_, d.several, _ = tables.PolicyNamed(string(d.table.Hit))
	return name, true
}

// workbook is the format of XLSX files. tableFormats lists all formats of tables.
const workbook records.Format = "xlsx"

var tableFormats = map[records.Format]bool{records.CSV: true, records.TSV: true, workbook: true}

// decisionOptions are the options of a decision directive.
var decisionOptions = []string{"hit", "separator", "format", "complete", "sheet"}

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
		ok = tableFormats[d.options.Format]
	case "sheet":
		d.sheet = text
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
	if d.options.Format == workbook {
		var wrong *tables.Mistake
		var noted *tables.Mistake
		d.table.Next, d.sheet, noted, err = tables.XLSX(r, d.sheet)
		d.lines = nil // the file is no text
		if noted != nil {
			d.mistake(source.SeverityNote, noted.At, d.inSheet()+noted.Error())
		}
		if errors.As(err, &wrong) {
			d.mistake(source.SeverityError, wrong.At, d.inSheet()+wrong.Error())
			return nil
		} else if err != nil {
			return err
		}
	} else {
		d.table.Next = tables.CSV(r, d.options.Format, d.options.Separator)
	}
	t, found, err := tables.Read(&d.table)
	if err != nil {
		return err
	}
	for _, m := range found {
		d.mistake(source.SeverityError, m.At, d.inSheet()+m.Error())
	}
	if len(found) > 0 || len(t.Columns) == 0 {
		return nil
	}
	t.File, t.Single = d.name, d.p.opts.Cover != nil
	d.check(t)
	d.add(t)
	return nil
}

// check reports rows that overlap, and inputs without a row. Overlaps in a model are only warnings, as the result is
// then null.
func (d *decisionLoad) check(t *tables.Table) {
	if t.Searched != nil {
		t = t.Searched
	}
	severity, outcome := source.SeverityError, ""
	if path.Ext(d.name) == modelExtension {
		severity, outcome = source.SeverityWarning, ", so that the result is null"
	}
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
		d.mistake(severity, second, fmt.Sprintf("the rows %d and %d %s for %s%s", first.Line, second.Line, what,
			t.WitnessText(&o), outcome))
	}
	if gap != nil && !d.partial && !t.Partial && len(t.Rows) > 0 {
		d.mistake(source.SeverityWarning, t.Columns[0].At, "no row holds for "+t.WitnessText(gap)+outcome+
			"; say complete(false) if that is meant")
	}
}

// inSheet names the sheet of a workbook, for messages.
func (d *decisionLoad) inSheet() string {
	if d.sheet == "" {
		return ""
	}
	return "sheet " + d.sheet + ", "
}

// mistake reports a mistake in a cell.
func (d *decisionLoad) mistake(sev source.Severity, at tables.Place, message string) {
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
		d.mistake(source.SeverityWarning, t.Columns[0].At, "the table has no rows")
		d.begin(d.Definition(d.module, d.functor))
	}
	if len(t.Times) > 0 {
		d.loadLaw()
	}
	t.Name, t.Module = database.FunctorText(d.functor), d.module.Name
	for _, c := range t.Clauses(name) {
		if d.p.ended() {
			return
		}
		d.ofTable = c.At.Line > t.Columns[0].At.Line // only rows are counted by coverage
		d.clause(c)
	}
	if d.table.Modes == nil {
		number := term.Atom("zero_or_one")
		if d.several {
			number = "zero_or_more"
		}
		d.declares("mode", term.New("mode", t.Mode(name), number))
	}
	alone, heads := t.Hit == "unique" || t.Hit == "any", t.Heads()
	for _, rows := range []string{name, name + tables.RowsSuffix, name + tables.RowsSuffix + tables.RowsSuffix} {
		for part, of := range [][]string{heads, append([]string{""}, heads...)} { // the number of a part
			if pred := d.module.Find(code.Functor(rows, len(of))); pred != nil && (part == 0 || rows != name) {
				d.p.columns.Store(pred, columnsOf{heads: of, alone: alone})
			}
		}
	}
	d.keep(t)
	if d.p.decided == nil {
		d.p.decided = map[string]*tables.Table{}
	}
	d.p.decided[database.FunctorText(d.functor)] = t
}

// Table returns a writer of the table of a predicate in a format, and the directive that reads the written table.
func (p *Program) Table(predicate, format string) (write func(io.Writer) error, directive string, err error) {
	t := p.decided[predicate]
	if t == nil {
		names, tables := slices.Sorted(maps.Keys(p.decided)), "the program has none"
		if len(names) > 0 {
			tables = "the tables are " + strings.Join(names, ", ")
		}
		return nil, "", fmt.Errorf("there is no decision table %s%s; %s", predicate, spell.Hint(predicate, names), tables)
	}
	if !tables.IsFormat(format) {
		return nil, "", fmt.Errorf("%s is no format of tables; they are csv, tsv, xlsx and dmn", format)
	}
	name, _, _ := strings.Cut(predicate, "/")
	directive = ":- decision(" + predicate + ", '%s')."
	if t.Hit != "unique" {
		directive = ":- decision(" + predicate + ", '%s', [hit(" + string(t.Hit) + ")])."
	}
	if format == "dmn" {
		directive = ":- decision('%s')."
	}
	return func(w io.Writer) error { return t.Write(w, format, name) }, directive, nil
}

// Tables returns the decision tables of the program, each with at most some of its rows.
func (p *Program) Tables(most int) (list []tables.Description) {
	p.tableRows.Range(func(_, known any) bool {
		for _, t := range known.([]*tables.Table) {
			list = append(list, t.Describe(most))
		}
		return true
	})
	slices.SortFunc(list, func(a, b tables.Description) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Predicate, b.Predicate))
	})
	return list
}

// keep makes the tables of the file available to proofs.
func (d *decisionLoad) keep(list ...*tables.Table) {
	known, _ := d.p.tableRows.Load(d.name)
	before, _ := known.([]*tables.Table)
	d.p.tableRows.Store(d.name, append(slices.Clip(before), list...))
}

// decisions runs decision(File): all decisions of a model.
func (l *Loader) decisions(args []term.Term) {
	d := &decisionLoad{factsLoad: factsLoad{directive: l.position(), module: l.module}}
	name, ok := fileName(args[0])
	if !ok || path.Ext(name) != modelExtension {
		l.decisionError("%s is no file with the extension %s; a table is decision(Name/Arity, File)",
			syntax.ShowTerm(args[0]), modelExtension)
		return
	}
	l.tableFile(d, name, d.model)
}

// modelExtension is the file extension of DMN models.
const modelExtension = ".dmn"

// model reads a model and adds the clauses of its decisions. If the directive names a decision, its absence is an
// error.
func (d *decisionLoad) model() error {
	r, err := d.open()
	if err != nil {
		return err
	}
	defer r.Close()
	list, read, err := tables.ReadDMN(r)
	var wrong *tables.Mistake
	if errors.As(err, &wrong) {
		d.mistake(source.SeverityError, wrong.At, wrong.Error())
		return nil
	} else if err != nil {
		return err
	}
	d.keep(read...)
	for _, t := range read {
		t.File = d.name
		d.check(t)
	}
	var names []string
	for _, p := range list {
		if p.Refused != nil {
			d.mistake(source.SeverityWarning, p.Refused.At, fmt.Sprintf("%s is refused, and a call of %s throws an error: %s",
				p.Title, database.FunctorText(code.Functor(p.Name, len(p.Arguments)+1)), p.Refused.Error()))
		}
		for _, c := range p.Clauses {
			if d.p.ended() {
				return nil
			}
			d.clause(c)
		}
		if p.Inner {
			continue
		}
		functor := code.Functor(p.Name, len(p.Arguments)+1)
		names = append(names, database.FunctorText(functor))
		for _, t := range read {
			if t.Name == p.Name {
				t.Name = database.FunctorText(functor)
			}
		}
		d.functor = functor
		d.table.Modes = nil
		if d.modes(); p.Decision && d.table.Modes == nil {
			d.declares("mode", term.New("mode", p.Mode(), term.Atom("one")))
		}
		d.describe(p)
	}
	if d.wanted != "" && !slices.Contains(names, d.wanted) {
		d.by.decisionError("the model has %s, and no %s%s", strings.Join(names, ", "), d.wanted,
			spell.Hint(d.wanted, names))
	}
	return nil
}

// describe declares the model's description of a decision, unless the program declares one.
func (d *decisionLoad) describe(p *tables.Predicate) {
	indicator := term.New("/", term.Atom(p.Name), term.Int(len(p.Arguments)+1))
	for _, dec := range d.p.declarations {
		if args, ok := term.Is(dec.Term, "info", 2); ok && dec.Module == d.module.Name && term.Equal(args[0], indicator) {
			return
		}
	}
	names := []term.Term{}
	for _, name := range tables.PlainNames(append(slices.Clip(p.Arguments), p.Title), map[string]bool{}) {
		names = append(names, term.Atom(name))
	}
	about := []term.Term{term.New("is", term.Atom("title"), term.Atom(p.Title)),
		term.New("is", term.Atom("argnames"), term.List(names...))}
	if p.Comment != "" {
		about = append(about, term.New("is", term.Atom("comment"), term.Atom(p.Comment)))
	}
	d.declares("info", term.New("info", indicator, term.List(about...)))
}

// clause adds a clause of a table.
func (d *decisionLoad) clause(c tables.Clause) {
	d.unread.Pos.Place = c.At.Place
	d.addTerm(inModule(d.module, c.Term()))
	d.result = result{}
	d.p.yielder.Step()
}

// declares adds a declaration of the predicate at the directive.
func (d *decisionLoad) declares(name string, t term.Term) {
	d.p.declarations = append(d.p.declarations, source.Declaration{Position: d.directive, Name: name, Term: t,
		Module: d.module.Name})
}

// lateMode warns of a directive mode/2 after the table of its predicate, if the table has declared other modes.
func (l *Loader) lateMode(module string, template term.Term) {
	name, arity, _ := term.Indicator(template)
	for _, d := range l.p.declarations {
		args, ok := term.Is(d.Term, "mode", 2)
		if !ok || d.Layout != nil || d.Module != module {
			continue
		}
		if known, n, _ := term.Indicator(args[0]); known == name && n == arity && !term.Equal(args[0], template) {
			l.report(source.SeverityWarning, "decision", "the table of %s/%d in line %d is read without this mode/2; put it "+
				"before the table", name, arity, d.Position.Line)
		}
	}
}

// UnboundInput returns the input of the decision table at a place for which the head of a row has no value, "" for
// none.
func (p *Program) UnboundInput(file string, line int, head term.Term) string {
	known, _ := p.tableRows.Load(file)
	list, _ := known.([]*tables.Table)
	c, _ := head.(*term.Compound)
	for _, t := range list {
		if c == nil || len(t.Columns) > len(c.Args) || t.CellsAt(line) == "" {
			continue
		}
		for i, arg := range c.Args[len(c.Args)-len(t.Columns):] { // after the part number of a large table
			if _, unbound := arg.(*term.Var); unbound && !t.Columns[i].Output {
				return fmt.Sprintf("the input %s of %s has no value", t.Columns[i].Name, t.Name)
			}
		}
	}
	return ""
}

// TableRow returns the clause that explanations show for the clause of a row, see clausetext.Files.
func (p *Program) TableRow(file string, line int, head term.Term) *syntax.Read {
	c, _ := head.(*term.Compound)
	known, _ := p.tableRows.Load(file)
	list, _ := known.([]*tables.Table)
	for _, t := range list {
		if read := t.RowClause(line, c); read != nil {
			return read
		}
	}
	return nil
}

// SourceAt describes the source at a place: the cells of a row of a decision table, or the label of a rule and its
// source. It returns "" for any other place.
func (p *Program) SourceAt(file string, line int) string {
	if rule := p.laws.Source(syntax.At(file, line, 0)); rule != "" {
		return rule
	}
	known, _ := p.tableRows.Load(file)
	list, _ := known.([]*tables.Table)
	for _, t := range list {
		if cells := t.CellsAt(line); cells != "" {
			return cells
		}
	}
	return ""
}
