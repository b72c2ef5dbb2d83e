package tables

import (
	"errors"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// This file makes a table from a grid.

// GridRow is a row of a grid: the texts of its cells and their places.
type GridRow struct {
	Texts  []string
	Places []Place
}

// isEmpty reports whether a row has no text.
func (g *GridRow) isEmpty() bool {
	return !slices.ContainsFunc(g.Texts, func(s string) bool { return strings.TrimSpace(s) != "" })
}

// Options says how a grid is read.
type Options struct {
	Arity int
	Hit   Policy
	// Modes holds the arguments of mode/2, such as +integer. nil: the header says which columns are inputs.
	Modes []term.Term
	Named typename.Names
	// Next returns the next row. The error is io.EOF at the end, or a *Mistake after which the next can be read.
	Next func() (GridRow, error)
	// Ended reports that the caller does not need the rest.
	Ended func() bool
}

// maxMistakes is the number of mistakes after which the rest of a grid is not read.
const maxMistakes = 20

// Read reads a table. found holds the mistakes. The table has the rows without a mistake.
func Read(o *Options) (t *Table, found []*Mistake, err error) {
	t = &Table{Hit: o.Hit}
	var notes int
	var rows []GridRow
	note := -1
	header := true
	for !o.Ended() && len(found) < maxMistakes {
		row, err := o.Next()
		var wrong *Mistake
		switch {
		case errors.As(err, &wrong):
			found = append(found, wrong)
			continue
		case err != nil && errors.Is(err, errEnd):
			return t, append(found, t.fill(rows, note, o)...), nil
		case err != nil:
			return nil, found, err
		case row.isEmpty():
			continue
		case header:
			header = false
			if note, notes, wrong = t.header(row, o); wrong != nil {
				return t, append(found, wrong), nil
			}
		case len(row.Texts) > len(t.Columns)+notes && strings.Join(row.Texts[len(t.Columns)+notes:], "") != "":
			at := row.Places[len(t.Columns)+notes]
			found = append(found, mistake(at, "the row has a cell behind the last column of the header"))
		default:
			rows = append(rows, row)
		}
	}
	return t, found, nil
}

// headerForm matches the head of a column: in:, out: or note:, the name, and the type.
var headerForm = lazyregexp.New(`^(?:(in|out|note):\s*)?([^()]*?)\s*(?:\((.*)\))?$`)

// header reads the heads of the columns. note is the number of the column with notes, -1 for none.
func (t *Table) header(row GridRow, o *Options) (note, notes int, wrong *Mistake) {
	note = -1
	said := false
	for i, text := range row.Texts {
		at := row.Places[i]
		parts := headerForm().FindStringSubmatch(strings.TrimSpace(text))
		if parts == nil || parts[2] == "" {
			return note, notes, mistake(at, "%q is no head of a column; want a name, such as age, out: rate or "+
				"rate (decimal)", text)
		}
		if parts[1] == "note" {
			note, notes = i, notes+1
			continue
		}
		if parts[1] == "" && slices.Contains(ValidColumns, parts[2]) {
			if wrong = t.timeColumn(parts[2], parts[3], at, i); wrong != nil {
				return note, notes, wrong
			}
			notes++
			continue
		}
		c := Column{Name: parts[2], Output: parts[1] == "out", At: at, index: i, v: term.NewVar(parts[2])}
		said = said || c.Output
		if slices.ContainsFunc(t.Columns, func(d Column) bool { return d.Name == c.Name }) {
			return note, notes, mistake(at, "several columns are called %s", c.Name)
		}
		if parts[3] != "" {
			typ, err := columnType(parts[3])
			if err != nil {
				return note, notes, mistake(at, "%s is no type: %s", parts[3], err)
			}
			c.setType(o.resolve(typ))
		}
		t.Columns = append(t.Columns, c)
	}
	if len(t.Columns) != o.Arity {
		besides := ""
		if len(t.Times) > 0 {
			besides = " besides " + strings.Join(ValidColumns, " and ") + ", which are no arguments"
		}
		return note, notes, mistake(row.Places[0], "the predicate has %s and the table has %s%s", spell.Count(o.Arity,
			"argument"), spell.Count(len(t.Columns), "column"), besides)
	}
	t.modes(o.Modes, o, said)
	if !slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Output }) {
		return note, notes, mistake(row.Places[0], "no column is an output")
	}
	return note, notes, nil
}

// modes takes outputs and types from a mode directive. Without one, and without an output in the header, the last
// column is the output.
func (t *Table) modes(modes []term.Term, o *Options, said bool) {
	if modes == nil && !said {
		t.Columns[len(t.Columns)-1].Output = true
	}
	for i, mode := range modes {
		c := &t.Columns[i]
		name, _, _ := term.Indicator(mode)
		if !said {
			c.Output = strings.HasPrefix(string(name), "-")
		}
		if of, ok := mode.(*term.Compound); ok && len(of.Args) == 1 && strings.ContainsAny(string(name[:1]), "+-?@") {
			c.setType(o.resolve(of.Args[0]))
		}
	}
}

// resolve returns the type behind the name of a type that the program defines.
func (o *Options) resolve(t term.Term) term.Term {
	plain, err := o.Named.Resolve(t)
	if err != nil {
		return t
	}
	return plain
}

// columnType reads a type in the form of mode/2, or a list of texts between bars.
func columnType(text string) (term.Term, error) {
	if strings.Contains(text, "|") {
		var list []term.Term
		for _, one := range strings.Split(text, "|") {
			list = append(list, term.Atom(strings.TrimSpace(one)))
		}
		return term.New("oneof", term.List(list...)), nil
	}
	read, err := syntax.ParseTerm(text, nil, nil)
	if err != nil {
		return nil, err
	}
	return read.Term, nil
}

// fill reads the cells of the rows.
func (t *Table) fill(rows []GridRow, note int, o *Options) (found []*Mistake) {
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Type == nil {
			c.guess(rows)
		}
	}
	scope := t.scope()
	for _, row := range rows {
		if len(found) >= maxMistakes || o.Ended() {
			return found
		}
		r := Row{At: row.Places[0]}
		r.At.Column = 1
		before := len(found)
		for i := range t.Columns {
			c := &t.Columns[i]
			cell := Cell{At: row.Places[0]}
			if c.index < len(row.Texts) {
				cell.Text, cell.At = row.Texts[c.index], row.Places[c.index]
			}
			if err := t.read(&cell, c, scope); err != nil {
				found = append(found, mistake(cell.At, "%s", err))
			}
			r.Cells = append(r.Cells, cell)
		}
		if note >= 0 && note < len(row.Texts) {
			r.Note = row.Texts[note]
		}
		if wrong := t.readTimes(row, &r); wrong != nil {
			found = append(found, wrong)
		}
		if len(found) == before {
			t.Rows = append(t.Rows, r)
		}
	}
	t.Searched = t.dated()
	return found
}

// scope returns the names that expressions in cells may use: the inputs.
func (t *Table) scope() *feel.Scope {
	s := &feel.Scope{Names: map[string]term.Term{}, Plain: true, Texts: func(text string) term.Term {
		return term.Atom(text)
	}}
	for _, c := range t.Columns {
		if !c.Output {
			s.Names[c.Name] = c.v
		}
	}
	return s
}

// read reads the text of a cell.
func (t *Table) read(cell *Cell, c *Column, scope *feel.Scope) (err error) {
	text := strings.TrimSpace(cell.Text)
	own := *scope
	own.Texts = c.text
	if c.Kind != Anyhow {
		own.Wanted = string(c.Kind)
	}
	switch {
	case !c.Output && c.Kind == Text:
		cell.Tests, err = c.textTests(text, own)
	case !c.Output:
		cell.Tests, err = feel.UnaryTests(text, &own, c.v)
	case text == "":
		return errors.New("the output is empty; write null where there is no value")
	case c.Kind == Text && text[0] != '"':
		cell.Value = c.text(text)
		if text == "null" {
			cell.Value = term.Atom(text)
		}
	default:
		cell.Value, err = feel.Expression(text, &own)
	}
	if err != nil {
		return err
	}
	return t.mistyped(cell, c)
}

// constants lists the values of tests, and the ends of ranges.
func constants(items []term.Term) (list []term.Term) {
	for _, item := range items {
		ends, isRange := term.Is(item, "range", 4)
		if !isRange {
			list = append(list, item)
			continue
		}
		for _, end := range []term.Term{ends[0], ends[2]} {
			if end != term.Term(term.Atom("inf")) {
				list = append(list, end)
			}
		}
	}
	return list
}

// textTests reads the cell of an input with texts: - for any text, texts between commas with or without quotes, and
// not(...).
func (c *Column) textTests(text string, scope feel.Scope) (tests feel.Tests, err error) {
	if text == "-" || text == "" {
		return feel.Tests{Any: true}, nil
	}
	if inner, ok := strings.CutPrefix(text, "not("); ok && strings.HasSuffix(inner, ")") {
		tests.Not, text = true, inner[:len(inner)-1]
	}
	for rest := text; ; {
		var item string
		rest = strings.TrimSpace(rest)
		if strings.HasPrefix(rest, `"`) {
			end := closing(rest)
			if end < 0 {
				return tests, errors.New("the text has no closing quote")
			}
			value, err := feel.Expression(rest[:end], &feel.Scope{})
			if err != nil {
				return tests, err
			}
			item, _ = term.Text(value)
			rest = strings.TrimSpace(rest[end:])
			if rest != "" && rest[0] != ',' {
				return tests, errors.New("want a comma behind a text in quotes")
			}
		} else {
			end := strings.IndexByte(rest, ',')
			if end < 0 {
				end = len(rest)
			}
			item, rest = strings.TrimSpace(rest[:end]), rest[end:]
			if item == "" {
				return tests, errors.New(`a text is missing; "" is the empty one`)
			}
			if err := c.textError(item, scope); err != nil {
				return tests, err
			}
		}
		value := c.text(item)
		if !slices.ContainsFunc(tests.Items, func(t term.Term) bool { return t == value }) {
			tests.Items = append(tests.Items, value)
		}
		if rest == "" {
			return tests, nil
		}
		rest = rest[1:]
	}
}

// closing returns the index of the closing quote of a text, -1 if there is none.
func closing(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// guess finds the type of a column: the common type of its constants.
func (c *Column) guess(rows []GridRow) {
	found, before := term.Term(nil), ""
	for _, row := range rows {
		if c.index >= len(row.Texts) {
			continue
		}
		text := strings.TrimSpace(row.Texts[c.index])
		for _, t := range c.typesIn(text) {
			switch {
			case t == noDate:
			case found == nil || found == term.Term(term.Atom("integer")) && t == term.Term(term.Atom("decimal")):
				found, before = t, text
			case t != found && !(found == term.Term(term.Atom("decimal")) && t == term.Term(term.Atom("integer"))):
				c.setType(term.Atom("atom"))
				if c.texted = text; t != term.Term(term.Atom("atom")) {
					c.texted = before
				}
				return
			}
		}
	}
	switch {
	case found == nil:
		found = term.Atom("atom")
	case found == term.Term(term.Atom("atom")):
		c.texted = before
	case !c.Output && found == term.Term(term.Atom("integer")):
		found = term.Atom("decimal")
	}
	c.setType(found)
}

// codeForm matches a number that is rather a code, because it begins with a zero.
var codeForm = lazyregexp.New(`^[+-]?0\d`)

// noDate is the type of a text that looks like a date and is none. In a column of dates it is a mistake, and in
// others a text.
var noDate = term.Term(term.Atom("no date"))

// typesIn lists the types of the constants of a cell.
func (c *Column) typesIn(text string) (list []term.Term) {
	if text == "" || text == "-" || text == "null" {
		return nil
	}
	items, scope := []term.Term{nil}, &feel.Scope{Plain: true}
	var err error
	if c.Output {
		items[0], err = feel.Expression(text, scope)
	} else {
		var tests feel.Tests
		tests, err = feel.UnaryTests(text, scope, c.v)
		items = tests.Items
	}
	var wrong *feel.Error
	switch isCode := codeForm().MatchString(text); {
	case !isCode && errors.As(err, &wrong) && strings.HasSuffix(wrong.Message, feel.NoTemporal):
		return []term.Term{noDate}
	case err != nil || isCode:
		return []term.Term{term.Atom("atom")}
	}
	for _, value := range constants(items) {
		name, _, _ := term.Indicator(value)
		switch value.(type) {
		case term.Int, *term.Big:
			name = "integer"
		case *term.Rational:
			name = "decimal"
		case term.Atom:
			name = "boolean"
		case term.String:
			name = "atom"
		}
		if feel.Constant(value) {
			list = append(list, name)
		}
	}
	return list
}
