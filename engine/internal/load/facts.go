package load

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/law"
	"github.com/mcplogic/mcplogic/engine/internal/records"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/typename"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines facts/2 and facts/3: directives that load the rows of a data file as facts.

// DataFile describes the facts of a data file.
type DataFile struct {
	syntax.Position        // of the directive
	Name            string // of the file
	Module          string
	Predicate       string // name/arity
	Rows            int
	Read            int      // the rows that the load had to read
	Types           []string // of the arguments
	Columns         []string // the names of the arguments, nil if they have none
	Guessed         bool     // a type was guessed
	// Missing has for each argument the place of its first null value, with the line 0 if there is none. It is nil if
	// no argument has one.
	Missing []syntax.Place
	// Copy is the table of a database that the facts are copied from, nil for a file.
	Copy *relation.Copy
}

// DataFiles returns the data files that have been loaded, in the order of loading. The caller owns the slice.
func (p *Program) DataFiles() []DataFile { return append([]DataFile(nil), p.dataFiles...) }

// FactsKey names the facts of a data file for an incremental load.
type FactsKey struct {
	File, Module string
	Functor      code.Cell
	Options      string // the options of the directive, types included
}

// Facts are the facts of a data file, as an incremental load keeps them.
type Facts struct {
	Templates *database.FactTemplates
	Warnings  []source.Diagnostic
	File      DataFile
	sum       [sha256.Size]byte // of the content, by SHA-256
	guessed   []records.Type
	pieces    []piece // nil if the file is not read in parts
}

// factsLoad is the loading of one data file.
type factsLoad struct {
	// Loader loads the data file, so that diagnostics have places in it. For a table it is the loader of the directive.
	*Loader
	directive syntax.Position
	module    *database.Module
	functor   code.Cell
	options   records.Options
	given     string // the options as text
	encoding  string // of the file, "" for UTF-8, or the one of its byte order mark
	known     int    // the number of diagnostics before the load
	wrong     int    // rows
	columns   []string
	missing   []syntax.Place
	// whole says for each argument whether the option types gives it a type without missing values.
	whole []bool
	// exact has the types of that option with which explanations show values, nil if there are none.
	exact []term.Term
	// mode is the mode of the predicate. firsts has the first row with each key. firsts is nil unless the load looks
	// for mistakes and mode/2 promises one answer.
	mode   law.Mode
	firsts map[string]keyedRow
	// times says that the last two columns are valid_from and valid_until, which are not arguments.
	times bool
	timed []tables.TimedRow
	// text is the content of the file for an incremental load, nil if the file is not read in parts. pieces are its
	// parts.
	text   []byte
	pieces []piece
	read   int // rows
	// copy says how a table of a database is copied, nil if it is not.
	copy *relation.Copy
}

// facts runs facts(Name/Arity, File) and facts(Name/Arity, File, Options).
func (l *Loader) facts(args []term.Term) {
	if _, isTable := term.Is(args[1], "sql", 3); isTable {
		l.sqlFacts(args)
		return
	}
	f := &factsLoad{directive: l.position(), module: l.module}
	name, ok := l.factsOf(f, args)
	if !ok {
		f.Loader = l
		f.without()
		return
	}
	if l.files() == nil {
		l.factsError("%s: this program may not read files", name)
		return
	}
	name = l.resolveFile(name)
	f.Loader = l.p.newLoader(name, l.module)
	f.restricted = l.Restricted()
	f.lines = &sourceLines{source: source.File{Name: name, Open: f.open}}
	// Mistakes of the file as a whole are reported at its first line.
	f.ReadAt(syntax.Place{Line: 1})
	f.known = len(l.p.diagnostics)
	switch err := f.load(); {
	case errors.Is(err, fs.ErrNotExist):
		l.factsError("there is no file %s", name)
		f.without()
	case err != nil:
		l.factsError("%s cannot be read: %s", name, rootCause(err))
		f.without()
	}
	l.p.loaded[name] = l.module
}

// open opens the text of the data file.
func (f *factsLoad) open() (io.ReadCloser, error) {
	file, err := f.files().OpenRead(f.name)
	if err != nil {
		return nil, err
	}
	return records.FileText(f.name, file, f.encoding)
}

// without defines the predicate of a wrong directive without facts, so that its calls give no further reports.
func (f *factsLoad) without() {
	if f.functor == 0 {
		return
	}
	if pred := f.Definition(f.module, f.functor); pred != nil {
		f.begin(pred)
	}
}

// factsError reports a mistake in a facts directive.
func (l *Loader) factsError(format string, args ...any) {
	l.report(source.SeverityError, "facts", format, args...)
}

// factsOf reads the arguments of a facts directive. It returns the name of the file.
func (l *Loader) factsOf(f *factsLoad, args []term.Term) (name string, ok bool) {
	if !l.predicateOf(f, args[0], "facts") {
		return "", false
	}
	if name, ok = fileName(args[1]); !ok {
		l.factsError("%s is neither a file name nor sql(Database, Table, Columns)", syntax.ShowTerm(args[1]))
		return "", false
	}
	f.options.Format, ok = records.FormatOfFile(name)
	if !l.factsOptions(f, args[2:], ok) {
		return "", false
	}
	l.factsTypes(f)
	return name, true
}

// predicateOf reads the predicate of a directive. Mistakes are reported with the given code.
func (l *Loader) predicateOf(f *factsLoad, indicator term.Term, under string) bool {
	if q, isQualified := term.Is(indicator, ":", 2); isQualified {
		m, isAtom := q[0].(term.Atom)
		if !isAtom {
			l.report(source.SeverityError, under, "%s is not a module", syntax.ShowTerm(q[0]))
			return false
		}
		f.module, indicator = l.p.db.Module(string(m)), q[1]
	}
	pred, arity, ok := Indicator(indicator)
	if !ok || arity == 0 {
		l.report(source.SeverityError, under, "got %s, want the name and the arity of a predicate, such as price/3",
			syntax.ShowTerm(indicator))
		return false
	}
	f.functor, f.options.Arity = code.Functor(pred, arity), arity
	return true
}

// factsOptions reads the options of a facts directive. known says that the extension of the file names a format.
func (l *Loader) factsOptions(f *factsLoad, args []term.Term, known bool) bool {
	if len(args) > 0 {
		f.given = syntax.FormatTerm(args[0])
		options, ok := term.Slice(args[0])
		if !ok {
			l.factsError("the options must be a list, got %s", syntax.ShowTerm(args[0]))
			return false
		}
		for _, o := range options {
			if !l.factsOption(f, o) {
				return false
			}
		}
	}
	known = known || f.options.Format != ""
	if !known {
		l.factsError("the extension of the file is not that of a format; say format(csv), format(json) or format(jsonl)")
	}
	if f.options.Columns != nil && !f.options.Format.IsJSON() && !f.options.Header {
		l.factsError("columns are chosen by their names in the header; say header(true)")
		return false
	}
	return known
}

// factsOptionNames are the options of a facts directive.
var factsOptionNames = []string{"header", "columns", "types", "null", "separator", "decimal", "format", "encoding"}

// factsOption reads one option of a facts directive.
func (l *Loader) factsOption(f *factsLoad, t term.Term) bool {
	name, arity, _ := term.Indicator(t)
	if arity != 1 {
		l.factsError("%s is not an option", syntax.ShowTerm(t))
		return false
	}
	value := t.(*term.Compound).Args[0]
	text, isText := term.Text(value)
	o, ok := &f.options, false
	switch name {
	case "header":
		o.Header, ok = value == term.Term(term.True), text == "true" || text == "false"
	case "columns":
		o.Columns, ok = texts(value)
		ok = ok && len(o.Columns) == o.Arity
	case "types":
		return l.typesOption(f, value)
	case "null":
		if o.Null, ok = texts(value); !ok && isText {
			o.Null, ok = []string{text}, true
		}
	case "separator":
		r, size := utf8.DecodeRuneInString(text)
		o.Separator, ok = r, isText && size == len(text) && r != '"' && r != '\n' && r != '\r' && r != utf8.RuneError
	case "decimal":
		o.DecimalComma, ok = text == ",", text == "," || text == "."
	case "format":
		o.Format = records.Format(text)
		ok = o.Format == records.CSV || o.Format == records.TSV || o.Format.IsJSON()
	case "encoding":
		f.encoding, ok = text, isText && slices.Contains(records.Encodings, text)
	default:
		l.factsError("unknown option %s%s", syntax.ShowTerm(t), spell.Hint(string(name), factsOptionNames))
		return false
	}
	if !ok {
		l.factsError("bad option %s%s", syntax.ShowTerm(t), factsOptionHint(string(name), o.Arity))
	}
	return ok
}

// factsOptionHint describes the values of an option.
func factsOptionHint(name string, arity int) string {
	switch name {
	case "columns":
		return fmt.Sprintf("; want a list of %s", spell.Count(arity, "column"))
	case "header":
		return "; want true or false"
	case "format":
		return "; want csv, tsv, json or jsonl"
	case "separator":
		return "; want one character"
	case "decimal":
		return "; want ',' or '.'"
	case "encoding":
		return "; want utf8, " + stream.Latin1 + ", utf16le or utf16be"
	}
	return "; want a text or a list of texts"
}

// texts returns the items of a list of texts. ok is false for any other term.
func texts(t term.Term) (list []string, ok bool) {
	items, ok := term.Slice(t)
	for _, item := range items {
		text, isText := term.Text(item)
		list, ok = append(list, text), ok && isText
	}
	return list, ok
}

// typesOption reads the option types.
func (l *Loader) typesOption(f *factsLoad, value term.Term) bool {
	types, ok := term.Slice(value)
	if !ok || len(types) != f.options.Arity {
		l.factsError("bad option types(%s); want a list of %s", syntax.ShowTerm(value), spell.Count(f.options.Arity, "type"))
		return false
	}
	named := l.p.namedTypes(f.module.Name)
	for i, given := range types {
		if text, isText := term.Text(given); isText {
			given = term.Atom(text)
			types[i] = given
		}
		column := columnType(given, named)
		var choices []string
		if list, isOneOf := term.Is(column, "oneof", 1); isOneOf {
			if choices, ok = texts(list[0]); ok {
				column = term.Atom("atom")
			}
		}
		t, ok := records.TypeNamed(column)
		if !ok {
			l.factsError("unknown type %s; the types are atom, string, integer, float, number, boolean, any, %s, "+
				"oneof([Text, ...]), and names that :- type(Name, Type) has given them before",
				syntax.ShowTerm(given), strings.Join(values.Names, ", "))
			return false
		}
		f.options.Types, f.options.Choices = append(f.options.Types, t), append(f.options.Choices, choices)
		own, _ := named.Resolve(given)
		_, mayLack := term.Is(own, "maybe", 1)
		f.whole = append(f.whole, !mayLack && t != records.Any)
	}
	f.exact = exactTypes(types, named)
	return true
}

// factsTypes takes the types from a mode directive of the predicate, if the directive does not give them. The first
// mode directive counts. Types that it does not give are guessed.
func (l *Loader) factsTypes(f *factsLoad) {
	if f.options.Types != nil {
		return
	}
	named := l.p.namedTypes(f.module.Name)
	for _, d := range l.p.declarations {
		args, ok := term.Is(d.Term, "mode", 2)
		if !ok || d.Module != f.module.Name {
			continue
		}
		template, ok := args[0].(*term.Compound)
		if !ok || code.Functor(string(template.Functor), len(template.Args)) != f.functor {
			continue
		}
		for _, arg := range template.Args {
			f.options.Types = append(f.options.Types, modeType(arg, named))
		}
		break
	}
}

// namedTypes returns the types that type/2 has named in a module so far.
func (p *Program) namedTypes(module string) typename.Names {
	named := typename.Names{}
	for _, d := range p.declarations {
		if args, ok := term.Is(d.Term, "type", 2); ok && d.Module == module {
			named.Add(args)
		}
	}
	return named
}

// modeType returns the type of an argument of a mode directive, such as +atom. Types that data cannot have are guessed.
func modeType(t term.Term, named typename.Names) records.Type {
	if c, ok := t.(*term.Compound); ok && len(c.Args) == 1 {
		t = c.Args[0]
	}
	t = columnType(t, named)
	for _, arity := range []int{2, 3} {
		if args, ok := term.Is(t, []term.Atom{2: "one_of", 3: "between"}[arity], arity); ok {
			of, _ := named.Resolve(args[0])
			if _, isExact := values.Of(of); isExact {
				t = of
			}
		}
	}
	found, _ := records.TypeNamed(t)
	return found
}

// columnType returns the type that a term stands for, without maybe, as any field may be empty.
func columnType(t term.Term, named typename.Names) term.Term {
	t, _ = named.Resolve(t)
	if args, ok := term.Is(t, "maybe", 1); ok {
		t, _ = named.Resolve(args[0])
	}
	return t
}

// keep gives a predicate the facts kept by an earlier load.
func (f *factsLoad) keep(pred *database.Pred, key FactsKey, known *Facts) {
	f.p.opts.Incremental.KeepFacts(key, known)
	// The warnings of the earlier load are repeated.
	f.p.Diagnose(known.Warnings...)
	file := known.File
	file.Read = 0
	f.dataFile(pred, file)
	f.begin(pred)
	pred.SetFacts(known.Templates)
	f.p.db.AddStaticFacts(pred, known.Templates)
}

// load loads the file, either from the facts kept by an earlier load or row by row.
func (f *factsLoad) load() error {
	pred := f.Definition(f.module, f.functor)
	if pred == nil {
		return nil
	}
	if pred.Has(database.Tabled) {
		f.report(source.SeverityError, "facts", "%s is tabled, so it cannot have facts of a file",
			database.FunctorText(f.functor))
		return nil
	}
	if err := f.findSeparator(); err != nil {
		return err
	}
	if err := f.findTimes(); err != nil {
		return err
	}
	if mode := law.ModeOf(pred, f.p.declarations); f.p.opts.Lint && !mode.Many && len(mode.Outputs)*len(mode.Inputs) > 0 {
		f.mode = mode
	}
	key, sum, err := f.key()
	if err != nil {
		return err
	}
	defer func() { f.text = nil }()
	known := f.cached(key)
	if known != nil && known.sum == sum {
		f.keep(pred, key, known)
		return nil
	}
	file := DataFile{Position: f.directive, Name: f.name, Module: f.module.Name,
		Predicate: database.FunctorText(f.functor)}
	facts, guessed, ok := f.changed(known)
	if !ok {
		if facts, guessed, err = f.rows(); err != nil {
			return err
		}
	}
	file.Rows, file.Read, file.Columns, file.Missing = facts.Len()+len(f.timed), f.read, f.columns, f.missing
	f.reportMissing()
	f.types(&file, guessed)
	f.begin(pred)
	if f.times {
		f.addTimed(pred, &file)
	} else {
		f.p.db.AddStaticFacts(pred, facts)
	}
	f.dataFile(pred, file)
	// A file with wrong rows is not kept, so the next load reports them again.
	if f.wrong == 0 && f.incremental() && !f.times {
		f.p.opts.Incremental.KeepFacts(key, &Facts{Templates: facts, Warnings: f.p.diagnostics[f.known:], File: file,
			sum: sum, guessed: guessed.Types, pieces: f.pieces})
	}
	return nil
}

// findSeparator finds the field separator of CSV if the directive does not give it.
func (f *factsLoad) findSeparator() error {
	if f.options.Separator != 0 || f.options.Format.IsJSON() {
		return nil
	}
	r, err := f.open()
	if err != nil {
		return err
	}
	f.options.Separator = records.FindSeparator(r, &f.options)
	return r.Close()
}

// keyedRow is a row and its outputs.
type keyedRow struct {
	outputs string
	line    int
}

// maxKeyed bounds the rows whose keys are stored.
const maxKeyed = 100_000

// repeats reports a row with the inputs of an earlier row and different outputs.
func (f *factsLoad) repeats(row records.Row) {
	if f.firsts == nil || len(f.firsts) > maxKeyed {
		return
	}
	row.Rows.Seal()
	shown, outputs := make([]string, f.functor.FunctorArity()), ""
	for i, v := range row.Rows.Row(0) {
		if text := syntax.FormatTerm(row.Rows.TermOf(v)); slices.Contains(f.mode.Inputs, i) {
			shown[i] = text
		} else {
			shown[i], outputs = "_", outputs+text+", "
		}
	}
	key := strings.Join(shown, ", ")
	switch first, known := f.firsts[key]; {
	case !known:
		f.firsts[key] = keyedRow{outputs, row.Place.Line}
	case first.outputs != outputs:
		name := syntax.FormatTerm(term.Atom(code.AtomText(f.functor.FunctorAtom())))
		f.reportAt(row.Place, source.SeverityWarning, "overlap",
			"%s(%s) fits this row and the one in line %d, and mode/2 promises "+
				"one answer", name, key, first.line)
		f.firsts = nil
	}
}

// dataFile records the file that the rows of a predicate come from.
func (f *factsLoad) dataFile(pred *database.Pred, file DataFile) {
	f.p.dataFiles = append(f.p.dataFiles, file)
	f.p.columns.Store(pred, columnsOf{names: file.Columns, types: f.exact})
}

// begin prepares a predicate for facts.
func (f *factsLoad) begin(pred *database.Pred) {
	f.p.definer.Set(pred, database.Defined)
	pred.OwnClauses()
	f.p.Relink(pred)
}

// incremental reports whether the load is incremental.
func (f *factsLoad) incremental() bool { return f.p.opts.Incremental != nil && !f.p.sealed }

// cached returns what an earlier load has kept of the file, or nil.
func (f *factsLoad) cached(key FactsKey) *Facts {
	if !f.incremental() {
		return nil
	}
	return f.p.opts.Incremental.Facts(key)
}

// key returns the key of the file, and the hash of its content. Only an incremental load reads the file for it.
func (f *factsLoad) key() (key FactsKey, sum [sha256.Size]byte, err error) {
	if !f.incremental() {
		return key, sum, nil
	}
	r, err := f.open()
	if err != nil {
		return key, sum, err
	}
	defer r.Close()
	all, most := sha256.New(), int64(maxPieces)
	if f.options.Format.IsJSON() {
		most = 0 // the file is not read in parts
	}
	text, err := io.ReadAll(io.TeeReader(io.LimitReader(r, most+1), all))
	if err == nil && int64(len(text)) <= most {
		f.text = text
	} else if err == nil {
		_, err = io.Copy(all, r)
	}
	key = FactsKey{File: f.name, Module: f.module.Name, Functor: f.functor,
		Options: fmt.Sprint(f.directive.Line, f.given, f.options.Types, f.options.Choices, f.mode)}
	all.Sum(sum[:0])
	return key, sum, err
}

// types stores the types of the arguments and reports suspicious guesses. Values of JSON have their own types.
func (f *factsLoad) types(file *DataFile, guessed records.Guessed) {
	for i := range f.options.Arity {
		t := f.options.TypeOf(i)
		switch {
		case t != records.Guess:
		case f.options.Format.IsJSON():
			t = records.Any
		default:
			file.Guessed = true
			if t = guessed.Types[i]; t == records.Guess {
				t = records.Atom
			}
		}
		file.Types = append(file.Types, t.String())
	}
	if guessed.Header > 0 {
		f.reportAt(syntax.Place{Line: 1, Column: 1}, source.SeverityWarning, "facts",
			"column %d has numbers in all rows but the first; if that names the columns, say header(true)", guessed.Header)
	}
	for _, m := range guessed.Noted {
		f.reportAt(m.Place, source.SeverityWarning, "facts", "%s", m.Message)
	}
	for _, odd := range guessed.Odd {
		others := spell.Count(odd.Others, "other value")
		if odd.AlmostNumbers {
			others = spell.Count(odd.Others, "number") + " with blanks or separators"
		}
		if odd.Numbers > 0 {
			others = spell.Count(odd.Numbers, "number") + " and " + others
		}
		f.reportAt(odd.Place, source.SeverityWarning, "facts",
			"column %d has %s, such as %q, so that all of them are atoms; "+
				"say by types([...]) what is meant", odd.Column, others, odd.Text)
	}
}

// maxWrongRows is the number of wrong rows after which the rest of a file is not read.
const maxWrongRows = 20

// rows reads the rows as facts. If a guessed type does not fit, all rows are read again.
func (f *factsLoad) rows() (*database.FactTemplates, records.Guessed, error) {
	for {
		facts, guessed, err := f.rowsOnce()
		if !errors.Is(err, records.ErrGuess) {
			return facts, guessed, err
		}
		// The next attempt repeats the reports of this one.
		f.options.Known, f.wrong = guessed.Types, 0
		f.p.diagnostics = f.p.diagnostics[:f.known]
	}
}

// rowsOnce reads the rows. The error is ErrGuess or an error of the file. Wrong rows are reported and left out.
func (f *factsLoad) rowsOnce() (*database.FactTemplates, records.Guessed, error) {
	var r io.Reader = bytes.NewReader(f.text)
	if f.text == nil {
		file, err := f.open()
		if err != nil {
			return nil, records.Guessed{}, err
		}
		defer file.Close()
		r = file
	}
	facts := database.NewFactTemplates(f.name)
	reader := records.NewReader(r, &f.options)
	f.missing, f.timed, f.firsts, f.pieces, f.read = nil, nil, nil, nil, 0
	if f.mode.Outputs != nil && !f.times {
		f.firsts = map[string]keyedRow{}
	}
	cut := &cutter{factsLoad: f, reader: reader, facts: facts}
	if err := f.add(facts, reader, 0, cut.row); err != nil {
		return nil, reader.Guessed(), err
	}
	cut.end()
	f.cutIfCancelled()
	return facts, reader.Guessed(), nil
}

// add adds the rows of a reader to facts. down is added to their line numbers. The error is ErrGuess. Wrong rows are
// reported and left out. added is called after each fact.
func (f *factsLoad) add(facts *database.FactTemplates, reader records.Reader, down int, added func()) error {
	defer func() { f.columns = reader.Columns() }()
	w := rowWriter{atoms: map[string]code.Cell{}}
	for !f.p.ended() {
		row, err := reader.Next()
		row.Place.Line += down
		switch {
		case err == nil:
			f.read++
			f.unread.Pos.Place = row.Place
			f.noteMissing(reader, row, down)
			if f.times {
				if wrong := f.timedRow(reader, row); wrong != nil && f.rowError(wrong) {
					return nil
				}
			} else {
				facts.AddCells(w.row(row.Rows, 0), row.Place.Line)
				f.repeats(row)
				added()
			}
			f.p.yielder.Step()
		case errors.Is(err, records.ErrGuess):
			return err
		case f.rowError(err):
			return nil
		}
	}
	return nil
}

// noteMissing records where values are missing. down is added to the line numbers.
func (f *factsLoad) noteMissing(reader records.Reader, row records.Row, down int) {
	for i, v := range row.Rows.Row(0) {
		if v.Kind != relation.Atom || (f.missing != nil && f.missing[i].Line != 0) || string(row.Rows.Unsealed(v)) != "null" {
			continue
		}
		if f.missing == nil {
			f.missing = make([]syntax.Place, f.options.Arity)
		}
		f.missing[i] = reader.Place(i)
		f.missing[i].Line += down
	}
}

// reportMissing warns of columns with a missing value whose type in the option types does not allow it.
func (f *factsLoad) reportMissing() {
	for i, at := range f.missing {
		if f.p.opts.Lint && at.Line > 0 && i < len(f.whole) && f.whole[i] {
			name := fmt.Sprintf("argument %d of %s", i+1, database.FunctorText(f.functor))
			if i < len(f.columns) {
				name = f.columns[i]
			}
			f.reportAt(at, source.SeverityWarning, "facts", "%s is missing here; say maybe(%s) in types", name,
				f.options.TypeOf(i))
		}
	}
}

// rowWriter lays out rows as the arguments of facts.
type rowWriter struct {
	cellWriter
	atoms map[string]code.Cell // a cache of atoms, which saves lookups in the global table
}

// row lays out row i. The next row overwrites it.
func (w *rowWriter) row(rows *relation.Rows, i int) []code.Cell {
	values := rows.Row(i)
	w.cells, w.todo = w.cells[:0], w.todo[:0]
	for range values {
		w.cells = append(w.cells, 0)
	}
	for i, v := range values {
		c := w.value(rows, v)
		w.cells[i] = c
	}
	w.rest()
	return w.cells
}

// value lays out a value.
func (w *rowWriter) value(rows *relation.Rows, v relation.Value) code.Cell {
	switch v.Kind {
	case relation.Int:
		if code.FitsInt(v.Int()) {
			return code.MakeInt(v.Int())
		}
		return w.one(term.Int(v.Int()))
	case relation.Float:
		return w.float(v.Float())
	case relation.Atom:
		return w.atom(rows.Unsealed(v))
	case relation.String:
		return w.blob(code.StringBlobOf(string(rows.Unsealed(v))))
	}
	return w.one(rows.Term(v))
}

// atom returns the cell of an atom.
func (w *rowWriter) atom(text []byte) code.Cell {
	if c, ok := w.atoms[string(text)]; ok {
		return c
	}
	// The map is bounded, because a text column may have a different value in each row.
	const most = 1 << 14
	c := code.AtomCell(string(text))
	if len(w.atoms) < most {
		w.atoms[string(text)] = c
	}
	return c
}

// rowError reports the error of a row. It reports whether reading ends.
func (f *factsLoad) rowError(err error) (ends bool) {
	var wrong *records.Mistake
	var end *records.End
	switch {
	case errors.Is(err, io.EOF):
		return true
	case errors.As(err, &end):
		f.rowMistake(&end.Mistake)
	case errors.As(err, &wrong):
		f.rowMistake(wrong)
		if f.wrong++; f.wrong < maxWrongRows {
			return false
		}
		f.rowMistake(&records.Mistake{Place: syntax.Place{Line: wrong.Place.Line}, Message: fmt.Sprintf(
			"this is the %dth row that is wrong; the rest of the file is not read", f.wrong)})
	default:
		f.report(source.SeverityError, "facts", "%s", err)
	}
	f.wrong++
	return true
}

// rowMistake reports a mistake in a row. The reader counts columns in bytes.
func (f *factsLoad) rowMistake(m *records.Mistake) {
	at, line := m.Place, f.line(m.Place.Line)
	if n := at.Column - 1; n > 0 && n <= len(line) {
		at.Column = utf8.RuneCountInString(strings.ToValidUTF8(line[:n], "?")) + 1
	}
	f.reportAt(at, source.SeverityError, "facts", "%s", m.Message)
}
