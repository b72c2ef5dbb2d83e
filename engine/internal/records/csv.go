package records

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the reader of CSV.

// csvReader reads the rows of a CSV text.
type csvReader struct {
	parser
	o      *Options
	text   *bounded
	csv    *csv.Reader
	null   map[string]bool
	values []term.Term
	// fields has the number of the field of each value. nil: the header has not been read.
	fields []int
	width  int // the number of fields of a record
	names  []string
	ended  error
}

func newCSVReader(r io.Reader, o *Options) *csvReader {
	c := &csvReader{parser: parser{decimalComma: o.DecimalComma, atoms: map[string]term.Term{}}, o: o,
		text: &bounded{r: r}, null: map[string]bool{"": true}, values: make([]term.Term, o.Arity)}
	for _, text := range o.Null {
		c.null[text] = true
	}
	c.csv = csv.NewReader(skipMark(c.text))
	c.csv.FieldsPerRecord, c.csv.ReuseRecord = -1, true
	switch {
	case o.Separator != 0:
		c.csv.Comma = o.Separator
	case o.Format == TSV:
		c.csv.Comma = '\t'
	}
	return c
}

// Next returns the next row.
func (c *csvReader) Next() (Row, error) {
	record, place, err := c.record()
	if err != nil {
		return Row{}, err
	}
	for i, at := range c.fields {
		field := record[at]
		if c.null[field] {
			c.values[i] = Null
			continue
		}
		v, err := c.value(field, c.o.typeOf(i))
		if err != nil {
			return Row{}, mistake(c.placeOf(at), "%s%s", err, c.headerHint(place))
		}
		c.values[i] = v
	}
	return Row{Values: c.values, Place: place}, nil
}

// headerHint says what a mistake in the first line may come from.
func (c *csvReader) headerHint(at syntax.Place) string {
	if at.Line == 1 && !c.o.Header {
		return "; if the first line names the columns, say header(true)"
	}
	return ""
}

// record returns the fields of the next record, which are all there and valid UTF-8.
func (c *csvReader) record() ([]string, syntax.Place, error) {
	if c.ended != nil {
		return nil, syntax.Place{}, c.ended
	}
	if c.fields == nil {
		if c.ended = c.header(); c.ended != nil {
			return nil, syntax.Place{}, c.ended
		}
	}
	record, err := c.read()
	if err != nil {
		return nil, syntax.Place{}, err
	}
	place := c.placeOf(0)
	if c.width == 0 {
		c.width = len(record)
		if c.width != c.o.Arity && c.o.Columns == nil {
			c.ended = &End{*mistake(place, "the predicate has %s and the row has %s; name the columns by columns([...])%s",
				spell.Count(c.o.Arity, "argument"), spell.Count(c.width, "field"), returnHint(record))}
			return nil, place, c.ended
		}
	}
	if len(record) != c.width {
		return nil, place, mistake(place, "the row has %s, expected %d%s", spell.Count(len(record), "field"), c.width,
			returnHint(record))
	}
	for i, field := range record {
		if !utf8.ValidString(field) {
			return nil, place, mistake(c.placeOf(i), notUTF8)
		}
	}
	return record, place, nil
}

// returnHint says what a row of another width may come from.
func returnHint(record []string) string {
	if slices.ContainsFunc(record, func(field string) bool { return strings.Contains(field, "\r") }) {
		return "; it contains a CR, which ends no line without LF"
	}
	return ""
}

// read returns the next record of the text.
func (c *csvReader) read() ([]string, error) {
	c.text.begin()
	record, err := c.csv.Read()
	var bad *csv.ParseError
	switch {
	case err == nil:
		return record, nil
	case errors.As(err, &bad):
		// A quote that is out of place leaves it open where the next record begins.
		at := syntax.Place{Line: bad.StartLine, Column: 1}
		if bad.Line == bad.StartLine {
			at.Column = bad.Column
		}
		wrong := mistake(at, "%s", csvMessage(bad.Err))
		if errors.Is(err, csv.ErrBareQuote) {
			return nil, wrong
		}
		c.ended = &End{*wrong}
	case errors.Is(err, errWide):
		c.ended = &End{*mistake(syntax.Place{Line: 1, Column: 1}, "%s", err)}
	case errors.Is(err, errLong):
		line, _ := c.csv.FieldPos(0)
		c.ended = &End{*mistake(syntax.Place{Line: line + 1, Column: 1}, "%s", err)}
	default:
		c.ended = err
	}
	return nil, c.ended
}

// csvMessage words an error of the parser.
func csvMessage(err error) string {
	switch {
	case errors.Is(err, csv.ErrQuote):
		return `a quoted field must end with its quote; a quote within it is written ""`
	case errors.Is(err, csv.ErrBareQuote):
		return `a field that contains a quote must be quoted`
	}
	return err.Error()
}

// placeOf returns the place of a field of the last record.
func (c *csvReader) placeOf(field int) syntax.Place {
	line, column := c.csv.FieldPos(field)
	return syntax.Place{Line: line, Column: column}
}

// Columns implements Reader.
func (c *csvReader) Columns() []string { return c.names }

// header reads the names of the columns and finds the field of each value.
func (c *csvReader) header() error {
	var names []string
	if c.o.Header {
		record, err := c.read()
		if errors.Is(err, io.EOF) { // perhaps it is just being written
			err = &End{*mistake(syntax.Place{Line: 1, Column: 1},
				"the file is empty; a line with the names of the columns was expected")}
		}
		if err != nil {
			return err
		}
		names, c.width = slices.Clone(record), len(record)
	}
	c.fields = []int{}
	if c.o.Columns == nil {
		for i := range c.o.Arity {
			c.fields = append(c.fields, i)
		}
		c.names = names
		if c.o.Header && c.width != c.o.Arity {
			return &End{*mistake(c.placeOf(0), "the predicate has %s and the text has the columns %s; choose by columns([...])",
				spell.Count(c.o.Arity, "argument"), strings.Join(names, ", "))}
		}
		return nil
	}
	c.names = c.o.Columns
	for _, column := range c.o.Columns {
		at := slices.Index(names, column)
		if at < 0 {
			return &End{*mistake(syntax.Place{Line: 1, Column: 1}, "there is no column %s; the columns are %s%s", column,
				strings.Join(names, ", "), spell.Hint(column, names))}
		}
		if slices.Contains(names[at+1:], column) {
			return &End{*mistake(c.placeOf(at), "several columns are called %s; give them names of their own", column)}
		}
		c.fields = append(c.fields, at)
	}
	return nil
}

// Guessed is what GuessTypes finds out.
type Guessed struct {
	Types []Type
	// Header is the first column, from 1, that has numbers in all rows but the first, which has none, or 0.
	Header int
	Odd    []OddColumn
}

// OddColumn is a column of atoms that has numbers in nearly all rows.
type OddColumn struct {
	Column          int // from 1
	Numbers, Others int
	Text            string // the first value that is no number
	Place           syntax.Place
}

// leastNumbers is how many numbers a column has for each other value, and at all, for the others to be odd.
const leastNumbers = 20

// GuessTypes reads a CSV text to its end and returns the type of each value: the given one, or the narrowest that all
// texts of the column have. Rows that are wrong are passed over, as reading them again reports them.
func GuessTypes(r io.Reader, o *Options) (Guessed, error) {
	c := newCSVReader(r, o)
	guesses := make([]guess, o.Arity)
	for first := !o.Header; ; first = false {
		record, _, err := c.record()
		var bad *Mistake
		var end *End
		switch {
		case errors.As(err, &bad):
			continue
		case errors.Is(err, io.EOF), errors.As(err, &end):
			return c.guessed(guesses), nil
		case err != nil:
			return Guessed{}, err
		}
		for i, at := range c.fields {
			if field := record[at]; !c.null[field] {
				if guesses[i].note(&c.parser, field, first); guesses[i].others == 1 && guesses[i].other == "" {
					guesses[i].other, guesses[i].place = strings.Clone(field), c.placeOf(at)
				}
			}
		}
	}
}

// guessed returns the types of a row.
func (c *csvReader) guessed(guesses []guess) Guessed {
	g := Guessed{Types: make([]Type, c.o.Arity)}
	for i := range g.Types {
		if g.Types[i] = c.o.typeOf(i); g.Types[i] != Guess {
			continue
		}
		if g.Types[i] = guesses[i].all; g.Types[i] == Guess {
			g.Types[i] = Atom
		}
		if k := &guesses[i]; k.others > 0 && !k.codes && k.numbers >= leastNumbers*k.others {
			g.Odd = append(g.Odd, OddColumn{i + 1, k.numbers, k.others, k.other, k.place})
		}
		if rest := guesses[i].rest; rest != Guess && rest != Atom && g.Types[i] == Atom && g.Header == 0 {
			g.Header = i + 1
		}
	}
	if c.o.Header || slices.ContainsFunc(guesses, func(g guess) bool { return g.numeric }) {
		g.Header = 0
	}
	return g
}

// skipMark passes over the byte order mark that some programs begin a text with.
func skipMark(r io.Reader) io.Reader { return &markSkipper{r: r} }

// markSkipper drops a byte order mark at the beginning of a text.
type markSkipper struct {
	r    io.Reader
	rest []byte // of the beginning
	done bool
	wide bool // the text is of no use
}

// isWide reports whether a text begins with the mark of UTF-16 or UTF-32, or with an ASCII character in one of them.
func isWide(start []byte) bool {
	if len(start) < 2 {
		return false
	}
	mark := string(start[:2])
	return mark == "\xff\xfe" || mark == "\xfe\xff" || start[0] == 0 || start[1] == 0
}

// Read reads from the text.
func (s *markSkipper) Read(p []byte) (int, error) {
	if !s.done {
		s.done = true
		mark := make([]byte, 3)
		n, err := io.ReadFull(s.r, mark)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
		if s.rest = mark[:n]; string(s.rest) == "\uFEFF" {
			s.rest = nil
		}
		s.wide = isWide(s.rest)
	}
	if s.wide {
		return 0, errWide
	}
	if len(s.rest) > 0 {
		n := copy(p, s.rest)
		s.rest = s.rest[n:]
		return n, nil
	}
	return s.r.Read(p)
}
